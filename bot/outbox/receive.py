"""A receipt from Meta: applied to the outbox, and where it says *failed* judged by the same table as an HTTP answer."""

from datetime import datetime

from bot.outbox.failure import failed
from bot.store import outbox, receipts
from bot.store.database import Session
from bot.store.tables import OutboxRow
from bot.whatsapp.errors import NO_CODE, GraphError
from bot.whatsapp.events import Receipt


async def received(session: Session, receipt: Receipt, now: datetime) -> bool:
    """Store and apply it; False when it was known already or matches nothing yet."""
    error = next(iter(receipt.errors), GraphError(code=NO_CODE, title="no reason given"))
    was_failed = receipt.status == "failed"
    row = await receipts.keep(
        session,
        receipts.Receipt(
            message_id=receipt.wamid,
            status=receipt.status.value,
            at=receipt.at or now,
            delivery_id=receipt.delivery_id,
            error_code=error.code if was_failed else None,
            error_text=error.details or error.title if was_failed else None,
        ),
        now,
    )
    if row is None:
        return False
    if was_failed:
        await _judge(session, row, receipt.wamid, error, now)
    return True


async def catch_up(session: Session, row: OutboxRow, now: datetime) -> None:
    """The receipts that were faster than the answer, once no send is under way."""
    if row.state == "sending":
        return
    for receipt in await receipts.parked(session, row):
        await receipts.apply(session, row, receipt, now)
        if receipt.status == receipts.FAILED:
            code = NO_CODE if receipt.error_code is None else receipt.error_code
            await _judge(session, row, receipt.message_id, GraphError(code=code, title=receipt.error_text or ""), now)


async def _judge(session: Session, row: OutboxRow, wamid: str, error: GraphError, now: datetime) -> None:
    """What follows from it, if it speaks of the latest send."""
    if row.state == receipts.FAILED and row.reason != outbox.UNKNOWN and row.message_id == wamid:
        await failed(session, row, error, now)
