"""`confirmo templates status`: what Meta says of the templates that this business's reminders use.

The database is told too: a webhook that got lost would keep a reminder from going out.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer

from bot.cli import account, door, table
from bot.clock import utc_now
from bot.settings import Settings, require
from bot.store import businesses
from bot.store.database import Session
from bot.web.keep import notice
from bot.whatsapp.account import Held
from bot.whatsapp.events import TemplateStatus
from bot.whatsapp.templates import KINDS, LANGUAGES, candidates

HEADER = ("kind", "language", "template", "status", "category", "fits")
ABSENT = Held(name="", language="", status="ABSENT", category="", fits=None)
FITS = {True: "yes", False: "no", None: ""}


def status(as_json: Annotated[bool, typer.Option("--json", help="One object a line.")] = False) -> None:
    """`fits`: whether it takes our four parameters and has three quick replies. ABSENT: Meta has none of that name."""
    settings = door.settings()
    require(settings, "whatsapp_access_token", "whatsapp_business_account_id")
    rows = asyncio.run(_rows(settings))
    if as_json:
        table.show_json(dict(zip(HEADER, row, strict=True)) for row in rows)
    else:
        table.show(HEADER, [(*row[:-1], FITS[row[-1]]) for row in rows], empty="")


async def _rows(settings: Settings) -> Sequence[tuple[Any, ...]]:
    sends = await account.sends(settings)
    async with account.asking(settings) as client:
        known = {(one.name, one.language): one for one in await account.there(client, settings)}
    found = [
        (kind, language, f"{one.name}/{one.language}", held.status, held.category, held.fits)
        for kind in KINDS
        for language in LANGUAGES
        for one in candidates(kind, language, sends.own)
        for held in [known.get((one.name, one.language), ABSENT)]
    ]
    await _tell(settings, {f"{one.name}/{one.language}": one for one in known.values()}, [row[2] for row in found])
    return found


async def _tell(settings: Settings, known: Mapping[str, Held], names: Sequence[str]) -> None:
    """As the webhook would have; without a database there is nobody to tell."""
    told = [_event(settings, known[name]) for name in names if name in known]
    with suppress(ValueError):
        async with door.database(settings) as db, db.write() as session:
            await _keep(session, told)


async def _keep(session: Session, told: Sequence[TemplateStatus]) -> None:
    lines = await businesses.lines(session)
    for event in told:
        await notice.template_status(session, lines, event, utc_now())


def _event(settings: Settings, one: Held) -> TemplateStatus:
    return TemplateStatus(
        account=settings.whatsapp_business_account_id,
        name=one.name,
        language=one.language,
        event=one.status,
        reason=None,
    )
