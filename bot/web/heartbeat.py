"""A web process says in the database that it is up to hear receipts: only such time counts as having listened."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from uuid import uuid4

from bot.runtime import Runtime
from bot.store import heartbeats
from bot.store.database import Session, Unreachable

EVERY_SECONDS = 5


@asynccontextmanager
async def listening(runtime: Runtime) -> AsyncIterator[None]:
    """While this is open, the process counts as listening."""
    me, up_since = uuid4().hex, runtime.clock.now()
    task = asyncio.create_task(_beat(runtime, me, up_since), name="heartbeat")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await _write(runtime, lambda session: heartbeats.gone(session, me))


async def _beat(runtime: Runtime, me: str, up_since: datetime) -> None:
    while True:
        await _write(runtime, lambda session: heartbeats.beat(session, me, up_since, runtime.clock.now()))
        await asyncio.sleep(EVERY_SECONDS)


async def _write(runtime: Runtime, write: Callable[[Session], Awaitable[None]]) -> None:
    """A beat that the database misses is made good by the next."""
    with suppress(*Unreachable):
        async with runtime.db.write() as session:
            await write(session)
