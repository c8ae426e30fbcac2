"""What a webhook says besides messages and receipts: templates, echoes, preferences, errors."""

from datetime import datetime, timedelta

import structlog

from bot.conversation import draft as drafts
from bot.log import person
from bot.store import attention, customers, outbox, templates
from bot.store.businesses import Lines
from bot.store.database import Session
from bot.whatsapp.events import (
    AccountError,
    Echo,
    Ignored,
    Preference,
    TemplateCategory,
    TemplateQuality,
    TemplateStatus,
)

log = structlog.get_logger(__name__)

MUTED_BY_ECHO = timedelta(hours=4)


async def echo(session: Session, lines: Lines, event: Echo, now: datetime) -> None:
    """A person answered from the business's phone: the bot is quiet in that chat, and its last word is not the last.

    What we sent ourselves may be echoed too: that is nobody's answer.
    """
    business_id = lines.by_number(event.phone_number_id)
    if business_id is None or await outbox.is_ours(session, event.wamid):
        return
    customer = event.to_user_id and await customers.by_user_id(session, business_id, event.to_user_id)
    if not customer and event.to is not None:
        customer = await customers.by_phone(session, business_id, event.to)
    if not customer:
        return
    at = min(event.at or now, now)
    customer.muted_until = max(customer.muted_until or at, at + MUTED_BY_ECHO)
    draft = drafts.load(customer.draft)
    # WhatsApp tells whole seconds.
    if draft.touched_at is None or draft.touched_at.replace(microsecond=0) <= at:
        customer.draft = drafts.dump(draft.unsaid())
    session.add(customer)
    log.info("a person answered", action="mute", customer=person(customer.id))


async def template_status(session: Session, lines: Lines, event: TemplateStatus, now: datetime) -> None:
    """Kept, so that nothing is sent into the void; what cannot be sent is an alarm until it can."""
    for business_id in lines.by_account(event.account):
        reason = event.reason or ""
        await templates.note(
            session, business_id, event.name, event.language, now=now, status=event.event, reason=reason
        )
        kind = f"template:{event.name}:{event.language}"
        if event.event in templates.USABLE:
            await attention.close_alarm(session, business_id, [kind], now)
        elif await attention.raise_alarm(session, business_id, kind, f"{event.event} {reason}".strip(), now):
            log.warning("template cannot be sent", action="alarm", template=event.name, status=event.event)


async def template_category(session: Session, lines: Lines, event: TemplateCategory, now: datetime) -> None:
    """A reminder that becomes marketing would be billed and refused: staff must ask for a review."""
    becoming = event.correct or event.new or ""
    for business_id in lines.by_account(event.account):
        await templates.note(session, business_id, event.name, event.language, now=now, category=event.new or "")
        kind = f"category:{event.name}:{event.language}"
        if becoming == "UTILITY":
            await attention.close_alarm(session, business_id, [kind], now)
        elif await attention.raise_alarm(session, business_id, kind, f"becomes {becoming}", now):
            log.warning("template recategorised", action="alarm", template=event.name, category=becoming)


async def template_quality(session: Session, lines: Lines, event: TemplateQuality, now: datetime) -> None:
    """RED comes before a pause."""
    for business_id in lines.by_account(event.account):
        kind = f"quality:{event.name}:{event.language}"
        if event.new != "RED":
            await attention.close_alarm(session, business_id, [kind], now)
        elif await attention.raise_alarm(session, business_id, kind, "quality RED", now):
            log.warning("template quality is low", action="alarm", template=event.name)
    log.info("template quality", action="webhook", template=event.name, quality=event.new)


def preference(event: Preference) -> None:
    """Marketing only: it never stops reminders."""
    log.info("marketing preference", action="webhook", value=event.value)


def account_error(event: AccountError) -> None:
    """Belongs to no message: only receipts of our own messages can stop anything."""
    log.warning("account error", action="webhook", code=event.code, title=event.title)


def ignored(event: Ignored) -> None:
    """Expected things quietly, unknown ones loudly."""
    tell = log.warning if event.unknown else log.info
    tell("ignored", action="webhook", field=event.field, why=event.why)
