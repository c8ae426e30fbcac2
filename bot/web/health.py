"""Is the process alive, is it ready, and how late is it?"""

from contextlib import suppress

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from bot.runtime import Runtime
from bot.store import migrate, reminders
from bot.store.database import Unreachable

STALE_PERIODS = 3
KEYS = ("database", "queue", "last_scan_age_seconds", "oldest_due_seconds", "ok")


async def livez(request: Request) -> Response:
    """The process answers; nothing else is asked."""
    del request
    return PlainTextResponse("ok")


async def readyz(request: Request) -> Response:
    """200 whenever the database answers and is migrated, also without Redis; `ok` is false when the scan is late."""
    runtime: Runtime = request.app.state.runtime
    state: dict[str, object] = dict.fromkeys(KEYS) | {"database": False, "ok": False}
    with suppress(*Unreachable):
        if await migrate.is_current(runtime.db):
            state |= await _lateness(runtime)
    state["queue"] = await runtime.queue.ping()
    return JSONResponse(state, 200 if state["database"] else 503)


async def _lateness(runtime: Runtime) -> dict[str, object]:
    now = runtime.clock.now()
    async with runtime.db.read() as session:
        age = await reminders.last_scan_age(session, now)
        oldest = await reminders.oldest_due_seconds(session, now)
    late = age is None or age > STALE_PERIODS * runtime.settings.reminder_scan_interval_seconds
    return {"database": True, "last_scan_age_seconds": age, "oldest_due_seconds": oldest, "ok": not late}
