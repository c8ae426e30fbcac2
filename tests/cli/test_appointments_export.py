"""The export: a file that people open, and that the import knows again."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.store import customers
from bot.store.customers import Person
from bot.store.database import Database
from bot.store.tables import AppointmentRow
from tests.cli.conftest import HEADER, Confirmo
from tests.conftest import NOW
from tests.store.rows import HOUR, a_business, add, appointment, sql

AT = datetime(2026, 12, 4, 22, 0, tzinfo=UTC)


async def customer(db: Database, wa_id: str | None, name: str, user_id: str | None = None) -> int:
    async with db.write() as session:
        row = await customers.recognise(session, 1, Person(wa_id=wa_id, name=name, user_id=user_id), NOW)
    assert row is not None
    return row.id or 0


async def booked(db: Database, row: AppointmentRow, **columns: object) -> None:
    async with db.write() as session:
        await add(session, row.sqlmodel_update(columns))


@pytest.fixture
async def full(db: Database) -> None:
    """Appointments of every kind, booked by no import."""
    await a_business(db)
    ana = await customer(db, "5215500000001", "Ana Prueba")
    formula = await customer(db, "5215500000002", '=HYPERLINK("http://x.test","hi")')
    hidden = await customer(db, None, "Sin Número", "MX.1234567890")
    await booked(db, appointment(NOW - 24 * HOUR, status="COMPLETED"), customer_id=ana)
    await booked(db, appointment(AT, staff=2), customer_id=ana, service_id=1, attendee="-Lucía, la niña")
    await booked(db, appointment(AT), customer_id=formula, service_id=3)
    await booked(db, appointment(AT + 5 * HOUR, staff=None, status="CANCELLED"), customer_id=ana)
    await booked(db, appointment(AT + 6 * HOUR, staff=None), customer_id=hidden)


EXPECTED = (
    HEADER
    + """5215500000001,Ana Prueba,,Rubén,2026-11-30T10:00:00-06:00
5215500000001,"'-Lucía, la niña",Corte,Nico,2026-12-04T16:00:00-06:00
5215500000002,"'=HYPERLINK(""http://x.test"",""hi"")",Tinte,Rubén,2026-12-04T16:00:00-06:00
"""
)


@pytest.mark.usefixtures("full")
async def test_the_columns_of_the_import_to_the_standard_output(confirmo: Confirmo) -> None:
    done = await confirmo("appointments", "export")

    assert (done.code, done.out) == (0, EXPECTED)
    assert done.err == "1 left out: their customers show no phone\n"


@pytest.mark.usefixtures("full")
async def test_importing_an_export_adds_nothing(confirmo: Confirmo, folder: Path) -> None:
    written = await confirmo("appointments", "export", "all.csv")
    done = await confirmo("appointments", "import", "all.csv")

    assert written.out == "3 appointments written to all.csv\n"
    assert (folder / "all.csv").read_text(encoding="utf-8") == EXPECTED
    assert (done.code, done.out) == (0, "0 added, 3 known already\n")


@pytest.mark.usefixtures("full")
async def test_an_export_of_what_is_ahead_can_be_imported_elsewhere(confirmo: Confirmo, db: Database) -> None:
    await confirmo("appointments", "export", "all.csv")
    async with db.write() as session:
        await sql(session, "DELETE FROM appointments WHERE status <> 'COMPLETED'")
        await sql(session, "DELETE FROM customers WHERE name LIKE '=%'")
    done = await confirmo("appointments", "import", "all.csv")
    again = await confirmo("appointments", "export")

    assert done.out == "2 added, 1 known already\n"
    assert sorted(again.out.splitlines()) == sorted(EXPECTED.splitlines())


async def test_a_database_without_a_business_has_only_the_header(confirmo: Confirmo) -> None:
    done = await confirmo("appointments", "export")

    assert (done.code, done.out) == (0, HEADER)


@pytest.mark.usefixtures("full")
async def test_a_place_that_cannot_be_written(confirmo: Confirmo) -> None:
    done = await confirmo("appointments", "export", "no/where.csv")

    assert (done.code, done.err) == (1, "confirmo: no/where.csv: No such file or directory\n")
