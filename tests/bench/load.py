"""A load of signed webhooks from a process of its own: `python -m tests.bench.load PORT '{"seconds": 5, …}'`.

Prints one JSON line. The requests are made before the clock starts; a connection sends its next one when the last is
answered.
"""

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast
from uuid import uuid4

import uvloop

from bot.simulator.bodies import Json
from bot.simulator.webhook import wire
from bot.whatsapp.signature import sign
from tests.stack.world import ACCOUNT, NUMBER, SECRET

PER_SECOND = 12_000
"""More than any of the servers answers."""
CUSTOMERS = 2000


@dataclass(slots=True)
class Tally:
    """What came back: the status and the milliseconds of each answer."""

    statuses: Counter[str] = field(default_factory=Counter)
    took: list[float] = field(default_factory=list)


def message(place: int, wamid: str, words: str = "hola, quiero una cita") -> Json:
    """One message of one of the customers, as Meta posts it."""
    phone = f"5215550{place % CUSTOMERS:06d}"
    user = f"MX.9{place % CUSTOMERS:018d}"
    value = {
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": "15550001234", "phone_number_id": NUMBER},
        "contacts": [{"profile": {"name": f"Cliente {place % CUSTOMERS}"}, "wa_id": phone, "user_id": user}],
        "messages": [
            {
                "from": phone,
                "from_user_id": user,
                "id": wamid,
                "timestamp": str(int(time.time())),  # noqa: TID251 - the load is no part of the bot
                "type": "text",
                "text": {"body": words},
            }
        ],
    }
    return body(value)


def body(*values: Json) -> Json:
    """A whole webhook."""
    changes = [{"value": one, "field": "messages"} for one in values]
    return {"object": "whatsapp_business_account", "entry": [{"id": ACCOUNT, "changes": changes}]}


def request(content: bytes) -> bytes:
    """The bytes on the wire, rightly signed."""
    head = (
        "POST /webhook HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: facebookexternalua\r\nAccept: */*\r\n"
        f"Content-Type: application/json\r\nX-Hub-Signature-256: {sign(SECRET, content)}\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def messages(number: int) -> list[bytes]:
    """Distinct messages, ready to go."""
    mark = uuid4().hex[:12]
    return [request(wire(message(place, f"wamid.{mark}{place:09d}"))) for place in range(number)]


class Connection(asyncio.Protocol):
    """Sends one after the other until there are none or the time is up."""

    def __init__(self, requests: Iterator[bytes], tally: Tally, until: float) -> None:
        self._requests = requests
        self._tally = tally
        self._until = until
        self._answer = b""
        self._sent = 0.0
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is one by its methods only
        self._next()

    def data_received(self, data: bytes) -> None:
        self._answer += data
        head, found, rest = self._answer.partition(b"\r\n\r\n")
        if not found or len(rest) < int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]):
            return
        self._tally.took.append((time.perf_counter() - self._sent) * 1000)
        self._tally.statuses[self._answer[9:12].decode()] += 1
        self._answer = b""
        self._next()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.over.done():
            self._tally.statuses[f"lost: {error}"] += 1
            self.over.set_result(None)

    def _next(self) -> None:
        one = next(self._requests, None) if time.perf_counter() < self._until else None
        if one is None:
            self.over.set_result(None)
            self._transport.close()
            return
        self._sent = time.perf_counter()
        self._transport.write(one)


async def press(port: int, requests: Sequence[bytes], connections: int, seconds: float) -> Tally:
    """All connections at once, each as fast as it is answered."""
    tally, loop, source = Tally(), asyncio.get_running_loop(), iter(requests)
    until = time.perf_counter() + seconds
    opened = [
        await loop.create_connection(lambda: Connection(source, tally, until), "127.0.0.1", port)
        for _ in range(connections)
    ]
    await asyncio.gather(*(protocol.over for _, protocol in opened))
    return tally


def percentile(values: Sequence[float], share: float) -> float:
    """Of many values; NaN of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("nan")


async def run(port: int, *, seconds: float, connections: int = 32, warm: float = 1.0, most: int = 0) -> dict[str, Any]:
    """Warm up, then measure."""
    requests = messages(most or int((seconds + warm) * PER_SECOND))
    split = min(int(warm * PER_SECOND), len(requests) // 10)
    before = await press(port, requests[:split], connections, warm)
    began = time.perf_counter()
    tally = await press(port, requests[split:], connections, seconds)
    took = time.perf_counter() - began
    return {
        "sent": len(before.took) + len(tally.took),
        "rate": len(tally.took) / took,
        "p50": percentile(tally.took, 0.5),
        "p99": percentile(tally.took, 0.99),
        "longest": max(tally.took, default=float("nan")),
        "statuses": tally.statuses,
    }


if __name__ == "__main__":
    print(json.dumps(uvloop.run(run(int(sys.argv[1]), **json.loads(sys.argv[2])))))
