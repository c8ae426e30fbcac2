"""A request's body within a limit, checked while it comes in and never buffered beyond it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from starlette.requests import ClientDisconnect, Request

LIMIT = 4 * 1024 * 1024
"""Meta sends up to 3 MB."""
DISCARDED = 16 * 1024 * 1024
"""What is over the limit is read and dropped up to here, so that the sender sees the answer and not a broken pipe."""
SECONDS = 30


class TooLarge(Exception):
    """The body is over LIMIT."""


async def read_body(request: Request) -> bytes:
    """The raw bytes. TooLarge over 4 MiB; a sender that is slower than 30 s in all is dropped (TimeoutError)."""
    announced = request.headers.get("content-length", "")
    body = bytearray()
    size = int(announced) if announced.isdigit() and int(announced) > LIMIT else 0
    async with asyncio.timeout(SECONDS):
        async for chunk in _until_discarded(request):
            size += len(chunk)
            body += chunk if size <= LIMIT else b""
    if size > LIMIT:
        raise TooLarge
    return bytes(body)


async def _until_discarded(request: Request) -> AsyncIterator[bytes]:
    """What comes in, up to DISCARDED; a sender that hangs up has sent what it has sent."""
    size = 0
    chunks = request.stream()
    with suppress(ClientDisconnect, StopAsyncIteration):
        while size <= DISCARDED:
            chunk = await anext(chunks)
            size += len(chunk)
            yield chunk
