"""Posts webhooks as Meta does: its escapes, its signature, again when the answer was not 200."""

import asyncio
import json

import httpx

from bot.simulator.bodies import Json, Line
from bot.whatsapp.signature import sign

# Meta tries for seven days; a demo that waits longer than this has something else to show.
_PAUSES = (0.2, 0.5, 1.0, 2.0, 4.0)


def wire(body: Json) -> bytes:
    """The bytes on the wire: compact, non-ASCII as escapes, and the few signs that Meta escapes besides."""
    text = json.dumps(body, separators=(",", ":"))
    for sign_, escape in (("/", r"\/"), ("@", r"\u0040"), ("<", r"\u003C"), ("%", r"\u0025")):
        text = text.replace(sign_, escape)
    return text.encode("ascii")


class Webhook:
    """The way from the stand-in to the business's server."""

    def __init__(self, line: Line, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._line = line
        # trust_env off: a proxy of the environment has nothing to do with loopback.
        self._client = httpx.AsyncClient(transport=transport, timeout=20.0, trust_env=False)

    async def post(self, body: Json) -> bool:
        """Was it answered 200, if not at once?"""
        content = wire(body)
        headers = {"Content-Type": "application/json", "X-Hub-Signature-256": sign(self._line.app_secret, content)}
        for pause in (*_PAUSES, None):
            if await self._once(content, headers):
                return True
            if pause is not None:
                await asyncio.sleep(pause)
        return False

    async def _once(self, content: bytes, headers: dict[str, str]) -> bool:
        try:
            answer = await self._client.post(self._line.webhook_url, content=content, headers=headers)
        except httpx.TransportError:
            return False
        return answer.status_code == httpx.codes.OK

    async def close(self) -> None:
        await self._client.aclose()
