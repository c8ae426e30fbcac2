"""Take a place, claim, commit, send, mark: no transaction is open while the Graph API is asked."""

import asyncio
import random
from datetime import datetime
from functools import partial
from uuid import uuid4

import structlog

from bot.log import person
from bot.outbox.failure import failed, lost
from bot.outbox.prepare import LEASE_MARGIN, Ready, prepare, put_off
from bot.outbox.receive import catch_up
from bot.outbox.stops import lift
from bot.runtime import Runtime
from bot.store import businesses, outbox
from bot.store.database import Session
from bot.store.shared import once
from bot.store.tables import OutboxRow
from bot.whatsapp.client import Accepted, Lost, NotSent, Outcome, Refused
from bot.whatsapp.errors import NO_CODE, GraphError

log = structlog.get_logger(__name__)

LATE_SECONDS = 0.05
"""A place that is missed by more counts no more."""
ROOM_SECONDS = 2.0
"""Of the lease's margin, for waiting for another one."""
SPREAD_SECONDS = 2.0
"""Reminders that found no place come back spread over this time: all at once, they would only find each other."""


async def deliver(runtime: Runtime, delivery_id: str) -> OutboxRow | None:
    """Send one message of the outbox, if it is due and ours to send; the row as it then is, None if nothing was sent.

    Called twice at once, one of them sends.
    """
    clock = asyncio.get_running_loop().time
    place_at = await _place(runtime, delivery_id)
    placed_at = clock()
    if place_at is None:
        return None
    token = uuid4().hex
    ready = await _claim(runtime, delivery_id, token)
    if ready is None:
        return None
    if not await _in_time(runtime, ready, place_at):
        await _put_back(runtime, ready.delivery_id, token)
        return None
    began = clock()
    outcome = await runtime.graph(ready.phone_number_id).send(ready.body)
    took = clock() - began
    row, following = await _mark(runtime, ready, token, outcome, took)
    await runtime.meter.note(_counts(row, outcome), {"send": took, "token_wait": max(0.0, place_at - placed_at)})
    if row.state == "queued":
        await runtime.queue.deliver([row.id], after=(row.due_at - runtime.clock.now()).total_seconds())
    elif following is not None:
        await runtime.queue.deliver([following])
    return row


async def _place(runtime: Runtime, delivery_id: str) -> float | None:
    """The instant, by the loop's clock, of a place under the number's rate and the customer's.

    None when the message is not to be sent now, or only later.
    """
    async with runtime.db.read() as session:
        waiting = await outbox.peek(session, delivery_id, runtime.clock.now())
    if waiting is None:
        return None
    urgent = waiting.kind == outbox.REPLY
    place = await runtime.limits.take(waiting.phone_number_id, waiting.customer_id, urgent=urgent)
    place_at = asyncio.get_running_loop().time() + place.wait
    if not place.taken:
        await _come_back(runtime, delivery_id, place.wait, urgent=urgent)
        return None
    return place_at


async def _in_time(runtime: Runtime, ready: Ready, place_at: float) -> bool:
    """Wait for the place. One that a slow claim has missed is taken anew, while the lease has room; else False.

    Those who were held up together would otherwise go out together, faster than the rate.
    """
    clock = asyncio.get_running_loop().time
    end = clock() + ROOM_SECONDS
    taken = clock() - place_at <= LATE_SECONDS
    while not taken and clock() < end:
        place = await runtime.limits.take(ready.phone_number_id, ready.customer_id, urgent=ready.kind == outbox.REPLY)
        taken, place_at = place.taken, clock() + place.wait
        if not taken:
            await asyncio.sleep(min(place.wait, end - clock()))
    await asyncio.sleep(place_at - clock() if taken else 0)
    return taken


async def _put_back(runtime: Runtime, delivery_id: str, token: str) -> None:
    now = runtime.clock.now()
    async with runtime.db.write() as session:
        row = await outbox.locked(session, delivery_id)
        if row.lease == token:
            put_off(row, now, now)
            session.add(row)
    await _come_back(runtime, delivery_id, 0.0, urgent=False)


async def _come_back(runtime: Runtime, delivery_id: str, wait: float, *, urgent: bool) -> None:
    apart = 0.0 if urgent else random.uniform(0, SPREAD_SECONDS)  # noqa: S311 - no secret
    await runtime.queue.deliver([delivery_id], after=wait + apart)


async def _claim(runtime: Runtime, delivery_id: str, token: str) -> Ready | None:
    now = runtime.clock.now()
    until = now + LEASE_MARGIN + runtime.send_timeout

    async def work(session: Session) -> Ready | None:
        claimed = await outbox.claim(session, delivery_id, token, now, until)
        if claimed is None:
            return None
        id_ = claimed.row.business_id
        business = await once(session, ("business", id_), partial(businesses.load, session, id_))
        return await prepare(session, claimed, business, runtime.rules(business), now)

    return await runtime.db.shared.run(work)


async def _mark(
    runtime: Runtime, ready: Ready, token: str, outcome: Outcome, took: float
) -> tuple[OutboxRow, str | None]:
    """The row as it is then, and the customer's next answer, which waited for this one."""
    now = runtime.clock.now()

    async def work(session: Session) -> tuple[OutboxRow, str | None]:
        row = await outbox.locked(session, ready.delivery_id)
        row.attempts += outcome.calls
        session.add(row)
        if isinstance(outcome, Accepted):
            await outbox.accept(session, row, outcome.wamid, now)
            await lift(session, row, now)
        elif row.lease == token:  # else a receipt, or the sweep after our lease ran out, has settled it meanwhile
            await _not_accepted(session, row, outcome, now, now + runtime.unknown_wait)
        await catch_up(session, row, now)
        following = await outbox.next_reply(session, ready.customer_id) if ready.kind == outbox.REPLY else None
        return row, following

    row, following = await runtime.db.shared.run(work)
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
    return row, following if row.state != "queued" else None


def _counts(row: OutboxRow, outcome: Outcome) -> dict[str, int]:
    kinds = {Accepted: "accepted", Refused: "refused", NotSent: "not_sent", Lost: "lost"}
    given_up = {"permanent_failures": 1} if row.state == "failed" else {}
    return {"attempts": outcome.calls, kinds[type(outcome)]: 1, **given_up}


async def _not_accepted(
    session: Session, row: OutboxRow, outcome: Refused | NotSent | Lost, now: datetime, listen_until: datetime
) -> None:
    match outcome:
        case Refused(error=error, http_status=status, retry_after=after):
            await failed(session, row, error, now, http_status=status, retry_after=after)
        case NotSent(why=why):
            await failed(session, row, GraphError(code=NO_CODE, title=f"no connection: {why}"), now)
        case Lost(why=why):
            lost(row, why, listen_until, now)
