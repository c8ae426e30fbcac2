"""Meta's door: the handshake, and POSTs that are checked, kept, nudged on and answered 200."""

import hmac

import structlog
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.runtime import Runtime
from bot.store.database import Unreachable
from bot.web.body import TooLarge, read_body
from bot.web.door import Door
from bot.web.metrics import webhook_seconds
from bot.whatsapp.inbound import read
from bot.whatsapp.signature import valid

log = structlog.get_logger(__name__)

NOSNIFF = {"X-Content-Type-Options": "nosniff"}
SIGNATURE = b"x-hub-signature-256"
KEPT = Response(headers=NOSNIFF)
"""Without a body, which would be another write to the socket."""


async def handshake(request: Request) -> Response:
    """200 with the challenge as it came, as plain text; 403 for anything else."""
    runtime: Runtime = request.app.state.runtime
    query = request.query_params
    token = runtime.settings.whatsapp_verify_token.get_secret_value()
    known = hmac.compare_digest(query.get("hub.verify_token", "").encode(), token.encode()) and bool(token)
    if query.get("hub.mode") != "subscribe" or not known or "hub.challenge" not in query:
        log.warning("handshake refused", action="handshake")
        return PlainTextResponse("forbidden", 403, headers=NOSNIFF)
    return PlainTextResponse(query["hub.challenge"], headers=NOSNIFF)


class Receiving:
    """The POSTs, before the router: what that does takes longer than to read and keep a message."""

    def __init__(self, app: ASGIApp, path: str) -> None:
        self._app = app
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if scope["type"] == "http" and scope["method"] == "POST" and self._ours(scope):
            app = await _receive(scope, receive)
        await app(scope, receive, send)

    def _ours(self, scope: Scope) -> bool:
        path: str = scope["path"]
        return path.removeprefix(scope.get("root_path", "")) == self._path


async def _receive(scope: Scope, receive: Receive) -> Response:
    """401 unless rightly signed, 413 over the limit, 200 once stored (useless content too), 5xx if nothing could be."""
    runtime: Runtime = scope["app"].state.runtime
    try:
        body = await read_body(scope["headers"], receive)
    except TooLarge:
        log.warning("body too large", action="webhook")
        return PlainTextResponse("too large", 413, headers={**NOSNIFF, "Connection": "close"})
    except TimeoutError:
        log.warning("body too slow", action="webhook")
        return PlainTextResponse("too slow", 408, headers={**NOSNIFF, "Connection": "close"})
    # Blanks around a header's value are no part of it, and our server leaves those behind it.
    signatures = [value.strip(b" \t") for name, value in scope["headers"] if name == SIGNATURE]
    if len(signatures) != 1 or not valid(runtime.settings.app_secrets, body, signatures[0]):
        log.warning("signature refused", action="webhook")
        return PlainTextResponse("unauthorized", 401, headers=NOSNIFF)
    with webhook_seconds.time():
        return await _keep(scope["app"].state.door, body)


async def _keep(door: Door, body: bytes) -> Response:
    try:
        await door.take(read(body))
    except Unreachable as error:
        log.error("the database is away", action="webhook", error=type(error).__name__)  # noqa: TRY400 - one line
        return PlainTextResponse("later", 503, headers=NOSNIFF)
    return KEPT
