"""Short writes that share a commit: those that come while one runs are the next one's, each told when it is done."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlmodel.ext.asyncio.session import AsyncSession

T = TypeVar("T")
Work = Callable[[AsyncSession], Awaitable[T]]
Write = Callable[[], AbstractAsyncContextManager[AsyncSession]]

MOST = 50
"""Works in one commit: the first of them waits for the last."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    work: Work[Any]
    done: asyncio.Future[Any]


class Shared:
    """One per database. A work may be begun twice: when a neighbour fails all are done anew, each by itself."""

    def __init__(self, write: Write, away: tuple[type[Exception], ...]) -> None:
        self._write = write
        self._away = away
        """What a database raises that does not answer: then nobody need try by himself."""
        self._waiting: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None

    async def run(self, work: Work[T]) -> T:
        """What `work` returns, once it is committed; or what it raises, and nothing of it is."""
        one = _Waiting(work, asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._go_on(), name="shared writes")
        result: T = await one.done
        return result

    async def _go_on(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
            batch = [one for one in batch if not one.done.done()]  # the others gave up meanwhile
            one_by_one = [] if await self._together(batch) else batch
            for one in one_by_one:
                await self._together([one])

    async def _together(self, batch: list[_Waiting]) -> bool:
        """False when several are to be done one by one."""
        results: list[Any]
        try:
            async with self._write() as session:
                results = [await one.work(session) for one in batch]
        except Exception as error:  # noqa: BLE001 - it is raised where the work came from
            if len(batch) > 1 and not isinstance(error, self._away):
                return False
            results = [error] * len(batch)
        for one, result in zip(batch, results, strict=True):
            _tell(one.done, result)
        return True


def _tell(done: asyncio.Future[Any], result: object) -> None:
    if done.done():
        return
    if isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)


async def once(session: AsyncSession, key: Hashable, ask: Callable[[], Awaitable[T]]) -> T:
    """What `ask` answers, asked once in a transaction: for what all who share it want to know."""
    known = session.info
    if key not in known:
        known[key] = await ask()
    answer: T = known[key]
    return answer
