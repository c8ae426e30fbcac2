"""Reply latency: from the POST of a customer's message to our request at the Graph API, 50 messages a second."""

import asyncio
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from uuid import uuid4

import httpx
import psutil

from bot.simulator.webhook import wire
from tests.bench.figures import Figure
from tests.bench.load import message, percentile, request
from tests.bench.servers import PEER, listens
from tests.services.process import free_port, start, stop
from tests.stack.processes import SERVE, environment, served

RATE, SECONDS = 50, 12
_people = count()


@contextmanager
def graph(folder: Path) -> Iterator[int]:
    """The stand-in's port."""
    port = free_port()
    process = start(
        [*PEER, str(port), "tests.bench.graph_app:app"], log=folder / "graph.log", ready=lambda: listens(port)
    )
    try:
        yield port
    finally:
        stop(process)


@contextmanager
def serving(folder: Path, graph_port: int, database_url: str = "") -> Iterator[tuple[psutil.Process, int, str]]:
    """`confirmo serve` with its embedded engine."""
    url = database_url or f"sqlite+aiosqlite:///{folder}/serve.db"
    with served(SERVE, environment(url, graph_port, SEND_RATE_PER_SECOND="200"), folder / "serve.log") as (process, at):
        yield psutil.Process(process.pid), int(at.rsplit(":", 1)[1]), url


def figures(runs: int) -> Iterable[Figure]:
    """One process does it all."""
    told = [_run() for _ in range(runs)]
    yield Figure(part="replies", name="p50 at 50 messages/s", unit="ms", ours=[one[0] for one in told], goal="≤ 40")
    yield Figure(part="replies", name="p99 at 50 messages/s", unit="ms", ours=[one[1] for one in told], goal="≤ 150")
    yield Figure(part="replies", name="CPU of one message and its reply", unit="ms", ours=[one[2] for one in told])


def _run() -> tuple[float, float, float]:
    with tempfile.TemporaryDirectory() as name, graph(Path(name)) as graph_port:
        with serving(Path(name), graph_port) as (process, port, _):
            asyncio.run(chat(port, graph_port, rate=20, seconds=2))
            before = sum(process.cpu_times()[:2])
            took = asyncio.run(chat(port, graph_port, rate=RATE, seconds=SECONDS))
            cpu = sum(process.cpu_times()[:2]) - before
    return percentile(took, 0.5), percentile(took, 0.99), 1000 * cpu / (RATE * SECONDS)


async def chat(port: int, graph_port: int, *, rate: int, seconds: float) -> list[float]:
    """As many people as messages, each says hello; the milliseconds until the answer stood at the Graph API."""
    sent: dict[str, float] = {}
    posting = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{graph_port}", trust_env=False) as http:
        await http.delete("/heard")
        began = time.perf_counter()
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
            posting.append(asyncio.create_task(_say_hello(port, sent)))
        await asyncio.gather(*posting)
        heard: dict[str, float] = {}
        for _ in range(100):
            heard = {to: at for at, to in reversed((await http.get("/heard")).json())}
            if sent.keys() <= heard.keys():
                break
            await asyncio.sleep(0.1)
    return [1000 * (heard[to] - at) if to in heard else 60_000.0 for to, at in sent.items()]


async def _say_hello(port: int, sent: dict[str, float]) -> None:
    content = message(next(_people) % 2000, f"wamid.{uuid4().hex}", "hola")
    to = content["entry"][0]["changes"][0]["value"]["messages"][0]["from"]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    sent[to] = time.time()  # noqa: TID251 - compared with the stand-in's
    writer.write(request(wire(content)))
    await reader.readuntil(b"\r\n\r\n")
    writer.close()
