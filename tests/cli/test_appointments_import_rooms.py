"""Importing appointments of services that need a room or have seats for several."""

import pytest
from sqlmodel import col, select

from bot.store.database import Database
from bot.store.tables import AppointmentRow
from tests.cli.conftest import Confirmo
from tests.cli.test_appointments_import import CsvFile
from tests.store.rows import a_business


@pytest.fixture(autouse=True)
async def _studio(db: Database) -> None:
    await a_business(db, "estudio")


def lines(service: str, staff: str, at: str, count: int) -> str:
    return "".join(f"52550000000{number},Cliente {number},{service},{staff},{at}\n" for number in range(count))


async def rooms(db: Database) -> list[int | None]:
    async with db.read() as session:
        return list((await session.exec(select(AppointmentRow.resource_id).order_by(col(AppointmentRow.id)))).all())


async def test_a_class_takes_as_many_lines_as_it_has_seats(confirmo: Confirmo, csv_file: CsvFile, db: Database) -> None:
    done = await confirmo("appointments", "import", csv_file(lines("Yoga", "Inés", "2026-12-04T10:00", 4)))
    assert (done.code, done.out.splitlines()[0]) == (0, "4 added, 0 known already")
    assert await rooms(db) == [1, 1, 1, 1]
    more = await confirmo("appointments", "import", csv_file(lines("Yoga", "Inés", "2026-12-04T10:00", 5)))
    assert more.code == 1
    assert "line 6: Inés is taken from 2026-12-04 Fri 10:00 to 2026-12-04 Fri 11:00" in more.err
    assert len(await rooms(db)) == 4


async def test_rooms_are_given_while_there_are_any_and_nobody_in_particular_holds_none(
    confirmo: Confirmo, csv_file: CsvFile, db: Database
) -> None:
    text = "".join(lines("Masaje", who, "2026-12-04T10:00", 1) for who in ("Inés", "Omar", "Vera", "")).splitlines()
    people = [line.replace("525500000000", f"52550000001{number}") for number, line in enumerate(text)]
    done = await confirmo("appointments", "import", csv_file("\n".join(people) + "\n"))
    assert (done.code, done.err) == (0, "")
    assert sorted(await rooms(db), key=str) == [1, 2, None, None]


async def test_plain_services_and_rooms_go_together_in_one_file(
    confirmo: Confirmo, csv_file: CsvFile, db: Database
) -> None:
    text = lines("Llamada", "Inés", "2026-12-04T10:00", 1) + lines("Masaje", "Omar", "2026-12-04T12:00", 1)
    done = await confirmo("appointments", "import", csv_file(text))
    assert (done.code, done.out.splitlines()[0]) == (0, "2 added, 0 known already")
    assert await rooms(db) == [None, 1]
