"""`confirmo templates status`: what Meta says of the templates that this business's reminders use."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from bot.cli import account, door, table
from bot.settings import Settings, require
from bot.whatsapp.account import Held
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
    return [
        (kind, language, f"{one.name}/{one.language}", held.status, held.category, held.fits)
        for kind in KINDS
        for language in LANGUAGES
        for one in candidates(kind, language, sends.own)
        for held in [known.get((one.name, one.language), ABSENT)]
    ]
