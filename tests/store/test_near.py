"""SQLite without a change of thread for each statement, and what still goes to the thread."""

import asyncio
import random
import threading
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.store import near
from bot.store.database import Database


async def count_up(db: Database) -> None:
    async with db.write() as session:
        await (await session.connection()).execute(text("UPDATE counter SET n = n + 1"))


async def counted(db: Database) -> int:
    async with db.read() as session:
        return int((await (await session.connection()).execute(text("SELECT n FROM counter"))).scalar_one())


async def a_counter(db: Database) -> None:
    async with db.write() as session:
        connection = await session.connection()
        await connection.execute(text("CREATE TABLE counter (n INTEGER)"))
        await connection.execute(text("INSERT INTO counter VALUES (0)"))


async def test_writers_that_are_cancelled_at_any_point_leave_the_connection_usable(sqlite_db: Database) -> None:
    await a_counter(sqlite_db)
    dice = random.Random(1)
    for _ in range(150):
        tasks = [asyncio.create_task(count_up(sqlite_db)) for _ in range(3)]
        await asyncio.sleep(dice.random() * 0.003)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    before = await counted(sqlite_db)
    await count_up(sqlite_db)
    assert await counted(sqlite_db) == before + 1


async def test_only_the_commit_of_a_write_changes_the_thread(
    sqlite_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await a_counter(sqlite_db)
    assert await counted(sqlite_db) == 0  # the connections are made
    there: list[str] = []
    real = near.Near._finish  # noqa: SLF001 - what this module is for

    def finish(self: near.Near, mark: object, work: object) -> object:
        there.append(work.func.__name__)  # type: ignore[attr-defined]
        return real(self, mark, work)  # type: ignore[arg-type]

    monkeypatch.setattr(near.Near, "_finish", finish)
    await count_up(sqlite_db)
    assert there == ["commit"]
    assert await counted(sqlite_db) == 1
    assert there == ["commit"]


async def test_a_file_that_cannot_do_wal_is_read_in_the_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near, "QUICK_READING", near.NOTHING)
    db = Database(f"sqlite+aiosqlite:///{tmp_path / 'plain.db'}")
    await a_counter(db)
    assert await counted(db) == 0
    await db.close()


async def test_short_work_is_done_here_but_not_beside_what_a_cancelled_caller_left(sqlite_db: Database) -> None:
    here = threading.current_thread()
    async with sqlite_db.driver() as connection:
        assert await connection.run(lambda _: threading.current_thread()) is here
        left = asyncio.create_task(connection._execute(threading.Event().wait, 0.2))  # noqa: SLF001 - what the thread does
        await asyncio.sleep(0.01)
        left.cancel()
        assert await connection.run(lambda _: threading.current_thread()) is not here
        assert await connection.run(lambda _: threading.current_thread()) is here


async def test_what_fails_by_the_driver_leaves_nothing(sqlite_db: Database) -> None:
    await a_counter(sqlite_db)
    with pytest.raises(ValueError, match="our bug"):
        await counting_by_driver(sqlite_db, ValueError("our bug"))
    assert await counted(sqlite_db) == 0
    await counting_by_driver(sqlite_db)
    await count_up(sqlite_db)
    assert await counted(sqlite_db) == 2


async def counting_by_driver(db: Database, fault: Exception | None = None) -> None:
    async with db.driver() as connection:
        await connection.run(lambda driver: driver.execute("UPDATE counter SET n = n + 1"))
        if fault is not None:
            raise fault
