"""`confirmo business export`: the whole business as TOML, which an import of the same file leaves as it is."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from bot.cli import door
from bot.settings import Settings
from bot.store import business_edit, listing
from bot.store.business_toml import toml


def export(
    file: Annotated[Path | None, typer.Argument(metavar="FILE.toml", help="Without it, standard output.")] = None,
) -> None:
    """Those that are switched off are written too, with `active = false`."""
    text = asyncio.run(_export(door.settings()))
    if file is None:
        typer.echo(text, nl=False)
    else:
        file.write_text(text, encoding="utf-8")


async def _export(settings: Settings) -> str:
    async with door.database(settings) as db, db.read() as session:
        business_id = await listing.the_business(session, settings.whatsapp_phone_number_id)
        if business_id is None:
            raise LookupError("the database has no business yet: `confirmo business import FILE` adds one")
        return toml(await business_edit.as_written(session, business_id))
