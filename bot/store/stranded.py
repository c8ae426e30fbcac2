"""Which bookings an edit of the business strands: a closure over booked slots, somebody who leaves, shorter hours."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select, text
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.astray import Astray, Booking, astray, without_seat
from bot.core.business import Business
from bot.store.tables import ACTIVE, AppointmentRow, CustomerRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """An active appointment that lies ahead, and whose it is; `name` is who comes."""

    appointment: int
    customer: int
    name: str
    booking: Booking


@dataclass(frozen=True, slots=True, kw_only=True)
class Stranded:
    """A booking that was in order and no longer is."""

    appointment: int
    customer: int
    name: str
    start: datetime
    why: Astray


async def bookings(session: AsyncSession, business_id: int, now: datetime) -> dict[int, Held]:
    """All that have a staff member and begin after `now`, by start."""
    start = col(AppointmentRow.scheduled_at)
    query: Any = (
        select(
            col(AppointmentRow.id),
            col(AppointmentRow.customer_id),
            col(AppointmentRow.attendee),
            col(CustomerRow.name),
            col(AppointmentRow.service_id),
            col(AppointmentRow.staff_id),
            col(AppointmentRow.resource_id),
            col(AppointmentRow.scheduled_at),
            col(AppointmentRow.ends_at),
        )
        .join(CustomerRow, col(CustomerRow.id) == col(AppointmentRow.customer_id))
        .where(
            col(AppointmentRow.business_id) == business_id,
            col(AppointmentRow.staff_id).is_not(None),
            col(AppointmentRow.busy_until) > now,
            start > now,
            text(ACTIVE),
        )
        .order_by(start, col(AppointmentRow.id))
    )
    connection = await session.connection()
    return {
        number: Held(
            appointment=number,
            customer=customer,
            name=attendee or name,
            booking=Booking(service=service, staff=staff, resource=resource, start=begins, end=ends),
        )
        for number, customer, attendee, name, service, staff, resource, begins, ends in await connection.execute(query)
    }


def stranded(
    before: Mapping[int, Held], after: Mapping[int, Held], old: Business, new: Business
) -> tuple[Stranded, ...]:
    """Those that fitted before the edit and do not after it; what was agreed against the rules is no news."""
    known, now = _why(before, old), _why(after, new)
    return tuple(
        Stranded(appointment=number, customer=one.customer, name=one.name, start=one.booking.start, why=now[number])
        for number, one in after.items()
        if number in now and number not in known
    )


def _why(held: Mapping[int, Held], business: Business) -> dict[int, Astray]:
    """By appointment, why it does not fit."""
    bookings = {number: one.booking for number, one in held.items()}
    full = dict.fromkeys(without_seat(bookings, business), Astray.FULL)
    found = {number: astray(one, business) for number, one in bookings.items()}
    return full | {number: why for number, why in found.items() if why is not None}
