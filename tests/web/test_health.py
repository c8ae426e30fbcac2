"""Alive, ready, and how late: also when the queue or the database is away."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import psutil
import pytest

from bot.app import open_runtime, web
from bot.clock import TravelClock
from bot.core.reminders import Kind
from bot.scan import due_scan
from bot.store.database import Database
from bot.web.health import KEYS
from jobs.sweep import sweep
from tests.services.process import free_port
from tests.services.valkey import valkey
from tests.stack.world import ANA, Stack, settings_for, stack
from tests.web import said

HOLA = said.body(said.value(said.text()))


@pytest.fixture
def own_valkey() -> Iterator[tuple[str, int]]:
    """One that may be stopped: its address and process id."""
    with valkey() as url:
        path = url.removeprefix("unix://")
        (process,) = [one for one in psutil.Process().children() if path in " ".join(one.cmdline())]
        yield url, process.pid
        os.kill(process.pid, signal.SIGCONT)


async def test_ready_says_how_late_the_scan_is(doors: Stack) -> None:
    answer = await doors.http.get("/readyz")
    assert (answer.status_code, answer.json()) == (
        200,
        {"database": True, "queue": True, "last_scan_age_seconds": None, "oldest_due_seconds": 0.0, "ok": False},
    )
    for kind in Kind:
        await due_scan(doors.runtime, kind)
    fresh = (await doors.http.get("/readyz")).json()
    assert fresh["ok"] is True
    assert 0 <= fresh["last_scan_age_seconds"] < 2
    doors.clock.travel(doors.clock.now() + timedelta(seconds=4))
    late = await doors.http.get("/readyz")
    assert (late.status_code, late.json()["ok"]) == (200, False)


async def test_ready_without_a_queue_but_not_without_a_database(door: Stack, empty_url: str) -> None:
    async with open_runtime(settings_for(empty_url, door.url), door.clock, f"redis://127.0.0.1:{free_port()}") as lone:
        old_schema = await ready(web(lone))
        assert old_schema.status_code == 503
        no_queue = await ready(web(replace(lone, db=door.runtime.db)))
        assert (no_queue.status_code, no_queue.json()["queue"], no_queue.json()["database"]) == (200, False, True)
        away = Database(f"postgresql+asyncpg://u@127.0.0.1:{free_port()}/x")
        nothing = await ready(web(replace(lone, db=away)))
        assert (nothing.status_code, nothing.json()) == (503, old_schema.json())
        assert nothing.json() == dict.fromkeys(KEYS) | {"database": False, "queue": False, "ok": False}
        await away.close()


async def test_metrics_are_told(door: Stack) -> None:
    await door.post(HOLA)
    answer = await door.http.get("/metrics")
    assert answer.status_code == 200
    assert "confirmo_inbox_open 1.0" in answer.text


async def test_without_a_queue_a_message_is_stored_at_once_and_answered_later(
    sqlite_url: str, clock: TravelClock, own_valkey: tuple[str, int]
) -> None:
    url, pid = own_valkey
    async with stack(sqlite_url, url, clock, worker=False) as bot:
        os.kill(pid, signal.SIGSTOP)
        began = time.monotonic()
        assert (await bot.post(HOLA)).status_code == 200
        assert time.monotonic() - began < 2
        assert await bot.count("inbox", "handled_at IS NULL") == 1
        assert (await bot.http.get("/readyz")).json()["queue"] is False
        os.kill(pid, signal.SIGCONT)
        clock.travel(clock.now() + timedelta(seconds=6))
        await sweep({"runtime": bot.runtime})
        assert await bot.runtime.queue.redis.zcard("arq:queue") >= 1


async def test_a_queue_that_is_not_there_at_all_costs_no_message(
    sqlite_url: str, valkey_url: str, clock: TravelClock, tmp_path: Path
) -> None:
    async with stack(sqlite_url, valkey_url, clock, worker=False) as bot:
        away = f"unix://{tmp_path}/none.sock"
        async with open_runtime(bot.runtime.settings, clock, away) as runtime:
            async with httpx.AsyncClient(transport=httpx.ASGITransport(web(runtime)), base_url="http://x") as client:
                there = Stack(runtime=runtime, standin=bot.standin, clock=clock, url="", http=client)
                assert (await there.post(HOLA)).status_code == 200
        assert await bot.count("inbox") == 1


async def test_the_worker_outlives_its_queue(sqlite_url: str, clock: TravelClock) -> None:
    """Valkey dies and comes back on the same address: what came in meanwhile is answered."""
    with valkey() as url:
        async with stack(sqlite_url, url, clock) as bot:
            await bot.says(ANA, "hola")
            await bot.runtime.queue.redis.client_kill_filter(_type="normal", skipme=False)
            assert (await bot.post(said.body(said.value(said.text("wamid.2", "mis citas"))))).status_code == 200
            clock.travel(clock.now() + timedelta(seconds=6))
            await bot.quiet()
            assert len(bot.taken(ANA)) == 2


async def ready(app: object) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:  # type: ignore[arg-type]
        return await client.get("/readyz")
