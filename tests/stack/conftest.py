"""The whole stack, ready to be spoken to."""

from collections.abc import AsyncIterator

import pytest

from bot.clock import TravelClock
from tests.stack.world import Stack, business, stack


@pytest.fixture
async def bot(sqlite_url: str, valkey_url: str, clock: TravelClock) -> AsyncIterator[Stack]:
    """A business with one service, on SQLite."""
    async with stack(sqlite_url, valkey_url, clock) as world:
        yield world


@pytest.fixture
async def barber(sqlite_url: str, valkey_url: str, clock: TravelClock) -> AsyncIterator[Stack]:
    """A business with several services and two barbers, on SQLite."""
    async with stack(sqlite_url, valkey_url, clock, business_file=business("barberia")) as world:
        yield world


@pytest.fixture
async def either(database_url: str, valkey_url: str, clock: TravelClock) -> AsyncIterator[Stack]:
    """As `bot`, once on each kind of database."""
    async with stack(database_url, valkey_url, clock) as world:
        yield world
