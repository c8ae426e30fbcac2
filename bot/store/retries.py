"""Send again what staff order to send again: a new row with the next delivery id, the old one kept as it is."""

from datetime import datetime
from uuid import uuid5

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.claims import Claimed, load
from bot.store.outbox import FLAGS, NAMESPACE, add, reminder_id
from bot.store.tables import OutboxRow

OVER = ("failed", "skipped")
"""The states from which a message can be sent again."""


async def find(session: AsyncSession, delivery_id: str) -> Claimed:
    """The message with its customer and appointment; LookupError for an unknown id, ValueError unless it is over."""
    state = (await session.exec(select(OutboxRow.state).where(col(OutboxRow.id) == delivery_id))).first()
    if state is None:
        message = f"there is no message {delivery_id} in the outbox"
        raise LookupError(message)
    if state not in OVER:
        message = f"{delivery_id} is {state}: only failed and skipped messages can be sent again"
        raise ValueError(message)
    (found,) = await load(session, [delivery_id])
    return found


async def again(session: AsyncSession, old: Claimed, *, expires_at: datetime | None, now: datetime) -> str:
    """The new delivery id, queued and due now; ValueError when an earlier re-send is still on its way or arrived."""
    new_id = await _free_id(session, old)
    is_reminder = old.row.kind in FLAGS
    row = OutboxRow(
        id=new_id,
        business_id=old.row.business_id,
        kind=old.row.kind,
        customer_id=old.row.customer_id,
        appointment_id=old.row.appointment_id,
        appointment_version=old.appointment.version if is_reminder and old.appointment else old.row.appointment_version,
        body=None if is_reminder else old.row.body,
        cause=old.row.cause,
        rank=old.row.rank,
        order_at=old.row.order_at if is_reminder else now,
        due_at=now,
        expires_at=expires_at,
        created_at=now,
        updated_at=now,
    )
    await add(session, row)
    return new_id


async def _free_id(session: AsyncSession, old: Claimed) -> str:
    n = 0
    while True:
        candidate = _id(old, n)
        state = (await session.exec(select(OutboxRow.state).where(col(OutboxRow.id) == candidate))).first()
        if state is None and n > 0:
            return candidate
        if state not in (None, *OVER):
            message = f"{old.row.id} has been sent again already: {candidate} is {state}"
            raise ValueError(message)
        n += 1


def _id(old: Claimed, n: int) -> str:
    """The n-th re-send's; for a reminder 0 is the scan's own of the present version."""
    if old.row.kind in FLAGS and old.appointment is not None:
        return reminder_id(old.appointment.id or 0, old.row.kind, old.appointment.version, n)
    return str(uuid5(NAMESPACE, f"again:{old.row.id}:{n}"))
