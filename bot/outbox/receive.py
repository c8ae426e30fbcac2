"""A receipt from Meta: applied to the outbox, and where it says *failed* judged by the same table as an HTTP answer."""

from collections.abc import Sequence
from datetime import datetime

from bot.outbox.failure import failed
from bot.store import outbox, receipts
from bot.store.accepted import accept
from bot.store.database import Session
from bot.store.tables import OutboxRow
from bot.whatsapp.errors import NO_CODE, GraphError
from bot.whatsapp.events import Receipt


async def received(session: Session, heard: Sequence[tuple[Receipt, datetime]]) -> None:
    """Store and apply them, with when they came; those that were known already or match nothing change nothing."""
    fresh = await receipts.keep(session, [(_stored(one, at), at) for one, at in heard])
    found = await outbox.find_all(session, {one.message_id: one.delivery_id for one, _ in fresh})
    pairs = []
    for receipt, now in fresh:
        row = found.row_of(receipt.message_id, receipt.delivery_id)
        if row is None or receipts.waits(receipt, row):
            continue
        if receipt.message_id not in found.known:
            await accept(session, row, receipt.message_id, now, told_at=receipt.at)
            found.known[receipt.message_id] = row.id
        await _apply(session, row, receipt, now)
        pairs.append((receipt, row))
    await receipts.matched(session, pairs)


async def catch_up(session: Session, row: OutboxRow, now: datetime) -> None:
    """The receipts that were faster than the answer, once no send is under way."""
    if row.state == "sending":
        return
    waiting = (await receipts.parked(session, {row.id: row.message_id})).get(row.id, ())
    for receipt in waiting:
        await accept(session, row, receipt.message_id, now, told_at=receipt.at)
        await _apply(session, row, receipt, now)
    await receipts.matched(session, [(receipt, row) for receipt in waiting])


async def _apply(session: Session, row: OutboxRow, receipt: receipts.Receipt, now: datetime) -> None:
    receipts.apply(row, receipt, now)
    session.add(row)
    if receipt.status == receipts.FAILED:
        code = NO_CODE if receipt.error_code is None else receipt.error_code
        error = GraphError(code=code, title=receipt.error_text or "")
        await _judge(session, row, receipt.message_id, error, now)


def _stored(receipt: Receipt, came_at: datetime) -> receipts.Receipt:
    error = next(iter(receipt.errors), GraphError(code=NO_CODE, title="no reason given"))
    was_failed = receipt.status == "failed"
    return receipts.Receipt(
        message_id=receipt.wamid,
        status=receipt.status.value,
        at=receipt.at or came_at,
        delivery_id=receipt.delivery_id,
        error_code=error.code if was_failed else None,
        error_text=error.details or error.title if was_failed else None,
    )


async def _judge(session: Session, row: OutboxRow, wamid: str, error: GraphError, now: datetime) -> None:
    """What follows from it, if it speaks of the latest send."""
    if row.state == receipts.FAILED and row.reason != outbox.UNKNOWN and row.message_id == wamid:
        await failed(session, row, error, now)
