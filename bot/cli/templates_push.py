"""`confirmo templates push`: asks Meta to approve the reminder templates. What is there already is left as it is."""

import asyncio

import typer

from bot.cli import account, door
from bot.settings import Settings, require
from bot.whatsapp.account import Held, create
from bot.whatsapp.client import AccountClient
from bot.whatsapp.templates import KINDS, LANGUAGES, Template, definition


def push() -> None:
    """One line a template: there already, or handed in for Meta's review. Ends with 1 when one was refused."""
    settings = door.settings()
    require(settings, "whatsapp_access_token", "whatsapp_business_account_id")
    if not asyncio.run(_push(settings)):
        raise typer.Exit(1)


async def _push(settings: Settings) -> bool:
    async with account.asking(settings) as client:
        known = {(one.name, one.language): one for one in await account.there(client, settings)}
        every = [definition(kind, language) for kind in KINDS for language in LANGUAGES]
        return all([await _one(client, settings, one, known.get((one.name, one.language))) for one in every])


async def _one(client: AccountClient, settings: Settings, template: Template, held: Held | None) -> bool:
    """One after the other: Meta counts creations by the hour."""
    name = f"{template.name}/{template.language}"
    if held is not None:
        typer.echo(f"there     {name}: {held.status}")
        return True
    status = await create(client, settings.whatsapp_business_account_id, template)
    if isinstance(status, str):
        typer.echo(f"handed in {name}: {status}")
        return True
    typer.echo(f"refused   {name}: {account.said(status, settings)}")
    return False
