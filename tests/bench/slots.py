"""How long the next ten offers take, from the database to the slots, and whether that depends on the table's size.

A business with 20 staff and 40 services,
2,000 of the appointments within the horizon. Each question is a read transaction of its own: business, what is taken of
everybody's time up to the horizon (as a turn of the conversation loads it), then ten offers of one of the services.
"""

import asyncio
import random
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]

from bot.core.slots import Calendar
from bot.store import businesses
from bot.store.business_file import BusinessFile
from bot.store.calendar import load_busy
from bot.store.database import SQLITE, Database
from bot.store.migrate import upgrade
from bot.store.tables import CustomerRow
from tests.bench.figures import Figure
from tests.services.postgres import Cluster, binaries, postgres

NOW = datetime(2026, 12, 1, 16, 0, tzinfo=UTC)
COUNTS = (100_000, 1_000_000)
STAFF, SERVICES, AHEAD, QUESTIONS, WARM = 20, 40, 2000, 300, 30
HALF_HOUR = timedelta(minutes=30)
COLUMNS = (
    "business_id, customer_id, service_id, staff_id, scheduled_at, ends_at, busy_until, status, version,"
    " slot_set_at, created_at, updated_at"
)
Row = tuple[int, int, int, int, datetime, datetime, datetime, str, int, datetime, datetime, datetime]


def business() -> BusinessFile:
    return BusinessFile.model_validate(
        {
            "name": "Clínica Grande",
            "zone": "America/Mexico_City",
            "service": [{"name": f"Servicio {n}", "minutes": 30 + n % 4 * 15} for n in range(SERVICES)],
            "staff": [{"name": f"Persona {n}", "every_day": ["09:00-14:00", "15:00-20:00"]} for n in range(STAFF)],
        }
    )


def rows(count: int) -> Iterator[Row]:
    """None overlaps another. The past ones stay CONFIRMED, as if nobody ever marked what became of them."""
    dice = random.Random(1)
    ahead = [(staff, slot) for staff in range(1, STAFF + 1) for slot in range(30 * 22)]
    for staff, slot in sorted(dice.sample(ahead, AHEAD)):
        day, half = divmod(slot, 22)
        yield _row(staff, NOW.replace(hour=15) + timedelta(days=day + 1) + half * HALF_HOUR)
    for number in range(count - AHEAD):
        yield _row(number % STAFF + 1, NOW - timedelta(days=1) - number // STAFF * HALF_HOUR)


def _row(staff: int, start: datetime) -> Row:
    end = start + HALF_HOUR
    return 1, 1, staff % SERVICES + 1, staff, start, end, end, "CONFIRMED", 1, NOW, NOW, NOW


async def prepare(url: str, count: int) -> None:
    await upgrade(url)
    db = Database(url)
    async with db.write() as session:
        number = await businesses.seed(session, business(), phone_number_id="P", waba_id="W", now=NOW)
        session.add(CustomerRow(business_id=number, name="Ana", created_at=NOW, updated_at=NOW))
    await db.close()
    if db.dialect == SQLITE:
        _fill_sqlite(Path(db.url.database or ""), count)
    else:
        await _fill_postgres(url.replace("+asyncpg", ""), count)


def _fill_sqlite(path: Path, count: int) -> None:
    """Without the guard's triggers, which would make the preparation slow; they are put back."""
    with closing(sqlite3.connect(path)) as connection:
        guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE name LIKE 'slot_taken%'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        marks = ", ".join("?" * len(COLUMNS.split(",")))
        insert = f"INSERT INTO appointments ({COLUMNS}) VALUES ({marks})"
        connection.executemany(insert, (_texts(row) for row in rows(count)))
        for _, statement in guards:
            connection.execute(statement)
        connection.commit()


def _texts(row: Row) -> tuple[object, ...]:
    return tuple(f"{one:%Y-%m-%d %H:%M:%S.%f}" if isinstance(one, datetime) else one for one in row)


async def _fill_postgres(url: str, count: int) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("SET session_replication_role = replica")
    names = [name.strip() for name in COLUMNS.split(",")]
    flags = [*names, "reminder_24h_sent", "reminder_2h_sent"]
    await connection.copy_records_to_table(
        "appointments", records=((*row, False, False) for row in rows(count)), columns=flags
    )
    await connection.execute("VACUUM ANALYZE appointments")
    await connection.close()


async def ask(db: Database, number: int) -> float:
    """Milliseconds for one question."""
    begun = time.perf_counter()
    async with db.read() as session:
        known = await businesses.load(session, 1)
        busy = await load_busy(session, 1, NOW, NOW + known.rules.horizon + timedelta(days=1))
    offers = Calendar(business=known, busy=busy, now=NOW).offers(number % SERVICES + 1, 10)
    taken = (time.perf_counter() - begun) * 1000
    assert (len(offers), len(busy)) == (10, AHEAD)
    return taken


async def measure(urls: dict[int, str]) -> dict[int, list[float]]:
    """The tables of all sizes take turns, question by question: what else the machine does hits them alike."""
    for count, url in urls.items():
        await prepare(url, count)
    open_ = {count: Database(url) for count, url in urls.items()}
    taken: dict[int, list[float]] = {count: [] for count in urls}
    for number in range(WARM + QUESTIONS):
        for count, db in open_.items():
            taken[count].append(await ask(db, number))
    for db in open_.values():
        await db.close()
    return {count: found[WARM:] for count, found in taken.items()}


def figures(runs: int) -> Iterable[Figure]:
    """On both databases; the peer of the large table is the small one."""
    del runs  # hundreds of questions are enough
    with tempfile.TemporaryDirectory() as folder:
        yield from _of("SQLite", {count: f"sqlite+aiosqlite:///{folder}/{count}.db" for count in COUNTS})
    found = binaries()
    if found is not None:
        with postgres(found) as url, closing(Cluster(url)) as cluster:
            yield from _of("PostgreSQL", {count: cluster.address(cluster.create()) for count in COUNTS})


def _of(kind: str, urls: dict[int, str]) -> Iterable[Figure]:
    taken = asyncio.run(measure(urls))
    small, large = (taken[count] for count in COUNTS)
    yield Figure(
        part="slots",
        name=f"{kind}: ten offers, {COUNTS[1]:,} appointments",
        unit="ms",
        ours=large,
        peer=small,
        peer_name=f"{COUNTS[0]:,} appointments",
    )
