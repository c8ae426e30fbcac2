"""`confirmo reminders scan`: every verdict with its reason; written only when it is no dry run."""

import pytest
from sqlmodel import col, select

from bot.store.database import Database
from bot.store.tables import AppointmentRow, OutboxRow
from tests.cli.conftest import Confirmo
from tests.conftest import NOW
from tests.store.rows import HOUR, a_business, add, appointment, sql

HEAD = "APPOINTMENT  START                 CUSTOMER    REMINDER  VERDICT  REASON       DUE"


@pytest.fixture(autouse=True)
async def _three(db: Database) -> None:
    """Set yesterday: one in 23 h, one in 3 days; set now: one in 90 minutes. And a cancelled one."""
    await a_business(db)
    async with db.write() as session:
        await sql(session, "UPDATE customers SET whatsapp_number = '5215500000001'")
        for start, set_at, status in (
            (23, -24, "SCHEDULED"),
            (72, -24, "CONFIRMED"),
            (1.5, 0, "SCHEDULED"),
            (48, -24, "CANCELLED"),
        ):
            row = appointment(NOW + start * HOUR, staff=None, status=status)
            row.slot_set_at = NOW + set_at * HOUR
            row.next_mark_at = NOW + min(start - 24, 1) * HOUR
            await add(session, row)


async def written(db: Database) -> list[tuple[int | None, str, str, str | None]]:
    async with db.read() as session:
        rows = await session.exec(select(OutboxRow).order_by(col(OutboxRow.appointment_id), col(OutboxRow.kind)))
        return [(row.appointment_id, row.kind, row.state, row.reason) for row in rows]


async def test_a_dry_run_shows_verdicts_and_writes_nothing(confirmo: Confirmo, db: Database) -> None:
    done = await confirmo("reminders", "scan", "--dry-run")

    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        HEAD,
        "1            2026-12-02 Wed 09:00  Ana Prueba  24h       send     –            2026-12-01 Tue 09:00",
        "1            2026-12-02 Wed 09:00  Ana Prueba  2h        wait     –            2026-12-02 Wed 08:00",
        "2            2026-12-04 Fri 10:00  Ana Prueba  24h       wait     –            2026-12-03 Thu 10:00",
        "2            2026-12-04 Fri 10:00  Ana Prueba  2h        wait     –            2026-12-04 Fri 08:00",
        "3            2026-12-01 Tue 11:30  Ana Prueba  24h       skip     booked_late  2026-11-30 Mon 11:30",
        "3            2026-12-01 Tue 11:30  Ana Prueba  2h        skip     booked_late  2026-12-01 Tue 09:30",
    ]
    assert await written(db) == []


@pytest.mark.parametrize("now", ["2026-12-04T09:00", "2026-12-04T15:00Z"])
async def test_now_may_be_another_time(confirmo: Confirmo, db: Database, now: str) -> None:
    done = await confirmo("reminders", "scan", "--dry-run", "--now", now)

    assert "2            2026-12-04 Fri 10:00  Ana Prueba  24h       skip     overtaken" in done.out
    assert "2            2026-12-04 Fri 10:00  Ana Prueba  2h        send     –" in done.out
    assert "1            2026-12-02 Wed 09:00  Ana Prueba  24h       skip     started" in done.out
    assert await written(db) == []


async def test_a_real_one_writes_what_it_showed_without_redis(confirmo: Confirmo, db: Database) -> None:
    done = await confirmo("reminders", "scan", LOG_LEVEL="WARNING")
    again = await confirmo("reminders", "scan", LOG_LEVEL="WARNING")

    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-2:] == ["24h: 1 to be sent, 1 skipped", "2h: 0 to be sent, 1 skipped"]
    assert again.out.splitlines()[-2:] == ["24h: 0 to be sent, 0 skipped", "2h: 0 to be sent, 0 skipped"]
    assert await written(db) == [
        (1, "24h", "queued", None),
        (3, "24h", "skipped", "booked_late"),
        (3, "2h", "skipped", "booked_late"),
    ]


async def test_a_real_one_wakes_the_workers(confirmo: Confirmo, valkey_url: str) -> None:
    done = await confirmo("reminders", "scan", REDIS_URL=valkey_url, LOG_LEVEL="WARNING")

    assert (done.code, done.err) == (0, "")
    assert "24h: 1 to be sent" in done.out


async def test_an_unreadable_now(confirmo: Confirmo) -> None:
    done = await confirmo("reminders", "scan", "--now", "noon")

    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)


async def test_nothing_open(confirmo: Confirmo, db: Database) -> None:
    async with db.write() as session:
        for row in await session.exec(select(AppointmentRow)):
            row.next_mark_at = None

    assert (await confirmo("reminders", "scan", "--dry-run")).out == "no reminder is open\n"


async def test_a_database_without_a_business(anywhere: Confirmo, sqlite_url: str) -> None:
    done = await anywhere("reminders", "scan", DATABASE_URL=f"{sqlite_url}.other")
    await anywhere("db", "upgrade", DATABASE_URL=f"{sqlite_url}.other")
    empty = await anywhere("reminders", "scan", DATABASE_URL=f"{sqlite_url}.other")

    assert (done.code, empty.code, empty.out) == (1, 0, "no reminder is open\n")
