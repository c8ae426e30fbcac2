"""`confirmo appointments list`."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

import typer

from bot.cli import door, table
from bot.cli.times import local
from bot.settings import Settings
from bot.store import listing
from bot.store.listing import Listed

HEADER = ("ID", "WHEN", "NAME", "PHONE", "SERVICE", "STAFF", "STATUS", "24H", "2H")


def show(
    as_json: Annotated[
        bool, typer.Option("--json", help="One object a line: all columns, phone and name; times in UTC.")
    ] = False,
) -> None:
    """Every appointment, by start."""
    found = asyncio.run(_load(door.settings()))
    if as_json:
        table.show_json(table.columns(one.appointment, phone=one.phone, name=one.name) for one in found)
    else:
        table.show(HEADER, map(_cells, found), empty="no appointments yet")


async def _load(settings: Settings) -> Sequence[Listed]:
    async with door.database(settings) as db, db.read() as session:
        return await listing.appointments(session)


def _cells(one: Listed) -> tuple[object, ...]:
    row = one.appointment
    return (
        row.id,
        local(row.scheduled_at, one.zone),
        one.name,
        one.phone,
        one.service,
        one.staff,
        row.status,
        "sent" if row.reminder_24h_sent else "",
        "sent" if row.reminder_2h_sent else "",
    )
