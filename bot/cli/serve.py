"""`confirmo serve`: web, worker and, unless REDIS_URL names another, the queue engine in one process."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager

import structlog
import uvicorn
from starlette.routing import BaseRoute

from bot.app import ensure_business, open_runtime, web
from bot.clock import Clock
from bot.embedded import engine
from bot.log import configure
from bot.queue import connect
from bot.runtime import Runtime
from bot.settings import REQUIRED, Settings, load, require
from bot.settled import settled
from bot.store.migrate import upgrade
from jobs.worker import work

log = structlog.get_logger(__name__)

GRACE_SECONDS = 2
"""How long open requests may go on once the server is told to stop."""

More = Callable[[Runtime, asyncio.Event], AbstractAsyncContextManager[Sequence[BaseRoute]]]
"""Further routes beside the bot's, open while the program runs; the event tells that it is about to end."""


@asynccontextmanager
async def _no_more(runtime: Runtime, stop: asyncio.Event) -> AsyncIterator[Sequence[BaseRoute]]:
    del runtime, stop
    yield ()


class Server(uvicorn.Server):
    """uvicorn ends a stopped process by raising the signal again; ours ends with exit code 0, the worker with it."""

    def __init__(self, config: uvicorn.Config, stop: asyncio.Event) -> None:
        super().__init__(config)
        self._stop = stop

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, self._told)
        yield
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(name)

    def _told(self) -> None:
        self.should_exit = True
        self._stop.set()


def serve() -> None:
    """Settings from the environment, then run until told to stop."""
    settings = load()
    require(settings, *REQUIRED)
    if settings.redis_url.get_secret_value():
        connect(settings.redis_url.get_secret_value())  # a wrong address is told before anything is opened
    configure(settings)
    run(settings, Clock())


def run(settings: Settings, clock: Clock, more: More = _no_more) -> None:
    """The whole program on these settings."""
    loop_factory = uvicorn.Config(app="", log_config=None).get_loop_factory()
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(_run(settings, clock, more))


async def _run(settings: Settings, clock: Clock, more: More) -> None:
    applied = await upgrade(settings.database_url.get_secret_value())
    if applied:
        log.info("database upgraded", action="upgrade", revisions=applied)
    async with AsyncExitStack() as stack:
        redis_url = settings.redis_url.get_secret_value() or await stack.enter_async_context(engine())
        runtime = await stack.enter_async_context(open_runtime(settings, clock, redis_url))
        await ensure_business(runtime)
        stop = asyncio.Event()
        routes = await stack.enter_async_context(more(runtime, stop))
        await _web_and_worker(runtime, redis_url, routes, stop)


async def _web_and_worker(runtime: Runtime, redis_url: str, routes: Sequence[BaseRoute], stop: asyncio.Event) -> None:
    """The web decides when it is over; the worker then finishes what it is at."""
    config = uvicorn.Config(
        web(runtime, routes),
        host=runtime.settings.host,
        port=runtime.settings.port,
        log_config=None,
        access_log=False,
        lifespan="on",
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    settled()
    worker = asyncio.create_task(work(runtime, redis_url, stop), name="work")
    try:
        await Server(config, stop).serve()
    except SystemExit:
        # uvicorn has said why in one line, as that the port is in use; its own code would be 3
        raise SystemExit(1) from None
    finally:
        stop.set()
        await worker
