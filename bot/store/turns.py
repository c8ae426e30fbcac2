"""Whose turn it is to write on a SQLite file: within this process, and between the processes that share the file.

SQLite itself lets a writer sleep and look again, up to 100 ms apart: beside a busy writer another one may wait for
seconds. A lock of the kernel wakes whoever waits. It is a courtesy only: BEGIN IMMEDIATE still guards, so a program
that knows nothing of it, or one that cannot be waited for any longer, does no harm.
"""

import asyncio
import fcntl
import os
from pathlib import Path
from types import TracebackType

LONGEST = 5.0
"""Seconds after which a turn is taken anyway: its holder may have been stopped."""


class Turns:
    """`async with` it around a write transaction."""

    def __init__(self, database: Path) -> None:
        self._here = asyncio.Lock()
        self._path = database.with_name(f"{database.name}-turn")
        self._file: int | None = None

    async def __aenter__(self) -> None:
        await self._here.acquire()
        try:
            await self._between_processes()
        except BaseException:
            self._here.release()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()
        self._here.release()

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    async def _between_processes(self) -> None:
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            await self._wait(self._file)

    async def _wait(self, file: int) -> None:
        loop = asyncio.get_running_loop()
        waiting = loop.run_in_executor(None, fcntl.flock, file, fcntl.LOCK_EX)
        try:
            done, _ = await asyncio.wait({waiting}, timeout=LONGEST)
        except asyncio.CancelledError:
            waiting.add_done_callback(lambda _: self._leave())
            raise
        if not done:
            waiting.add_done_callback(lambda _: self._leave())

    def _leave(self) -> None:
        if self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)
