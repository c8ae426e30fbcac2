"""A Graph API that takes every message at once and notes when it came: `uvicorn tests.bench.graph_app:app`.

As small as can be, since it shares the machine with what is measured. GET /heard gives (epoch seconds, to) of each.
"""

import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
heard: list[tuple[float, str]] = []
OK = [(b"content-type", b"application/json")]


async def app(
    scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    """POST …/messages, GET /heard, DELETE /heard."""
    if scope["type"] != "http":
        return
    at, body = time.time(), b""  # noqa: TID251 - the measure, not the bot
    while (part := await receive())["type"] == "http.request":
        body += part["body"]
        if not part.get("more_body"):
            break
    answer = _answer(scope["method"], body, at)
    length = [(b"content-length", str(len(answer)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": [*OK, *length]})
    await send({"type": "http.response.body", "body": answer})


def _answer(method: str, body: bytes, at: float) -> bytes:
    if method == "GET":
        return json.dumps(heard).encode()
    if method == "DELETE":
        heard.clear()
        return b"{}"
    told = json.loads(body)
    if told.get("status") == "read":
        return b'{"success":true}'
    heard.append((at, told.get("to", "")))
    return json.dumps({"contacts": [], "messages": [{"id": f"wamid.G{len(heard)}.{at}"}]}).encode()
