"""Another time zone for a business: future appointments keep the wall-clock time that was agreed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam, text, update
from sqlalchemy.exc import DBAPIError
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.zones import edge
from bot.store.appointments import Cause, SlotGone
from bot.store.database import slot_taken
from bot.store.places import take_turn
from bot.store.tables import ACTIVE, AppointmentEventRow, AppointmentRow

ASIDE = timedelta(days=365_000)
"""Where appointments wait while they are moved: one that is moved alone would meet one that is still to be moved."""
HAPPENING = "REZONE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rezoned:
    """One appointment's old and new start."""

    appointment: int
    before: datetime
    start: datetime


async def rezone(
    session: AsyncSession, business_id: int, old: str, new: str, *, cause: Cause, now: datetime
) -> tuple[Rezoned, ...]:
    """What the customer was told stays true: version, flags and taps too. SlotGone when two would meet.

    A reading that the new zone's clock jumps over becomes the end of the jump.
    """
    if old == new:
        return ()
    await take_turn(session, business_id)
    rows = await _ahead(session, business_id, now)
    moved = [(row, _shift(row.scheduled_at, ZoneInfo(old), ZoneInfo(new))) for row in rows]
    moved = [(row, by) for row, by in moved if by]
    try:
        await _set(session, [(row, ASIDE) for row, _ in moved], now)
        await _set(session, moved, now)
    except DBAPIError as error:
        if slot_taken(error):
            raise SlotGone from None
        raise
    session.add_all(_event(row, row.scheduled_at + by, cause, now) for row, by in moved)
    return tuple(
        Rezoned(appointment=row.id or 0, before=row.scheduled_at, start=row.scheduled_at + by) for row, by in moved
    )


async def _ahead(session: AsyncSession, business_id: int, now: datetime) -> Sequence[AppointmentRow]:
    query = select(AppointmentRow).where(
        col(AppointmentRow.business_id) == business_id, col(AppointmentRow.scheduled_at) > now, text(ACTIVE)
    )
    return (await session.exec(query.order_by(col(AppointmentRow.scheduled_at), col(AppointmentRow.id)))).all()


def _shift(start: datetime, old: ZoneInfo, new: ZoneInfo) -> timedelta:
    return edge(start.astimezone(old).replace(tzinfo=new)) - start


async def _set(session: AsyncSession, moved: Sequence[tuple[AppointmentRow, timedelta]], now: datetime) -> None:
    """By so much from where they were read. Undecided reminders are the next scan's, which says when they are due."""
    if not moved:
        return
    statement = (
        update(AppointmentRow)
        .where(col(AppointmentRow.id) == bindparam("of"))
        .values(
            scheduled_at=bindparam("start"),
            ends_at=bindparam("ends"),
            busy_until=bindparam("until"),
            next_mark_at=bindparam("mark"),
            updated_at=now,
        )
    )
    connection = await session.connection()
    await connection.execute(
        statement,
        [
            {
                "of": row.id,
                "start": row.scheduled_at + by,
                "ends": row.ends_at + by,
                "until": row.busy_until + by,
                "mark": now if row.next_mark_at is not None else None,
            }
            for row, by in moved
        ],
    )


def _event(row: AppointmentRow, start: datetime, cause: Cause, now: datetime) -> AppointmentEventRow:
    return AppointmentEventRow(
        business_id=row.business_id,
        appointment_id=row.id or 0,
        at=now,
        happening=HAPPENING,
        from_status=row.status,
        to_status=row.status,
        from_start=row.scheduled_at,
        to_start=start,
        version=row.version,
        actor=cause.actor.value,
        actor_name=cause.name,
        message_id=cause.message_id,
    )
