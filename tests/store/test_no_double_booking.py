"""The proof: a crowd in tasks and processes books, moves, cancels and restores; then the whole table is looked at.

CROWD_TIMES=200 makes it fifty tasks of two hundred changes each, as the long run wants; fewer keep the suite quick.
"""

import asyncio
import os
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

from bot.store import businesses
from bot.store.database import Database
from bot.store.tables import AppointmentRow
from tests.conftest import NOW
from tests.store.invariant import Crowd, check, violations
from tests.store.rows import HOUR, a_business
from tests.store.rows import appointment as plain

TASKS = 50
TIMES = int(os.environ.get("CROWD_TIMES", "6"))


async def crowd(db: Database, tasks: int, times: int, seed: int) -> Counter[str]:
    async with db.read() as session:
        business = await businesses.load(session, 1)
    everybody = [Crowd(db=db, business=business, dice=random.Random(seed + task)) for task in range(tasks)]
    await asyncio.gather(*(one.act(times) for one in everybody))
    return sum((Counter(one.done) for one in everybody), Counter[str]())


@pytest.mark.timeout(120 + TASKS * TIMES // 4)
async def test_fifty_at_once_double_book_nothing(db: Database) -> None:
    business_id = await a_business(db, "estudio")
    done = await crowd(db, TASKS, TIMES, seed=7)
    assert await check(db, business_id) == []
    assert done["booked"] > TASKS / 2
    assert done["refused"] > TASKS / 5, done


MEMBER = """
import asyncio, sys
from bot.store.database import Database
from tests.store.test_no_double_booking import crowd

async def main():
    db = Database(sys.argv[1])
    await crowd(db, 10, int(sys.argv[3]), seed=int(sys.argv[2]))
    await db.close()

asyncio.run(main())
"""


@pytest.mark.timeout(180 + TASKS * TIMES // 4)
async def test_processes_at_once_double_book_nothing(db: Database, database_url: str) -> None:
    business_id = await a_business(db, "estudio")
    root = Path(__file__).parents[2]
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", MEMBER, database_url, str(seed), str(TIMES), cwd=root
        )
        for seed in (100, 200, 300)
    ]
    assert [await process.wait() for process in processes] == [0, 0, 0]
    assert await check(db, business_id) == []


async def test_the_check_itself_finds_what_is_wrong(sqlite_db: Database) -> None:
    business_id = await a_business(sqlite_db, "estudio")
    async with sqlite_db.read() as session:
        business = await businesses.load(session, business_id)

    def row(number: int, *, service: int | None = None, resource: int | None = None, staff: int = 1) -> AppointmentRow:
        one = plain(NOW, staff=staff)
        one.id, one.service_id, one.resource_id = number, service, resource
        return one

    assert violations([row(1), row(2)], business) == ["1 and 2 meet"]
    assert violations([row(1, service=4), row(2, staff=2)], business) == []
    assert violations([row(1, service=2, resource=1), row(2, staff=2, resource=1)], business) == ["1 and 2 meet"]
    assert violations([row(number, service=1, resource=1) for number in range(5)], business) == [
        "5 seats in the session of 0"
    ]
    assert violations([row(1, service=3)], business) == ["1 has no room"]
    assert violations([row(1), plain(NOW + HOUR)], business) == []
