"""What webhooks said → the database, in one transaction. A row that cannot be stored never costs its neighbours."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from bot.outbox import received
from bot.runtime import Runtime
from bot.store import businesses
from bot.store.businesses import Lines
from bot.store.database import Refused, Session, deadlock, unstorable
from bot.web.keep.heard import Heard
from bot.web.keep.message import keep_messages, keep_plain
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

CHUNK = 250
"""So many elements are kept by the same statements, then others have a turn: databases take so many parameters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One webhook, and when it came."""

    reading: Reading
    at: datetime

    @property
    def heard(self) -> list[Heard[Event]]:
        """Its elements in order."""
        return [Heard(event=event, position=n, at=self.at) for n, event in enumerate(self.reading.events)]


async def keep(runtime: Runtime, letters: Sequence[Letter]) -> tuple[int, ...]:
    """The customers with something new in their inbox. Raises, nothing kept, when the database does not answer."""
    for problem in (one for letter in letters for one in letter.reading.problems):
        log.warning("unreadable element", action="webhook", why=problem.why, where=problem.where)
    heard = [one for letter in letters for one in letter.heard]
    customers = await keep_plain(runtime.db, heard)
    if customers is None:
        customers = await _keep(runtime, heard)
    return tuple(dict.fromkeys(customers))


async def _keep(runtime: Runtime, heard: Sequence[Heard[Event]]) -> list[int]:
    try:
        return await _together(runtime, heard)
    except Refused as error:
        if not (unstorable(error) or deadlock(error)):
            raise
        return [one for each in heard for one in await _alone(runtime, each)]


async def _together(runtime: Runtime, heard: Sequence[Heard[Event]]) -> list[int]:
    customers: list[int] = []
    if not heard:
        return customers
    async with runtime.db.write() as session:
        lines = await businesses.lines(session)
        for start in range(0, len(heard), CHUNK):
            customers += await _chunk(session, lines, heard[start : start + CHUNK])
            await asyncio.sleep(0)
    return customers


async def _alone(runtime: Runtime, heard: Heard[Event]) -> list[int]:
    """Something in the batch was refused: this element by itself, so that only the bad one is lost."""
    try:
        return await _together(runtime, [heard])
    except Refused as error:
        if not unstorable(error):
            raise
        log.exception("element set aside", action="webhook", kind=type(heard.event).__name__)
        return []


async def _chunk(session: Session, lines: Lines, heard: Sequence[Heard[Event]]) -> list[int]:
    """Messages and receipts by the dozen, what is rare one by one."""
    messages: list[Heard[Message]] = []
    receipts: list[tuple[Receipt, datetime]] = []
    for one in heard:
        match one.event:
            case Message():
                messages.append(Heard(event=one.event, position=one.position, at=one.at))
            case Receipt():
                receipts.append((one.event, one.at))
    customers = await keep_messages(session, lines, messages) if messages else []
    if receipts:
        await received(session, receipts)
    for one in heard:
        await _rare(session, lines, one.event, one.at)
    return customers


async def _rare(session: Session, lines: Lines, event: Event, now: datetime) -> None:
    match event:
        case Message() | Receipt():
            pass
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
