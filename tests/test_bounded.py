"""What is waited for no longer than said, even when it will not be cancelled."""

import asyncio
from contextlib import suppress

import pytest

from bot.bounded import bounded


async def test_a_result_and_an_error_come_through() -> None:
    async def seven() -> int:
        return 7

    async def wrong() -> int:
        raise ValueError("wrong")

    assert await bounded(seven(), 1) == 7
    with pytest.raises(ValueError, match="wrong"):
        await bounded(wrong(), 1)


async def test_what_swallows_its_cancellation_holds_nobody_up() -> None:
    """As redis-py does on Python 3.11 while it sends to a Redis that is frozen."""
    ended, given_up = asyncio.Event(), asyncio.Event()

    async def stubborn() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(10)
        await given_up.wait()
        ended.set()
        raise ConnectionError

    with pytest.raises(TimeoutError):
        await bounded(stubborn(), 0.05)
    given_up.set()
    await asyncio.wait_for(ended.wait(), 20)


async def test_who_is_cancelled_takes_its_work_along() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(10)
        finally:
            ended.set()

    waiting = asyncio.create_task(bounded(work(), 5))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await asyncio.wait_for(ended.wait(), 20)
