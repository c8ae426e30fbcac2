"""Rooms, chairs and classes: what is free when a service needs one of them, or has several seats."""

from dataclasses import replace
from datetime import UTC, timedelta

import pytest

from bot.core.board import Board, Place, by_resource, by_staff
from bot.core.business import Resource, Service
from bot.core.slots import Busy, Calendar, Refusal, Slot
from tests.core.world import MEXICO, calendar, every_day, local, person, rules

DAWN = local("2026-12-01T06:00")
YOGA = Service(id=1, name="Yoga", minutes=60, capacity=3, resources=(10,))
MASSAGE = Service(id=2, name="Masaje", minutes=60, buffer=30, resources=(11, 10))
CALL = Service(id=3, name="Llamada", minutes=30, capacity=2)
NOWHERE = Service(id=4, name="Sauna", minutes=30, resources=())
ROOMS = (Resource(id=10, name="Grande"), Resource(id=11, name="Chica"))


def held(
    hour: str, *, staff: int = 1, service: int | None = 1, resource: int | None = 10, minutes: int = 60, number: int = 1
) -> Busy:
    start = local(f"2026-12-01T{hour}")
    return Busy(staff, start, start + timedelta(minutes=minutes), number, service, resource)


def studio(*busy: Busy) -> Calendar:
    people = [person(number, week=every_day("09:00-12:00"), services=(1, 2, 3, 4)) for number in (1, 2)]
    book = calendar(DAWN, *people, busy=busy, services=(YOGA, MASSAGE, CALL, NOWHERE), book=rules(horizon=0.5))
    return replace(book, business=replace(book.business, resources=ROOMS))


def starts(book: Calendar, service: int, staff: int | None = None, ignore: int | None = None) -> list[str]:
    found = book.free(service, staff=staff, ignore=ignore)
    return [slot.start.astimezone(MEXICO).strftime("%H:%M") for slot in found]


def place(book: Calendar, service: Service, hour: str, *, staff: int, minutes: int) -> Place | None:
    start = local(f"2026-12-01T{hour}")
    board = Board(service=service, staff=by_staff(book.busy), resources=by_resource(book.busy))
    return board.place(staff, start, start + timedelta(minutes=minutes))


def test_a_class_with_seats_left_is_free_at_its_start_only() -> None:
    book = studio(held("10:00"), held("10:00", number=2))
    assert starts(book, 1, staff=1) == ["09:00", "10:00", "11:00"]
    assert starts(book, 1, staff=2) == ["09:00", "11:00"]  # another class would need the same room
    assert starts(book, 3, staff=1) == ["09:00", "09:30", "11:00", "11:30"]


def test_a_full_class_is_taken() -> None:
    book = studio(*(held("10:00", number=number) for number in (1, 2, 3)))
    assert starts(book, 1) == ["09:00", "11:00"]
    assert book.at(1, local("2026-12-01T10:00")) is Refusal.TAKEN
    assert starts(book, 1, ignore=2) == ["09:00", "10:00", "11:00"]


def test_whoever_moves_leaves_an_empty_class_behind() -> None:
    book = studio(held("10:00"))
    assert starts(book, 1, staff=1) == ["09:00", "10:00", "11:00"]
    assert starts(book, 1, staff=1, ignore=1) == ["09:00", "09:30", "10:00", "10:30", "11:00"]


def test_a_service_takes_the_first_room_that_is_free() -> None:
    assert place(studio(), MASSAGE, "09:00", staff=1, minutes=90) == Place(11)
    book = studio(held("09:00", service=2, resource=11, minutes=90))
    assert place(book, MASSAGE, "09:00", staff=2, minutes=90) == Place(10)
    both = studio(held("09:00", service=2, resource=11, minutes=90), held("10:00", staff=3))
    assert starts(both, 2, staff=2) == ["10:30", "11:00"]
    assert both.at(2, local("2026-12-01T09:30"), staff=2) is Refusal.TAKEN


def test_a_service_whose_rooms_are_all_out_of_use_is_never_free() -> None:
    assert starts(studio(), 4) == []


def test_a_class_that_stands_in_another_room_goes_on_there() -> None:
    book = studio(held("10:00", resource=11))
    assert place(book, YOGA, "10:00", staff=1, minutes=60) == Place(11)
    roomless = studio(held("10:00", resource=None))
    assert place(roomless, YOGA, "10:00", staff=1, minutes=60) == Place(None)


def test_a_seat_must_not_reach_into_what_comes_after() -> None:
    """The service has become longer since the class was booked."""
    next_one = held("10:45", service=3, resource=None, minutes=30, number=2)
    assert starts(studio(held("10:00", minutes=45), next_one), 1, staff=1) == ["09:00"]
    in_the_room = held("10:45", staff=2, service=2, resource=10, minutes=90, number=2)
    assert starts(studio(held("10:00", minutes=45), in_the_room), 1, staff=1) == ["09:00"]


def test_offers_share_the_work_among_the_staff() -> None:
    offers = studio().offers(3, 6)
    assert [slot.staff for slot in offers] == [1, 2, 1, 2, 1, 2]
    only_second = studio(held("09:00", service=None, resource=None, minutes=90)).offers(3, 6)
    assert [slot.staff for slot in only_second] == [2, 2, 2, 1, 1, 1]
    assert len({slot.start for slot in only_second}) == 6


def test_one_question_names_person_time_and_length() -> None:
    """Any time on Tuesday before noon, this person, 90 minutes."""
    book = studio(held("09:00", service=None, resource=None, staff=2))
    after, before = local("2026-12-01T09:00"), local("2026-12-01T12:00")
    found = book.free(3, staff=2, minutes=90, after=after, before=before)
    assert [slot.start.astimezone(MEXICO).strftime("%H:%M") for slot in found] == ["10:00", "10:30"]
    assert all(slot.end - slot.start == timedelta(minutes=90) for slot in found)
    assert book.at(3, local("2026-12-01T11:00"), staff=2, minutes=90) is Refusal.CLOSED
    asked = book.at(3, local("2026-12-01T10:10").astimezone(UTC), staff=2, minutes=90)
    assert isinstance(asked, Slot)
    assert book.check(asked) is None


def test_a_session_has_a_seat() -> None:
    with pytest.raises(ValueError, match="at least one seat"):
        Service(id=1, name="x", minutes=5, capacity=0)
