"""Wait for something no longer than said, whether or not it lets itself be cancelled."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_LEFT: set[asyncio.Task[Any]] = set()
"""Given up on and told to end; kept until they have."""


async def bounded(work: Coroutine[Any, Any, T], seconds: float) -> T:
    """What `work` returns or raises; TimeoutError once `seconds` have passed, at once even if it goes on.

    `asyncio.timeout` asks its task to end and waits for that: on Python 3.11 redis-py, which sends inside
    `asyncio.wait_for`, can swallow the request, and a frozen Redis then holds its caller up for many seconds.
    """
    task = asyncio.create_task(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        _leave(task)
        raise
    if not done:
        _leave(task)
        raise TimeoutError
    return task.result()


def _leave(task: asyncio.Task[Any]) -> None:
    task.cancel()
    _LEFT.add(task)
    task.add_done_callback(_forget)


def _forget(task: asyncio.Task[Any]) -> None:
    _LEFT.discard(task)
    if not task.cancelled():
        task.exception()  # looked at, so that nobody complains that it never was
