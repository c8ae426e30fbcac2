"""What a webhook said → the database, in one transaction. A row that cannot be stored never costs its neighbours."""

from datetime import datetime

import structlog

from bot.outbox import received
from bot.runtime import Runtime
from bot.store import businesses
from bot.store.businesses import Lines
from bot.store.database import Refused, Session, deadlock, unstorable
from bot.web.keep.message import keep_message
from bot.web.keep.notice import (
    account_error,
    echo,
    ignored,
    preference,
    template_category,
    template_quality,
    template_status,
)
from bot.whatsapp.events import (
    AccountError,
    Echo,
    Event,
    Ignored,
    Message,
    Preference,
    Reading,
    Receipt,
    TemplateCategory,
    TemplateQuality,
    TemplateStatus,
)

log = structlog.get_logger(__name__)


async def keep(runtime: Runtime, reading: Reading) -> tuple[int, ...]:
    """The customers with something new in their inbox. Raises, nothing kept, when the database does not answer."""
    for problem in reading.problems:
        log.warning("unreadable element", action="webhook", why=problem.why, where=problem.where)
    now = runtime.clock.now()
    numbered = list(enumerate(reading.events))
    try:
        heard = await _together(runtime, numbered, now)
    except Refused as error:
        if not (unstorable(error) or deadlock(error)):
            raise
        heard = [one for each in numbered for one in await _alone(runtime, each, now)]
    return tuple(dict.fromkeys(one for one in heard if one is not None))


async def _together(runtime: Runtime, numbered: list[tuple[int, Event]], now: datetime) -> list[int | None]:
    async with runtime.db.write() as session:
        lines = await businesses.lines(session)
        return [await _keep(session, lines, event, position, now) for position, event in numbered]


async def _alone(runtime: Runtime, numbered: tuple[int, Event], now: datetime) -> list[int | None]:
    """Something in the batch was refused: this element by itself, so that only the bad one is lost."""
    try:
        return await _together(runtime, [numbered], now)
    except Refused as error:
        if not unstorable(error):
            raise
        log.exception("element set aside", action="webhook", kind=type(numbered[1]).__name__)
        return []


async def _keep(session: Session, lines: Lines, event: Event, position: int, now: datetime) -> int | None:
    match event:
        case Message():
            return await keep_message(session, lines, event, position, now)
        case Receipt():
            await received(session, event, now)
        case Echo():
            await echo(session, lines, event, now)
        case TemplateStatus():
            await template_status(session, lines, event, now)
        case TemplateCategory():
            await template_category(session, lines, event, now)
        case TemplateQuality():
            await template_quality(session, lines, event, now)
        case Preference():
            preference(event)
        case AccountError():
            account_error(event)
        case Ignored():
            ignored(event)
    return None
