"""Take a place, claim, commit, send, mark: no transaction is open while the Graph API is asked."""

import asyncio
import random

import structlog

from bot.log import person
from bot.outbox.claim import Wanted, claim, peek
from bot.outbox.mark import Ended, Marked, mark
from bot.outbox.prepare import Ready, put_off
from bot.runtime import Runtime
from bot.store import outbox
from bot.whatsapp.client import Accepted, Lost, NotSent, Outcome, Refused

log = structlog.get_logger(__name__)

LATE_SECONDS = 0.025
"""A place that is missed by more counts no more (see STEADY of bot/limits.py)."""
AHEAD_SECONDS = 0.03
"""A reminder goes out so long after its place, all alike: so the claim need not make it late."""
ROOM_SECONDS = 2.0
"""Of the lease's margin, for waiting for another one."""
SPREAD_SECONDS = 2.0
"""Reminders that found no place come back spread over this time: all at once, they would only find each other."""


async def deliver(runtime: Runtime, delivery_id: str) -> Marked | None:
    """Send one message of the outbox, if it is due and ours to send; how it then stands, None if nothing was sent.

    Called twice at once, one of them sends. Claims and marks of those that are sent side by side share transactions.
    """
    clock = asyncio.get_running_loop().time
    place_at = await _place(runtime, delivery_id)
    placed_at = clock()
    if place_at is None:
        return None
    ready = await runtime.db.shared.write(claim, Wanted(runtime, delivery_id))
    if ready is None:
        return None
    if not await _in_time(runtime, ready, place_at):
        await _put_back(runtime, ready)
        return None
    began = clock()
    outcome = await runtime.graph(ready.phone_number_id).send(ready.body)
    took = clock() - began
    marked = await _told(runtime, ready, outcome, took)
    runtime.meter.note(_counts(marked, outcome), {"send": took, "token_wait": max(0.0, place_at - placed_at)})
    await _go_on(runtime, marked)
    return marked


async def _go_on(runtime: Runtime, marked: Marked) -> None:
    """Once more later, or the customer's next answer."""
    if marked.state == "queued" and marked.due_at is not None:
        await runtime.queue.deliver([marked.delivery_id], after=(marked.due_at - runtime.clock.now()).total_seconds())
    elif marked.following is not None:
        await runtime.queue.deliver([marked.following])


async def _place(runtime: Runtime, delivery_id: str) -> float | None:
    """The instant, by the loop's clock, of a place under the number's rate and the customer's.

    None when the message is not to be sent now, or only later.
    """
    waiting = await runtime.db.shared.look(peek, Wanted(runtime, delivery_id))
    if waiting is None:
        return None
    urgent = waiting.kind == outbox.REPLY
    place = await runtime.limits.take(waiting.phone_number_id, waiting.customer_id, urgent=urgent)
    ahead = 0.0 if urgent else AHEAD_SECONDS
    place_at = asyncio.get_running_loop().time() + place.wait + ahead
    if not place.taken:
        await _come_back(runtime, delivery_id, place.wait, urgent=urgent)
        return None
    return place_at


async def _in_time(runtime: Runtime, ready: Ready, place_at: float | None) -> bool:
    """Wait for the place. One that is missed, by a slow claim or a busy loop, is taken anew while the lease has room.

    Those who were held up together would otherwise go out together, faster than the rate.
    """
    clock = asyncio.get_running_loop().time
    end = clock() + ROOM_SECONDS
    while clock() < end:
        if place_at is not None and await _kept(place_at):
            return True
        place = await runtime.limits.take(ready.phone_number_id, ready.customer_id, urgent=ready.kind == outbox.REPLY)
        place_at = clock() + place.wait if place.taken else None
        if not place.taken:
            await asyncio.sleep(min(place.wait, end - clock()))
    return False


async def _kept(place_at: float) -> bool:
    """Once the place has come: whether it is not long gone."""
    clock = asyncio.get_running_loop().time
    if clock() < place_at:
        await asyncio.sleep(place_at - clock())
    return clock() - place_at <= LATE_SECONDS


async def _put_back(runtime: Runtime, ready: Ready) -> None:
    now = runtime.clock.now()
    async with runtime.db.write() as session:
        row = await outbox.locked(session, ready.delivery_id)
        if row.lease == ready.token:
            put_off(row, now, now)
            session.add(row)
    await _come_back(runtime, ready.delivery_id, 0.0, urgent=False)


async def _come_back(runtime: Runtime, delivery_id: str, wait: float, *, urgent: bool) -> None:
    apart = 0.0 if urgent else random.uniform(0, SPREAD_SECONDS)  # noqa: S311 - no secret
    await runtime.queue.deliver([delivery_id], after=wait + apart)


async def _told(runtime: Runtime, ready: Ready, outcome: Outcome, took: float) -> Marked:
    """The outcome written down, logged and counted."""
    marked = await runtime.db.shared.write(mark, Ended(runtime, ready, outcome))
    log.info(
        "sent" if isinstance(outcome, Accepted) else "not sent",
        action="deliver",
        delivery=ready.delivery_id,
        kind=ready.kind,
        state=marked.state,
        appointment=ready.appointment_id,
        customer=person(ready.customer_id),
        code=marked.error_code,
        seconds=round(took, 3),
    )
    return marked


def _counts(marked: Marked, outcome: Outcome) -> dict[str, int]:
    kinds = {Accepted: "accepted", Refused: "refused", NotSent: "not_sent", Lost: "lost"}
    given_up = {"permanent_failures": 1} if marked.state == "failed" else {}
    return {"attempts": outcome.calls, kinds[type(outcome)]: 1, **given_up}
