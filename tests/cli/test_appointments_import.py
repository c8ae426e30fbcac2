"""Importing appointments that were agreed elsewhere."""

import asyncio
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from bot.store import customers
from bot.store.customers import Person
from bot.store.database import SQLITE, Database
from bot.store.tables import AppointmentEventRow, AppointmentRow, BusinessRow, CustomerRow, ServiceRow
from tests.cli.conftest import HEADER, Confirmo
from tests.conftest import NOW
from tests.store.rows import HOUR, a_business, add, appointment, sql

ANA = "525500000001,Ana Prueba,Corte,Rubén,2026-12-04T16:00\n"
AT = datetime(2026, 12, 4, 22, 0, tzinfo=UTC)
"""16:00 in Mexico City."""
CsvFile = Callable[[str], str]


@pytest.fixture(autouse=True)
async def _business(db: Database, request: pytest.FixtureRequest) -> None:
    if "no_business" not in request.fixturenames:
        await a_business(db)


@pytest.fixture
def no_business() -> None:
    """The database is left empty."""


async def rows(db: Database) -> list[AppointmentRow]:
    async with db.read() as session:
        query = select(AppointmentRow).order_by(col(AppointmentRow.scheduled_at), col(AppointmentRow.id))
        return list((await session.exec(query)).all())


async def people(db: Database) -> list[CustomerRow]:
    """Those with a phone."""
    async with db.read() as session:
        query = select(CustomerRow).where(col(CustomerRow.whatsapp_number).is_not(None)).order_by(col(CustomerRow.id))
        return list((await session.exec(query)).all())


async def test_a_line_becomes_an_appointment_with_customer_mark_and_audit(
    confirmo: Confirmo, csv_file: CsvFile, db: Database
) -> None:
    done = await confirmo("appointments", "import", csv_file(ANA))

    assert (done.code, done.out, done.err) == (0, "1 added, 0 known already\n", "")
    (row,) = await rows(db)
    (person,) = await people(db)
    assert (row.scheduled_at, row.ends_at, row.busy_until) == (AT, AT + HOUR / 2, AT + HOUR / 2)
    assert (row.status, row.version, row.staff_id, row.service_id, row.attendee) == ("SCHEDULED", 1, 1, 1, None)
    assert (row.reminder_24h_sent, row.reminder_2h_sent) == (False, False)
    assert row.next_mark_at == AT - 24 * HOUR
    assert timedelta() <= row.slot_set_at - NOW < timedelta(minutes=1)
    assert (row.customer_id, person.name, person.whatsapp_number) == (person.id, "Ana Prueba", "525500000001")
    async with db.read() as session:
        (event,) = (await session.exec(select(AppointmentEventRow))).all()
    assert (event.appointment_id, event.happening, event.to_status) == (row.id, "BOOK", "SCHEDULED")
    assert (event.actor, event.actor_name, event.to_start) == ("STAFF", "import", AT)


async def test_the_buffer_counts_and_the_service_gives_the_length(
    confirmo: Confirmo, csv_file: CsvFile, db: Database
) -> None:
    await confirmo("appointments", "import", csv_file("525500000001,Ana,tinte,rubén,2026-12-04T16:00:00.000001-06:00"))

    (row,) = await rows(db)
    assert row.scheduled_at == AT + timedelta(microseconds=1)
    assert (row.ends_at - row.scheduled_at, row.busy_until - row.ends_at) == (1.5 * HOUR, 0.25 * HOUR)


async def test_service_and_staff_may_be_empty(confirmo: Confirmo, csv_file: CsvFile, db: Database) -> None:
    async with db.write() as session:
        await sql(session, "UPDATE services SET minutes = 25 WHERE id = 1")

    done = await confirmo(
        "appointments", "import", csv_file("525500000001,A,,,2026-12-04T16:00\n5255 0000-0002,,,,2026-12-04T16:00")
    )

    assert done.out == "2 added, 0 known already\n"
    assert [(row.service_id, row.staff_id, row.ends_at - row.scheduled_at) for row in await rows(db)] == [
        (None, None, timedelta(minutes=25))
    ] * 2


async def test_without_an_active_service_the_default_is_half_an_hour(
    confirmo: Confirmo, csv_file: CsvFile, db: Database
) -> None:
    async with db.write() as session:
        await sql(session, "UPDATE services SET active = false")

    done = await confirmo("appointments", "import", csv_file("525500000001,A,,,2026-12-04T16:00\n" + ANA))

    assert done.out == "2 added, 0 known already\n"
    assert {row.ends_at - row.scheduled_at for row in await rows(db)} == {HOUR / 2}


@pytest.mark.parametrize("phone", ["+52 55 0000-0001", "'+525500000001", "'525500000001", "(52) 55.0000.0001"])
async def test_phones_lose_what_is_no_digit(confirmo: Confirmo, csv_file: CsvFile, db: Database, phone: str) -> None:
    await confirmo("appointments", "import", csv_file(f"{phone},Ana,,,2026-12-04T16:00"))

    assert [person.whatsapp_number for person in await people(db)] == ["525500000001"]


async def test_a_phone_in_another_form_is_the_same_customer_and_is_left_as_whatsapp_reported_it(
    confirmo: Confirmo, csv_file: CsvFile, db: Database
) -> None:
    async with db.write() as session:
        await customers.recognise(session, 1, Person(wa_id="5215500000001", name="Ana Prueba"), NOW)

    await confirmo("appointments", "import", csv_file(ANA.replace("Ana Prueba", "ana  prueba")))

    assert [(person.name, person.whatsapp_number) for person in await people(db)] == [("Ana Prueba", "5215500000001")]
    assert [row.attendee for row in await rows(db)] == [None]


async def test_another_name_on_the_same_phone_is_for_whom_it_is(
    confirmo: Confirmo, csv_file: CsvFile, db: Database
) -> None:
    lines = ANA + "525500000001,Luis,Corte,Nico,2026-12-04T16:00\n5215500000001,,Corte,Nico,2026-12-04T17:00\n"

    done = await confirmo("appointments", "import", csv_file(lines))

    assert done.out == "3 added, 0 known already\n"
    assert [person.name for person in await people(db)] == ["Ana Prueba"]
    assert [row.attendee for row in await rows(db)] == [None, "Luis", None]


async def test_a_customer_without_a_name_gets_it(confirmo: Confirmo, csv_file: CsvFile, db: Database) -> None:
    async with db.write() as session:
        await customers.recognise(session, 1, Person(wa_id="5215500000001"), NOW)

    await confirmo(
        "appointments",
        "import",
        csv_file("525500000002,,,,2026-12-04T16:00\n525500000002,Eva,,,2026-12-05T16:00\n" + ANA),
    )

    assert [(person.name, person.whatsapp_number) for person in await people(db)] == [
        ("Ana Prueba", "5215500000001"),
        ("Eva", "525500000002"),
    ]
    assert [row.attendee for row in await rows(db)] == [None] * 3


async def test_control_characters_stay_out(confirmo: Confirmo, csv_file: CsvFile, db: Database) -> None:
    await confirmo("appointments", "import", csv_file('525500000001,"A\x00na\x1b[31m\nPrueba",,,2026-12-04T16:00'))

    assert [person.name for person in await people(db)] == ["A na [31m Prueba"]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"status": "CANCELLED"}, id="cancelled"),
        pytest.param(
            {"scheduled_at": AT + HOUR, "ends_at": AT + 2 * HOUR, "busy_until": AT + 2 * HOUR, "version": 2}, id="moved"
        ),
        pytest.param({}, id="as it was"),
    ],
)
async def test_the_same_line_again_adds_nothing(
    confirmo: Confirmo, csv_file: CsvFile, db: Database, change: dict[str, object]
) -> None:
    await confirmo("appointments", "import", csv_file(ANA))
    async with db.write() as session:
        (await session.exec(select(AppointmentRow))).one().sqlmodel_update(change)
    other_writing = ANA.replace("5255", "+52 1 55").replace("Ana", "ANA")

    done = await confirmo("appointments", "import", csv_file(ANA + other_writing))

    assert (done.code, done.out) == (0, "0 added, 2 known already\n")
    assert len(await rows(db)) == 1


async def test_the_same_line_twice_in_a_file_is_added_once(confirmo: Confirmo, csv_file: CsvFile, db: Database) -> None:
    done = await confirmo("appointments", "import", csv_file(ANA + ANA))

    assert done.out == "1 added, 1 known already\n"
    assert len(await rows(db)) == 1


async def test_what_was_booked_otherwise_is_known_too_even_when_it_has_passed(
    confirmo: Confirmo, csv_file: CsvFile, db: Database
) -> None:
    async with db.write() as session:
        await sql(session, "UPDATE customers SET whatsapp_number='5215500000001', canonical_number='525500000001'")
        await add(session, appointment(NOW - 24 * HOUR))

    done = await confirmo("appointments", "import", csv_file("525500000001,Ana Prueba,,Rubén,2026-11-30T10:00"))

    assert (done.code, done.out) == (0, "0 added, 1 known already\n")


async def test_errors_are_told_by_line_and_nothing_is_added(
    confirmo: Confirmo, csv_file: CsvFile, db: Database
) -> None:
    async with db.write() as session:
        booked = await add(session, appointment(AT, buffer=0.5))
    lines = [
        "52550,A,,,2026-12-04T16:00",
        "525500000001,A,Corte y,,2026-12-04T16:00",
        "525500000001,A,,Nicolás,2026-12-04T16:00",
        "525500000001,A,,,soon",
        "525500000001,A,,,2026-12-01T10:00",
        "",
        "525500000001,A,,,2026-12-04T16:00",
        "525500000001,A,,Rubén,2026-12-04T17:15",
        "525500000001,A,Tinte,Nico,2026-12-04T16:00",
        "525500000002,A,Corte,Nico,2026-12-04T17:30",
        "525500000001,A,Corte",
        "525500000002,A,Corte,Nico,2026-12-04T17:45",
    ]

    done = await confirmo("appointments", "import", csv_file("\n".join(lines)))

    assert (done.code, done.out) == (1, "")
    assert done.err.replace("confirmo: some.csv, ", "").splitlines() == [
        "line 2: '52550' is no phone number; write 8 to 15 digits with the country code",
        "line 3: there is no service 'Corte y'",
        "line 4: there is no staff member 'Nicolás'",
        "line 5: 'soon' is no time; write it like 2026-12-04T16:00 or 2026-12-04T16:00-06:00",
        "line 6: 2026-12-01 Tue 10:00 has passed",
        f"line 9: Rubén is taken from 2026-12-04 Fri 16:00 to 2026-12-04 Fri 17:30 by appointment {booked}",
        "line 11: Nico is taken from 2026-12-04 Fri 16:00 to 2026-12-04 Fri 17:45 by line 10",
        "line 12: has 3 cells, the first line has 5",
        "confirmo: nothing was added",
    ]
    assert [row.id for row in await rows(db)] == [booked]
    assert await people(db) == []


async def test_touching_is_allowed_and_a_cancelled_one_holds_nothing(
    confirmo: Confirmo, csv_file: CsvFile, db: Database
) -> None:
    async with db.write() as session:
        await add(session, appointment(AT - HOUR))
        await add(session, appointment(AT, status="CANCELLED"))

    done = await confirmo("appointments", "import", csv_file(ANA + ANA.replace("16:00", "16:30")))

    assert (done.code, done.out) == (0, "2 added, 0 known already\n")


async def test_it_says_what_the_reminder_rules_will_skip(confirmo: Confirmo, csv_file: CsvFile, db: Database) -> None:
    lines = ANA + "".join(f"52550000010{hour},B,,,2026-12-01T{hour}:00\n" for hour in (11, 12, 13, 20))

    done = await confirmo("appointments", "import", csv_file(lines))

    assert done.out == "5 added, 0 known already\n24h: 4 booked_late\n2h: 2 booked_late\n"
    assert None not in [row.next_mark_at for row in await rows(db)]


async def test_a_file_without_lines_adds_nothing(confirmo: Confirmo, csv_file: CsvFile) -> None:
    done = await confirmo("appointments", "import", csv_file(""))

    assert (done.code, done.out) == (0, "0 added, 0 known already\n")


async def test_a_file_that_is_not_there(confirmo: Confirmo) -> None:
    done = await confirmo("appointments", "import", "nowhere.csv")

    assert (done.code, done.err) == (1, "confirmo: nowhere.csv: No such file or directory\n")


@pytest.mark.usefixtures("no_business")
async def test_a_database_without_a_business_gets_the_starter(
    confirmo: Confirmo, csv_file: CsvFile, db: Database
) -> None:
    done = await confirmo(
        "appointments",
        "import",
        csv_file("525500000001,Ana,Cita,Equipo,2026-12-04T16:00"),
        WHATSAPP_PHONE_NUMBER_ID="P7",
    )

    assert done.out == "1 added, 0 known already\n"
    async with db.read() as session:
        assert [(row.name, row.phone_number_id) for row in await session.exec(select(BusinessRow))] == [
            ("Mi negocio", "P7")
        ]


async def test_of_several_businesses_the_number_tells_which(
    confirmo: Confirmo, csv_file: CsvFile, db: Database
) -> None:
    second = await a_business(db, "one_service", "PNID2")
    async with db.read() as session:
        service = (await session.exec(select(ServiceRow).where(col(ServiceRow.business_id) == second))).one()
    file = csv_file(f"525500000001,Ana,{service.name},,2026-12-04T16:00")

    nobody = await confirmo("appointments", "import", file)
    done = await confirmo("appointments", "import", file, WHATSAPP_PHONE_NUMBER_ID="PNID2")

    assert (nobody.code, nobody.err) == (
        1,
        "confirmo: WHATSAPP_PHONE_NUMBER_ID names none of the businesses in the database\n",
    )
    assert done.out == "1 added, 0 known already\n"
    assert [(row.business_id, row.service_id) for row in await rows(db)] == [(second, service.id)]


async def test_a_slot_that_is_sold_between_check_and_write_is_an_error_of_its_line(
    confirmo: Confirmo, csv_file: CsvFile, db: Database
) -> None:
    file = csv_file("525500000002,Eva,,Nico,2026-12-04T16:00\n" + ANA)
    async with db.write() as session:
        booked = await add(session, appointment(AT + HOUR / 4))
        running = asyncio.create_task(confirmo("appointments", "import", file))
        await _waits(db)
    done = await running

    assert done.code == 1
    assert (
        f"line 3: Rubén is taken from 2026-12-04 Fri 16:15 to 2026-12-04 Fri 17:15 by appointment {booked}" in done.err
    )
    assert [row.id for row in await rows(db)] == [booked]


async def _waits(db: Database) -> None:
    """Until the import has checked and waits for us to commit."""
    if db.dialect == SQLITE:
        await asyncio.sleep(1)
        return
    async with asyncio.timeout(20):
        while not await _blocked(db):
            await asyncio.sleep(0.02)


async def _blocked(db: Database) -> bool:
    async with db.read() as session:
        return (await sql(session, "SELECT 1 FROM pg_locks WHERE NOT granted")).first() is not None


async def test_two_imports_at_once_add_every_line_once(folder: Path, database_url: str, db: Database) -> None:
    first = datetime(2090, 1, 1, tzinfo=UTC)
    lines = [
        f"5255000{number:05},P {number % 7},Corte,Rubén,{(first + number * HOUR).isoformat()}" for number in range(500)
    ]
    (folder / "some.csv").write_text(HEADER + "\n".join(lines), encoding="utf-8")
    program = (sys.executable, "-c", "from bot.cli import main; main()", "appointments", "import", "some.csv")

    started = [
        await asyncio.create_subprocess_exec(
            *program, env={**os.environ, "DATABASE_URL": database_url}, stdout=asyncio.subprocess.PIPE
        )
        for _ in range(2)
    ]
    said = [(await one.communicate())[0].decode() for one in started]

    assert sorted(said) == ["0 added, 500 known already\n", "500 added, 0 known already\n"]
    assert len(await rows(db)) == 500
    assert len(await people(db)) == 500
