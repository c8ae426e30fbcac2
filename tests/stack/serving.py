"""An application on a real port, and a worker beside it, in the test's own loop."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import uvicorn
from starlette.applications import Starlette

from bot.runtime import Runtime
from jobs.worker import work

PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Nothing here speaks TLS, and a client that may loads all the world's certificates first: 40 ms for each test."""
ENDS_WITHIN = 20.0


def client(url: str) -> httpx.AsyncClient:
    """A client of our own servers."""
    return httpx.AsyncClient(base_url=url, timeout=20, trust_env=False, verify=PLAIN)


@asynccontextmanager
async def serving(app: Starlette, url: str) -> AsyncIterator[None]:
    """`app` with its lifespan under uvicorn in this loop."""
    port = int(url.rsplit(":", 1)[1])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_config=None, access_log=False))
    # Not `serve`: it would take over the signal handlers of the test run.
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    await server.startup()
    try:
        yield
    finally:
        await _end(server)


async def _end(server: uvicorn.Server) -> None:
    """Not `shutdown`, which sleeps for a tenth of a second: there are hundreds of tests."""
    for listener in server.servers:
        listener.close()
    state = server.server_state
    for connection in list(state.connections):
        connection.shutdown()
    async with asyncio.timeout(ENDS_WITHIN):
        while state.connections or state.tasks:
            await asyncio.sleep(0.001)
    await server.lifespan.shutdown()


@asynccontextmanager
async def working(runtime: Runtime, redis_url: str) -> AsyncIterator[None]:
    """A worker as `serve` has it."""
    stop = asyncio.Event()
    task = asyncio.create_task(work(runtime, redis_url, stop), name="work")
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait_for(task, ENDS_WITHIN)
