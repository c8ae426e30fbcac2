"""Connections to the Graph API for many calls side by side: several small pools instead of one large one.

httpx's pool looks at all of its connections, twice a call: with twenty under way that costs more than the call itself.
"""

from urllib.request import getproxies

import httpx

LANES = 20
LIMITS = httpx.Limits(max_connections=5, max_keepalive_connections=2, keepalive_expiry=30)
"""Of one lane: a second connection is opened when every lane has one under way."""


class _Lane:
    def __init__(self, transport: httpx.AsyncHTTPTransport) -> None:
        self.transport = transport
        self.under_way = 0


class Lanes(httpx.AsyncBaseTransport):
    """Each call takes the least busy lane, the first of equals: so few stay open while there is little to do."""

    def __init__(self) -> None:
        tls = httpx.create_ssl_context()
        self._lanes = [_Lane(httpx.AsyncHTTPTransport(verify=tls, limits=LIMITS)) for _ in range(LANES)]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The whole answer, read: all of Meta's are small."""
        lane = min(self._lanes, key=_busy)
        lane.under_way += 1
        try:
            response = await lane.transport.handle_async_request(request)
            try:
                await response.aread()
            finally:
                await response.aclose()
        finally:
            lane.under_way -= 1
        return response

    async def aclose(self) -> None:
        """Close all connections."""
        for lane in self._lanes:
            await lane.transport.aclose()


def new_http() -> httpx.AsyncClient:
    """The HTTP client that the composition root hands to GraphClient and closes at the end."""
    if getproxies():  # httpx finds the way through them, in pools of its own
        return httpx.AsyncClient(follow_redirects=False, limits=httpx.Limits(max_connections=100, keepalive_expiry=30))
    return httpx.AsyncClient(follow_redirects=False, transport=Lanes())


def _busy(lane: _Lane) -> int:
    return lane.under_way
