"""Where webhooks meet: those that come in while a commit runs share the next one, and its wake-up of the queue."""

import asyncio
from collections.abc import Sequence

from bot.runtime import Runtime
from bot.store.database import Unreachable
from bot.together import Together
from bot.web.keep import Letter, keep
from bot.whatsapp.events import Reading

MOST = 250
"""Webhooks in one commit."""
TURNS = 3
"""Of the loop: so many it takes to read what has come in already, which then shares the commit."""
APART_SECONDS = 0.01
"""Between two wake-ups: one takes as long as ten messages do."""


class Door:
    """One per process. It works while somebody waits, and sleeps in no task of its own."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._keeping: Together[Letter, None] = Together(self._keep, MOST, for_all=Unreachable, turns=TURNS)
        self._wrote: list[int] = []
        """Customers whom the queue has not been told of."""
        self._waking: asyncio.Task[None] | None = None
        self._woke_at = 0.0

    async def take(self, reading: Reading) -> None:
        """Returns once all of it is stored; raises what kept it from being stored."""
        await self._keeping.ask(Letter(reading=reading, at=self._runtime.clock.now()))

    async def aclose(self) -> None:
        """What is under way is finished."""
        await self._keeping.aclose()
        if self._waking is not None:
            await self._waking

    async def _keep(self, letters: Sequence[Letter]) -> Sequence[None]:
        self._wake(await keep(self._runtime, letters))
        return [None] * len(letters)

    def _wake(self, customers: Sequence[int]) -> None:
        self._wrote += customers
        if self._wrote and (self._waking is None or self._waking.done()):
            self._waking = asyncio.get_running_loop().create_task(self._wake_all(), name="wake")

    async def _wake_all(self) -> None:
        """While the queue is told the next commits run. A wake-up that gets lost is made good by the sweep."""
        clock = asyncio.get_running_loop().time
        while self._wrote:
            await asyncio.sleep(self._woke_at + APART_SECONDS - clock())
            customers, self._wrote, self._woke_at = tuple(dict.fromkeys(self._wrote)), [], clock()
            await self._runtime.queue.answer(customers)
