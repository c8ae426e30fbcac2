"""What can be booked, for any business, any busy week and any instant round the days when clocks change."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.core.business import Interval, Service, Staff
from bot.core.slots import Busy, Calendar, Slot
from tests.core.world import TIJUANA, calendar, every_day, person, rules

MINUTE = timedelta(minutes=1)
CHANGES = (datetime(2026, 10, 31, tzinfo=UTC), datetime(2027, 3, 13, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC))

instants = st.builds(lambda start, n: start + n * MINUTE, st.sampled_from(CHANGES), st.integers(0, 2 * 24 * 60))
intervals = st.builds(
    lambda opens, length: Interval(opens=opens * 15, closes=opens * 15 + length * 15),
    st.integers(0, 95),
    st.integers(1, 40),
)
weeks = st.tuples(*[st.lists(intervals, max_size=2).map(tuple)] * 7)


@st.composite
def calendars(draw: st.DrawFn) -> Calendar:
    now = draw(instants)
    people = tuple(person(number, week=draw(weeks)) for number in range(1, draw(st.integers(2, 4))))
    service = Service(id=1, name="Corte", minutes=draw(st.integers(1, 30)) * 5, buffer=draw(st.integers(0, 6)) * 5)
    spans = st.builds(
        lambda staff, begins, length, number: Busy(
            staff=staff, start=now + begins * MINUTE, until=now + (begins + length) * MINUTE, appointment=number
        ),
        st.sampled_from([each.id for each in people]),
        st.integers(-100, 4000),
        st.integers(1, 600),
        st.integers(1, 3),
    )
    return calendar(
        now,
        *people,
        busy=tuple(draw(st.lists(spans, max_size=12))),
        zone=TIJUANA,
        book=rules(notice=draw(st.integers(0, 600)), horizon=3, grid=draw(st.sampled_from([10, 15, 30, 45]))),
        services=(service,),
    )


def open_on_the_clock(staff: Staff, slot: Slot) -> bool:
    """Said without the code under test: on the wall clock, its first and last instants are inside one interval."""
    instants = slot.start, slot.end - timedelta.resolution
    start, last = (at.astimezone(TIJUANA).replace(tzinfo=None) for at in instants)
    midnights = [datetime.combine(start.date() - timedelta(days=back), datetime.min.time()) for back in (0, 1)]
    return any(
        midnight + interval.opens * MINUTE <= start and last < midnight + interval.closes * MINUTE
        for midnight in midnights
        for interval in staff.week[midnight.weekday()]
    )


@given(calendars())
def test_every_free_slot_keeps_every_rule(book: Calendar) -> None:
    service, limits = book.business.services[0], book.business.rules
    for slot in book.free(1):
        assert slot.start > book.now
        assert book.now + limits.notice <= slot.start <= book.now + limits.horizon
        assert slot.end - slot.start == service.duration
        staff = next(each for each in book.business.staff if each.id == slot.staff)
        assert open_on_the_clock(staff, slot)
        until = slot.end + service.pause
        assert not any(b.staff == slot.staff and b.start < until and slot.start < b.until for b in book.busy)
        assert book.check(slot) is None


@given(calendars())
def test_free_slots_are_in_order_and_on_existing_wall_clock_times_once(book: Calendar) -> None:
    found = book.free(1)
    starts = [slot.start for slot in found]
    assert starts == sorted(set(starts))
    clocks = [start.astimezone(TIJUANA).replace(tzinfo=None) for start in starts]
    assert len(set(clocks)) == len(clocks)
    assert all(start.astimezone(TIJUANA).fold == 0 for start in starts)


@given(calendars(), st.integers(0, 10))
def test_days_limits_and_offers_agree_with_what_is_free(book: Calendar, count: int) -> None:
    found = book.free(1)
    assert book.free(1, limit=count) == found[:count]
    assert list(book.days(1)) == sorted({slot.start.astimezone(TIJUANA).date() for slot in found})
    offers = book.offers(1, count)
    assert len(offers) == min(count, len(found))
    assert {slot.start for slot in offers} <= {slot.start for slot in found}
    assert all(book.check(slot) is None for slot in offers)
    assert list(offers) == sorted(offers, key=lambda slot: slot.start)
    assert offers[:1] == found[: min(count, 1)]  # with whoever comes first


@given(calendars(), st.integers(-3000, 6000), st.integers(1, 5))
def test_the_nearest_are_the_nearest(book: Calendar, minutes: int, count: int) -> None:
    near = book.now + minutes * MINUTE
    by_distance = sorted(book.free(1), key=lambda slot: (abs(slot.start - near), slot.start))
    assert book.offers(1, count, near=near) == tuple(sorted(by_distance[:count], key=lambda slot: slot.start))


@given(calendars(), st.integers(0, 4000))
def test_bounds_cut_the_list_and_change_nothing_else(book: Calendar, minutes: int) -> None:
    cut = book.now + minutes * MINUTE
    assert book.free(1, before=cut) + book.free(1, after=cut) == book.free(1)


@given(calendars())
def test_an_ignored_appointment_is_as_if_it_were_not_there(book: Calendar) -> None:
    rest = tuple(span for span in book.busy if span.appointment != 2)
    without = Calendar(business=book.business, busy=rest, now=book.now)
    assert book.free(1, ignore=2) == without.free(1)


@given(st.sets(st.integers(0, 19)), st.sampled_from([CHANGES[0], CHANGES[2]]))
def test_free_and_busy_together_are_the_opening_hours(slots: set[int], now: datetime) -> None:
    """For a service as long as the grid, nothing is lost and nothing is invented."""
    someone = person(week=every_day("09:00-19:00"))
    service = Service(id=1, name="Corte", minutes=30)
    empty = calendar(now, someone, zone=TIJUANA, services=(service,), book=rules(horizon=1))
    whole = empty.free(1)
    chosen = [slot for number, slot in enumerate(whole) if number in slots]
    busy = tuple(
        Busy(staff=1, start=slot.start, until=slot.end, appointment=number) for number, slot in enumerate(chosen)
    )
    left = Calendar(business=empty.business, busy=busy, now=now).free(1)
    assert sorted([*left, *chosen], key=lambda slot: slot.start) == list(whole)
    assert len(whole) == 20
