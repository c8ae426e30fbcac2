"""The door to the database: short write transactions, separate reads, the same manner on SQLite and PostgreSQL.

On SQLite all writers of this process take turns on one connection, and a write transaction begins with the write lock
(`BEGIN IMMEDIATE`): a transaction that reads first and asks for the lock later fails at once when another has written.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    StatementError,
)
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store import near
from bot.store.shared import Shared
from bot.store.turns import Turns

SQLITE, POSTGRESQL = "sqlite", "postgresql"
TAKES = "DATABASE_URL takes sqlite+aiosqlite:///FILE or postgresql+asyncpg://USER:PASSWORD@HOST:PORT/NAME"
BUSY_SECONDS = 5
READERS = 4
CONNECTIONS = 10
PAUSES = (0.05, 0.2)  # between the tries to begin; each try on SQLite has waited BUSY_SECONDS already
ALONE = 0x636F6E66  # any number that no other program takes on the same PostgreSQL database

THE_ROW = ("22", "54")
"""Classes of SQLSTATE: a value that no column takes, a row over a limit (as an index's)."""

Session = AsyncSession
Refused = (StatementError, ValueError, ArithmeticError)
"""Whatever a statement can fail with, SQLite's driver's plain errors for values that it cannot take among them;
`unstorable` and `deadlock` tell whose fault it was."""
Unreachable = (OSError, OperationalError, InterfaceError)
Insert = sqlite.Insert | postgresql.Insert


class Database:
    """Opens nothing until it is first used. One per process and event loop; `close()` it.

    A wrong address or folder is a ValueError of one line that never shows the password.
    `foreign_keys=False` is for migrations on SQLite, which rebuild tables.
    """

    def __init__(self, url: str, *, foreign_keys: bool = True) -> None:
        self.url = parse(url)
        self.dialect = self.url.get_backend_name()
        self.wal = True
        """False once a write found that the SQLite file cannot do it, as on a network disk: warn the operator."""
        self.shared = Shared(self.write, self.read, Unreachable)
        """Where many small writes or looks come at once."""
        self._foreign_keys = foreign_keys
        self._turn: Turns | nullcontext[None] = nullcontext()
        self._own: near.Near | None = None
        if self.dialect == SQLITE:
            _check_file(self.url.database or "")
            self._turn = Turns(Path(self.url.database or ""))  # fair, and without the time-out of a pool
            self._writer = self._sqlite(1, "BEGIN IMMEDIATE", self._prepare_writer)
            self._reader = self._sqlite(READERS, "BEGIN", _prepare_reader)
        else:
            self._writer = create_async_engine(
                self.url,
                pool_size=CONNECTIONS,
                max_overflow=0,
                pool_pre_ping=True,
                hide_parameters=True,  # an error in the log must not carry a customer's words
                connect_args={"timeout": 10, "server_settings": {"timezone": "UTC", "application_name": "confirmo"}},
            )
            # One look is one snapshot, as on SQLite: statements of a read must not see different states.
            self._reader = self._writer.execution_options(isolation_level="REPEATABLE READ")

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        """One write transaction: commits at the end, rolls back on an error. Keep it short and do not nest it.

        Only its beginning is tried again when SQLite's lock is held elsewhere: nothing has been read by then.
        """
        async with self._turn, AsyncSession(self._writer, expire_on_commit=False) as session:
            await _begin(session)
            yield session
            await session.commit()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        """One consistent look; writing in it fails on SQLite and is dropped on PostgreSQL."""
        async with AsyncSession(self._reader, expire_on_commit=False) as session:
            yield session

    @asynccontextmanager
    async def driver(self) -> AsyncIterator[near.Near]:
        """A write transaction on SQLite's own driver, for the little that must not cost what a session costs."""
        async with self._turn:
            connection = self._own = self._own or await self._by_driver()
            await connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                await connection.commit()
            except BaseException:
                await connection.rollback()
                raise

    async def ping(self) -> None:
        """Raises OSError or DBAPIError when the database does not answer."""
        async with self.read() as session:
            await (await session.connection()).execute(text("SELECT 1"))

    async def close(self) -> None:
        """Closes all connections (and ends their threads)."""
        await self._reader.dispose()
        await self._writer.dispose()
        if self._own is not None:
            await self._own.close()
        if isinstance(self._turn, Turns):
            self._turn.close()

    def _sqlite(self, size: int, begin: str, prepare: Any) -> AsyncEngine:
        engine = create_async_engine(
            self.url,
            pool_size=size,
            max_overflow=0,
            hide_parameters=True,
            # None: Python's driver emits no BEGIN of its own.
            connect_args={"isolation_level": None, "timeout": BUSY_SECONDS, "async_creator_fn": near.connect},
        )
        event.listen(engine.sync_engine, "connect", prepare)
        event.listen(engine.sync_engine, "begin", lambda connection: connection.exec_driver_sql(begin))
        return engine

    async def _by_driver(self) -> near.Near:
        connection = near.connect(self.url.database or "", isolation_level=None, timeout=BUSY_SECONDS)
        await connection
        await connection.execute("PRAGMA synchronous=FULL")
        await connection.execute("PRAGMA foreign_keys=ON")
        return connection

    def _prepare_writer(self, connection: Any, _record: Any) -> None:
        (mode,) = _pragma(connection, "journal_mode=WAL")
        self.wal = mode == "wal"
        # FULL: a 200 to Meta means that the message survives a power cut.
        _pragma(connection, "synchronous=FULL")
        _pragma(connection, f"foreign_keys={'ON' if self._foreign_keys else 'OFF'}")


def parse(url: str) -> URL:
    """The address in parts; ValueError (one line, no password) for one we cannot use."""
    try:
        parts = make_url(url)
    except (ArgumentError, ValueError):
        # "from None": the original may quote a piece of the password.
        raise ValueError(TAKES) from None
    if parts.drivername not in {"sqlite+aiosqlite", "postgresql+asyncpg"}:
        message = f"{TAKES}, not {parts.drivername}"
        raise ValueError(message)
    if "sslmode" in parts.query:
        raise ValueError("DATABASE_URL: write ssl=require (or another mode) instead of sslmode=")
    return parts


def insert(session: AsyncSession, table: type[SQLModel]) -> Insert:
    """An INSERT that knows `on_conflict_do_nothing` and `on_conflict_do_update` on both databases."""
    if session.get_bind().dialect.name == SQLITE:
        return sqlite.insert(table)
    return postgresql.insert(table)


async def alone(session: AsyncSession) -> None:
    """From here to the end of this transaction no other one is past this line. SQLite's writers are alone anyway."""
    if session.get_bind().dialect.name == POSTGRESQL:
        connection = await session.connection()
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ALONE})


def deadlock(error: Exception) -> bool:
    """Whether PostgreSQL ended this transaction because it and another one waited for each other: nothing was done."""
    return isinstance(error, DBAPIError) and "deadlock detected" in str(error.orig)


def unstorable(error: Exception) -> bool:
    """Whether it is the row that cannot be taken: a fault of ours or of its sender, not of the database."""
    if not isinstance(error, DBAPIError) or isinstance(error, IntegrityError | DataError):
        return True
    # SQLAlchemy has no class of its own for most of PostgreSQL's errors.
    return str(getattr(error.orig, "sqlstate", None)).startswith(THE_ROW)


def slot_taken(error: DBAPIError) -> bool:
    """Whether the overlap guard refused the row (see migration 0003)."""
    return "slot_taken" in str(error.orig)


async def _begin(session: AsyncSession, pauses: tuple[float, ...] = PAUSES) -> None:
    try:
        await session.connection()
    except OperationalError as error:
        if not pauses or "locked" not in str(error.orig):
            raise
        await session.rollback()
        await asyncio.sleep(pauses[0])
        await _begin(session, pauses[1:])


def _prepare_reader(connection: Any, _record: Any) -> None:
    _pragma(connection, "query_only=ON")
    (mode,) = _pragma(connection, "journal_mode")
    connection.driver_connection.here = near.QUICK_READING if mode == "wal" else near.NOTHING


def _pragma(connection: Any, words: str) -> Any:
    cursor = connection.cursor()
    try:
        cursor.execute(f"PRAGMA {words}")
        return cursor.fetchone()
    finally:
        cursor.close()


def _check_file(name: str) -> None:
    if name in {"", ":memory:"}:
        raise ValueError("DATABASE_URL: SQLite needs a file, as in sqlite+aiosqlite:///bot.db")
    if name.startswith("file:"):
        raise ValueError("DATABASE_URL: write the plain path of the SQLite file, not a file: address")
    path = Path(name).absolute()
    problem = None
    if not path.parent.is_dir():
        problem = f"the folder {path.parent} does not exist"
    elif path.is_dir():
        problem = f"{path} is a folder, not a file"
    elif not os.access(path.parent, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        problem = f"{path} cannot be written by this user (SQLite needs to write in its folder too)"
    if problem:
        message = f"DATABASE_URL: {problem}"
        raise ValueError(message)
