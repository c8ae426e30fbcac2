"""The door to the database."""

import asyncio
import gc
import sqlite3
import sys
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, OperationalError, StatementError
from sqlmodel import col, func, select

from bot.store import database as module
from bot.store.database import Database, alone, insert, parse
from bot.store.tables import AppointmentRow, ScanRow
from tests.conftest import NOW
from tests.store.rows import a_business, add, appointment

MEXICO = timezone(timedelta(hours=-6))


async def count_up(db: Database, times: int) -> None:
    for _ in range(times):
        async with db.write() as session:
            # A read that is written back: the transaction that a late write lock would lose.
            row = await session.get(ScanRow, "24h", with_for_update=True)
            assert row is not None
            row.started_at = (row.started_at or NOW) + timedelta(seconds=1)


async def counted(db: Database) -> int:
    async with db.read() as session:
        row = await session.get(ScanRow, "24h")
    assert row is not None
    assert row.started_at is not None
    return round((row.started_at - NOW).total_seconds())


async def a_counter(db: Database) -> None:
    async with db.write() as session:
        session.add(ScanRow(kind="24h", started_at=NOW))


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
    with pytest.raises(StatementError, match="timezone"):
        async with db.read() as session:
            naive = datetime(2026, 12, 2, 17, 0)  # noqa: DTZ001 - the point
            await session.exec(select(ScanRow).where(col(ScanRow.started_at) < naive))


async def test_sqlite_keeps_times_as_utc_text_that_sorts(sqlite_db: Database, sqlite_url: str) -> None:
    async with sqlite_db.write() as session:
        session.add(ScanRow(kind="24h", started_at=datetime(2026, 12, 2, 17, 0, tzinfo=MEXICO)))
        session.add(ScanRow(kind="2h", started_at=datetime(2026, 12, 2, 17, 0, 0, 5, tzinfo=MEXICO)))
    async with sqlite_db.read() as session:
        rows = await session.execute(text("SELECT started_at FROM scans ORDER BY started_at"))
        assert [row[0] for row in rows] == ["2026-12-02 23:00:00.000000", "2026-12-02 23:00:00.000005"]


async def test_postgresql_keeps_times_with_their_zone(postgres_url: str) -> None:
    db = Database(postgres_url)
    async with db.read() as session:
        kind = text("SELECT data_type FROM information_schema.columns WHERE column_name = 'scheduled_at'")
        assert (await session.execute(kind)).scalar_one() == "timestamp with time zone"
        assert (await session.execute(text("SHOW timezone"))).scalar_one() == "UTC"
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


async def test_twenty_concurrent_writers_lose_nothing(db: Database) -> None:
    await a_counter(db)
    await asyncio.gather(*(count_up(db, 5) for _ in range(20)))
    assert await counted(db) == 100


WRITER = """
import asyncio, sys
from bot.store.database import Database
from tests.store.test_database import count_up

async def main():
    db = Database(sys.argv[1])
    await asyncio.gather(*(count_up(db, 10) for _ in range(4)))
    await db.close()

asyncio.run(main())
"""


@pytest.mark.timeout(120)
async def test_three_processes_lose_nothing(db: Database, database_url: str) -> None:
    await a_counter(db)
    root = Path(__file__).parents[2]
    processes = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", WRITER, database_url, cwd=root) for _ in range(3)
    ]
    assert [await process.wait() for process in processes] == [0, 0, 0]
    assert await counted(db) == 120


async def test_readers_do_not_wait_for_a_writer(db: Database) -> None:
    await a_counter(db)
    async with db.write() as session:
        session.add(ScanRow(kind="2h"))
        await session.flush()
        async with asyncio.timeout(2):
            assert await counted(db) == 0


async def test_more_readers_than_connections_take_turns(db: Database) -> None:
    await a_counter(db)
    assert await asyncio.gather(*(counted(db) for _ in range(40))) == [0] * 40


async def test_a_reader_cannot_write_on_sqlite(sqlite_db: Database) -> None:
    with pytest.raises(OperationalError, match="readonly"):
        async with sqlite_db.read() as session:
            await session.execute(insert(session, ScanRow).values(kind="24h"))


async def test_a_cancelled_writer_leaves_the_door_open(db: Database) -> None:
    async def linger() -> None:
        async with db.write() as session:
            session.add(ScanRow(kind="2h"))
            await session.flush()
            await asyncio.sleep(30)

    await a_counter(db)
    tasks = [asyncio.create_task(linger()), asyncio.create_task(linger())]
    await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await count_up(db, 1)
    assert await counted(db) == 1


async def test_a_writer_cancelled_within_a_statement_leaves_the_door_open(db: Database) -> None:
    await a_counter(db)
    for wait in (0.0, 0.0005, 0.001, 0.002, 0.003, 0.004):
        task = asyncio.create_task(count_up(db, 1000))
        await asyncio.sleep(wait)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    before = await counted(db)
    await count_up(db, 1)
    assert await counted(db) == before + 1


async def test_a_writer_waits_for_another_process_that_holds_sqlite(
    sqlite_db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0)
    impatient = Database(f"sqlite+aiosqlite:///{tmp_path / 'bot.db'}")
    await a_counter(sqlite_db)
    other = sqlite3.connect(tmp_path / "bot.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    task = asyncio.create_task(count_up(impatient, 1))
    await asyncio.sleep(0.02)
    other.execute("COMMIT")
    await task
    assert await counted(impatient) == 1
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(OperationalError, match="locked"):
        await count_up(impatient, 1)
    other.close()
    await count_up(impatient, 1)
    assert await counted(impatient) == 2
    await impatient.close()


async def test_insert_can_pass_over_what_is_there(db: Database) -> None:
    for expected in (["24h"], []):
        async with db.write() as session:
            added = insert(session, ScanRow).values(kind="24h").on_conflict_do_nothing().returning(col(ScanRow.kind))
            assert (await session.execute(added)).scalars().all() == expected


async def test_alone_keeps_others_out_until_the_transaction_ends(db: Database) -> None:
    inside = 0

    async def enter() -> None:
        nonlocal inside
        async with db.write() as session:
            await alone(session)
            inside += 1
            await asyncio.sleep(0.01)
            assert inside == 1
            inside -= 1

    await asyncio.gather(*(enter() for _ in range(4)))


async def test_a_write_on_sqlite_survives_a_power_cut(sqlite_db: Database) -> None:
    async with sqlite_db.write() as session:
        pragmas = [
            (await session.execute(text(f"PRAGMA {name}"))).scalar_one()
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
    before = threading.active_count()
    db = Database(sqlite_url)
    await a_counter(db)
    await asyncio.gather(*(counted(db) for _ in range(4)))
    assert threading.active_count() > before
    await db.close()
    await asyncio.sleep(0.05)
    gc.collect()  # a connection left open would warn now, and a warning is an error here
    assert threading.active_count() == before


async def test_ping_tells_whether_the_database_answers(db: Database) -> None:
    await db.ping()
    assert db.dialect in {"sqlite", "postgresql"}


async def test_ping_raises_when_nobody_answers() -> None:
    db = Database("postgresql+asyncpg://confirmo:s3cret@127.0.0.1:1/none")
    with pytest.raises((OSError, DBAPIError)) as caught:
        await db.ping()
    assert "s3cret" not in str(caught.value)
    await db.close()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "DATABASE_URL takes"),
        ("bot.db", "DATABASE_URL takes"),
        ("mysql://u:s3cret@h/db", "not mysql"),
        ("sqlite:///bot.db", "not sqlite"),
        ("postgresql://u:s3cret@h/db", "not postgresql"),
        ("postgresql+asyncpg://u:s3/cret@h/db", "DATABASE_URL takes"),
        ("postgresql+asyncpg://u:s3cret@h/db?sslmode=require", "ssl=require"),
    ],
)
def test_a_wrong_address_is_one_line_without_the_password(url: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        parse(url)
    assert "s3" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "needs a file"),
        (":memory:", "needs a file"),
        ("file:bot.db", "plain path"),
        ("{tmp}/missing/bot.db", "does not exist"),
        ("{tmp}", "is a folder"),
        ("/proc/bot.db", "cannot be"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_before_it_is_opened(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said):
        Database(f"sqlite+aiosqlite:///{name.format(tmp=tmp_path)}")
