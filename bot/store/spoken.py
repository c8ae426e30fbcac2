"""What we said to a customer and what they answered to it: a turn's side of the outbox."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ScalarSelect, bindparam, select, update
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store import outbox
from bot.store.outbox import REPLY
from bot.store.tables import CustomerRow, OutboxMessageRow, OutboxRow


@dataclass(frozen=True, slots=True)
class Ours:
    """One of our messages, as far as an answer to it must know it."""

    id: str
    kind: str
    appointment_id: int | None
    appointment_version: int | None


# Put together once: that takes longer than the database takes to do them.
_SPOKEN_OF: Any = (
    select(
        col(OutboxMessageRow.message_id),
        col(OutboxRow.id),
        col(OutboxRow.kind),
        col(OutboxRow.appointment_id),
        col(OutboxRow.appointment_version),
    )
    .join(OutboxRow, col(OutboxRow.id) == col(OutboxMessageRow.outbox_id))
    .where(
        col(OutboxMessageRow.message_id).in_(bindparam("wamids", expanding=True)),
        col(OutboxRow.customer_id) == bindparam("customer"),
    )
)
_ANSWERED = (
    update(OutboxRow)
    .where(col(OutboxRow.id) == bindparam("delivery"), col(OutboxRow.answered_at).is_(None))
    .values(answered_at=bindparam("at"))
)
LAST_KIND: ScalarSelect[str] = (
    select(col(OutboxRow.kind))
    .where(col(OutboxRow.customer_id) == col(CustomerRow.id), col(OutboxRow.state) != "skipped")
    .order_by(col(OutboxRow.created_at).desc(), col(OutboxRow.position).desc())
    .limit(1)
    .correlate(CustomerRow)
    .scalar_subquery()
)
"""Of what we sent the customer of the statement that this is put into: what came last, a reply or a reminder."""


async def spoken_of(session: AsyncSession, customer_id: int, message_ids: Collection[str]) -> Mapping[str, Ours]:
    """Those of these wamids that are messages of ours to this customer."""
    if not message_ids:
        return {}
    connection = await session.connection()
    found = await connection.execute(_SPOKEN_OF, {"wamids": sorted(message_ids), "customer": customer_id})
    return {wamid: Ours(*rest) for wamid, *rest in found}


async def answered(session: AsyncSession, delivery_ids: Sequence[str], now: datetime) -> None:
    """The customer answered these messages; the first time counts."""
    told = [{"delivery": one, "at": now} for one in delivery_ids]
    await (await session.connection()).execute(_ANSWERED, told)


_NEW = {"kind": REPLY, "state": "queued", "attempts": 0, "failures": 0, "resends": 0, "rank": 0}


async def say(session: AsyncSession, replies: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    """Put replies into the outbox, each as columns of OutboxRow; the delivery ids, in order, of those that are new."""
    new = await outbox.put(session, [{**_NEW, **reply} for reply in replies])
    return tuple(str(reply["id"]) for reply in replies if reply["id"] in new)
