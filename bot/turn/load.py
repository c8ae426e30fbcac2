"""Load: what a decision needs, from one look at the database."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.conversation import draft as drafts
from bot.conversation.draft import Draft
from bot.conversation.events import About, Event
from bot.conversation.view import Customer, View, Window
from bot.conversation.wording import LANGUAGES, Wording
from bot.core.names import sayable
from bot.core.slots import Calendar
from bot.runtime import Runtime
from bot.store import appointments, businesses, outbox, spoken, unread
from bot.store.calendar import load_busy
from bot.store.database import Session
from bot.store.spoken import Ours
from bot.store.unread import Message, Sender, Unread
from bot.turn.events import Heard, changed, hear
from bot.turn.together import together
from bot.whatsapp.content import read_content
from bot.whatsapp.events import Content, Reaction, Unsupported
from bot.whatsapp.values import id_or_none, object_or_empty

log = structlog.get_logger(__name__)

WINDOW = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What is decided on together: messages typed in a row are one event, everything else is one by itself."""

    causes: tuple[str, ...]
    answers: tuple[str, ...]
    """Delivery ids of our messages that these answer."""
    event: Event | None
    draft: Draft
    view: View


async def load(runtime: Runtime, customer_id: int) -> Batch | None:
    """The next batch of the customer's inbox; None when it is empty or must wait."""
    now = runtime.clock.now()
    async with runtime.db.read() as session:
        found = await unread.of(session, customer_id)
        if found is None or (found.messages[0].retry_at is not None and found.messages[0].retry_at > now):
            return None
        heard = await _heard(session, found)
        view = await _view(session, found.sender, now)
    taken, event = together(heard, now, view.business.zone)
    return Batch(
        causes=tuple(one.message_id for one in taken),
        answers=tuple(one.answers for one in taken if one.answers is not None),
        event=event,
        draft=_draft(found.sender),
        view=view,
    )


async def _heard(session: Session, found: Unread) -> Sequence[Heard]:
    said = [_read(row) for row in found.messages]
    ours = await spoken.spoken_of(session, found.sender.id, {target for _, target in said if target is not None})
    read = zip(found.messages, said, strict=True)
    return [_one(row, content, ours.get(target or "")) for row, (content, target) in read]


def _one(row: Message, content: Content, ours: Ours | None) -> Heard:
    changes, reads = changed(content)
    return Heard(
        message_id=row.message_id,
        at=row.sent_at,
        event=hear(content, row.sent_at, _about(ours)),
        answers=ours.id if ours else None,
        changes=changes,
        text=reads,
    )


def _read(row: Message) -> tuple[Content, str | None]:
    """What it says, and the wamid that it quotes, taps or reacts to. What was read at the door and cannot be read now
    (it is nested too deeply for where we stand) is as one of an unknown kind: it must not keep the others waiting."""
    try:
        item = json.loads(row.raw)
        content = read_content(item)
    except (ValueError, RecursionError):
        log.exception("a message could not be read again", action="answer", message_id=row.message_id)
        return Unsupported(kind=row.kind), None
    if isinstance(content, Reaction):
        return content, content.message_id
    return content, id_or_none(object_or_empty(item.get("context")).get("id"))


def _about(ours: Ours | None) -> About | None:
    """The appointment that one of our messages to this very customer spoke of."""
    if ours is None or ours.appointment_id is None:
        return None
    return About(ours.appointment_id, ours.appointment_version or 1, ours.kind != outbox.REPLY)


async def _view(session: Session, customer: Sender, now: datetime) -> View:
    business = await businesses.load(session, customer.business_id, customer.business_version)
    busy = await load_busy(session, business.id, now, now + business.rules.horizon + timedelta(days=1))
    heard = customer.last_inbound_at
    known = customer.language if customer.language in LANGUAGES else None
    return View(
        now=now,
        business=business,
        customer=Customer(
            id=customer.id,
            name=sayable(customer.name),
            language=known,
            phone=customer.whatsapp_number,
            opted_out=customer.opted_out_at is not None,
            muted_until=customer.muted_until,
        ),
        calendar=Calendar(business=business, busy=busy, now=now),
        wording=Wording.of(business, known or business.language),
        window=Window.OPEN if heard is not None and now - heard < WINDOW else Window.CLOSED,
        appointments=await appointments.of_customer(session, customer.id),
    )


def _draft(customer: Sender) -> Draft:
    """Once a reminder has come, what we said before it is no longer our last word."""
    draft = drafts.load(customer.draft)
    return draft.unsaid() if customer.last_kind in outbox.FLAGS else draft
