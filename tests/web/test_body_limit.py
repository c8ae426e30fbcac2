"""A body over 4 MiB is refused while it comes in, with an answer that can be read, in little memory."""

import asyncio
import json
import tracemalloc
from collections.abc import AsyncIterator

import pytest
from starlette.types import Receive

from bot.web import body as door_body
from bot.web.body import DISCARDED, LIMIT, TooLarge, read_body
from bot.whatsapp.signature import sign
from tests.stack.world import SECRET, Stack
from tests.web import said

CHUNK = bytes(64 * 1024)
MIB = 1024 * 1024


async def chunks(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // len(CHUNK)):
        yield CHUNK


@pytest.mark.parametrize("size", [LIMIT + len(CHUNK), 12 * MIB])
async def test_a_body_over_the_limit_is_answered_413(door: Stack, size: int) -> None:
    announced = await door.http.post("/webhook", content=bytes(size), headers={"X-Hub-Signature-256": "sha256=0"})
    streamed = await door.http.post("/webhook", content=chunks(size))
    assert (announced.status_code, streamed.status_code) == (413, 413)
    assert (announced.text, streamed.text) == ("too large", "too large")
    assert (await door.http.get("/livez")).text == "ok"


async def test_a_body_just_within_the_limit_is_read_whole(door: Stack) -> None:
    raw = json.dumps(said.body(said.value(said.text()))).encode()
    padded = raw + b" " * (LIMIT - len(raw))
    assert (await door.post(padded)).status_code == 200
    assert (await door.post(padded + b" ")).status_code == 413
    assert await door.count("inbox") == 1


async def test_three_megabytes_of_receipts_are_taken(door: Stack) -> None:
    many = [said.receipt(f"wamid.{number}" + "x" * 2700) for number in range(1000)]
    raw = json.dumps(said.receipts(*many)).encode()
    assert 2.5 * MIB < len(raw) < LIMIT
    assert (await door.post(raw)).status_code == 200


@pytest.mark.parametrize(("announced", "most"), [(True, MIB), (False, 3 * LIMIT)])
async def test_memory_stays_flat(announced: bool, most: int) -> None:
    headers, receive, _ = arriving(15 * MIB, announced=announced)
    tracemalloc.start()
    with pytest.raises(TooLarge):
        await read_body(headers, receive)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < most


async def test_an_endless_body_is_not_read_to_its_end() -> None:
    headers, receive, taken = arriving(10_000 * MIB, announced=False)
    with pytest.raises(TooLarge):
        await read_body(headers, receive)
    assert taken[0] <= DISCARDED + 2 * len(CHUNK)


async def test_a_sender_that_hangs_up_has_sent_what_it_has_sent() -> None:
    headers, receive, _ = arriving(2 * MIB, announced=False, hang_up=True)
    assert len(await read_body(headers, receive)) == 2 * MIB


async def test_a_slow_sender_is_dropped_and_others_are_served(door: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_body, "SECONDS", 0.3)
    port = int(door.url.rsplit(":", 1)[1])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
    await writer.drain()
    assert (await door.http.get("/livez")).text == "ok"
    answer = await asyncio.wait_for(reader.read(), 30)
    assert answer.startswith(b"HTTP/1.1 408")
    writer.close()
    await writer.wait_closed()


async def test_a_thousand_lines_of_header_do_not_matter(door: Stack) -> None:
    raw = json.dumps(said.body(said.value(said.text()))).encode()
    headers = {"X-Hub-Signature-256": sign(SECRET, raw), "Content-Type": "text/html", "X-Forwarded-For": "x" * 3000}
    assert (await door.http.post("/webhook", content=raw, headers=headers)).status_code == 200


def arriving(
    size: int, *, announced: bool, hang_up: bool = False
) -> tuple[list[tuple[bytes, bytes]], Receive, list[int]]:
    """The headers of a request, its body in pieces, and how many bytes of it were asked for."""
    taken = [0]

    async def receive() -> dict[str, object]:
        if taken[0] >= size:
            return {"type": "http.disconnect"} if hang_up else {"type": "http.request", "body": b"", "more_body": False}
        taken[0] += len(CHUNK)
        return {"type": "http.request", "body": bytes(len(CHUNK)), "more_body": True}

    return [(b"content-length", str(size).encode())] if announced else [], receive, taken
