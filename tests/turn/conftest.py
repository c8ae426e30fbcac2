"""Turns taken by hand: no worker, and a clock that stands still."""

from collections.abc import AsyncIterator

import pytest

from tests.conftest import NOW
from tests.outbox.hand import Hand
from tests.stack.world import StillClock, stack


@pytest.fixture
async def hand(sqlite_url: str, valkey_url: str) -> AsyncIterator[Hand]:
    """On SQLite."""
    async with stack(sqlite_url, valkey_url, StillClock(NOW), worker=False) as world:
        yield Hand(world)


@pytest.fixture
async def hands(database_url: str, valkey_url: str) -> AsyncIterator[Hand]:
    """Once on each kind of database."""
    async with stack(database_url, valkey_url, StillClock(NOW), worker=False) as world:
        yield Hand(world)
