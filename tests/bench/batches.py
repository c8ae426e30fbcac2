"""A POST of 3 MB with 1,000 mixed updates, and a storm of receipts: how long others wait meanwhile."""

import asyncio
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from uuid import uuid4

from bot.clock import utc_now
from bot.simulator.bodies import Json
from bot.simulator.webhook import wire
from bot.store.database import Database
from bot.store.outbox import reply_id
from bot.store.tables import CustomerRow, OutboxMessageRow, OutboxRow
from tests.bench.figures import Figure
from tests.bench.load import Tally, body, message, messages, percentile, press, request
from tests.bench.replies import chat, graph, serving
from tests.bench.servers import databases, web_of
from tests.stack.world import NUMBER

UPDATES, MEGABYTES = 1000, 3
RECEIPTS = 10_000
STATUSES = ("sent", "delivered", "read")


def batch() -> bytes:
    """600 messages, 300 receipts and 100 things of no use to us, in one body of 3 MB."""
    mark = uuid4().hex[:12]
    words = "x" * (MEGABYTES * 1_000_000 // 600 - 700)
    values = [message(place, f"wamid.{mark}{place}", words)["entry"][0]["changes"][0]["value"] for place in range(600)]
    values += [receipts(f"wamid.unknown.{mark}{place}", ("delivered",)) for place in range(300)]
    values += [{"messaging_product": "whatsapp", "metadata": {"phone_number_id": NUMBER}} for _ in range(100)]
    values.sort(key=lambda value: hash(str(value)[-40:]))
    return request(wire(body(*values)))


def receipts(wamid: str, statuses: Sequence[str]) -> Json:
    """What Meta says of one message of ours."""
    told = [
        {"id": wamid, "status": one, "timestamp": str(int(time.time())), "recipient_id": "5215550000001"}  # noqa: TID251
        for one in statuses
    ]
    return {"messaging_product": "whatsapp", "metadata": {"phone_number_id": NUMBER}, "statuses": told}


def figures(runs: int) -> Iterable[Figure]:
    """Batches on both databases, the storm through `serve` on SQLite."""
    with databases() as urls:
        for kind, url in urls.items():
            with tempfile.TemporaryDirectory() as folder, web_of(url, Path(folder)) as (_, port):
                took, others = zip(*(asyncio.run(_batch(port)) for _ in range(runs)), strict=True)
            yield Figure(
                part="batches", name=f"{kind}: 3 MB, 1,000 updates, to the 200", unit="ms", ours=took, goal="≤ 250"
            )
            yield Figure(part="batches", name=f"{kind}: others' p99 meanwhile", unit="ms", ours=others, goal="≤ 250")
    with tempfile.TemporaryDirectory() as name:
        rate, p99 = _storm(Path(name))
    yield Figure(part="batches", name="storm: receipts taken in", unit="receipts/s", ours=[rate])
    yield Figure(part="batches", name="storm: chat replies' p99 meanwhile", unit="ms", ours=[p99], goal="≤ 300")


async def _batch(port: int) -> tuple[float, float]:
    """Milliseconds to the 200, and the others' 99 % meanwhile: four connections that never pause."""
    await press(port, messages(200), 4, 2.0)
    others = asyncio.create_task(press(port, messages(4000), 4, 2.0))
    await asyncio.sleep(0.3)
    tally: Tally = await press(port, [batch()], 1, 10.0)
    beside = await others
    return tally.took[0], percentile(beside.took, 0.99)


def _storm(folder: Path) -> tuple[float, float]:
    with graph(folder) as graph_port, serving(folder, graph_port) as (_, port, url):
        wamids = asyncio.run(_sent(url, RECEIPTS // len(STATUSES)))
        posts = [request(wire(body(receipts(one, (status,))))) for status in STATUSES for one in wamids]
        return asyncio.run(_both(port, graph_port, posts))


async def _both(port: int, graph_port: int, posts: list[bytes]) -> tuple[float, float]:
    chatting = asyncio.create_task(chat(port, graph_port, rate=5, seconds=8))
    await asyncio.sleep(0.5)
    began = time.perf_counter()
    await press(port, posts, 16, 60.0)
    rate = len(posts) / (time.perf_counter() - began)
    return rate, percentile(await chatting, 0.99)


async def _sent(url: str, number: int) -> list[str]:
    """So many messages that Meta has accepted."""
    db, now, ids = Database(url), utc_now(), [f"wamid.ours.{place}" for place in range(number)]
    async with db.write() as session:
        session.add(CustomerRow(business_id=1, name="Ana", created_at=now, updated_at=now))
        await session.flush()
        rows = [
            OutboxRow(
                id=reply_id(one, 0),
                business_id=1,
                kind="reply",
                customer_id=1,
                state="accepted",
                message_id=one,
                order_at=now,
                due_at=now,
                created_at=now,
                updated_at=now,
            )
            for one in ids
        ]
        session.add_all(rows)
        await session.flush()
        session.add_all(
            OutboxMessageRow(message_id=row.message_id or "", outbox_id=row.id, accepted_at=now) for row in rows
        )
    await db.close()
    return ids
