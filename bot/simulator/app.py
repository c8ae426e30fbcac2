"""The page of the demo and what it calls: mounted beside the bot's own routes, never in production."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from bot.simulator.actions import ACTIONS
from bot.simulator.guard import welcome
from bot.simulator.phones import NotPossibleError
from bot.simulator.view import View

_PAGE = Path(__file__).parent / "page"
_LONGEST_WAIT = 20.0
# The database has no bell: while a page waits for news, it is asked this often.
_LOOK_EVERY = 0.4
_LONGEST_REQUEST = 64 * 1024
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}

Endpoint = Callable[[Request], Awaitable[Response]]


def routes(view: View) -> list[BaseRoute]:
    """`/` the page, `/phone/…` what it calls, `/graph/…` where the bot sends to."""
    return [
        Route("/", _guarded(_index)),
        Route("/phone/state", _guarded(lambda request: _state(request, view))),
        Route("/phone/{action}", _guarded(lambda request: _act(request, view)), methods=["POST"]),
        Mount("/phone/page", StaticFiles(directory=_PAGE)),
        *view.phones.standin.routes,
    ]


def _guarded(endpoint: Endpoint) -> Endpoint:
    async def guarded(request: Request) -> Response:
        answer = await endpoint(request) if welcome(request) else JSONResponse({"error": "not from here"}, 403)
        answer.headers.update(_HEADERS)
        return answer

    return guarded


async def _index(request: Request) -> Response:  # noqa: ARG001
    return FileResponse(_PAGE / "index.html")


async def _state(request: Request, view: View) -> Response:
    """The state as soon as its revision is not `since`, at the latest after 20 seconds."""
    since, customer = request.query_params.get("since"), request.query_params.get("customer")
    clock = asyncio.get_running_loop().time
    end = clock() + _LONGEST_WAIT
    while True:
        view.phones.changed.clear()
        state = await view.state(customer)
        if state["revision"] != since or view.stopping() or clock() > end or await request.is_disconnected():
            return JSONResponse(state)
        with suppress(TimeoutError):
            await asyncio.wait_for(view.phones.changed.wait(), _LOOK_EVERY)


async def _act(request: Request, view: View) -> Response:
    action = ACTIONS.get(request.path_params["action"])
    content = await request.body()
    if action is None or len(content) > _LONGEST_REQUEST:
        return JSONResponse({"error": "no such action"}, 404)
    try:
        done = action(view.phones, json.loads(content))
    except (KeyError, TypeError, ValueError, NotPossibleError) as error:
        return JSONResponse({"error": str(error)}, 400)
    return JSONResponse({"ok": True, **(done or {})})
