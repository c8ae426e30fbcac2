"""What the scans read and write: appointments whose mark has come, found by the partial index, page by page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import nan

from sqlalchemy import ColumnElement, TextClause, and_, bindparam, func, or_, text, tuple_, update
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.reminders import Kind
from bot.store import outbox
from bot.store.database import insert
from bot.store.outbox import FLAGS
from bot.store.tables import ACTIVE, IN_FLIGHT, AlarmRow, AppointmentRow, CustomerRow, InboxRow, OutboxRow, ScanRow

PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauges:
    """The state of things at an instant, for /metrics; ages in seconds."""

    queue_age: float
    scan_age: float
    reminders_open: int
    unknown_open: int
    alarms_open: int
    inbox_open: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """An appointment that must be looked at, with its customer and the kinds that are decided already."""

    appointment: AppointmentRow
    customer: CustomerRow
    decided: frozenset[Kind]


Key = tuple[datetime, int]


async def due(
    session: AsyncSession, now: datetime, after: Key | None, *, limit: int = PAGE
) -> tuple[Sequence[Due], Key | None]:
    """The next page in order of mark, and the key to go on from (None = that was all)."""
    mark, id_ = col(AppointmentRow.next_mark_at), col(AppointmentRow.id)
    query = (
        select(AppointmentRow, CustomerRow)
        .join(CustomerRow, col(CustomerRow.id) == col(AppointmentRow.customer_id))
        .where(mark.is_not(None), mark <= now, text(ACTIVE))
        .order_by(mark, id_)
        .limit(limit)
    )
    if after is not None:
        query = query.where(tuple_(mark, id_) > after)
    rows = (await session.exec(query)).all()
    decided = await _decided(session, [appointment for appointment, _ in rows])
    found = [
        Due(appointment=appointment, customer=customer, decided=decided.get(appointment.id or 0, frozenset()))
        for appointment, customer in rows
    ]
    last = rows[-1][0] if len(rows) == limit else None
    return found, (last.next_mark_at, last.id or 0) if last is not None and last.next_mark_at is not None else None


async def _decided(session: AsyncSession, rows: Sequence[AppointmentRow]) -> dict[int, frozenset[Kind]]:
    """Per appointment the kinds already sent, queued or skipped for its present slot.

    One skipped at an earlier version counts no more: an undo brings a cancelled appointment's reminder back.
    """
    query = (
        select(col(OutboxRow.appointment_id), col(OutboxRow.kind))
        .join(AppointmentRow, col(AppointmentRow.id) == col(OutboxRow.appointment_id))
        .where(
            col(OutboxRow.appointment_id).in_([row.id for row in rows]),
            col(OutboxRow.kind).in_(tuple(FLAGS)),
            or_(
                col(OutboxRow.appointment_version) == col(AppointmentRow.version),
                and_(
                    col(OutboxRow.state) != "skipped",
                    col(OutboxRow.appointment_version) >= col(AppointmentRow.slot_version),
                ),
            ),
        )
    )
    found: dict[int, set[Kind]] = {}
    for appointment_id, kind in (await session.exec(query)).all():
        found.setdefault(appointment_id or 0, set()).add(Kind(kind))
    for row in rows:
        flags = {Kind.DAY: row.reminder_24h_sent, Kind.HOURS: row.reminder_2h_sent}
        found.setdefault(row.id or 0, set()).update(kind for kind, sent in flags.items() if sent)
    return {appointment_id: frozenset(kinds) for appointment_id, kinds in found.items()}


async def record(
    session: AsyncSession, rows: Sequence[OutboxRow], marks: Sequence[tuple[int, int, datetime | None]]
) -> frozenset[str]:
    """Write the diary rows (those of another scan stay) and the next marks; the delivery ids that are new.

    `marks` holds (appointment, version, next undecided mark): one that was moved meanwhile keeps its own.
    """
    added = await outbox.add_all(session, rows) if rows else frozenset()
    if marks:
        again = (
            update(AppointmentRow)
            .where(col(AppointmentRow.id) == bindparam("of"), col(AppointmentRow.version) == bindparam("seen"))
            .values(next_mark_at=bindparam("mark"))
        )
        connection = await session.connection()
        await connection.execute(again, [{"of": id_, "seen": seen, "mark": mark} for id_, seen, mark in marks])
    return added


async def start_scan(session: AsyncSession, kind: str, now: datetime, interval: timedelta) -> bool:
    """True for the one caller whose turn it is: the last scan began an interval ago, or the clock has stepped back."""
    await session.exec(insert(session, ScanRow).values(kind=kind).on_conflict_do_nothing())
    started = col(ScanRow.started_at)
    mine = await session.exec(
        update(ScanRow)
        .where(col(ScanRow.kind) == kind, or_(started.is_(None), started <= now - interval, started > now))
        .values(started_at=now)
        .execution_options(synchronize_session=False)
        .returning(col(ScanRow.kind))
    )
    return mine.first() is not None


async def finish_scan(session: AsyncSession, kind: str, now: datetime) -> None:
    """The scan went through."""
    await session.exec(update(ScanRow).where(col(ScanRow.kind) == kind).values(finished_at=now))


async def last_scan_age(session: AsyncSession, now: datetime) -> float | None:
    """Seconds since the older of the two kinds' last finished scans; None when one has never finished."""
    finished = (await session.exec(select(col(ScanRow.finished_at)))).all()
    if len(finished) < len(Kind) or None in finished:
        return None
    return max((now - at).total_seconds() for at in finished if at is not None)


async def oldest_due_seconds(session: AsyncSession, now: datetime) -> float:
    """How long the oldest message that is due and unsent has waited; 0 when nothing waits."""
    query = select(func.min(col(OutboxRow.due_at))).where(
        col(OutboxRow.state) == "queued", col(OutboxRow.due_at) <= now
    )
    oldest: datetime | None = (await session.exec(query)).one()
    return 0.0 if oldest is None else (now - oldest).total_seconds()


async def gauges(session: AsyncSession, now: datetime) -> Gauges:
    """Everything read by partial indexes: the cost follows what is open, not what exists."""
    age = await last_scan_age(session, now)
    in_flight = text(IN_FLIGHT)
    reminders_only = col(OutboxRow.kind).in_(tuple(FLAGS))
    return Gauges(
        queue_age=await oldest_due_seconds(session, now),
        scan_age=nan if age is None else age,
        reminders_open=await _count(session, OutboxRow, col(OutboxRow.state) == "queued", reminders_only)
        + await _count(session, OutboxRow, in_flight, reminders_only),
        unknown_open=await unknown_open(session),
        alarms_open=await _count(session, AlarmRow, col(AlarmRow.closed_at).is_(None)),
        inbox_open=await _count(session, InboxRow, col(InboxRow.handled_at).is_(None)),
    )


async def unknown_open(session: AsyncSession) -> int:
    """Messages of which nobody knows whether they went out."""
    return await _count(session, OutboxRow, text(IN_FLIGHT), col(OutboxRow.state) == "unknown")


async def _count(session: AsyncSession, table: type[SQLModel], *where: ColumnElement[bool] | TextClause) -> int:
    return (await session.exec(select(func.count()).select_from(table).where(*where))).one()
