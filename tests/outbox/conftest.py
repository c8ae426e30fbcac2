"""Sending by hand: no worker, and a clock that stands still."""

from collections.abc import AsyncIterator

import pytest

from bot.clock import TravelClock
from tests.conftest import NOW
from tests.outbox.hand import Hand
from tests.stack.world import Stack, StillClock, stack


@pytest.fixture
async def hand(sqlite_url: str, valkey_url: str) -> AsyncIterator[Hand]:
    """On SQLite."""
    async with stack(sqlite_url, valkey_url, StillClock(NOW), worker=False, send_timeout_seconds=1) as world:
        yield Hand(world)


@pytest.fixture
async def hands(database_url: str, valkey_url: str) -> AsyncIterator[Hand]:
    """Once on each kind of database."""
    async with stack(database_url, valkey_url, StillClock(NOW), worker=False, send_timeout_seconds=1) as world:
        yield Hand(world)


@pytest.fixture
async def bot(sqlite_url: str, valkey_url: str, clock: TravelClock) -> AsyncIterator[Stack]:
    """The whole stack, with the worker."""
    async with stack(sqlite_url, valkey_url, clock) as world:
        yield world
