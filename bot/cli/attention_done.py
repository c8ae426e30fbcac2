"""`confirmo attention done`."""

import asyncio
from typing import Annotated

import typer

from bot.cli import door
from bot.clock import utc_now
from bot.settings import Settings
from bot.store import attention


def done(matter_id: Annotated[int, typer.Argument(metavar="ID", help="As `attention list` shows it.")]) -> None:
    """Exit 1 when no open matter has this id."""
    asyncio.run(_done(door.settings(), matter_id))
    typer.echo(f"{matter_id} is done")


async def _done(settings: Settings, matter_id: int) -> None:
    async with door.database(settings) as db, db.write() as session:
        if await attention.done(session, matter_id, utc_now()) is None:
            message = f"there is no open matter {matter_id}"
            raise LookupError(message)
