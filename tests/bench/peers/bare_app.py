"""The ceiling: Starlette, the signature and `json.loads`, and nothing is done with it."""

import json

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bot.whatsapp.signature import valid
from tests.stack.world import SECRET


async def receive(request: Request) -> Response:
    """200 for what is rightly signed."""
    body = await request.body()
    if not valid((SECRET,), body, request.headers.get("x-hub-signature-256", "").encode()):
        return PlainTextResponse("unauthorized", 401)
    json.loads(body)
    return PlainTextResponse("ok")


app = Starlette(routes=[Route("/webhook", receive, methods=["POST"])])
