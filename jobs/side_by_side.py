"""Several works in one job: none waits for another, none is spoiled by another."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

Work = Callable[[], Awaitable[object]]


async def side_by_side(works: Sequence[Work], at_once: int) -> None:
    """The first failure is raised when all are through; told to end, all have ended when it ends."""
    gate = asyncio.Semaphore(max(1, at_once))
    failures: list[Exception] = []

    async def one(work: Work) -> None:
        async with gate:
            try:
                await work()
            except Exception as error:  # noqa: BLE001 - raised below
                failures.append(error)

    async with asyncio.TaskGroup() as group:
        for work in works:
            group.create_task(one(work))
    if failures:
        raise failures[0]
