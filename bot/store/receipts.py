"""Receipts: stored once each, applied to the outbox so that a state never goes back, parked while nothing matches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import col, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store import outbox
from bot.store.database import insert
from bot.store.tables import OutboxRow, ReceiptRow

RANK = {"accepted": 1, "sent": 2, "delivered": 3, "read": 4}
ARRIVED = ("delivered", "read")
FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What Meta says became of a message of ours."""

    message_id: str
    status: str
    at: datetime
    delivery_id: str | None = None
    error_code: int | None = None
    error_text: str | None = None


async def keep(session: AsyncSession, heard: Sequence[tuple[Receipt, datetime]]) -> list[tuple[Receipt, datetime]]:
    """Store them, with when they came; those that were not stored already, in order."""
    once = {(one.message_id, one.status): (one, at) for one, at in reversed(heard)}
    values = [
        {
            "message_id": one.message_id,
            "status": one.status,
            "at": one.at,
            "delivery_id": one.delivery_id,
            "error_code": one.error_code,
            "error_text": one.error_text,
            "received_at": at,
        }
        for one, at in reversed(once.values())
    ]
    query = (
        insert(session, ReceiptRow)
        .on_conflict_do_nothing(index_elements=["message_id", "status"])
        .returning(col(ReceiptRow.message_id), col(ReceiptRow.status))
    )
    connection = await session.connection()
    added = {(wamid, status) for wamid, status in await connection.execute(query, values)}
    return [once[key] for key in reversed(once) if key in added]


async def matched(session: AsyncSession, pairs: Sequence[tuple[Receipt, OutboxRow]]) -> None:
    """Note which message each of these speaks of."""
    if not pairs:
        return
    query = (
        update(ReceiptRow)
        .where(col(ReceiptRow.message_id) == bindparam("wamid"), col(ReceiptRow.status) == bindparam("told"))
        .values(outbox_id=bindparam("mine"))
    )
    connection = await session.connection()
    await connection.execute(
        query, [{"wamid": one.message_id, "told": one.status, "mine": row.id} for one, row in pairs]
    )


def waits(receipt: Receipt, row: OutboxRow | None) -> bool:
    """Whether it is parked: nothing matches yet, or it is a failure while a send is under way.

    The latter waits until the outcome of that send is known: two sends of one message are never under way at once.
    """
    return row is None or (receipt.status == FAILED and row.state == "sending")


# Whether one waits is looked at afterwards: SQLite would go through all that wait, of other senders' messages too.
_PARKED = (
    select(ReceiptRow)
    .where(
        or_(
            col(ReceiptRow.message_id).in_(bindparam("wamids", expanding=True)),
            col(ReceiptRow.delivery_id).in_(bindparam("deliveries", expanding=True)),
        ),
    )
    .order_by(col(ReceiptRow.at), col(ReceiptRow.id))
)


async def parked(session: AsyncSession, sent: Mapping[str, str | None]) -> Mapping[str, Sequence[Receipt]]:
    """Receipts of these messages, delivery id → wamid, that wait to be matched; oldest first."""
    by_wamid = {wamid: delivery_id for delivery_id, wamid in sent.items() if wamid is not None}
    found: dict[str, list[Receipt]] = {}
    asked = {"wamids": list(by_wamid), "deliveries": list(sent)}
    told = (await session.exec(_PARKED, params=asked)).all() if sent else ()
    for one in (one for one in told if one.outbox_id is None):
        receipt = Receipt(
            message_id=one.message_id,
            status=one.status,
            at=one.at,
            delivery_id=one.delivery_id,
            error_code=one.error_code,
            error_text=one.error_text,
        )
        found.setdefault(by_wamid.get(one.message_id) or one.delivery_id or "", []).append(receipt)
    return found


def apply(row: OutboxRow, receipt: Receipt, now: datetime) -> None:
    """Raise the state, never lower it. Any receipt proves that Meta took the message: `accept` comes first."""
    if receipt.status == FAILED:
        _fail(row, receipt)
    elif RANK.get(receipt.status, 0) > RANK.get(row.state, 0) and (
        # One that has failed, or goes out anew because it has, is only raised by having arrived after all.
        row.state not in (FAILED, *outbox.PENDING) or receipt.status in ARRIVED
    ):
        row.state, row.reason, row.lease, row.lease_until = receipt.status, None, None, None
    if receipt.status == "delivered":
        row.delivered_at = row.delivered_at or receipt.at
    if receipt.status == "read":
        row.read_at = row.read_at or receipt.at
    row.updated_at = now


def _fail(row: OutboxRow, receipt: Receipt) -> None:
    """Kept in any case, since it comes only once; what has arrived on one device, or was sent anew, stays so."""
    row.error_code, row.error_text = receipt.error_code, receipt.error_text
    if row.state not in ARRIVED and receipt.message_id == row.message_id:
        row.state = FAILED
