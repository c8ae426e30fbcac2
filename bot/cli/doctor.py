"""`confirmo doctor`: what is wrong with the installation, one line a check. These need no network."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

import typer

from bot import zonedata
from bot.cli import door
from bot.clock import utc_now
from bot.settings import REQUIRED, Settings, SettingsError, require
from bot.store.opening import now_there, opened

APART = timedelta(seconds=5)
"""Clocks may differ by so much."""
FIRST_YEAR = 2026
"""A clock that shows an earlier one has lost its battery."""


class Health(StrEnum):
    """`warning` is worth a look and fails nothing."""

    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line."""

    what: str
    health: Health
    said: str


def doctor() -> None:
    """Checks settings, database, its tables, clock and zone data. Ends with 1 when anything is wrong."""
    findings = asyncio.run(_examine())
    for one in findings:
        typer.echo(f"{one.health.upper():8} {one.what}: {one.said}")
    if any(one.health is Health.WRONG for one in findings):
        raise typer.Exit(1)


async def _examine() -> list[Finding]:
    try:
        settings = door.settings()
    except SettingsError as error:
        return [Finding("settings", Health.WRONG, str(error)), _zones()]
    return [_settings(settings), *await _database(settings), _zones()]


def _settings(settings: Settings) -> Finding:
    try:
        require(settings, *REQUIRED)
    except SettingsError as error:
        return Finding("settings", Health.WRONG, str(error))
    return Finding("settings", Health.OK, "all that are required are there")


async def _database(settings: Settings) -> list[Finding]:
    """Opening it asks for this version's tables too."""
    try:
        async with opened(settings.database_url.get_secret_value()) as db:
            there = await now_there(db)
    except ValueError as error:
        return [Finding("database", Health.WRONG, str(error)), _clock(None)]
    return [Finding("database", Health.OK, f"{db.dialect}, with this version's tables"), _clock(there)]


def _clock(there: datetime | None) -> Finding:
    here = utc_now()
    if here.year < FIRST_YEAR:
        return Finding("clock", Health.WRONG, f"shows {here:%Y-%m-%d}: set it")
    if there is not None and abs(there - here) > APART:
        seconds = round(abs(there - here).total_seconds())
        return Finding("clock", Health.WRONG, f"differs from the database's by {seconds} s: set both by NTP")
    return Finding("clock", Health.OK, f"{here.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC")


def _zones() -> Finding:
    own, ours = zonedata.machine(), zonedata.packaged()
    if own is None:
        return Finding("zone data", Health.OK, f"the packaged {ours}; the machine has none")
    if zonedata.older(own, ours):
        told = own or "of unknown age"
        return Finding("zone data", Health.WARNING, f"the machine's is {told}: the packaged {ours} is used")
    return Finding("zone data", Health.OK, f"the machine's {own}")
