"""`confirmo db upgrade`."""

import asyncio

import typer

from bot.cli import door
from bot.store import migrate
from bot.store.opening import one_line


def upgrade() -> None:
    """Prints the revisions applied."""
    applied = asyncio.run(_upgrade(door.settings().database_url.get_secret_value()))
    typer.echo(f"applied {', '.join(applied)}" if applied else "the database is up to date")


async def _upgrade(url: str) -> list[str]:
    with one_line():
        return await migrate.upgrade(url)
