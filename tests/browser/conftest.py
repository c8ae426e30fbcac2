"""A browser, and the phone page with a business that the test itself plays."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser

from bot.clock import TravelClock
from tests.browser.phone_page import chromium
from tests.simulator.desk import Desk
from tests.simulator.world import World, world


@pytest.fixture
async def browser(chromium_path: str) -> AsyncIterator[Browser]:
    async with chromium(chromium_path) as opened:
        yield opened


@pytest.fixture
def desk() -> Desk:
    return Desk(appointments=[])


@pytest.fixture
async def demo(clock: TravelClock, desk: Desk) -> AsyncIterator[World]:
    """The page on a port of its own; nobody answers but the test."""
    async with world(clock, desk.routes) as made:
        yield made
        desk.stopping = True
        await desk.phones.close()
