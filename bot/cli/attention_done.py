"""`confirmo attention done`."""

import asyncio
from typing import Annotated

import typer

from bot.cli import door
from bot.clock import utc_now
from bot.settings import Settings
from bot.store import attention

LARGEST = 2**31 - 1


def done(
    matter_id: Annotated[int, typer.Argument(metavar="ID", max=LARGEST, help="As `attention list` shows it.")],
) -> None:
    """Gives a muted chat back to the bot: at once when the customer had asked for a person, else with the last matter.

    Exit 1 when no open matter has this id.
    """
    given_back = asyncio.run(_done(door.settings(), matter_id))
    typer.echo(f"{matter_id} is done" + ("; the bot answers this customer again" if given_back else ""))


async def _done(settings: Settings, matter_id: int) -> bool:
    now = utc_now()
    async with door.database(settings) as db, db.write() as session:
        matter = await attention.done(session, matter_id, now)
        if matter is None:
            message = f"there is no open matter {matter_id}"
            raise LookupError(message)
        return await attention.give_back(session, matter, now)
