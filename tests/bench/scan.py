"""The reminder scan: its cost must follow what is due, not what exists. 500 are due in tables of very different sizes.

The peer loads every active appointment at each tick and looks at it, as most schedulers do.
"""

import asyncio
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import text

from bot.app import ensure_business, open_runtime
from bot.clock import Clock
from bot.core.reminders import Kind
from bot.runtime import Runtime
from bot.scan import scan
from bot.store.database import SQLITE, Database
from bot.store.migrate import upgrade
from tests.bench.figures import Figure
from tests.services.postgres import Cluster, binaries, postgres
from tests.services.valkey import valkey
from tests.stack.world import settings_for

SIZES = (10_000, 100_000, 1_000_000, 5_000_000)
DUE = 500
PEER_UP_TO = 100_000
"""The peer's cost grows with the table: beyond this one run would take minutes."""
CUSTOMERS = 1000
_COLUMNS = (
    "business_id, customer_id, service_id, scheduled_at, ends_at, busy_until, status, version, reminder_24h_sent,"
    " reminder_2h_sent, next_mark_at, slot_set_at, slot_version, created_at, updated_at"
)


def sizes() -> Sequence[int]:
    """BENCH_SCAN=10000,100000 measures those only."""
    given = os.environ.get("BENCH_SCAN", "")
    return [int(one) for one in given.split(",")] if given else SIZES


def figures(runs: int) -> Iterable[Figure]:
    """On both databases: milliseconds of one scan, and the peer's."""
    with tempfile.TemporaryDirectory() as folder, valkey() as redis_url:
        urls = {size: f"sqlite+aiosqlite:///{folder}/{size}.db" for size in sizes()}
        yield from _of("SQLite", urls, redis_url, runs)
    found = binaries()
    if found is not None:
        with postgres(found) as url, closing(Cluster(url)) as cluster, valkey() as redis_url:
            urls = {size: cluster.address(cluster.create()) for size in sizes()}
            yield from _of("PostgreSQL", urls, redis_url, runs)


def _of(kind: str, urls: dict[int, str], redis_url: str, runs: int) -> Iterable[Figure]:
    taken: dict[int, list[tuple[float, float]]] = {size: [] for size in urls}
    for size, url in urls.items():
        asyncio.run(_fill(url, size))
    for _ in range(runs):
        for size, url in urls.items():
            taken[size].append(asyncio.run(_measure(url, redis_url, size)))
    smallest = [ours for ours, _ in taken[min(urls)]]
    for size, found in taken.items():
        ours, peers = [one for one, _ in found], [peer for _, peer in found]
        name = f"{kind}: {DUE} due of {size:,}"
        if size <= PEER_UP_TO:
            yield Figure(part="scan", name=name, unit="ms", ours=ours, peer=peers, peer_name="load all active")
        if size != min(urls):
            yield Figure(
                part="scan", name=name, unit="ms", ours=ours, peer=smallest, peer_name=f"of {min(urls):,}", goal="≤ 1.5"
            )


async def _measure(url: str, redis_url: str, size: int) -> tuple[float, float]:
    """The same 500 each time: what the last scan wrote is taken back."""
    async with open_runtime(settings_for(url, "http://127.0.0.1:1"), Clock(), redis_url) as runtime:
        now = runtime.clock.now()
        await _make_due(runtime, now)
        peer = await _load_all(runtime, now) if size <= PEER_UP_TO else 0.0
        began = time.perf_counter()
        result = await scan(runtime, Kind.DAY, now)
        took = 1000 * (time.perf_counter() - began)
        assert len(result.created) == DUE
        await runtime.queue.redis.flushall()
        return took, peer


async def _load_all(runtime: Runtime, now: datetime) -> float:
    began, due = time.perf_counter(), 0
    async with runtime.db.read() as session:
        query = "SELECT id, customer_id, scheduled_at, reminder_24h_sent FROM appointments WHERE status = 'SCHEDULED'"
        for _, _, start, sent in await (await session.connection()).execute(text(query)):
            at = datetime.fromisoformat(f"{start}+00:00") if isinstance(start, str) else start
            due += not sent and at - timedelta(hours=24) <= now < at
    return 1000 * (time.perf_counter() - began)


async def _make_due(runtime: Runtime, now: datetime) -> None:
    """The first 500 appointments begin in less than a day, and nothing was decided about them."""
    async with runtime.db.write() as session:
        connection = await session.connection()
        await connection.execute(text("DELETE FROM outbox"))
        start = now + timedelta(hours=23, minutes=50)
        values = {
            "start": start,
            "end": start + timedelta(hours=1),
            "mark": now - timedelta(minutes=10),
            "set": now - timedelta(days=9),
        }
        sqlite = runtime.db.dialect == SQLITE
        given = {name: f"{at:%Y-%m-%d %H:%M:%S.%f}" if sqlite else at for name, at in values.items()}
        await connection.execute(
            text(
                "UPDATE appointments SET scheduled_at = :start, ends_at = :end, busy_until = :end,"
                f" next_mark_at = :mark, slot_set_at = :set WHERE id <= {DUE}"
            ),
            given,
        )


async def _fill(url: str, size: int) -> None:
    """All SCHEDULED, an hour each, nobody's in particular, in the months after the next."""
    await upgrade(url)
    db, now = Database(url), Clock().now()
    async with open_runtime(settings_for(url, "http://127.0.0.1:1"), Clock(), "unix:///nowhere") as runtime:
        await ensure_business(runtime)
    await db.close()
    first = now + timedelta(days=60)
    if db.dialect == SQLITE:
        _fill_sqlite(Path(db.url.database or ""), size, first)
    else:
        await _fill_postgres(url.replace("+asyncpg", ""), size, first)


_PEOPLE = """INSERT INTO customers (business_id, name, whatsapp_number, canonical_number, created_at, updated_at)
SELECT 1, 'Cliente ' || n, '521555' || (1000000 + n), '52555' || (1000000 + n), {at}, {at} FROM numbers"""


def _fill_sqlite(path: Path, size: int, first: datetime) -> None:
    start = f"strftime('%Y-%m-%d %H:%M:%S.000000', {first.timestamp():.0f} + n * 10, 'unixepoch')"
    end = start.replace("+ n * 10", "+ n * 10 + 3600")
    mark = start.replace("+ n * 10", "+ n * 10 - 86400")
    at = "'2026-01-01 00:00:00.000000'"
    numbers = "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {})"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(f"{numbers.format(CUSTOMERS)} {_PEOPLE.format(at=at)}")
        connection.execute(
            f"{numbers.format(size)} INSERT INTO appointments ({_COLUMNS}) SELECT 1, n % {CUSTOMERS} + 1, 1, {start},"
            f" {end}, {end}, 'SCHEDULED', 1, 0, 0, {mark}, {at}, 1, {at}, {at} FROM numbers"
        )
        for _, statement in guards:
            connection.execute(statement)
        connection.commit()


async def _fill_postgres(url: str, size: int, first: datetime) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("SET session_replication_role = replica")
    at = "timestamptz '2026-01-01 00:00:00Z'"
    start = f"timestamptz '{first.isoformat()}' + n * interval '10 s'"
    people = _PEOPLE.format(at=at).replace("FROM numbers", f"FROM generate_series(1, {CUSTOMERS}) AS n")
    await connection.execute(people)
    await connection.execute(
        f"INSERT INTO appointments ({_COLUMNS}) SELECT 1, n % {CUSTOMERS} + 1, 1, {start}, {start} + interval '1 h',"
        f" {start} + interval '1 h', 'SCHEDULED', 1, false, false, {start} - interval '1 d', {at}, 1, {at}, {at}"
        f" FROM generate_series(1, {size}) AS n",
        timeout=600,
    )
    await connection.execute("VACUUM ANALYZE appointments", timeout=600)
    await connection.close()
