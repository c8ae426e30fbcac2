"""Thousands of reminders due at once: how long until all are in the outbox, and how fast and how evenly they go out.

`serve` or workers send; the stand-in for Meta notes when each came. The peer is one loop: send, mark, sleep.
"""

import asyncio
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path

import httpx
import psutil

from bot.app import ensure_business, open_runtime
from bot.clock import Clock, utc_now
from bot.core.reminders import Kind
from bot.scan import scan
from bot.store.migrate import upgrade
from bot.store.tables import AppointmentRow, CustomerRow
from tests.bench.figures import Figure
from tests.bench.replies import graph
from tests.bench.servers import databases
from tests.services.valkey import valkey
from tests.stack.processes import environment, worked
from tests.stack.world import settings_for

ENQUEUED = int(os.environ.get("BENCH_ENQUEUED", "40000"))
SENT = int(os.environ.get("BENCH_SENT", "4000"))
PEER_SENT = 400
RATE, FAST = 80, 1000
WORKERS = 2


def figures(runs: int) -> Iterable[Figure]:
    """A drain is long: one run of each, whatever `runs`."""
    del runs
    with databases() as urls:
        for kind, url in urls.items():
            yield Figure(
                part="drain",
                name=f"{kind}: {ENQUEUED:,} put into the outbox",
                unit="s",
                ours=[asyncio.run(_enqueue(url))],
                goal="≤ 30",
            )
    with databases() as urls:
        for kind, url in urls.items():
            rate, _, cpu = _drain(url, SENT, FAST)
            yield Figure(
                part="drain",
                name=f"{kind}: rate set to {FAST:,}/s, {WORKERS} workers",
                unit="sent/s",
                ours=[rate],
                goal="≥ 400",
            )
            yield Figure(part="drain", name=f"{kind}: CPU of 1,000 reminders", unit="s", ours=[cpu])
    rate, cpu = _peer()
    ours, fullest, took = _even()
    yield Figure(
        part="drain",
        name=f"rate set to {RATE}/s",
        unit="sent/s",
        ours=[ours],
        peer=[rate],
        peer_name="loop with a sleep",
        goal="76–84",
    )
    yield Figure(part="drain", name=f"fullest second at {RATE}/s", unit="sent", ours=[fullest], goal="≤ 80")
    yield Figure(
        part="drain",
        name=f"CPU of 1,000 reminders at {RATE}/s",
        unit="s",
        ours=[took],
        peer=[cpu],
        peer_name="loop with a sleep",
    )


def _even() -> tuple[float, float, float]:
    with tempfile.TemporaryDirectory() as folder:
        return _drain(f"sqlite+aiosqlite:///{folder}/even.db", SENT, RATE)


async def _seed(url: str, number: int, minutes: float = 5) -> None:
    """Appointments a day ahead whose 24 h reminders are due now, of as many customers."""
    await upgrade(url)
    now = utc_now()
    async with open_runtime(settings_for(url, "http://127.0.0.1:1"), Clock(), "unix:///nowhere") as runtime:
        await ensure_business(runtime)
        at = now - timedelta(days=9)
        start = now + timedelta(hours=24) - timedelta(minutes=minutes)
        for first in range(0, number, 1000):
            async with runtime.db.write() as session:
                people = [
                    CustomerRow(
                        business_id=1,
                        name="Ana",
                        whatsapp_number=f"5215550{n:06d}",
                        canonical_number=f"525550{n:06d}",
                        created_at=at,
                        updated_at=at,
                    )
                    for n in range(first, min(first + 1000, number))
                ]
                session.add_all(people)
                await session.flush()
                session.add_all(
                    AppointmentRow(
                        business_id=1,
                        customer_id=one.id or 0,
                        service_id=1,
                        scheduled_at=start,
                        ends_at=start + timedelta(hours=1),
                        busy_until=start + timedelta(hours=1),
                        next_mark_at=now - timedelta(minutes=minutes),
                        slot_set_at=at,
                        created_at=at,
                        updated_at=at,
                    )
                    for one in people
                )


async def _enqueue(url: str) -> float:
    await _seed(url, ENQUEUED, minutes=30)
    with valkey() as redis_url:
        async with open_runtime(settings_for(url, "http://127.0.0.1:1"), Clock(), redis_url) as runtime:
            began, created, now = time.perf_counter(), 0, runtime.clock.now()
            while created < ENQUEUED:
                created += len((await scan(runtime, Kind.DAY, now)).created)
            return time.perf_counter() - began


def _drain(url: str, number: int, rate: int) -> tuple[float, float, float]:
    """Sent per second, the most in any second, CPU seconds of the workers per 1,000."""
    asyncio.run(_seed(url, number))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        graph_port, redis_url = stack.enter_context(graph(folder)), stack.enter_context(valkey())
        env = environment(
            url,
            graph_port,
            REDIS_URL=redis_url,
            SEND_RATE_PER_SECOND=str(rate),
            QUIET_HOURS="",
            SEND_TIMEOUT_SECONDS="20",
            REMINDER_SCAN_INTERVAL_SECONDS="300",
            LOG_LEVEL="WARNING",
        )
        workers = [stack.enter_context(worked(env, folder / f"worker{n}.log")) for n in range(WORKERS)]
        processes = [psutil.Process(one.pid) for one in workers]
        times = _heard(graph_port, number, 30 + 2 * number / min(rate, 200))
        cpu = sum(sum(one.cpu_times()[:2]) for one in processes)
    return _rate(times), _fullest(times), 1000 * cpu / len(times)


def _heard(port: int, number: int, patience: float) -> list[float]:
    until = time.monotonic() + patience
    times: list[float] = []
    while len(times) < number and time.monotonic() < until:
        time.sleep(1)
        times = sorted(at for at, _ in httpx.get(f"http://127.0.0.1:{port}/heard", trust_env=False).json())
    return times


def _rate(times: Sequence[float]) -> float:
    """Of the middle 90 %: beginning and end are ragged."""
    edge = len(times) // 20
    middle = times[edge : len(times) - edge]
    return (len(middle) - 1) / (middle[-1] - middle[0])


def _fullest(times: Sequence[float]) -> float:
    first, most = 0, 0
    for last, at in enumerate(times):
        while times[first] <= at - 1:
            first += 1
        most = max(most, last - first + 1)
    return most


def _peer() -> tuple[float, float]:
    """What one writes first: a loop over the due ones that sends, marks and sleeps for its share of a second."""
    with (
        tempfile.TemporaryDirectory() as name,
        graph(Path(name)) as port,
        closing(sqlite3.connect(f"{name}/x.db")) as db,
    ):
        db.execute("CREATE TABLE due (id INTEGER PRIMARY KEY, phone TEXT, sent INTEGER)")
        db.executemany("INSERT INTO due VALUES (?, ?, 0)", [(n, f"5215550{n:06d}") for n in range(PEER_SENT)])
        db.commit()
        before, began = time.process_time(), time.perf_counter()
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http:
            for id_, phone in db.execute("SELECT id, phone FROM due WHERE sent = 0").fetchall():
                http.post("/v27.0/1/messages", json={"messaging_product": "whatsapp", "to": phone, "type": "template"})
                db.execute("UPDATE due SET sent = 1 WHERE id = ?", [id_])
                db.commit()
                time.sleep(1 / RATE)
        return PEER_SENT / (time.perf_counter() - began), 1000 * (time.process_time() - before) / PEER_SENT
