"""What can be booked, for any business with rooms, classes, special days and time off."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.board import Board, by_resource, by_staff
from bot.core.business import Absence, Resource, Service, Special
from bot.core.slots import Busy, Calendar, Slot
from tests.core.test_slots_properties import intervals, weeks
from tests.core.world import TIJUANA, calendar, person, rules

few = settings(max_examples=40, deadline=None)  # each example asks for whole weeks of slots, many times
MINUTE = timedelta(minutes=1)
ROUNDS = (datetime(2026, 10, 31, tzinfo=UTC), datetime(2027, 3, 13, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC))
ROOMS = (Resource(id=1, name="Grande"), Resource(id=2, name="Chica"))
minutes = st.integers(0, 3 * 24 * 60)
services = st.builds(
    lambda number, length, buffer, capacity, rooms: Service(
        id=number, name=f"S{number}", minutes=length * 5, buffer=buffer * 5, capacity=capacity, resources=rooms
    ),
    st.just(1),
    st.integers(1, 24),
    st.integers(0, 4),
    st.sampled_from([1, 1, 2, 3]),
    st.sampled_from([None, None, (1,), (2, 1), ()]),
)


@st.composite
def businesses(draw: st.DrawFn) -> Calendar:
    """With nothing booked yet."""
    now = draw(st.sampled_from(ROUNDS)) + draw(minutes) * MINUTE
    days = [now.astimezone(TIJUANA).date() + timedelta(days=ahead) for ahead in range(4)]
    specials = st.lists(
        st.builds(
            lambda day, hours: Special(day=day, hours=tuple(hours)),
            st.sampled_from(days),
            st.lists(intervals, max_size=2),
        ),
        max_size=2,
        unique_by=lambda special: special.day,
    ).map(tuple)
    absences = st.lists(
        st.builds(
            lambda begins, length: Absence(start=now + begins * MINUTE, until=now + (begins + length) * MINUTE),
            minutes,
            st.integers(1, 900),
        ),
        max_size=2,
    ).map(tuple)
    people = tuple(
        replace(person(number, week=draw(weeks), services=(1, 2)), specials=draw(specials), absences=draw(absences))
        for number in range(1, draw(st.integers(2, 4)))
    )
    offered = draw(services), replace(draw(services), id=2, name="S2")
    book = calendar(
        now,
        *people,
        zone=TIJUANA,
        services=offered,
        book=rules(notice=draw(st.integers(0, 300)), horizon=3, grid=draw(st.sampled_from([15, 30, 45]))),
    )
    whole = replace(book.business, resources=ROOMS, specials=draw(specials), absences=draw(absences))
    return replace(book, business=whole)


def booked(book: Calendar, slot: Slot, number: int) -> Calendar:
    """As it is once somebody has the slot; the room is the one that the store would choose."""
    service = next(one for one in book.business.services if one.id == slot.service)
    board = Board(service=service, staff=by_staff(book.busy), resources=by_resource(book.busy))
    until = slot.end + service.pause
    place = board.place(slot.staff, slot.start, until)
    assert place is not None
    busy = Busy(slot.staff, slot.start, until, number, service.id, place.resource)
    return replace(book, busy=(*book.busy, busy))


@st.composite
def filled(draw: st.DrawFn) -> Calendar:
    """Booked from its own lists, so whatever they hold must be bookable."""
    book = draw(businesses())
    for number in range(draw(st.integers(0, 8))):
        free = book.free(draw(st.sampled_from([1, 2])))
        if free:
            book = booked(book, draw(st.sampled_from(free)), number)
    return book


def open_then(book: Calendar, slot: Slot) -> bool:
    """Said without the code under test: on the wall clock, inside one interval of what opens; outside time off."""
    staff = next(one for one in book.business.staff if one.id == slot.staff)
    first, last = (at.astimezone(TIJUANA).replace(tzinfo=None) for at in (slot.start, slot.end - MINUTE / 60))

    def opens(day: date) -> list[tuple[datetime, datetime]]:
        own = [special.hours for special in (*staff.specials, *book.business.specials) if special.day == day]
        midnight = datetime.combine(day, datetime.min.time())
        hours = own[0] if own else staff.week[day.weekday()]
        return [(midnight + each.opens * MINUTE, midnight + each.closes * MINUTE) for each in hours]

    days = (first.date() - timedelta(days=1), first.date())
    away = (*staff.absences, *book.business.absences)
    return any(begins <= first and last < ends for day in days for begins, ends in opens(day)) and not any(
        absence.start < slot.end and slot.start < absence.until for absence in away
    )


@few
@given(filled(), st.sampled_from([1, 2]))
def test_no_slot_is_past_closed_in_time_off_or_in_a_gap(book: Calendar, service: int) -> None:
    for slot in book.free(service):
        assert book.now < slot.start <= book.now + book.business.rules.horizon
        assert slot.start >= book.now + book.business.rules.notice
        assert slot.start.astimezone(TIJUANA).astimezone(UTC) == slot.start
        assert open_then(book, slot)


@few
@given(filled(), st.sampled_from([1, 2]), st.integers(1, 10))
def test_what_is_listed_or_offered_can_be_booked_when_nothing_has_happened(
    book: Calendar, service: int, count: int
) -> None:
    for slot in (*book.free(service), *book.offers(service, count)):
        assert book.check(slot) is None
        assert book.at(service, slot.start, staff=slot.staff) == slot


@few
@given(filled())
def test_nobody_and_no_room_is_booked_twice_and_no_class_is_overfull(book: Calendar) -> None:
    capacity = {service.id: service.capacity for service in book.business.services}
    sessions = Counter((one.service, one.staff, one.start, one.resource) for one in book.busy)
    assert all(count <= capacity[service or 0] for (service, *_), count in sessions.items())
    for one in book.busy:
        for other in book.busy:
            same = one.staff == other.staff or (one.resource is not None and one.resource == other.resource)
            if same and one.start < other.until and other.start < one.until:
                assert (one.service, one.staff, one.start, one.resource) == (
                    other.service, other.staff, other.start, other.resource,
                )  # fmt: skip


@few
@given(filled(), st.data())
def test_moving_there_and_back_is_the_identity(book: Calendar, data: st.DataObject) -> None:
    free = book.free(1)
    if len(free) < 2:
        return
    here = data.draw(st.sampled_from(free))
    mine = booked(book, here, 99)
    others = mine.free(1, ignore=99)
    assert here.start in {slot.start for slot in others}
    there = data.draw(st.sampled_from(others))
    assert mine.check(there, ignore=99) is None
    moved = booked(book, there, 99)
    assert moved.check(here, ignore=99) is None
    back = booked(replace(moved, busy=book.busy), here, 99)
    assert set(back.busy) == set(mine.busy)


@few
@given(filled(), st.data())
def test_a_booking_takes_its_own_slot_and_gives_it_back(book: Calendar, data: st.DataObject) -> None:
    free = book.free(2)
    if not free:
        return
    taken = booked(book, data.draw(st.sampled_from(free)), 99)
    assert {slot.start for slot in taken.free(2)} <= {slot.start for slot in free}
    assert taken.free(2, ignore=99) == free


@few
@given(businesses(), st.data())
def test_free_and_busy_together_are_the_opening(book: Calendar, data: st.DataObject) -> None:
    """For somebody alone and a service as long as the grid: nothing is lost and nothing is invented."""
    short = Service(id=1, name="S", minutes=int(book.business.rules.grid / MINUTE))
    alone = replace(book.business, services=(short,), staff=book.business.staff[:1], resources=())
    empty = replace(book, business=alone)
    whole = empty.free(1)
    chosen: list[Slot] = []
    for slot in data.draw(st.lists(st.sampled_from(whole), unique=True)) if whole else []:
        if all(slot.end <= other.start or other.end <= slot.start for other in chosen):
            chosen.append(slot)
    busy = tuple(Busy(1, slot.start, slot.end, number, 1) for number, slot in enumerate(chosen))
    left = replace(empty, busy=busy).free(1)
    met = {slot for slot in whole for other in chosen if slot.start < other.end and other.start < slot.end}
    assert set(left) == set(whole) - met
    assert set(chosen) <= met
