"""A request's body within a limit, checked while it comes in and never buffered beyond it."""

import asyncio
from collections.abc import Sequence

from starlette.types import Receive

LIMIT = 4 * 1024 * 1024
"""Meta sends up to 3 MB."""
DISCARDED = 16 * 1024 * 1024
"""What is over the limit is read and dropped up to here, so that the sender sees the answer and not a broken pipe."""
SECONDS = 30


class TooLarge(Exception):
    """The body is over LIMIT."""


async def read_body(headers: Sequence[tuple[bytes, bytes]], receive: Receive) -> bytes:
    """The raw bytes. TooLarge over 4 MiB; a sender that is slower than 30 s in all is dropped (TimeoutError)."""
    announced = next((value for name, value in headers if name == b"content-length"), b"")
    size = int(announced) if announced.isdigit() and int(announced) > LIMIT else 0
    body, read, more = bytearray(), 0, True
    async with asyncio.timeout(SECONDS):
        # By hand and not by a Request's `stream()`: its generators take as long as reading the message does.
        while more and read <= DISCARDED:
            part = await receive()
            chunk = part.get("body", b"")  # a sender that hangs up has sent what it has sent
            read += len(chunk)
            body += chunk if size + read <= LIMIT else b""
            more = part["type"] == "http.request" and part.get("more_body", False)
    if size + read > LIMIT:
        raise TooLarge
    return bytes(body)
