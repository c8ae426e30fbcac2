"""One turn per customer at a time (a lease on the customer's row), one commit per decision."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import structlog

from bot.conversation.effects import Book, Effect, Mark, Move
from bot.conversation.events import SlotTaken
from bot.conversation.machine import turn
from bot.conversation.view import View
from bot.log import person
from bot.runtime import Runtime
from bot.store import inbox
from bot.store.appointments import OutOfDate, SlotGone
from bot.turn.apply import Applied, apply
from bot.turn.load import Batch, load

log = structlog.get_logger(__name__)

LEASE = timedelta(seconds=30)
TRIES = 5
"""A decision that another customer or a staff member overtook is made again on a fresh view, so often at most."""


async def answer(runtime: Runtime, customer_id: int) -> tuple[str, ...]:
    """Handle all that the customer's inbox holds; the delivery ids of what is to be sent now, in order.

    Nothing happens when another turn holds this customer: that one, or the sweep, sees the messages.
    """
    token = uuid4().hex
    written: list[str] = []
    while await _lease(runtime, customer_id, token):
        released = await _leased(runtime, customer_id, token, written)
        # Looked at once more: what came in after the last load had its wake-up turned away by our lease.
        if released or await load(runtime, customer_id) is None:
            break
    return tuple(written)


async def _leased(runtime: Runtime, customer_id: int, token: str, written: list[str]) -> bool:
    """Whether the last commit found nothing more and gave the customer back."""
    done = Applied()
    try:
        batch = await load(runtime, customer_id)
        while batch is not None:
            done = await _handle(runtime, batch, token)
            written += done.written
            batch = None if done.released else await load(runtime, customer_id)
    finally:
        if not done.released:
            await runtime.db.shared.run(lambda session: inbox.release(session, customer_id, token))
    return done.released


async def _lease(runtime: Runtime, customer_id: int, token: str) -> bool:
    now = runtime.clock.now()
    return await runtime.db.shared.run(lambda session: inbox.lease(session, customer_id, token, now, now + LEASE))


async def _handle(runtime: Runtime, batch: Batch, token: str) -> Applied:
    """One batch; what we cannot handle ourselves is noted on the message and tried again later, then given up."""
    try:
        return await _decide(runtime, batch, token)
    except Exception as error:
        log.exception("a message could not be handled", action="answer", customer=person(batch.view.customer.id))
        async with runtime.db.write() as session:
            await inbox.failed(session, batch.causes, runtime.clock.now(), type(error).__name__)
        return Applied()


async def _decide(runtime: Runtime, batch: Batch, token: str) -> Applied:
    event = batch.event
    for _ in range(TRIES):
        draft, effects = (batch.draft, ()) if event is None else turn(batch.draft, event, batch.view)
        taken = None
        try:
            return await apply(runtime, batch, draft, effects, token)
        except SlotGone:
            taken = _taken(effects, batch.view)
        except OutOfDate:
            log.info("decided on an old view, again", action="answer", customer=person(batch.view.customer.id))
        fresh = await load(runtime, batch.view.customer.id)
        if fresh is None:
            return Applied()
        batch, event = (fresh, fresh.event) if taken is None else (replace(fresh, causes=batch.causes), taken)
    raise OutOfDate(f"overtaken {TRIES} times in a row")


def _taken(effects: tuple[Effect, ...], view: View) -> SlotTaken:
    """The race as an event: which slot was wanted, and for what."""
    wanted = next(effect for effect in effects if isinstance(effect, Book | Move | Mark))
    match wanted:
        case Book():
            return SlotTaken(service=wanted.service, start=wanted.start, at=view.now, attendee=wanted.attendee)
        case Move():
            return SlotTaken(
                service=_service(wanted.appointment, view),
                start=wanted.start,
                at=view.now,
                appointment=wanted.appointment,
                version=wanted.version,
            )
        case Mark():
            mine = view.appointment(wanted.appointment)
            start = mine.start if mine is not None else view.now
            return SlotTaken(service=_service(wanted.appointment, view), start=start, at=view.now)


def _service(appointment_id: int, view: View) -> int | None:
    mine = view.appointment(appointment_id)
    return mine.service if mine is not None else None
