"""The door to the database."""

import asyncio
import gc
import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy.exc import DBAPIError, OperationalError, StatementError
from sqlmodel import col, func, select

from bot.store import database as module
from bot.store.database import Database, insert
from bot.store.tables import AppointmentRow, ScanRow
from tests.conftest import NOW
from tests.store.counter import a_counter, counted
from tests.store.rows import a_business, add, appointment, sql

MEXICO = timezone(timedelta(hours=-6))


async def test_an_aware_time_comes_back_as_the_same_instant_in_utc(db: Database) -> None:
    await a_business(db)
    local = datetime(2026, 12, 2, 17, 0, tzinfo=MEXICO)
    async with db.write() as session:
        await add(session, appointment(local))
    async with db.read() as session:
        start = (await session.exec(select(AppointmentRow.scheduled_at))).one()
        latest = (await session.exec(select(func.max(col(AppointmentRow.scheduled_at))))).one()
        found = select(AppointmentRow.id).where(AppointmentRow.scheduled_at == datetime(2026, 12, 2, 23, tzinfo=UTC))
        assert (await session.exec(found)).one() == 1
    assert start == latest == local
    assert start.tzinfo is UTC


async def test_a_naive_time_is_refused(db: Database) -> None:
    with pytest.raises(StatementError, match="timezone"):
        async with db.write() as session:
            session.add(ScanRow(kind="24h", started_at=datetime(2026, 12, 2, 17, 0)))  # noqa: DTZ001 - the point


async def test_a_naive_time_is_refused_in_a_comparison_too(db: Database) -> None:
    naive = datetime(2026, 12, 2, 17, 0)  # noqa: DTZ001 - the point
    async with db.read() as session:
        with pytest.raises(StatementError, match="timezone"):
            await session.exec(select(ScanRow).where(col(ScanRow.started_at) < naive))


async def test_sqlite_keeps_times_as_utc_text_that_sorts(sqlite_db: Database) -> None:
    async with sqlite_db.write() as session:
        session.add(ScanRow(kind="24h", started_at=datetime(2026, 12, 2, 17, 0, tzinfo=MEXICO)))
        session.add(ScanRow(kind="2h", started_at=datetime(2026, 12, 2, 17, 0, 0, 5, tzinfo=MEXICO)))
    async with sqlite_db.read() as session:
        rows = await sql(session, "SELECT started_at FROM scans ORDER BY started_at")
        assert [row[0] for row in rows] == ["2026-12-02 23:00:00.000000", "2026-12-02 23:00:00.000005"]


async def test_postgresql_keeps_times_with_their_zone(postgres_url: str) -> None:
    db = Database(postgres_url)
    async with db.read() as session:
        kind = "SELECT data_type FROM information_schema.columns WHERE column_name = 'scheduled_at'"
        assert (await sql(session, kind)).scalar_one() == "timestamp with time zone"
        assert (await sql(session, "SHOW timezone")).scalar_one() == "UTC"
    await db.close()


async def test_what_a_transaction_wrote_can_be_read_after_it(db: Database) -> None:
    async with db.write() as session:
        row = ScanRow(kind="24h", started_at=NOW)
        session.add(row)
    assert row.started_at == NOW


async def test_an_error_rolls_back(db: Database) -> None:
    async def fail() -> None:
        async with db.write() as session:
            session.add(ScanRow(kind="24h"))
            await session.flush()
            raise LookupError

    with pytest.raises(LookupError):
        await fail()
    async with db.read() as session:
        assert (await session.exec(select(ScanRow))).all() == []


async def test_a_reader_cannot_write_on_sqlite(sqlite_db: Database) -> None:
    with pytest.raises(OperationalError, match="readonly"):
        async with sqlite_db.read() as session:
            await session.exec(insert(session, ScanRow).values(kind="24h"))


async def test_insert_can_pass_over_what_is_there(db: Database) -> None:
    for expected in (["24h"], []):
        async with db.write() as session:
            added = insert(session, ScanRow).values(kind="24h").on_conflict_do_nothing().returning(col(ScanRow.kind))
            assert (await session.exec(added)).scalars().all() == expected


async def test_a_write_on_sqlite_survives_a_power_cut(sqlite_db: Database) -> None:
    async with sqlite_db.write() as session:
        pragmas = [
            (await sql(session, f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    assert pragmas == ["wal", 2, 1, 5000]
    assert sqlite_db.wal


async def test_a_reference_to_nothing_is_refused(db: Database) -> None:
    with pytest.raises(DBAPIError, match=r"(?i)foreign key"):
        async with db.write() as session:
            await add(session, appointment(NOW))


async def test_sqlite_without_wal_is_flagged(sqlite_db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    # A file system without shared memory answers like this one, which is asked for the other mode.
    asked = module._pragma  # noqa: SLF001
    monkeypatch.setattr(module, "_pragma", lambda connection, words: asked(connection, words.replace("WAL", "DELETE")))
    await a_counter(sqlite_db)
    assert not sqlite_db.wal


async def test_closing_ends_the_threads_and_connections(sqlite_url: str) -> None:
    before = set(threading.enumerate())
    db = Database(sqlite_url)
    await a_counter(db)
    await asyncio.gather(*(counted(db) for _ in range(4)))
    started = set(threading.enumerate()) - before
    assert started
    await db.close()
    await asyncio.sleep(0.05)
    gc.collect()  # a connection left open would warn now, and a warning is an error here
    assert [thread.name for thread in started if thread.is_alive()] == []


async def test_ping_tells_whether_the_database_answers(db: Database) -> None:
    await db.ping()
    assert db.dialect in {"sqlite", "postgresql"}


async def test_ping_raises_when_nobody_answers() -> None:
    db = Database("postgresql+asyncpg://confirmo:s3cret@127.0.0.1:1/none")
    with pytest.raises((OSError, DBAPIError)) as caught:
        await db.ping()
    assert "s3cret" not in str(caught.value)
    await db.close()
