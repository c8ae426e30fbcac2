"""`confirmo attention list`."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

import typer

from bot.cli import door, table
from bot.settings import Settings
from bot.store import attention
from bot.store.tables import AlarmRow, AttentionRow

MATTERS = ("ID", "SINCE (UTC)", "WHAT", "CUSTOMER", "APPOINTMENT", "TEXT")
ALARMS = ("ALARM", "SINCE (UTC)", "DETAIL")


def show(
    as_json: Annotated[
        bool,
        typer.Option("--json", help="One object a line: all columns, and `type`, which is alarm or matter."),
    ] = False,
) -> None:
    """Open alarms, then open matters, oldest first."""
    alarms, matters = asyncio.run(_load(door.settings()))
    if as_json:
        table.show_json(
            [table.columns(row, type="alarm") for row in alarms]
            + [table.columns(row, type="matter") for row in matters]
        )
        return
    if alarms:
        table.show(ALARMS, [(row.kind, f"{row.opened_at:%Y-%m-%d %H:%M}", row.detail) for row in alarms], empty="")
        typer.echo()
    table.show(MATTERS, map(_cells, matters), empty="nothing to look at")


async def _load(settings: Settings) -> tuple[Sequence[AlarmRow], Sequence[AttentionRow]]:
    async with door.database(settings) as db, db.read() as session:
        return await attention.open_alarms(session), await attention.open_matters(session)


def _cells(row: AttentionRow) -> tuple[object, ...]:
    return row.id, f"{row.created_at:%Y-%m-%d %H:%M}", row.kind, row.customer_id, row.appointment_id, row.text
