"""Inbound messages → their customers and the inbox; many at once for the price of a few statements."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby

import structlog

from bot.core.phone import clean
from bot.log import person
from bot.store import attention, customers, inbox, plain
from bot.store.businesses import Lines
from bot.store.customers import Person
from bot.store.database import Database, Session
from bot.store.plain import Plain
from bot.store.tables import AttentionRow, CustomerRow
from bot.web.keep.heard import Heard
from bot.whatsapp.events import (
    Button,
    Choice,
    Content,
    Edited,
    Event,
    IdentityChanged,
    Location,
    Media,
    Message,
    NumberChanged,
    Reaction,
    Revoked,
    SharedContacts,
    Text,
    Unsupported,
)

log = structlog.get_logger(__name__)

Told = Heard[Message]
_PLAIN = (Text, Button, Choice, Media, Location)


async def keep_plain(db: Database, heard: Sequence[Heard[Event]]) -> list[int] | None:
    """The short way for messages of people we know; None, and nothing done, unless all of it can go that way."""
    messages = []
    for one in heard:
        simple = _as_plain(one)
        if simple is None:
            return None
        messages.append(simple)
    added = await plain.keep(db, messages)
    if added is None:
        return None
    _tell([(one.kind, one.message_id, person(customer_id)) for one, customer_id in added])
    return [customer_id for _, customer_id in added]


async def keep_messages(session: Session, lines: Lines, heard: Sequence[Told]) -> list[int]:
    """The customers who now have something to be answered; known messages and those of others are dropped."""
    fresh = await _fresh(session, lines, heard)
    customer_ids = []
    for business_id, run in _runs(lines, fresh):
        if isinstance(run[0].event.content, NumberChanged):
            await _renumbered(session, business_id, run[0], run[0].event.content)
        else:
            customer_ids += await _keep_run(session, business_id, run)
    return customer_ids


async def _fresh(session: Session, lines: Lines, heard: Sequence[Told]) -> list[Told]:
    ours: dict[str, Told] = {}
    for one in heard:
        if lines.by_number(one.event.phone_number_id) is None or one.event.group_id is not None:
            kind, group = type(one.event.content).__name__, one.event.group_id is not None
            log.info("not for us", action="webhook", kind=kind, group=group)
        else:
            ours.setdefault(one.event.wamid, one)
    known = await inbox.known(session, list(ours)) if ours else ()
    return [one for wamid, one in ours.items() if wamid not in known]


def _runs(lines: Lines, heard: Sequence[Told]) -> Iterator[tuple[int, list[Told]]]:
    """In order: neighbours of one business together; a change of number by itself, since what follows rests on it."""

    def alike(numbered: tuple[int, Told]) -> tuple[int, int]:
        place, one = numbered
        changes = isinstance(one.event.content, NumberChanged)
        return lines.by_number(one.event.phone_number_id) or 0, place if changes else -1

    for (business_id, _), run in groupby(enumerate(heard), alike):
        yield business_id, [one for _, one in run]


async def _keep_run(session: Session, business_id: int, run: Sequence[Told]) -> list[int]:
    people = [_person(one.event) for one in run]
    met = await customers.meet(session, business_id, people, run[0].at)
    rows = [await met.recognise(one) for one in people]
    mine = [met.final(row) if row is not None else None for row in rows]
    added = await inbox.keep(
        session, [_row(business_id, one, customer) for one, customer in zip(run, mine, strict=True)]
    )
    ids, kept = [], []
    for one, customer in zip(run, mine, strict=True):
        if customer is None or one.event.wamid not in added or _is_news(one.event.content):
            continue
        _heard(customer, one.event, _sent_at(one.event, one.at))
        ids.append(customer.id or 0)
        kept.append((_kind(one.event), one.event.wamid, person(customer.id)))
    _tell(kept)
    return ids


def _as_plain(heard: Heard[Event]) -> Plain | None:
    """None for whatever needs more than to be stored."""
    event = heard.event
    if not isinstance(event, Message) or not isinstance(event.content, _PLAIN) or event.referral or event.group_id:
        return None
    return Plain(
        phone_number_id=event.phone_number_id,
        sender=_person(event),
        message_id=event.wamid,
        kind=_kind(event),
        raw=event.raw,
        sent_at=_sent_at(event, heard.at),
        position=heard.position,
        received_at=heard.at,
    )


def _row(business_id: int, one: Told, customer: CustomerRow | None) -> dict[str, object]:
    nothing_to_do = customer is None or _is_news(one.event.content)
    return {
        "message_id": one.event.wamid,
        "business_id": business_id,
        "customer_id": customer.id if customer is not None else None,
        "kind": _kind(one.event),
        "raw": one.event.raw,
        "sent_at": _sent_at(one.event, one.at),
        "position": one.position,
        "received_at": one.at,
        "handled_at": one.at if nothing_to_do else None,
    }


def _tell(kept: Sequence[tuple[str, str, str]]) -> None:
    # One line for all: a line costs as much as the storing of a message.
    log.info("messages kept", action="webhook", messages=kept)


def _is_news(content: Content) -> bool:
    """WhatsApp's own words: nobody waits for an answer, and no window opens."""
    return isinstance(content, NumberChanged | IdentityChanged) or (
        isinstance(content, Unsupported) and content.is_news
    )


def _kind(message: Message) -> str:
    return type(message.content).__name__.lower()


def _sent_at(message: Message, came_at: datetime) -> datetime:
    return min(message.sent_at or came_at, came_at)


def _person(message: Message) -> Person:
    sender, wa_id = message.sender, message.sender.wa_id
    content = message.content
    if wa_id is None and isinstance(content, SharedContacts) and content.requested and content.phones:
        wa_id = clean(content.phones[0])
    return Person(
        user_id=sender.user_id,
        parent_user_id=sender.parent_user_id,
        wa_id=wa_id,
        name=sender.name,
        username=sender.username,
    )


def _heard(customer: CustomerRow, message: Message, sent_at: datetime) -> None:
    """The window opens at the message's own time; a reaction, an edit or a deletion opens none. A referral is kept."""
    if not isinstance(message.content, Reaction | Edited | Revoked):
        customer.last_inbound_at = max(customer.last_inbound_at or sent_at, sent_at)
    if message.referral is not None:
        customer.referral = inbox.dump(message.referral)


async def _renumbered(session: Session, business_id: int, told: Told, change: NumberChanged) -> None:
    """The customer moved to another number or id. When that belongs to somebody else already, staff decide."""
    old = change.previous_user_id and await customers.by_user_id(session, business_id, change.previous_user_id)
    if not old and change.old_wa_id is not None:
        old = await customers.by_phone(session, business_id, change.old_wa_id)
    if old and not await customers.renumber(session, old, wa_id=change.new_wa_id, user_id=change.new_user_id):
        other = await customers.owner(session, old, wa_id=change.new_wa_id, user_id=change.new_user_id)
        matter = AttentionRow(
            business_id=business_id,
            customer_id=old.id,
            kind="number_taken",
            text=f"now at {change.new_wa_id or change.new_user_id}, which customer {other.id if other else '?'} has",
            source=f"number:{told.event.wamid}",
            created_at=told.at,
        )
        await attention.attend(session, matter)
        log.warning("number taken", action="renumber", customer=person(old.id))
    await inbox.keep(session, [_row(business_id, told, old or None)])
