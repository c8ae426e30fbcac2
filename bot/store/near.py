"""SQLite without a change of thread for each statement: that costs ten times what the statement itself does.

Only what may wait goes to the connection's thread, as aiosqlite would have it: a write lock that somebody else has, the
commit with its fsync, and everything on a file that cannot do WAL, where a reader waits for the writer. What is left is
a matter of microseconds: a look by an index, a row written into memory.
"""

import sqlite3
from collections.abc import Callable
from functools import partial
from types import BuiltinMethodType
from typing import Any, TypeVar

import aiosqlite

T = TypeVar("T")

NOTHING: frozenset[str] = frozenset()
QUICK = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "cursor", "fetchone", "fetchmany", "fetchall", "close"})
"""What waits for nothing once the lock is held: first words of statements, and methods of cursors."""
QUICK_READING = QUICK | {"BEGIN", "rollback"}


class Near(aiosqlite.Connection):
    """Awaited like its parent."""

    here = QUICK
    """What is done in the caller's own thread."""

    def __init__(self, connector: Callable[[], sqlite3.Connection], patience: float) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._patience = patience
        self._there: set[object] = set()

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        # A cancelled caller has left its work to the thread: until that is done the thread has all the rest too.
        if self._running and self._connection and self.here and not self._there:
            name = _name(fn, args)
            if name in self.here or (name == "rollback" and not self._connection.in_transaction):
                return fn(*args, **kwargs)
            if name == "BEGIN" and self._at_once(self._connection, fn, *args):
                return None
        mark = object()
        self._there.add(mark)
        return await super()._execute(self._finish, mark, partial(fn, *args, **kwargs))  # type: ignore[no-untyped-call]

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Some short statements at once, on the driver's own connection."""
        if self._connection is not None and not self._there:
            return work(self._connection)
        done: T = await self._execute(work, self._connection)
        return done

    def _at_once(self, connection: sqlite3.Connection, begin: Callable[..., Any], *words: Any) -> bool:
        """Take the write lock if nobody has it: among those who take turns (turns.py) that is always."""
        connection.execute("PRAGMA busy_timeout=0")
        try:
            begin(*words)
        except sqlite3.OperationalError:
            return False
        finally:
            connection.execute(f"PRAGMA busy_timeout={int(self._patience * 1000)}")
        return True

    def _finish(self, mark: object, work: Callable[[], Any]) -> Any:
        try:
            return work()
        finally:
            self._there.discard(mark)


def connect(name: str, **how: Any) -> Near:
    """A connection to this file; `how` is what sqlite3.connect takes."""
    how["check_same_thread"] = False
    connection = Near(lambda: sqlite3.connect(name, **how), how["timeout"])
    connection._thread.daemon = True  # noqa: SLF001 - as SQLAlchemy does with its own
    return connection


def _name(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    if function.__name__ in {"execute", "executemany"}:
        return str(arguments[0]).lstrip().partition(" ")[0]
    return function.__name__ if isinstance(function, BuiltinMethodType) and not _ends(function) else ""


def _ends(function: BuiltinMethodType) -> bool:
    return function.__name__ == "close" and isinstance(function.__self__, sqlite3.Connection)
