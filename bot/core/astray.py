"""Whether what is booked still fits the business: an edit of hours, staff, services or rooms may strand it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.core.business import Business, Staff
from bot.core.grid import inside


class Astray(StrEnum):
    """Why a booking can no longer be kept as it stands."""

    NO_SERVICE = "NO_SERVICE"
    NO_STAFF = "NO_STAFF"
    NO_RESOURCE = "NO_RESOURCE"
    CLOSED = "CLOSED"
    FULL = "FULL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """What an active appointment holds; `[start, end)` without the buffer. Without a person it is nobody's."""

    service: int | None
    staff: int
    resource: int | None
    start: datetime
    end: datetime


def astray(booking: Booking, business: Business) -> Astray | None:
    """Why it does not fit; None when it does. Services, people and rooms that are switched off do no work."""
    person = next((one for one in business.staff if one.id == booking.staff and one.active), None)
    if booking.service is not None and business.service(booking.service) is None:
        return Astray.NO_SERVICE
    if person is None or not _offers(person, booking.service):
        return Astray.NO_STAFF
    if booking.resource is not None and booking.resource not in _rooms(business, booking.service):
        return Astray.NO_RESOURCE
    return None if inside(business, person, booking.start, booking.end) else Astray.CLOSED


def without_seat(bookings: Mapping[int, Booking], business: Business) -> frozenset[int]:
    """Of bookings by number, in order, those beyond the seats of their session: a class that was made smaller."""
    taken: Counter[tuple[int | None, int, datetime]] = Counter()
    over = set()
    for number, one in bookings.items():
        session = (one.service, one.staff, one.start)
        taken[session] += 1
        service = business.service(one.service) if one.service is not None else None
        if service is not None and taken[session] > service.capacity:
            over.add(number)
    return frozenset(over)


def _offers(person: Staff, service: int | None) -> bool:
    return service is None or service in person.services


def _rooms(business: Business, service: int | None) -> tuple[int, ...]:
    """A service that needs none any more does no harm in the one it has."""
    active = tuple(resource.id for resource in business.resources if resource.active)
    wanted = business.service(service) if service is not None else None
    return active if wanted is None or wanted.resources is None else wanted.resources
