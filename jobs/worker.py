"""The worker: which jobs there are, the cron table, and how it is run."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import UTC
from typing import Any

import arq.worker
import structlog
import uvicorn
from arq import cron, func
from arq.cron import CronJob
from arq.typing import WorkerCoroutine
from arq.worker import Function

from bot import queue
from bot.app import check_schema, open_runtime
from bot.clock import Clock
from bot.log import configure
from bot.queue import connect
from bot.runtime import Runtime
from bot.settings import REQUIRED, Settings, load, require
from bot.settled import settled
from jobs import patient
from jobs.answer import answer
from jobs.deliver import deliver
from jobs.patient import PatientWorker
from jobs.reminders import scan_2h, scan_24h
from jobs.sweep import EVERY_SECONDS, sweep

log = structlog.get_logger(__name__)

POLL_SECONDS = 0.05
MOST_JOBS = 100
HEALTH_SECONDS = 10
EVERY_SECOND = set(range(60))
SCAN_SECONDS = 25


# `arq jobs.worker.WorkerSettings` builds arq.worker.Worker: let it be ours.
arq.worker.Worker = PatientWorker  # type: ignore[misc]


def functions(settings: Settings) -> Sequence[Function]:
    """Jobs leave no result behind, so that nothing blocks the next one of the same id."""
    sending = settings.send_timeout_seconds + 10
    return [
        func(answer, name="answer", timeout=2 * sending, keep_result=0, max_tries=1),
        func(deliver, name="deliver", timeout=sending, keep_result=0, max_tries=1),
    ]


def cron_jobs() -> Sequence[CronJob]:
    """The cron table. A missed tick is made good by the next one: each looks at what is due, not at the hour."""
    return [_cron(scan_24h, EVERY_SECOND), _cron(scan_2h, EVERY_SECOND), _cron(sweep, set(range(0, 60, EVERY_SECONDS)))]


def _cron(job: WorkerCoroutine, second: set[int]) -> CronJob:
    return cron(job, name=job.__qualname__, second=second, timeout=SCAN_SECONDS, keep_result=0, max_tries=1)


def options(settings: Settings, redis_url: str) -> dict[str, Any]:
    """What arq's Worker is made with; its clock for the cron table is UTC wherever the machine stands."""
    return {
        "functions": functions(settings),
        "cron_jobs": cron_jobs(),
        "redis_pool": connect(redis_url),
        "job_serializer": queue.dump,
        "job_deserializer": queue.load,
        "poll_delay": POLL_SECONDS,
        "max_jobs": MOST_JOBS,
        "keep_result": 0,
        "health_check_interval": HEALTH_SECONDS,
        "job_completion_wait": patient.FINISH_SECONDS,
        "log_results": False,
        "timezone": UTC,
    }


async def work(runtime: Runtime, redis_url: str, stop: asyncio.Event) -> None:
    """Work until told to stop, inside a process that has signals of its own; a worker that fails is replaced."""
    _without_chatter()
    while not stop.is_set():
        worker = PatientWorker(**options(runtime.settings, redis_url), ctx={"runtime": runtime}, handle_signals=False)
        running = asyncio.create_task(worker.main(), name="worker")
        runtime.queue.woken = worker.wake
        stopping = asyncio.create_task(stop.wait(), name="stop")
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        # First it stops asking Redis for more: what it opened after the close would never be closed.
        running.cancel()
        stopping.cancel()
        (ended, _) = await asyncio.gather(running, stopping, return_exceptions=True)
        runtime.queue.woken = None
        await worker.close()
        if not stop.is_set():
            log.error("the worker ended, beginning again", action="worker", error=type(ended).__name__)
            await asyncio.sleep(patient.AGAIN_SECONDS)


def _without_chatter() -> None:
    """arq tells the start and the end of each job, and its command line does so through a handler of its own."""
    logger = logging.getLogger("arq")
    logger.setLevel(logging.WARNING)
    logger.handlers.clear()


def _take_quick_loop() -> None:
    """arq's command line takes the loop that is set; a caller that has one running keeps it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        new_loop = uvicorn.Config(app="", log_config=None).get_loop_factory()  # as serve and the web have it
        asyncio.set_event_loop(new_loop() if new_loop is not None else asyncio.new_event_loop())


def _settings_class() -> type:
    """Read when arq asks for it, not when this module is imported."""
    settings = load()
    require(settings, *REQUIRED, "redis_url")
    _take_quick_loop()
    redis_url = settings.redis_url.get_secret_value()

    async def start(ctx: dict[str, Any]) -> None:
        if "runtime" in ctx:
            return
        configure(settings)
        _without_chatter()
        stack = AsyncExitStack()
        ctx["stack"] = stack
        ctx["runtime"] = await stack.enter_async_context(open_runtime(settings, Clock(), redis_url))
        await check_schema(ctx["runtime"])
        settled()

    async def end(ctx: dict[str, Any]) -> None:
        if "stack" in ctx:  # told to stop before it had begun
            await ctx["stack"].aclose()

    return type("WorkerSettings", (), {**options(settings, redis_url), "on_startup": start, "on_shutdown": end})


def __getattr__(name: str) -> object:
    if name == "WorkerSettings":
        return _settings_class()
    raise AttributeError(name)
