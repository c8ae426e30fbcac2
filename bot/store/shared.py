"""Short writes that share a commit, and looks that share a read: those that come while one runs are the next one's."""

from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, TypeVar

from sqlmodel.ext.asyncio.session import AsyncSession

from bot.together import Together

A = TypeVar("A")
T = TypeVar("T")
Work = Callable[[AsyncSession], Awaitable[T]]
Do = Callable[[AsyncSession, Sequence[A]], Awaitable[Sequence[T]]]
"""Does what several have asked for, with few statements; as many results in the same order."""
_Asked = tuple[Do[Any, Any], Any]
Open = Callable[[], AbstractAsyncContextManager[AsyncSession]]

MOST = 100
"""In one commit: the first of them waits for the last."""


class Shared:
    """One per database. A work may be begun twice: when a neighbour fails all are done anew, each by itself."""

    def __init__(self, write: Open, read: Open, away: tuple[type[Exception], ...]) -> None:
        # `away` is what a database raises that does not answer: then nobody need try by himself.
        self._writes: Together[_Asked, Any] = Together(partial(_done, write), MOST, for_all=away)
        self._looks: Together[_Asked, Any] = Together(partial(_done, read), MOST, for_all=away)

    async def run(self, work: Work[T]) -> T:
        """What `work` returns, once it is committed; or what it raises, and nothing of it is."""
        result: T = await self._writes.ask((_each, work))
        return result

    async def write(self, do: Do[A, T], what: A) -> T:
        """The result for `what`, once it is committed: `do` is called once for all who want the same done."""
        result: T = await self._writes.ask((do, what))
        return result

    async def look(self, do: Do[A, T], what: A) -> T:
        """The same without writing anything."""
        result: T = await self._looks.ask((do, what))
        return result


async def _done(open_: Open, batch: Sequence[_Asked]) -> Sequence[Any]:
    sets: dict[Do[Any, Any], list[int]] = {}
    for number, (do, _) in enumerate(batch):
        sets.setdefault(do, []).append(number)
    results: dict[int, Any] = {}
    async with open_() as session:
        for do, numbers in sets.items():
            answers = await do(session, [batch[number][1] for number in numbers])
            results.update(zip(numbers, answers, strict=True))
    return [results[number] for number in range(len(batch))]


async def _each(session: AsyncSession, works: Sequence[Work[Any]]) -> Sequence[Any]:
    return [await work(session) for work in works]


async def once(session: AsyncSession, key: Hashable, ask: Callable[[], Awaitable[T]]) -> T:
    """What `ask` answers, asked once in a transaction: for what all who share it want to know."""
    known = session.info
    if key not in known:
        known[key] = await ask()
    answer: T = known[key]
    return answer
