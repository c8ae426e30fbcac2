"""Where webhooks meet: those that come in while a commit runs share the next one, and its wake-up of the queue."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.runtime import Runtime
from bot.store.database import Unreachable
from bot.web.keep import Letter, keep
from bot.whatsapp.events import Reading

MOST = 250
"""Elements that share a commit; a webhook that holds more has one of its own."""
APART_SECONDS = 0.01
"""Between two wake-ups: one takes as long as ten messages do."""


@dataclass(slots=True)
class _Waiting:
    letter: Letter
    kept: asyncio.Future[None]


class Door:
    """One per process. It works while somebody waits, and sleeps in no task of its own."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._waiting: list[_Waiting] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._working = False
        self._wrote: list[int] = []
        """Customers whom the queue has not been told of."""
        self._waking, self._woke_at = False, 0.0

    async def take(self, reading: Reading) -> None:
        """Returns once all of it is stored; raises what kept it from being stored."""
        letter = Letter(reading=reading, at=self._runtime.clock.now())
        one = _Waiting(letter, asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        if not self._working:
            self._working = True
            self._start(self._work())
        await one.kept

    async def aclose(self) -> None:
        """What is under way is finished."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _start(self, work: "asyncio._CoroutineLike[None]") -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self) -> None:
        try:
            while self._waiting:
                await _read_on()
                await self._commit(self._next())
        finally:
            self._working = False

    def _next(self) -> list[_Waiting]:
        size, taken = 0, 0
        for one in self._waiting:
            size += len(one.letter.reading.events)
            if taken and size > MOST:
                break
            taken += 1
        batch, self._waiting = self._waiting[:taken], self._waiting[taken:]
        return batch

    async def _commit(self, batch: Sequence[_Waiting]) -> None:
        try:
            customers = await keep(self._runtime, [one.letter for one in batch])
        except Unreachable as error:
            _tell(batch, error)
        except Exception as error:  # noqa: BLE001 - it is raised in the request that brought it
            if len(batch) == 1:
                _tell(batch, error)
                return
            for one in batch:  # what one of them has done must not be what the others are told
                await self._commit([one])
        else:
            _tell(batch, None)
            self._wrote += customers
            if self._wrote and not self._waking:
                self._waking = True
                self._start(self._wake())

    async def _wake(self) -> None:
        """While the queue is told the next commits run. A wake-up that gets lost is made good by the sweep."""
        clock = asyncio.get_running_loop().time
        try:
            while self._wrote:
                await asyncio.sleep(self._woke_at + APART_SECONDS - clock())
                customers, self._wrote, self._woke_at = tuple(dict.fromkeys(self._wrote)), [], clock()
                await self._runtime.queue.answer(customers)
        finally:
            self._waking = False


async def _read_on() -> None:
    """What has come in already shares the commit: so many turns of the loop it takes to read it."""
    for _ in range(3):
        await asyncio.sleep(0)


def _tell(batch: Sequence[_Waiting], error: BaseException | None) -> None:
    for one in batch:
        if one.kept.done():  # it was given up by a client that hung up
            continue
        if error is None:
            one.kept.set_result(None)
        else:
            one.kept.set_exception(error)
