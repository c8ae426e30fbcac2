"""The composition root: engine, HTTP client, queue and settings are put together here and nowhere else."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from functools import cache

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route

from bot.clock import Clock
from bot.limits import Limits
from bot.log import configure
from bot.meter import Meter
from bot.queue import Queue, connect
from bot.runtime import Runtime
from bot.settings import REQUIRED, Settings, SettingsError, load, require
from bot.settled import settled
from bot.store import businesses, migrate
from bot.store.database import Database
from bot.web.door import Door
from bot.web.health import livez, readyz
from bot.web.heartbeat import listening
from bot.web.metrics import metrics
from bot.web.webhook import Receiving, handshake
from bot.whatsapp.client import GraphClient
from bot.whatsapp.lanes import new_http


@asynccontextmanager
async def open_runtime(settings: Settings, clock: Clock, redis_url: str) -> AsyncIterator[Runtime]:
    """Everything a process needs, closed at the end. Nothing is asked of Meta or Redis by opening it."""
    db = Database(settings.database_url.get_secret_value())
    http = new_http()
    queue = Queue(connect(redis_url))
    limits = Limits(queue.redis, settings.send_rate_per_second)
    meter = Meter(queue.redis)

    @cache
    def graph(phone_number_id: str) -> GraphClient:
        return GraphClient(
            base_url=settings.whatsapp_graph_url,
            version=settings.whatsapp_graph_version,
            phone_number_id=phone_number_id,
            token=settings.whatsapp_access_token.get_secret_value(),
            timeout=settings.send_timeout_seconds,
            http=http,
        )

    try:
        yield Runtime(settings=settings, clock=clock, db=db, queue=queue, limits=limits, meter=meter, graph=graph)
    finally:
        await http.aclose()
        await meter.close()
        await queue.close()
        await db.close()


async def check_schema(runtime: Runtime) -> None:
    """Web and worker apart do not migrate: SettingsError on an old schema. The first start makes the business."""
    if not await migrate.is_current(runtime.db):
        raise SettingsError("the database is not up to date: run `confirmo db upgrade` first")
    await ensure_business(runtime)


async def ensure_business(runtime: Runtime) -> None:
    """A database without a business gets the one of BUSINESS_FILE, or the packaged starter."""
    await businesses.ensure(
        runtime.db,
        file=runtime.settings.business_file,
        phone_number_id=runtime.settings.whatsapp_phone_number_id,
        waba_id=runtime.settings.whatsapp_business_account_id,
        now=runtime.clock.now(),
    )


WEBHOOK = "/webhook"
_RECEIVING = [Middleware(Receiving, path=WEBHOOK)]


def bot_routes() -> list[BaseRoute]:
    """What every process answers."""
    return [
        Route(WEBHOOK, handshake, methods=["GET"]),
        Route("/livez", livez),
        Route("/readyz", readyz),
        Route("/metrics", metrics),
    ]


def web(runtime: Runtime, more: Sequence[BaseRoute] = ()) -> Starlette:
    """The application on a runtime that somebody else opened and closes."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with listening(runtime), aclosing(door):
            yield

    door = Door(runtime)
    app = Starlette(routes=[*bot_routes(), *more], lifespan=lifespan, middleware=_RECEIVING)
    app.state.runtime, app.state.door = runtime, door
    return app


def create_app() -> Starlette:
    """For `uvicorn --factory bot.app:create_app`: the web alone, on settings from the environment."""
    settings = load()
    require(settings, *REQUIRED, "redis_url")
    configure(settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with open_runtime(settings, Clock(), settings.redis_url.get_secret_value()) as runtime:
            await check_schema(runtime)
            app.state.runtime, app.state.door = runtime, Door(runtime)
            settled()
            async with listening(runtime), aclosing(app.state.door):
                yield

    return Starlette(routes=bot_routes(), lifespan=lifespan, middleware=_RECEIVING)
