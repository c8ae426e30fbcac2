"""`confirmo doctor`: what is wrong with the installation, one line a check, each with what to do about it."""

import asyncio
from datetime import UTC, datetime, timedelta

import typer

from bot import zonedata
from bot.bounded import bounded
from bot.cli import account, door, table
from bot.cli.account import Sends
from bot.cli.check_meta import CHECKS, meta
from bot.cli.check_queue import queue
from bot.cli.finding import SECONDS, Finding, Health, found
from bot.clock import utc_now
from bot.settings import REQUIRED, Settings, SettingsError, require
from bot.store.business_file import read
from bot.store.database import Database
from bot.store.opening import now_there, opened

APART = timedelta(seconds=5)
"""Clocks may differ by so much."""
FIRST_YEAR = 2026
"""A clock that shows an earlier one has lost its battery."""


def doctor() -> None:
    """Checks settings, database, queue, clocks, zone data, and asks Meta about token, number, templates, webhooks."""
    findings = asyncio.run(_examine())
    for one in findings:
        typer.echo(table.clean(f"{one.health.upper():8} {one.what}: {one.said}"))
    if any(one.health is Health.WRONG for one in findings):
        raise typer.Exit(1)


async def _examine() -> list[Finding]:
    try:
        settings = door.settings()
    except SettingsError as error:
        return [Finding("settings", Health.WRONG, str(error)), _zones()]
    here = await found("database", _database(settings))
    sends = await _sends(settings) if all(one.health is not Health.WRONG for one in here) else Sends()
    queued, told = await asyncio.gather(found("queue", queue(settings)), found(CHECKS[0], meta(settings, sends)))
    return [_settings(settings), *here, *queued, *told, _zones()]


async def _sends(settings: Settings) -> Sends:
    try:
        return await bounded(account.sends(settings), SECONDS)
    except TimeoutError:
        return Sends()


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
            there, business = await now_there(db), await _business(db, settings)
    except ValueError as error:
        return [Finding("database", Health.WRONG, str(error)), _clock(None)]
    return [Finding("database", Health.OK, f"{db.dialect}, with this version's tables"), business, _clock(there)]


async def _business(db: Database, settings: Settings) -> Finding:
    """ValueError when there are several, and none on this number."""
    business = await door.business(db, settings)
    if business is not None:
        return Finding("business", Health.OK, f"{business.name}, {business.zone.key}")
    if settings.business_file is None:
        said = "none yet: the start makes one that is open every day; name your file in BUSINESS_FILE"
        return Finding("business", Health.WARNING, said)
    try:
        read(settings.business_file)
    except ValueError as error:
        return Finding("business", Health.WRONG, str(error).splitlines()[0])
    return Finding("business", Health.OK, f"none yet: the start makes it from {settings.business_file}")


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
