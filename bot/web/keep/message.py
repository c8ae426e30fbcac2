"""One inbound message → its customer and the inbox."""

from datetime import datetime

import structlog

from bot.core.phone import clean
from bot.log import person
from bot.store import attention, customers, inbox
from bot.store.businesses import Lines
from bot.store.customers import Person
from bot.store.database import Session
from bot.store.tables import AttentionRow, CustomerRow, InboxRow
from bot.whatsapp.events import (
    Content,
    Edited,
    IdentityChanged,
    Message,
    NumberChanged,
    Reaction,
    Revoked,
    SharedContacts,
    Unsupported,
)

log = structlog.get_logger(__name__)


async def keep_message(session: Session, lines: Lines, message: Message, position: int, now: datetime) -> int | None:
    """The id of the customer who now has something to be answered; None for a known message or another's."""
    business_id = lines.by_number(message.phone_number_id)
    if business_id is None or message.group_id is not None:
        log.info(
            "not for us", action="webhook", kind=type(message.content).__name__, group=message.group_id is not None
        )
        return None
    if await inbox.knows(session, message.wamid):
        return None
    customer = await _customer(session, business_id, message, now)
    sent_at = min(message.sent_at or now, now)
    row = InboxRow(
        message_id=message.wamid,
        business_id=business_id,
        customer_id=customer.id if customer is not None else None,
        kind=type(message.content).__name__.lower(),
        raw=message.raw,
        sent_at=sent_at,
        position=position,
        received_at=now,
        handled_at=now if customer is None or _is_news(message.content) else None,
    )
    if not await inbox.keep(session, row) or row.handled_at is not None or customer is None:
        return None
    _heard(customer, message, sent_at)
    session.add(customer)
    log.info("message kept", action="webhook", kind=row.kind, message_id=row.message_id, customer=person(customer.id))
    return customer.id


def _is_news(content: Content) -> bool:
    """WhatsApp's own words: nobody waits for an answer, and no window opens."""
    return isinstance(content, NumberChanged | IdentityChanged) or (
        isinstance(content, Unsupported) and content.is_news
    )


async def _customer(session: Session, business_id: int, message: Message, now: datetime) -> CustomerRow | None:
    sender = message.sender
    match message.content:
        case NumberChanged():
            return await _renumbered(session, business_id, message, message.content, now)
        case SharedContacts(requested=True, phones=(phone, *_)) if sender.wa_id is None:
            wa_id = clean(phone)
        case _:
            wa_id = sender.wa_id
    who = Person(
        user_id=sender.user_id,
        parent_user_id=sender.parent_user_id,
        wa_id=wa_id,
        name=sender.name,
        username=sender.username,
    )
    return await customers.recognise(session, business_id, who, now)


def _heard(customer: CustomerRow, message: Message, sent_at: datetime) -> None:
    """The window opens at the message's own time; a reaction, an edit or a deletion opens none. A referral is kept."""
    if not isinstance(message.content, Reaction | Edited | Revoked):
        customer.last_inbound_at = max(customer.last_inbound_at or sent_at, sent_at)
    if message.referral is not None:
        customer.referral = inbox.dump(message.referral)


async def _renumbered(
    session: Session, business_id: int, message: Message, change: NumberChanged, now: datetime
) -> CustomerRow | None:
    """The customer moved to another number or id. When that belongs to somebody else already, staff decide."""
    old = change.previous_user_id and await customers.by_user_id(session, business_id, change.previous_user_id)
    if not old and change.old_wa_id is not None:
        old = await customers.by_phone(session, business_id, change.old_wa_id)
    if not old:
        return None
    if not await customers.renumber(session, old, wa_id=change.new_wa_id, user_id=change.new_user_id):
        other = await customers.owner(session, old, wa_id=change.new_wa_id, user_id=change.new_user_id)
        matter = AttentionRow(
            business_id=business_id,
            customer_id=old.id,
            kind="number_taken",
            text=f"now at {change.new_wa_id or change.new_user_id}, which customer {other.id if other else '?'} has",
            source=f"number:{message.wamid}",
            created_at=now,
        )
        await attention.attend(session, matter)
        log.warning("number taken", action="renumber", customer=person(old.id))
    return old
