"""The list: aligned for people, complete for programs."""

import json

import pytest

from bot.store.database import Database
from bot.store.tables import AppointmentRow
from tests.cli.conftest import Confirmo
from tests.conftest import NOW
from tests.store.rows import HOUR, a_business, add, appointment, sql


@pytest.fixture
async def two(db: Database) -> None:
    await a_business(db)
    async with db.write() as session:
        await sql(session, "UPDATE customers SET whatsapp_number = '5215500000001'")
        late = appointment(NOW + 30 * HOUR, staff=None, status="CANCELLED")
        late.attendee = "花子\x1b[31m"
        late.reminder_24h_sent, late.reminder_24h_message_id = True, "wamid.1"
        await add(session, late)
        soon = appointment(NOW + 6 * HOUR)
        soon.service_id = 1
        await add(session, soon)


@pytest.mark.usefixtures("two")
async def test_a_person_reads_aligned_columns(confirmo: Confirmo) -> None:
    done = await confirmo("appointments", "list")

    assert done.code == 0
    assert done.out.splitlines() == [
        "ID  WHEN                  NAME        PHONE          SERVICE  STAFF  STATUS     24H   2H",
        "2   2026-12-01 Tue 16:00  Ana Prueba  5215500000001  Corte    Rubén  SCHEDULED  –     –",
        "1   2026-12-02 Wed 16:00  花子 [31m   5215500000001  –        –      CANCELLED  sent  –",
    ]


@pytest.mark.usefixtures("two")
async def test_a_program_reads_all_columns_flags_as_booleans_and_times_in_utc(confirmo: Confirmo) -> None:
    done = await confirmo("appointments", "list", "--json")

    soon, late = map(json.loads, done.out.splitlines())
    assert list(soon) == [*AppointmentRow.model_fields, "phone", "name"]
    assert (soon["id"], soon["scheduled_at"], soon["reminder_24h_sent"]) == (2, "2026-12-01T22:00:00+00:00", False)
    assert (soon["phone"], soon["name"], soon["service_id"], soon["version"]) == ("5215500000001", "Ana Prueba", 1, 1)
    assert (late["reminder_24h_sent"], late["reminder_24h_message_id"], late["name"]) == (
        True,
        "wamid.1",
        "花子\x1b[31m",
    )
    assert (late["status"], late["staff_id"]) == ("CANCELLED", None)


async def test_nothing_yet(confirmo: Confirmo) -> None:
    assert (await confirmo("appointments", "list")).out == "no appointments yet\n"
    assert (await confirmo("appointments", "list", "--json")).out == ""
