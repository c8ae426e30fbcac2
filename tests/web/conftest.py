"""Meta's door: the web alone, so that what is stored stays to be seen; and the whole stack where answers matter."""

from collections.abc import AsyncIterator

import pytest

from bot.clock import TravelClock
from tests.stack.world import Stack, stack


@pytest.fixture
async def door(sqlite_url: str, valkey_url: str, clock: TravelClock) -> AsyncIterator[Stack]:
    """No worker, on SQLite."""
    async with stack(sqlite_url, valkey_url, clock, worker=False) as world:
        yield world


@pytest.fixture
async def doors(database_url: str, valkey_url: str, clock: TravelClock) -> AsyncIterator[Stack]:
    """No worker, once on each kind of database."""
    async with stack(database_url, valkey_url, clock, worker=False) as world:
        yield world


@pytest.fixture
async def bot(sqlite_url: str, valkey_url: str, clock: TravelClock) -> AsyncIterator[Stack]:
    """With the worker, on SQLite."""
    async with stack(sqlite_url, valkey_url, clock) as world:
        yield world


@pytest.fixture
async def bots(database_url: str, valkey_url: str, clock: TravelClock) -> AsyncIterator[Stack]:
    """With the worker, once on each kind of database."""
    async with stack(database_url, valkey_url, clock) as world:
        yield world
