"""`confirmo appointments export`."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bot.cli import csv_rows, door
from bot.core.appointment import Status
from bot.core.phone import clean
from bot.settings import Settings
from bot.store import listing
from bot.store.listing import Listed


def export(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Where to write; without it, to the standard output.")
    ] = None,
) -> None:
    """The columns of the import, times in the business's local time with their offset."""
    found = asyncio.run(_load(door.settings()))
    kept = [one for one in found if one.appointment.status != Status.CANCELLED]
    with_phone = [one for one in kept if clean(one.phone) == one.phone]
    text = csv_rows.write(map(_cells, with_phone))
    if file is None:
        typer.echo(text, nl=False)
    else:
        file.write_text(text, encoding="utf-8", newline="")
        typer.echo(f"{len(with_phone)} appointments written to {file}")
    if len(with_phone) < len(kept):
        typer.echo(f"{len(kept) - len(with_phone)} left out: their customers show no phone", err=True)


async def _load(settings: Settings) -> Sequence[Listed]:
    async with door.database(settings) as db:
        business = await door.business(db, settings)
        async with db.read() as session:
            return await listing.appointments(session, business.id) if business is not None else ()


def _cells(one: Listed) -> tuple[str, ...]:
    at = one.appointment.scheduled_at.astimezone(one.zone)
    return one.phone, one.name, one.service, one.staff, at.isoformat()
