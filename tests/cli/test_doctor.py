"""`confirmo doctor`."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot import clock, zonedata
from bot.cli import doctor, finding
from bot.cli.finding import Finding, Health
from bot.store.database import SQLITE, Database
from tests.cli.conftest import Confirmo
from tests.cli.meta import ALL
from tests.conftest import FIXTURES
from tests.store.rows import a_business

pytestmark = pytest.mark.usefixtures("meta")


@pytest.fixture
def new_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is as new as the package."""
    monkeypatch.setattr(zonedata, "machine", zonedata.packaged)


@pytest.fixture(autouse=True)
def _one_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests travel to another day; a database's own clock does not."""

    async def there(_db: Database) -> datetime:
        return clock.utc_now()

    monkeypatch.setattr(doctor, "now_there", there)


@pytest.mark.usefixtures("new_zones")
async def test_all_is_well(confirmo: Confirmo, db: Database) -> None:
    await a_business(db, "estudio")
    done = await confirmo("doctor", **ALL)
    assert done.code == 0
    assert re.sub(r"16:00:0\d", "16:00:00", done.out).splitlines() == [
        "OK       settings: all that are required are there",
        f"OK       database: {db.dialect}, with this version's tables",
        "OK       business: Estudio Tule, America/Mexico_City",
        "OK       clock: 2026-12-01 16:00:00 UTC",
        "OK       queue: embedded: `serve` starts it (web and worker apart need REDIS_URL)",
        "OK       token: Meta takes it",
        "OK       number: +1 555-000-0001",
        "OK       template 24h: approved in es, pt_BR, en",
        "OK       template 2h: approved in es, pt_BR, en",
        "OK       webhooks: go to Confirmo Prueba (which fields, only the app dashboard shows)",
        "OK       clock at Meta: agrees with this machine's",
        f"OK       zone data: the machine's {zonedata.packaged()}",
    ]


@pytest.mark.usefixtures("new_zones")
async def test_what_is_missing_is_wrong_and_the_rest_is_looked_at(confirmo: Confirmo) -> None:
    done = await confirmo("doctor", **{**ALL, "WHATSAPP_ACCESS_TOKEN": ""})
    assert done.code == 1
    assert done.out.startswith("WRONG    settings: WHATSAPP_ACCESS_TOKEN is not set")
    assert "OK       database" in done.out


@pytest.mark.usefixtures("new_zones")
async def test_a_wrong_setting_is_named(anywhere: Confirmo) -> None:
    done = await anywhere("doctor", PORT="many")
    assert (done.code, done.out.splitlines()[0]) == (1, "WRONG    settings: PORT takes a port number from 0 to 65535")


@pytest.mark.usefixtures("new_zones")
async def test_a_database_that_is_not_there_is_wrong(anywhere: Confirmo) -> None:
    done = await anywhere("doctor", **ALL)
    assert done.code == 1
    assert "WRONG    database: there is no database at" in done.out
    assert "OK       clock" in done.out


@pytest.mark.parametrize(
    ("machine", "line"),
    [
        ("2025b", "WARNING  zone data: the machine's is 2025b: the packaged"),
        ("", "WARNING  zone data: the machine's is of unknown age: the packaged"),
        (None, "OK       zone data: the packaged"),
    ],
)
async def test_old_zone_data_is_a_warning(
    confirmo: Confirmo, monkeypatch: pytest.MonkeyPatch, machine: str | None, line: str
) -> None:
    monkeypatch.setattr(zonedata, "machine", lambda: machine)
    done = await confirmo("doctor", **ALL)
    assert done.code == 0
    assert done.out.splitlines()[-1].startswith(line)


@pytest.mark.usefixtures("new_zones")
@pytest.mark.parametrize(
    ("here", "there", "line"),
    [
        (datetime(1970, 1, 1, tzinfo=UTC), timedelta(), "WRONG    clock: shows 1970-01-01: set it"),
        (
            datetime(2027, 1, 1, tzinfo=UTC),
            timedelta(seconds=90),
            "WRONG    clock: differs from the database's by 90 s",
        ),
        (datetime(2027, 1, 1, tzinfo=UTC), timedelta(seconds=-4), "OK       clock: 2027-01-01"),
    ],
)
async def test_the_clock(
    confirmo: Confirmo, monkeypatch: pytest.MonkeyPatch, here: datetime, there: timedelta, line: str
) -> None:
    async def shown(_db: Database) -> datetime:
        return here + there

    monkeypatch.setattr(doctor, "utc_now", lambda: here)
    monkeypatch.setattr(doctor, "now_there", shown)
    done = await confirmo("doctor", **ALL)
    assert any(found.startswith(line) for found in done.out.splitlines())


async def test_the_databases_clock_is_read(db: Database) -> None:
    from bot.store.opening import now_there  # noqa: PLC0415 - the module above has another in its place

    shown = await now_there(db)
    assert shown.utcoffset() == timedelta()
    assert db.dialect == SQLITE or shown.year >= 2026
    assert shown.year >= 2026


@pytest.mark.parametrize(
    ("written", "line"),
    [
        (None, "WARNING  business: none yet: the start makes one that is open every day; name your file in BUSINESS"),
        ('name = "Uno"', "WRONG    business: mine.toml: zone is missing"),
        ((FIXTURES / "businesses/estudio.toml").read_text(encoding="utf-8"), "OK       business: none yet: the start"),
    ],
)
async def test_a_database_without_a_business(confirmo: Confirmo, folder: Path, written: str | None, line: str) -> None:
    if written is not None:
        (folder / "mine.toml").write_text(written, encoding="utf-8")
    done = await confirmo("doctor", **ALL, BUSINESS_FILE="mine.toml" if written else "")
    assert any(found.startswith(line) for found in done.out.splitlines()), done.out


async def test_a_check_that_breaks_or_hangs_spoils_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    async def breaks() -> list[Finding]:
        raise ZeroDivisionError("with a secret")

    async def hangs() -> list[Finding]:
        await asyncio.sleep(60)
        return []

    monkeypatch.setattr(finding, "SECONDS", 0.05)
    broken, hung = await asyncio.gather(finding.found("one", breaks()), finding.found("two", hangs()))
    assert broken == [Finding("one", Health.WRONG, "could not be checked (ZeroDivisionError)")]
    assert hung == [Finding("two", Health.WRONG, "no answer within 0 s")]
