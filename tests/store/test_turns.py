"""Processes that share a SQLite file take turns at writing; each Turns here stands for a process of its own."""

import asyncio
from pathlib import Path

import pytest

from bot.store import turns
from bot.store.turns import Turns


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bot.db"


async def test_another_process_waits_until_the_turn_is_over(path: Path) -> None:
    one, other, order = Turns(path), Turns(path), list[str]()

    async def second() -> None:
        async with other:
            order.append("second")

    async with one:
        waiting = asyncio.create_task(second())
        await asyncio.sleep(0.05)
        order.append("first")
    await waiting
    assert order == ["first", "second"]
    one.close()
    other.close()


async def test_a_holder_that_was_stopped_is_not_waited_for_for_ever(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "LONGEST", 0.05)
    stopped, other = Turns(path), Turns(path)
    async with stopped:
        async with other:
            pass
    async with asyncio.timeout(4), other:  # what it still waited for was given back
        pass
    await asyncio.sleep(0.05)
    async with asyncio.timeout(4), stopped:
        pass
    stopped.close()
    other.close()


async def test_who_is_cancelled_while_waiting_leaves_the_turn_to_others(path: Path) -> None:
    one, other = Turns(path), Turns(path)

    async def second() -> None:
        async with other:
            raise AssertionError("it was cancelled")

    async with one:
        waiting = asyncio.create_task(second())
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    async with asyncio.timeout(4), other:
        pass
    async with asyncio.timeout(4), one:
        pass
    one.close()
    other.close()
