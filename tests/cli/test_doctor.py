"""`confirmo doctor`."""

from datetime import UTC, datetime, timedelta

import pytest

from bot import clock, zonedata
from bot.cli import doctor
from bot.store.database import SQLITE, Database
from tests.cli.conftest import Confirmo

ALL = {
    "WHATSAPP_APP_SECRET": "hush",
    "WHATSAPP_VERIFY_TOKEN": "v",
    "WHATSAPP_ACCESS_TOKEN": "t",
    "WHATSAPP_PHONE_NUMBER_ID": "1",
    "WHATSAPP_BUSINESS_ACCOUNT_ID": "2",
}


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
    done = await confirmo("doctor", **ALL)
    assert done.code == 0
    assert done.out.splitlines() == [
        "OK       settings: all that are required are there",
        f"OK       database: {db.dialect}, with this version's tables",
        "OK       clock: 2026-12-01 16:00:00 UTC",
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
