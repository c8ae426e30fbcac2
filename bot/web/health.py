"""Is the process alive, is it ready, and how late is it?"""

import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from bot.runtime import Runtime
from bot.store import migrate, reminders
from bot.store.database import Unreachable

log = structlog.get_logger(__name__)

STALE_PERIODS = 3


async def livez(request: Request) -> Response:
    """The process answers; nothing else is asked."""
    del request
    return PlainTextResponse("ok")


async def readyz(request: Request) -> Response:
    """200 whenever the database answers and is migrated, also without Redis; `ok` is false when the scan is late."""
    runtime: Runtime = request.app.state.runtime
    now = runtime.clock.now()
    try:
        migrated = await migrate.is_current(runtime.db)
        async with runtime.db.read() as session:
            age = await reminders.last_scan_age(session, now)
            oldest = await reminders.oldest_due_seconds(session, now)
    except Unreachable:
        return JSONResponse({"database": False, "queue": await runtime.queue.ping(), "ok": False}, 503)
    late = age is None or age > STALE_PERIODS * runtime.settings.reminder_scan_interval_seconds
    body = {
        "database": migrated,
        "queue": await runtime.queue.ping(),
        "last_scan_age_seconds": age,
        "oldest_due_seconds": oldest,
        "ok": migrated and not late,
    }
    return JSONResponse(body, 200 if migrated else 503)
