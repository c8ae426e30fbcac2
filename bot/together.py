"""Many who ask at once, answered together: those who come while one call is under way share the next one."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

A = TypeVar("A")
R = TypeVar("R")


@dataclass(frozen=True, slots=True, eq=False)
class _Asked(Generic[A, R]):
    what: A
    told: asyncio.Future[R]


class Together(Generic[A, R]):
    """Nobody waits longer than for the call that is under way and his own.

    `answer` is given what at most `most` of them asked, and returns as many answers in that order. An exception among
    them is raised to that one alone; one that `answer` raises, to all of them if it is one of `for_all`, else each is
    tried by himself (by default all are). So many `turns` of the loop are left to others first, who may ask meanwhile.
    """

    def __init__(
        self,
        answer: Callable[[Sequence[A]], Awaitable[Sequence[R | Exception]]],
        most: int,
        *,
        for_all: tuple[type[Exception], ...] = (Exception,),
        turns: int = 0,
    ) -> None:
        self._answer = answer
        self._most = most
        self._for_all = for_all
        self._turns = turns
        self._waiting: list[_Asked[A, R]] = []
        self._task: asyncio.Task[None] | None = None

    async def ask(self, what: A) -> R:
        """The answer to this one."""
        one: _Asked[A, R] = _Asked(what, asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._go_on(), name="together")
        return await one.told

    async def aclose(self) -> None:
        """Until what was asked is answered."""
        if self._task is not None:
            await self._task

    async def _go_on(self) -> None:
        while self._waiting:
            await self._let_others()
            batch, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
            batch = [one for one in batch if not one.told.done()]  # the others gave up meanwhile
            if batch:
                await self._serve(batch)

    async def _let_others(self) -> None:
        for _ in range(self._turns):
            await asyncio.sleep(0)

    async def _serve(self, batch: Sequence[_Asked[A, R]]) -> None:
        for one, answer in zip(batch, await self._answers([one.what for one in batch]), strict=True):
            if one.told.done():
                continue
            if isinstance(answer, Exception):
                one.told.set_exception(answer)
            else:
                one.told.set_result(answer)

    async def _answers(self, asked: Sequence[A]) -> Sequence[R | Exception]:
        try:
            return await self._answer(asked)
        except Exception as error:  # noqa: BLE001 - it is raised to those who asked
            if len(asked) == 1 or isinstance(error, self._for_all):
                return [error] * len(asked)
        return [answer for one in asked for answer in await self._answers([one])]
