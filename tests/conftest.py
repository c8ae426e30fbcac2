"""What tests share: a clock, real databases, a real Valkey, a real browser."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import settings

from bot.clock import TravelClock
from bot.store.database import Database
from bot.store.migrate import upgrade
from tests.services.chromium import chromium
from tests.services.postgres import Cluster, binaries, postgres
from tests.services.valkey import valkey

# A slow machine is no fault of the code: nothing timed is asserted.
settings.register_profile("confirmo", deadline=None)
settings.load_profile("confirmo")

FIXTURES = Path(__file__).parents[1] / "fixtures"
NOT_TESTED = "NOT TESTED with "
NOW = datetime(2026, 12, 1, 16, 0, tzinfo=UTC)
"""A Tuesday, 10:00 in Mexico City."""


@pytest.fixture
def clock() -> TravelClock:
    """A clock set to NOW."""
    return TravelClock(NOW)


@pytest.fixture(scope="session")
def valkey_url() -> Iterator[str]:
    """One Valkey for the whole run: tests that share it flush it."""
    with valkey() as url:
        yield url


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser's path."""
    return chromium() or _missing("Chromium: not found on PATH, nor named by CHROMIUM")


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Cluster]:
    folder = binaries() or _missing("PostgreSQL: no initdb in /usr/lib/postgresql/*/bin or on PATH")
    with postgres(folder) as url, closing(Cluster(url)) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def postgres_template(postgres_cluster: Cluster) -> str:
    """The name of a migrated database that no test connects to."""
    name = postgres_cluster.create()
    _run_upgrade(postgres_cluster.address(name))
    return name


@pytest.fixture
def postgres_url(postgres_cluster: Cluster, postgres_template: str) -> Iterator[str]:
    """A fresh migrated database of PostgreSQL."""
    name = postgres_cluster.create(postgres_template)
    yield postgres_cluster.address(name)
    postgres_cluster.drop(name)


@pytest.fixture
def empty_postgres_url(postgres_cluster: Cluster) -> Iterator[str]:
    name = postgres_cluster.create()
    yield postgres_cluster.address(name)
    postgres_cluster.drop(name)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "bot.db"
    _run_upgrade(f"sqlite+aiosqlite:///{path}")
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A fresh migrated SQLite file."""
    path = tmp_path / "bot.db"
    shutil.copyfile(sqlite_template, path)
    return f"sqlite+aiosqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh migrated database, once of each kind: for tests that start processes of their own."""
    url: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A fresh database without tables, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'empty.db'}"
    url: str = request.getfixturevalue("empty_postgres_url")
    return url


@pytest.fixture
async def db(database_url: str) -> AsyncIterator[Database]:
    """A fresh migrated database, once of each kind."""
    database = Database(database_url)
    yield database
    await database.close()


@pytest.fixture
async def sqlite_db(sqlite_url: str) -> AsyncIterator[Database]:
    """A fresh migrated SQLite database, for what does not differ between the two."""
    database = Database(sqlite_url)
    yield database
    await database.close()


@pytest.fixture(scope="session")
def fixture_path() -> Callable[[str], Path]:
    """The path of a file under fixtures/."""
    return FIXTURES.joinpath


def _run_upgrade(url: str) -> None:
    # Not asyncio.run: it would take away the loop that pytest-asyncio has set.
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(upgrade(url))
    finally:
        loop.close()


def _missing(what: str) -> NoReturn:
    """Skips, and says so at the end of the run; in CI nothing may be missing."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what}, and CI=true forbids to skip")
    pytest.skip(f"{NOT_TESTED}{what}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of two runs side by side (`pytest -n 2`) one takes what starts many processes, one after the other."""
    for item in items:
        if set(item.path.parts) & {"faults", "stack", "browser"}:
            item.add_marker(pytest.mark.xdist_group("processes"))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The last lines name what was not tested."""
    skips = (str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", ()))
    for line in sorted({skip[skip.index(NOT_TESTED) :] for skip in skips if NOT_TESTED in skip}):
        terminalreporter.write_line(line, yellow=True, bold=True)
