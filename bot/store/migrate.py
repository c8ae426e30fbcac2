"""Brings a database to the tables of this version; safe to run from several processes at once."""

from functools import cache
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from bot.store.database import SQLITE, Database, alone

FOLDER = Path(__file__).with_name("migrations")


async def upgrade(url: str) -> list[str]:
    """Applies what is missing, in one transaction, and returns the revisions applied.

    ValueError when the database was made by a newer version, or is not one we can open.
    """
    # Rebuilding a table on SQLite needs its foreign keys off; they are checked as a whole before the commit.
    db = Database(url, foreign_keys=False)
    try:
        return await _apply(db)
    finally:
        await db.close()


async def current(db: Database) -> str | None:
    """The revision that the database has; None for an empty one."""
    async with db.read() as session:
        connection = await session.connection()
        return await connection.run_sync(_revision)


@cache
def head() -> str:
    """The revision that this version wants."""
    revision = ScriptDirectory.from_config(_config()).get_current_head()
    if revision is None:
        raise RuntimeError("the package came without its migrations")
    return revision


async def is_current(db: Database) -> bool:
    return await current(db) == head()


async def _apply(db: Database) -> list[str]:
    async with db.write() as session:
        await alone(session)
        connection = await session.connection()
        applied = await connection.run_sync(_upgrade)
        if db.dialect == SQLITE and (await connection.execute(text("PRAGMA foreign_key_check"))).first():
            raise RuntimeError("the upgrade would break references between tables; nothing was changed")
        return applied


def _upgrade(connection: Connection) -> list[str]:
    config, applied = _config(), list[str]()
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if (_revision(connection) or head()) not in known:
        raise ValueError(
            "the database was made by a newer version of Confirmo: install that version or restore a backup"
        )

    def keep(*, step: Any, **_: Any) -> None:
        applied.append(step.up_revision_id)

    config.attributes.update(connection=connection, on_version_apply=keep)
    command.upgrade(config, "head")
    return applied


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _config() -> Config:
    config = Config()
    # Alembic reads a percent sign as the start of an interpolation.
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
