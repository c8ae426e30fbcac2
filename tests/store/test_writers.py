"""Many writers at once: nothing is lost, nobody waits for ever."""

import asyncio
import sqlite3
import sys
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from bot.store import database as module
from bot.store.database import Database, alone
from bot.store.tables import ScanRow
from tests.store.counter import a_counter, count_up, counted


async def test_twenty_concurrent_writers_lose_nothing(db: Database) -> None:
    await a_counter(db)
    await asyncio.gather(*(count_up(db, 5) for _ in range(20)))
    assert await counted(db) == 100


WRITER = """
import asyncio, sys
from bot.store.database import Database
from tests.store.counter import count_up

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
