"""Inbound messages, kept before any work. One row per wamid: a second delivery of a message is a no-op."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam, exists, func, or_, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.database import insert
from bot.store.tables import CustomerRow, InboxRow

MOST_ATTEMPTS = 5
_NEW = {"attempts": 0, "position": 0}
RETRY_AFTER = timedelta(seconds=10)


_KNOWN = select(col(InboxRow.message_id)).where(col(InboxRow.message_id).in_(bindparam("ids", expanding=True)))


async def known(session: AsyncSession, message_ids: Sequence[str]) -> frozenset[str]:
    """Those of these wamids that are stored already: a cheap look that spares a second delivery all work."""
    connection = await session.connection()
    return frozenset((await connection.execute(_KNOWN, {"ids": message_ids})).scalars())


def dump(values: Mapping[str, str]) -> str:
    """A referral as it is kept."""
    return json.dumps(values, ensure_ascii=False)


async def keep(session: AsyncSession, rows: Sequence[Mapping[str, object]]) -> frozenset[str]:
    """Store the messages, as columns of InboxRow; the wamids of those that were not stored already."""
    query = (
        insert(session, InboxRow)
        .on_conflict_do_nothing(index_elements=["message_id"])
        .returning(col(InboxRow.message_id))
    )
    connection = await session.connection()
    added = await connection.execute(query, [{**_NEW, **row} for row in rows])
    return frozenset(added.scalars())


async def waiting(session: AsyncSession, now: datetime, *, older_than: timedelta, limit: int) -> Sequence[int]:
    """Customers with open messages that arrived a while ago, whom no turn holds: their wake-up was lost."""
    query = (
        select(col(CustomerRow.id))
        .join(InboxRow, col(InboxRow.customer_id) == col(CustomerRow.id))
        .where(
            col(InboxRow.handled_at).is_(None),
            col(InboxRow.received_at) <= now - older_than,
            or_(col(InboxRow.retry_at).is_(None), col(InboxRow.retry_at) <= now),
            or_(col(CustomerRow.lease_until).is_(None), col(CustomerRow.lease_until) <= now),
        )
        .group_by(col(CustomerRow.id))
        .order_by(func.min(col(InboxRow.received_at)))
        .limit(limit)
    )
    return [one for one in (await session.exec(query)).all() if one is not None]


async def last_written(session: AsyncSession, customer_ids: Sequence[int]) -> Mapping[int, datetime]:
    """When each of these customers last wrote."""
    query = select(col(CustomerRow.id), col(CustomerRow.last_inbound_at)).where(col(CustomerRow.id).in_(customer_ids))
    found = (await session.exec(query)).all()
    return {customer_id: at for customer_id, at in found if customer_id is not None and at is not None}


async def failed(session: AsyncSession, message_ids: Sequence[str], now: datetime, error: str) -> None:
    """Note our own failure on these messages: tried again later, at last given up so that they block nothing."""
    for row in (await session.exec(select(InboxRow).where(col(InboxRow.message_id).in_(message_ids)))).all():
        row.attempts += 1
        row.error = error
        row.retry_at = now + RETRY_AFTER * row.attempts
        row.handled_at = now if row.attempts >= MOST_ATTEMPTS else None
        session.add(row)


# Statements that every turn needs are put together once: that takes longer than the database takes to do them.
_CUSTOMER = col(CustomerRow.id) == bindparam("customer")
_OURS = col(CustomerRow.lease) == bindparam("token")
_LEASE = (
    update(CustomerRow)
    .where(_CUSTOMER, or_(col(CustomerRow.lease_until).is_(None), col(CustomerRow.lease_until) <= bindparam("at")))
    .values(lease=bindparam("token"), lease_until=bindparam("until"))
    .returning(col(CustomerRow.id))
)
_WRITE = (
    update(CustomerRow)
    .where(_CUSTOMER, _OURS)
    .returning(func.coalesce(col(CustomerRow.last_inbound_at), col(CustomerRow.updated_at)))
)
_HANDLED = (
    update(InboxRow)
    .where(col(InboxRow.message_id) == bindparam("message"))
    .values(handled_at=bindparam("at"), error=None)
)
_RELEASE = (
    update(CustomerRow).where(_CUSTOMER, _OURS).values(lease=None, lease_until=None).returning(col(CustomerRow.id))
)
_RELEASE_IF_DONE = _RELEASE.where(
    ~exists().where(col(InboxRow.customer_id) == bindparam("customer"), col(InboxRow.handled_at).is_(None))
)


async def lease(session: AsyncSession, customer_id: int, token: str, now: datetime, until: datetime) -> bool:
    """One turn per customer at a time: True when the customer is ours until then."""
    connection = await session.connection()
    taken = await connection.execute(_LEASE, {"customer": customer_id, "token": token, "at": now, "until": until})
    return taken.first() is not None


async def write(
    session: AsyncSession, customer_id: int, token: str, now: datetime, changes: Mapping[str, object]
) -> datetime | None:
    """Change a customer who is ours, and hold the row: when they last wrote (now, if never); None when not ours.

    The row's key stays: so an appointment of this customer that another writes (an import) waits for no end of this
    turn, while this turn may wait for the import's.
    """
    values = {**changes, "updated_at": now, "customer": customer_id, "token": token}
    return (await (await session.connection()).execute(_WRITE, values)).scalar()


async def handled(session: AsyncSession, message_ids: Sequence[str], now: datetime) -> None:
    """These messages are done with."""
    done = [{"message": one, "at": now} for one in message_ids]
    await (await session.connection()).execute(_HANDLED, done)


async def release(session: AsyncSession, customer_id: int, token: str, *, if_done: bool = False) -> bool:
    """Give the customer back; False when the lease had run out and somebody else took it.

    `if_done`: only when all that they sent is handled. Asked with the row held: what comes later wakes a new turn.
    """
    query = _RELEASE_IF_DONE if if_done else _RELEASE
    connection = await session.connection()
    return (await connection.execute(query, {"customer": customer_id, "token": token})).first() is not None
