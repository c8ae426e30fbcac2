"""Claim, commit, send, mark: no transaction is open while the Graph API is asked."""

from datetime import datetime
from uuid import uuid4

import structlog

from bot.log import person
from bot.outbox import prepare
from bot.outbox.failure import failed, lost
from bot.outbox.prepare import LEASE_MARGIN, Ready
from bot.outbox.stops import lift
from bot.runtime import Runtime
from bot.store import businesses, outbox, receipts
from bot.store.tables import OutboxRow
from bot.whatsapp.client import Accepted, Lost, NotSent, Outcome, Refused
from bot.whatsapp.errors import NO_CODE, GraphError

log = structlog.get_logger(__name__)


async def deliver(runtime: Runtime, delivery_id: str) -> None:
    """Send one message of the outbox, if it is due and ours to send. Called twice at once, one of them sends."""
    token = uuid4().hex
    ready = await _claim(runtime, delivery_id, token)
    if ready is None:
        return
    outcome = await runtime.graph(ready.phone_number_id).send(ready.body)
    await _mark(runtime, ready, token, outcome)
    if ready.kind == outbox.REPLY:
        await _wake_next(runtime, ready.customer_id)


async def _claim(runtime: Runtime, delivery_id: str, token: str) -> Ready | None:
    now = runtime.clock.now()
    until = now + LEASE_MARGIN + runtime.send_timeout
    async with runtime.db.write() as session:
        claimed = await outbox.claim(session, delivery_id, token, now, until)
        if claimed is None:
            return None
        business = await businesses.load(session, claimed.row.business_id)
        return await prepare.prepare(session, claimed, business, runtime.rules(business), now)


async def _mark(runtime: Runtime, ready: Ready, token: str, outcome: Outcome) -> None:
    now = runtime.clock.now()
    async with runtime.db.write() as session:
        row = await outbox.locked(session, ready.delivery_id)
        row.attempts += outcome.calls
        session.add(row)
        match outcome:
            case Accepted(wamid=wamid):
                await outbox.accept(session, row, wamid, now)
                for receipt in await receipts.parked(session, row, wamid):
                    await receipts.apply(session, row, receipt, now)
                await lift(session, row, now)
            case _ if row.lease != token:
                pass  # a receipt, or the sweep after our lease ran out, has settled it meanwhile
            case Refused(error=error, http_status=status, retry_after=after):
                await failed(session, row, error, now, http_status=status, retry_after=after)
            case NotSent(why=why):
                await failed(session, row, GraphError(code=NO_CODE, title=f"no connection: {why}"), now)
            case Lost(why=why):
                lost(row, why, now + runtime.unknown_wait, now)
    _tell(row, outcome, now)


def _tell(row: OutboxRow, outcome: Outcome, now: datetime) -> None:
    took = (now - row.created_at).total_seconds()
    log.info(
        "sent" if isinstance(outcome, Accepted) else "not sent",
        action="deliver",
        delivery=row.id,
        kind=row.kind,
        state=row.state,
        appointment=row.appointment_id,
        customer=person(row.customer_id),
        code=row.error_code,
        seconds=round(took, 3),
    )


async def _wake_next(runtime: Runtime, customer_id: int) -> None:
    """The customer's next answer waited for this one."""
    async with runtime.db.read() as session:
        following = await outbox.next_reply(session, customer_id)
    if following is not None:
        await runtime.queue.deliver([following])
