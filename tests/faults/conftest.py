"""Worlds for the fault tests; what each campaign saw stands at the end of the run, with its seed."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from tests.conftest import NOW
from tests.faults.campaign import Campaign, Report, run
from tests.faults.world import Diary, diary

SEED = int(os.environ.get("FAULTS_SEED") or 20261)
"""FAULTS_SEED=… makes another run, and the same one again."""

Tried = Callable[[Campaign, str], Awaitable[Report]]


@pytest.fixture
def seed() -> int:
    """Of everything that is random."""
    return SEED


@pytest.fixture
async def still(database_url: str, valkey_url: str) -> AsyncIterator[Diary]:
    """An in-process world at NOW, once on each kind of database."""
    async with diary(database_url, valkey_url, NOW) as world:
        yield world


@pytest.fixture
async def still_sqlite(sqlite_url: str, valkey_url: str) -> AsyncIterator[Diary]:
    """The same, for what does not differ between the two."""
    async with diary(sqlite_url, valkey_url, NOW) as world:
        yield world


@pytest.fixture
def tried(record_property: Callable[[str, object], None], tmp_path: Path) -> Tried:
    """Runs a campaign, and notes what came of it for the end of the run."""

    async def once(campaign: Campaign, database_url: str) -> Report:
        report = await run(campaign, database_url, tmp_path)
        record_property("campaign", report.line())
        return report

    return once


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Seed and figures of every campaign."""
    for report in (*terminalreporter.stats.get("passed", ()), *terminalreporter.stats.get("failed", ())):
        for name, line in report.user_properties:
            if name == "campaign":
                terminalreporter.write_line(f"{report.nodeid.partition('::')[2]}: {line}")
