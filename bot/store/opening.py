"""Opens the database for a command, or says in one line why it cannot."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from bot.store.database import SQLITE, Database, Unreachable
from bot.store.migrate import is_current


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """A database with this version's tables; ValueError when it is not there, does not answer or is older."""
    db = Database(url)
    _check_file(db)
    try:
        with one_line():
            migrated = await is_current(db)
        if not migrated:
            raise ValueError("the database is not up to date: run `confirmo db upgrade` first")
        with _one_line(Unreachable):
            yield db
    finally:
        await db.close()


async def now_there(db: Database) -> datetime:
    """What the database's own clock shows; on SQLite it is this machine's."""
    words = "strftime('%Y-%m-%dT%H:%M:%f', 'now')" if db.dialect == SQLITE else "clock_timestamp()"
    async with db.read() as session:
        shown = (await (await session.connection()).execute(text(f"SELECT {words}"))).scalar_one()
    return shown if isinstance(shown, datetime) else datetime.fromisoformat(f"{shown}+00:00")


@contextmanager
def one_line() -> Iterator[None]:
    """A ValueError of one line whatever the database refuses: for opening it, where no row can be at fault."""
    with _one_line((OSError, DBAPIError)):
        yield


def _check_file(db: Database) -> None:
    """Merely looking into a SQLite file that is not there would make an empty one."""
    path = Path(db.url.database or "").absolute()
    if db.dialect == SQLITE and not path.exists():
        message = f"there is no database at {path}: run `confirmo db upgrade` to make it"
        raise ValueError(message)


@contextmanager
def _one_line(kinds: tuple[type[Exception], ...]) -> Iterator[None]:
    try:
        yield
    except kinds as error:
        if isinstance(error, BrokenPipeError):
            raise  # our own output's reader has gone
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        message = f"the database does not answer: {reason}"
        # "from None": the original shows the statement and its parameters.
        raise ValueError(message) from None
