"""`confirmo business import`: says what it changes and which bookings that strands, then does it, or not."""

import asyncio
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from bot.cli import door
from bot.cli.times import local
from bot.clock import utc_now
from bot.core.appointment import Actor
from bot.settings import Settings
from bot.store import business_edit, businesses, listing
from bot.store.appointments import Cause, SlotGone
from bot.store.business_edit import Edit
from bot.store.business_file import BusinessFile, read
from bot.store.database import Database

CAUSE = Cause(actor=Actor.STAFF, name="import")


class _OnlySaid(Exception):
    """Ends the transaction of a dry run."""


def import_file(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The whole business, as `export` writes it.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")] = False,
) -> None:
    """Services, staff and resources are matched by name: those the file leaves out are switched off, not deleted."""
    asyncio.run(_import(file, dry_run, door.settings()))


async def _import(file: Path, dry_run: bool, settings: Settings) -> None:
    wanted = read(file)
    async with door.database(settings) as db:
        async with db.read() as session:
            business_id = await listing.the_business(session, settings.whatsapp_phone_number_id)
        if business_id is None:
            await _add(db, file, wanted, dry_run, settings)
            return
        done: list[Edit] = []
        try:
            await _edit(db, business_id, wanted, dry_run, done)
        except _OnlySaid:
            typer.echo("nothing was changed: this was a dry run")
        except SlotGone:
            raise ValueError("two appointments would meet in the new zone; nothing was changed") from None
        else:
            typer.echo(f"{len(done[0].changes)} changed")


async def _edit(db: Database, business_id: int, wanted: BusinessFile, dry_run: bool, done: list[Edit]) -> None:
    async with db.write() as session:
        edit = await business_edit.edit(session, business_id, lambda _: wanted, cause=CAUSE, now=utc_now())
        _say(edit, ZoneInfo(wanted.zone))
        done.append(edit)
        if dry_run:
            raise _OnlySaid


async def _add(db: Database, file: Path, wanted: BusinessFile, dry_run: bool, settings: Settings) -> None:
    """Into a database that has no business yet."""
    typer.echo(f"business {wanted.name}: added")
    if dry_run:
        typer.echo("nothing was changed: this was a dry run")
        return
    await businesses.ensure(
        db,
        file=file,
        phone_number_id=settings.whatsapp_phone_number_id,
        waba_id=settings.whatsapp_business_account_id,
        now=utc_now(),
        by=(CAUSE.actor, CAUSE.name),
    )


def _say(edit: Edit, zone: ZoneInfo) -> None:
    for change in edit.changes:
        typer.echo(str(change))
    if edit.rezoned:
        typer.echo(f"{len(edit.rezoned)} future appointments keep their wall-clock time in {zone.key}")
    for one in edit.stranded:
        who = one.name or "somebody without a name"
        typer.echo(f"stranded: appointment {one.appointment}, {local(one.start, zone)}, {who}: {one.why}")
