"""A receipt from Meta: applied to the outbox, and where it says *failed* judged by the same table as an HTTP answer."""

from datetime import datetime

from bot.outbox.failure import failed
from bot.store import outbox, receipts
from bot.store.database import Session
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
    if was_failed and row.state == "failed" and row.reason != outbox.UNKNOWN:
        await failed(session, row, error, now)
    return True
