"""Outgoing messages: added once by delivery id, claimed by one sender, settled by the answer or by a receipt."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from sqlalchemy import bindparam, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.database import POSTGRESQL, SQLITE, Insert
from bot.store.tables import IN_FLIGHT, AppointmentRow, OutboxMessageRow, OutboxRow

NAMESPACE = uuid5(NAMESPACE_URL, "confirmo:delivery")
REPLY = "reply"
FLAGS = {
    "24h": (AppointmentRow.reminder_24h_sent, AppointmentRow.reminder_24h_message_id),
    "2h": (AppointmentRow.reminder_2h_sent, AppointmentRow.reminder_2h_message_id),
}
PENDING = ("queued", "sending", "unknown")
UNKNOWN = "outcome_unknown"


def reminder_id(appointment_id: int, kind: str, version: int, n: int = 0) -> str:
    """The delivery id of a reminder: the same from every scan; `n` counts re-sends ordered by a person."""
    return str(uuid5(NAMESPACE, f"{appointment_id}:{kind}:{version}:{n}"))


def reply_id(message_id: str, position: int) -> str:
    """The delivery id of the answer number `position` to an inbound message."""
    return str(uuid5(NAMESPACE, f"reply:{message_id}:{position}"))


async def add(session: AsyncSession, row: OutboxRow) -> bool:
    """Store it; False when its delivery id is stored already."""
    return row.id in await add_all(session, [row])


async def add_all(session: AsyncSession, rows: Sequence[OutboxRow]) -> frozenset[str]:
    """Store them; the delivery ids of those that were not stored already."""
    await session.flush()
    return await put(session, [row.model_dump() for row in rows])


_INSERT: Mapping[str, type[Insert]] = {SQLITE: sqlite.Insert, POSTGRESQL: postgresql.Insert}
# Put together once: that takes longer than the database takes to do it.
_PUT = {
    dialect: insert(OutboxRow.__table__)  # type: ignore[attr-defined]
    .on_conflict_do_nothing(index_elements=["id"])
    .returning(col(OutboxRow.id))
    for dialect, insert in _INSERT.items()
}


async def put(session: AsyncSession, rows: Sequence[Mapping[str, object]]) -> frozenset[str]:
    """`add_all` for rows given by their columns."""
    connection = await session.connection()
    return frozenset((await connection.execute(_PUT[connection.dialect.name], rows)).scalars())


_LOCKED = (
    select(OutboxRow)
    .where(col(OutboxRow.id) == bindparam("delivery"))
    .with_for_update()
    .execution_options(populate_existing=True)
)


async def locked(session: AsyncSession, delivery_id: str) -> OutboxRow:
    """The row as it is now, locked; NoResultFound for an unknown id."""
    return (await session.exec(_LOCKED, params={"delivery": delivery_id})).one()


async def due(session: AsyncSession, now: datetime, *, queued_for: timedelta, limit: int) -> Sequence[str]:
    """Queued ones whose wake-up seems lost: replies first, then reminders by nearest start."""
    query = (
        select(col(OutboxRow.id))
        .where(col(OutboxRow.state) == "queued", col(OutboxRow.due_at) <= now - queued_for)
        .order_by(col(OutboxRow.rank), col(OutboxRow.order_at), col(OutboxRow.position))
        .limit(limit)
    )
    return (await session.exec(query)).all()


async def lapsed(session: AsyncSession, now: datetime, *, limit: int) -> Sequence[OutboxRow]:
    """Claimed by a process that did not come back, or unknown and waited out."""
    query = (
        select(OutboxRow)
        .where(text(IN_FLIGHT), col(OutboxRow.lease_until) <= now)
        .order_by(col(OutboxRow.lease_until))
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return (await session.exec(query)).all()


_NEXT_REPLIES = (
    select(col(OutboxRow.customer_id), col(OutboxRow.id))
    .where(
        col(OutboxRow.customer_id).in_(bindparam("customers", expanding=True)),
        col(OutboxRow.kind) == REPLY,
        col(OutboxRow.state) == "queued",
    )
    .order_by(col(OutboxRow.created_at).desc(), col(OutboxRow.position).desc())
)


async def next_replies(session: AsyncSession, customer_ids: Sequence[int]) -> Mapping[int, str]:
    """The next answer in line of each of these customers that has one."""
    if not customer_ids:
        return {}
    return dict((await session.exec(_NEXT_REPLIES, params={"customers": customer_ids})).all())


async def is_ours(session: AsyncSession, message_id: str) -> bool:
    """Whether a message with this wamid is one that we sent."""
    query = select(OutboxMessageRow.outbox_id).where(col(OutboxMessageRow.message_id) == message_id)
    return (await session.exec(query)).first() is not None


@dataclass(frozen=True, slots=True)
class Found:
    """The rows that some receipts speak of; `known` are the wamids that stand with them already."""

    known: dict[str, str]
    rows: Mapping[str, OutboxRow]

    def row_of(self, message_id: str, delivery_id: str | None) -> OutboxRow | None:
        """By any of its wamids, else by the echoed delivery id."""
        return self.rows.get(self.known.get(message_id) or delivery_id or "")


async def find_all(session: AsyncSession, wanted: Mapping[str, str | None]) -> Found:
    """The rows, locked, that these speak of: by wamid, each with the echoed delivery id."""
    by_wamid = select(OutboxMessageRow.message_id, OutboxMessageRow.outbox_id)
    known = dict((await session.exec(by_wamid.where(col(OutboxMessageRow.message_id).in_(wanted)))).all())
    ids = {*known.values(), *(one for one in wanted.values() if one is not None)}
    query = select(OutboxRow).where(col(OutboxRow.id).in_(ids)).order_by(col(OutboxRow.id)).with_for_update()
    return Found(known, {row.id: row for row in (await session.exec(query)).all()})


def dump(body: Mapping[str, object]) -> str:
    """A request as it is kept and sent."""
    return json.dumps(body, ensure_ascii=False)


async def all_of(session: AsyncSession, state: str | None) -> Sequence[OutboxRow]:
    """Oldest first."""
    query = select(OutboxRow).order_by(col(OutboxRow.created_at), col(OutboxRow.position))
    if state is not None:
        query = query.where(col(OutboxRow.state) == state)
    return (await session.exec(query)).all()
