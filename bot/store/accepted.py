"""Meta took a message: its wamid is kept, and the flag and the message id on the appointment, in one transaction."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.database import insert
from bot.store.outbox import FLAGS, PENDING, UNKNOWN
from bot.store.tables import AppointmentRow, OutboxMessageRow, OutboxRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What Meta's answer said of a message that was under way; `version` is the appointment's that it told."""

    delivery_id: str
    message_id: str
    calls: int
    kind: str
    appointment_id: int | None
    version: int | None


_SENDING = (
    select(col(OutboxRow.id), col(OutboxRow.lease))
    .where(col(OutboxRow.id).in_(bindparam("deliveries", expanding=True)), col(OutboxRow.state) == "sending")
    .order_by(col(OutboxRow.id))
    .with_for_update()
)


async def sending(session: AsyncSession, delivery_ids: Collection[str]) -> Mapping[str, str | None]:
    """Those of these that are still under way, locked, each with the token of its claim."""
    connection = await session.connection()
    return dict((await connection.execute(_SENDING, {"deliveries": sorted(delivery_ids)})).all())


_ACCEPTED = (
    update(OutboxRow)
    .where(col(OutboxRow.id) == bindparam("delivery"))
    .values(
        state="accepted",
        reason=None,
        error_code=None,
        error_text=None,
        lease=None,
        lease_until=None,
        message_id=bindparam("wamid"),
        attempts=col(OutboxRow.attempts) + bindparam("calls"),
        sent_at=func.coalesce(col(OutboxRow.sent_at), bindparam("at")),
        updated_at=bindparam("at"),
    )
)


async def accept_all(session: AsyncSession, taken: Sequence[Taken], now: datetime) -> frozenset[str]:
    """The same as `accept` for many that are all under way; the delivery ids of those whose wamid was not known."""
    if not taken:
        return frozenset()
    connection = await session.connection()
    new = await _new(
        session, [{"message_id": one.message_id, "outbox_id": one.delivery_id, "accepted_at": now} for one in taken]
    )
    fresh = [one for one in taken if one.delivery_id in new]
    if fresh:
        await connection.execute(
            _ACCEPTED,
            [{"delivery": one.delivery_id, "wamid": one.message_id, "calls": one.calls, "at": now} for one in fresh],
        )
    for kind in FLAGS:
        await _flag(session, kind, [one for one in fresh if one.kind == kind], now)
    return new


async def _new(session: AsyncSession, rows: Sequence[Mapping[str, object]]) -> frozenset[str]:
    """Keep the wamids; the delivery ids of those that were not known."""
    connection = await session.connection()
    query = insert(session, OutboxMessageRow).on_conflict_do_nothing().returning(col(OutboxMessageRow.outbox_id))
    return frozenset((await connection.execute(query, rows)).scalars())


async def accept(
    session: AsyncSession, row: OutboxRow, message_id: str, now: datetime, *, told_at: datetime | None = None
) -> None:
    """Meta took it: wamid kept, flag and message id on the appointment, all in this transaction.

    `told_at` is a receipt's time, None = the answer itself says so. A wamid that is known already changes nothing:
    what a receipt has made of it meanwhile stays.
    """
    taken_at = now if told_at is None else min(told_at, now)
    if not await _new(session, [{"message_id": message_id, "outbox_id": row.id, "accepted_at": taken_at}]):
        return
    latest = told_at is None or row.state in PENDING or taken_at >= await _last_taken_at(session, row, taken_at)
    if row.state in PENDING or row.reason == UNKNOWN:
        row.state, row.reason, row.error_code, row.error_text = "accepted", None, None, None
        row.lease = row.lease_until = None
    row.sent_at = row.sent_at or now
    row.updated_at = now
    session.add(row)
    if latest:
        row.message_id = message_id
        await _flag(session, row.kind, [_as_taken(row, message_id)], now)


async def _last_taken_at(session: AsyncSession, row: OutboxRow, default: datetime) -> datetime:
    """When the message that `row.message_id` names was taken: a late receipt may speak of an earlier send."""
    query = select(col(OutboxMessageRow.accepted_at)).where(col(OutboxMessageRow.message_id) == row.message_id)
    return (await session.exec(query)).first() or default


_FLAG = {
    kind: update(AppointmentRow)
    .where(
        col(AppointmentRow.id) == bindparam("appointment"),
        # A move has cleared the flags: then this is the old slot's reminder. (An undo keeps slot and flags.)
        col(AppointmentRow.slot_version) <= bindparam("seen"),
    )
    .values({col(sent): True, col(wamid): bindparam("wamid"), col(AppointmentRow.updated_at): bindparam("at")})
    for kind, (sent, wamid) in FLAGS.items()
}


async def _flag(session: AsyncSession, kind: str, taken: Sequence[Taken], now: datetime) -> None:
    told = [
        {"appointment": one.appointment_id, "seen": one.version or 0, "wamid": one.message_id, "at": now}
        for one in taken
        if one.appointment_id is not None
    ]
    if told and kind in FLAGS:
        connection = await session.connection()
        await connection.execute(_FLAG[kind], told)


def _as_taken(row: OutboxRow, message_id: str) -> Taken:
    return Taken(
        delivery_id=row.id,
        message_id=message_id,
        calls=0,
        kind=row.kind,
        appointment_id=row.appointment_id,
        version=row.appointment_version,
    )
