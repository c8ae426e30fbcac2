"""Receipts: stored once each, applied to the outbox so that a state never goes back, parked while nothing matches."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

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


async def keep(session: AsyncSession, receipt: Receipt, now: datetime) -> OutboxRow | None:
    """Store and apply it; answers the row that it newly changed.

    None: known already, nothing to match yet, or a failure while a send is under way. The latter is parked until the
    outcome of that send is known, so that two sends of one message are never under way at once.
    """
    added = await session.exec(
        insert(session, ReceiptRow)
        .values(
            message_id=receipt.message_id,
            status=receipt.status,
            at=receipt.at,
            delivery_id=receipt.delivery_id,
            error_code=receipt.error_code,
            error_text=receipt.error_text,
            received_at=now,
        )
        .on_conflict_do_nothing(index_elements=["message_id", "status"])
        .returning(col(ReceiptRow.id))
    )
    if added.first() is None:
        return None
    row = await outbox.find(session, message_id=receipt.message_id, delivery_id=receipt.delivery_id)
    if row is None or (receipt.status == FAILED and row.state == "sending"):
        return None
    await apply(session, row, receipt, now)
    return row


async def parked(session: AsyncSession, row: OutboxRow) -> Sequence[Receipt]:
    """Receipts of this message that wait to be matched, oldest first."""
    query = (
        select(ReceiptRow)
        .where(
            col(ReceiptRow.outbox_id).is_(None),
            or_(col(ReceiptRow.message_id) == row.message_id, col(ReceiptRow.delivery_id) == row.id),
        )
        .order_by(col(ReceiptRow.at), col(ReceiptRow.id))
    )
    return [
        Receipt(
            message_id=one.message_id,
            status=one.status,
            at=one.at,
            delivery_id=one.delivery_id,
            error_code=one.error_code,
            error_text=one.error_text,
        )
        for one in (await session.exec(query)).all()
    ]


async def apply(session: AsyncSession, row: OutboxRow, receipt: Receipt, now: datetime) -> None:
    """Raise the state, never lower it. Any receipt proves that Meta took the message: wamid and flag come with it."""
    await outbox.accept(session, row, receipt.message_id, now, told_at=receipt.at)
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
    session.add(row)
    matched = update(ReceiptRow).where(
        col(ReceiptRow.message_id) == receipt.message_id, col(ReceiptRow.status) == receipt.status
    )
    await session.exec(matched.values(outbox_id=row.id))


def _fail(row: OutboxRow, receipt: Receipt) -> None:
    """Kept in any case, since it comes only once; what has arrived on one device, or was sent anew, stays so."""
    row.error_code, row.error_text = receipt.error_code, receipt.error_text
    if row.state not in ARRIVED and receipt.message_id == row.message_id:
        row.state = FAILED
