"""Which bookings an edit of the business strands."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.astray import Astray, Booking, astray, without_seat
from bot.core.business import Business, Resource, Special
from tests.core.world import CUT, RETIRED, calendar, every_day, local, person

START = local("2026-12-02T10:00")
BOOKED = Booking(service=1, staff=1, resource=None, start=START, end=START + timedelta(hours=1))
ROOM = Resource(id=10, name="Sala")


def world() -> Business:
    people = person(1), person(2, services=(2,)), person(3, active=False)
    return replace(calendar(START, *people).business, resources=(ROOM, replace(ROOM, id=11, active=False)))


@pytest.mark.parametrize(
    ("booking", "why"),
    [
        (BOOKED, None),
        (replace(BOOKED, service=None), None),
        (replace(BOOKED, service=RETIRED.id), Astray.NO_SERVICE),
        (replace(BOOKED, service=99), Astray.NO_SERVICE),
        (replace(BOOKED, staff=2), Astray.NO_STAFF),
        (replace(BOOKED, staff=2, service=None), None),
        (replace(BOOKED, staff=3), Astray.NO_STAFF),
        (replace(BOOKED, staff=9), Astray.NO_STAFF),
        (replace(BOOKED, resource=10), None),
        (replace(BOOKED, resource=10, service=None), None),
        (replace(BOOKED, resource=11), Astray.NO_RESOURCE),
        (replace(BOOKED, start=START - timedelta(hours=2), end=START), Astray.CLOSED),
    ],
)
def test_a_booking_fits_or_says_why_not(booking: Booking, why: Astray | None) -> None:
    assert astray(booking, world()) is why


def test_a_room_that_the_service_cannot_use_any_more_strands() -> None:
    other = replace(CUT, resources=(12,))
    assert astray(replace(BOOKED, resource=10), replace(world(), services=(other,))) is Astray.NO_RESOURCE


def test_a_closure_over_a_booked_slot_strands_and_shorter_hours_too() -> None:
    closed = replace(world(), specials=(Special(day=START.date()),))
    assert astray(BOOKED, closed) is Astray.CLOSED
    shorter = replace(world(), staff=(person(week=every_day("10:00-10:45")),))
    assert astray(BOOKED, shorter) is Astray.CLOSED


def test_a_class_that_was_made_smaller_has_no_seat_for_who_came_last() -> None:
    later = replace(BOOKED, start=START + timedelta(hours=2))
    bookings = {
        7: BOOKED,
        8: BOOKED,
        9: BOOKED,
        10: later,
        11: replace(BOOKED, service=None),
        12: replace(BOOKED, service=99),
    }
    seats = replace(world(), services=(replace(CUT, capacity=2),))
    assert without_seat(bookings, seats) == {9}
    assert without_seat(bookings, replace(world(), services=(replace(CUT, capacity=3),))) == frozenset()
