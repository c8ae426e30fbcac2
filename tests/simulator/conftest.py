"""The stand-in on a port of its own."""

from collections.abc import AsyncIterator

import pytest

from bot.clock import TravelClock
from tests.simulator.world import World, world


@pytest.fixture
async def sim(clock: TravelClock) -> AsyncIterator[World]:
    """A stand-in whose webhooks a test can read."""
    async with world(clock) as made:
        yield made
