"""Appointments in the database: read as values, changed only while as the decision saw them, every change audited."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, insert, update
from sqlalchemy.exc import DBAPIError
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.appointment import Actor, Appointment, Happening, Status
from bot.store.database import slot_taken
from bot.store.places import place
from bot.store.tables import AppointmentEventRow, AppointmentRow

RECENT = 50


class SlotGone(Exception):
    """The database refused the overlap: somebody else has the slot."""


class OutOfDate(Exception):
    """The appointment is no longer as the decision saw it: decide again on a fresh view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Who changes it, and by which message."""

    actor: Actor
    name: str = ""
    message_id: str | None = None


def value(row: AppointmentRow | Row[Any]) -> Appointment:
    """The row as the pure part knows it."""
    if row.id is None:
        raise ValueError("an appointment that is not stored has no value yet")
    return Appointment(
        id=row.id,
        customer=row.customer_id,
        service=row.service_id,
        staff=row.staff_id,
        start=row.scheduled_at,
        end=row.ends_at,
        status=Status(row.status),
        version=row.version,
        slot_set_at=row.slot_set_at,
        cancelled_from=Status(row.cancelled_from) if row.cancelled_from else None,
        attendee=row.attendee,
        sent_24h=row.reminder_24h_sent,
        sent_2h=row.reminder_2h_sent,
    )


_VALUE = (
    *("id", "customer_id", "service_id", "staff_id", "scheduled_at", "ends_at", "status", "version", "slot_set_at"),
    *("cancelled_from", "attendee", "reminder_24h_sent", "reminder_2h_sent"),
)
"""The columns of a value."""
# Statements that a turn needs are put together once: that takes longer than the database takes to do them.
_OF_CUSTOMER = (
    select(*(AppointmentRow.__table__.c[name] for name in _VALUE))  # type: ignore[attr-defined]
    .where(col(AppointmentRow.customer_id) == bindparam("customer"))
    .order_by(col(AppointmentRow.scheduled_at).desc())
    .limit(RECENT)
)
_ONE = col(AppointmentRow.id) == bindparam("appointment")
_VERSION = select(col(AppointmentRow.version)).where(_ONE)
_STORE = (
    update(AppointmentRow)
    .where(_ONE, col(AppointmentRow.version) == bindparam("seen"), col(AppointmentRow.status) == bindparam("was"))
    .returning(col(AppointmentRow.business_id))
)
_NOTE = insert(AppointmentEventRow)


async def of_customer(session: AsyncSession, customer_id: int) -> tuple[Appointment, ...]:
    """The customer's latest ones by start, past ones included."""
    rows = await (await session.connection()).execute(_OF_CUSTOMER, {"customer": customer_id})
    return tuple(value(row) for row in rows)


async def version(session: AsyncSession, appointment_id: int) -> int | None:
    """At which version it is; None when there is no such one."""
    return (await (await session.connection()).execute(_VERSION, {"appointment": appointment_id})).scalar()


async def get(session: AsyncSession, appointment_id: int) -> AppointmentRow | None:
    """One row."""
    return (await session.exec(select(AppointmentRow).where(col(AppointmentRow.id) == appointment_id))).first()


async def book(session: AsyncSession, row: AppointmentRow, cause: Cause, now: datetime) -> Appointment:
    """Insert it, in a room or chair if it needs one; SlotGone when there is none, or when the guard refuses."""
    row.resource_id = await _resource(session, row, row.staff_id, (row.scheduled_at, row.busy_until))
    session.add(row)
    with _guard():
        await session.flush()
    booked = value(row)
    await _audit(session, row.business_id, None, booked, happening="BOOK", cause=cause, now=now)
    return booked


async def store(
    session: AsyncSession,
    before: Appointment,
    after: Appointment,
    happening: Happening,
    *,
    cause: Cause,
    now: datetime,
    busy_until: datetime | None = None,
    next_mark_at: datetime | None = None,
) -> None:
    """Write the changed appointment over the row that is still as `before`, else OutOfDate; SlotGone as in `book`.

    `busy_until` (end + buffer) is for a move, which clears the flags; `next_mark_at` for a move and an undo.
    """
    values: dict[str, object] = {
        "status": after.status.value,
        "version": after.version,
        "cancelled_from": after.cancelled_from.value if after.cancelled_from else None,
        "updated_at": now,
    }
    if happening in (Happening.MOVE, Happening.UNDO):
        values["next_mark_at"] = next_mark_at
        values["resource_id"] = await _again(session, before, after, happening, busy_until)
    if happening is Happening.MOVE:
        values |= {
            "staff_id": after.staff,
            "scheduled_at": after.start,
            "ends_at": after.end,
            "busy_until": busy_until or after.end,
            "slot_set_at": after.slot_set_at,
            "slot_version": after.version,
            "reminder_24h_sent": False,
            "reminder_24h_message_id": None,
            "reminder_2h_sent": False,
            "reminder_2h_message_id": None,
        }
    as_seen = {"appointment": before.id, "seen": before.version, "was": before.status.value}
    connection = await session.connection()
    with _guard():
        business_id = (await connection.execute(_STORE, {**values, **as_seen})).scalar()
    if business_id is None:
        raise OutOfDate(before.id)
    await _audit(session, business_id, before, after, happening=happening.value, cause=cause, now=now)


async def _again(
    session: AsyncSession,
    before: Appointment,
    after: Appointment,
    happening: Happening,
    busy_until: datetime | None,
) -> int | None:
    """The resource for the time that a move or an undo takes up; OutOfDate when the row has gone."""
    row = await get(session, before.id)
    if row is None:
        raise OutOfDate(before.id)
    until = row.busy_until if happening is Happening.UNDO else busy_until or after.end
    return await _resource(session, row, after.staff, (after.start, until))


async def _resource(
    session: AsyncSession, row: AppointmentRow, staff: int | None, span: tuple[datetime, datetime]
) -> int | None:
    start, until = span
    found = await place(
        session,
        row.business_id,
        service=row.service_id,
        staff=staff,
        start=start,
        until=until,
        appointment=row.id,
    )
    if found is None:
        raise SlotGone
    return found.resource


@contextmanager
def _guard() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        if slot_taken(error):
            raise SlotGone from None
        raise


async def _audit(
    session: AsyncSession,
    business_id: int,
    before: Appointment | None,
    after: Appointment,
    *,
    happening: str,
    cause: Cause,
    now: datetime,
) -> None:
    values = {
        "business_id": business_id,
        "appointment_id": after.id,
        "at": now,
        "happening": happening,
        "from_status": before.status.value if before else None,
        "to_status": after.status.value,
        "from_start": before.start if before else None,
        "to_start": after.start,
        "version": after.version,
        "actor": cause.actor.value,
        "actor_name": cause.name,
        "message_id": cause.message_id,
    }
    await (await session.connection()).execute(_NOTE, values)


async def all_of(session: AsyncSession) -> Sequence[AppointmentRow]:
    """Every appointment, by start."""
    query = select(AppointmentRow).order_by(col(AppointmentRow.scheduled_at), col(AppointmentRow.id))
    return (await session.exec(query)).all()
