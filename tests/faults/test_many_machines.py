"""Several webs and workers on PostgreSQL: a deploy in the middle of sends, and answers in order for every customer."""

import asyncio
import random
import signal
from collections import Counter
from pathlib import Path

import httpx
import pytest
from sqlmodel import col, select

from bot.app import ensure_business, open_runtime
from bot.clock import Clock
from bot.simulator import bodies
from bot.simulator.bodies import new_wamid
from bot.simulator.people import Person
from bot.simulator.webhook import wire
from bot.store.database import Database
from bot.store.tables import InboxRow, OutboxRow
from bot.whatsapp.signature import sign
from tests.faults.campaign import begin_again, settled
from tests.faults.checker import Findings, check, load
from tests.faults.farm import Farm, farm
from tests.faults.plan import Plan
from tests.faults.seeding import seed as seed_rows
from tests.stack.world import SECRET, line_to, settings_for

THIRTY = 30
CUSTOMERS = 6
WORDS = ("hola", "a ver", "qué más", "gracias", "ayuda")


@pytest.mark.timeout(300)
async def test_a_deploy_in_the_middle_of_thirty_sends_sends_each_once(
    database_url: str, tmp_path: Path, seed: int
) -> None:
    """Both workers get SIGTERM while some sends are out, and new ones come up."""
    findings = await _ended_in_the_middle(signal.SIGTERM, database_url, tmp_path, seed)
    assert findings.good, str(findings)
    assert findings.allowed_resends == 0


@pytest.mark.timeout(300)
async def test_workers_killed_on_the_stand_in_s_word_send_each_once(sqlite_url: str, tmp_path: Path, seed: int) -> None:
    """Ten messages are taken and not one of the answers is out: kill -9, and the receipts tell the next workers."""
    findings = await _ended_in_the_middle(signal.SIGKILL, sqlite_url, tmp_path, seed)
    assert findings.good, str(findings)
    assert findings.allowed_resends == 0


async def _ended_in_the_middle(sign: signal.Signals, database_url: str, folder: Path, seed: int) -> Findings:
    """Every answer takes half a second; after the first ten messages are taken all workers are ended."""
    async with farm(folder, database_url, Plan(delay=0.5), SEND_RATE_PER_SECOND="30") as here:
        settings = settings_for(database_url, f"{here.graph_url}/graph")
        async with open_runtime(settings, Clock(), here.redis_url) as runtime:
            await ensure_business(runtime)
            dice = random.Random(seed)
            expected = await seed_rows(runtime.db, number=THIRTY, seconds=0.1, now=Clock().now(), dice=dice)
            while (await here.counts())["taken"] < THIRTY // 3:
                await asyncio.sleep(0.02)
            for one in here.workers:
                one.send(sign)
            for one in here.workers:
                await one.ended()
            begin_again(here)
            assert await settled(here, runtime.db, expected) == ""
            return check(expected, await load(runtime.db), await here.statistics())


@pytest.mark.timeout(300)
async def test_every_customer_s_answers_keep_their_order(postgres_url: str, tmp_path: Path) -> None:
    """Six customers write five messages each to two webs in turn, faster than they are answered by three workers."""
    async with farm(tmp_path, postgres_url, Plan(delay=0.05), webs=2, workers=3) as here:
        async with httpx.AsyncClient(timeout=20, trust_env=False) as http:
            for number in range(len(WORDS)):
                answers = await asyncio.gather(*(_write(http, here, who, number) for who in range(CUSTOMERS)))
                assert [one.status_code for one in answers] == [200] * CUSTOMERS
        db = Database(postgres_url)
        rows = await _answered(db)
        await db.close()
        calls = (await here.statistics())["takes"]
    at = {delivery_id: takes[0]["at"] for delivery_id, takes in calls.items()}
    assert {len(takes) for takes in calls.values()} == {1}
    for customer in {row.customer_id for row in rows}:
        mine = [row for row in rows if row.customer_id == customer and row.message_id is not None]
        assert [row.id for row in mine] == sorted((row.id for row in mine), key=at.__getitem__)
    assert len(Counter(row.customer_id for row in rows)) == CUSTOMERS


async def _write(http: httpx.AsyncClient, here: Farm, who: int, number: int) -> httpx.Response:
    person = Person(user_id=f"MX.9{who:016d}", wa_id=f"52155500019{who:02d}", name=f"Cliente {who}", language="es")
    content = bodies.text(WORDS[number])
    body = wire(bodies.message(line_to("http://127.0.0.1:1"), person, new_wamid(), Clock().now(), content))
    url = f"{here.web_urls[(who + number) % 2]}/webhook"
    return await http.post(url, content=body, headers={"X-Hub-Signature-256": sign(SECRET, body)})


async def _answered(db: Database) -> list[OutboxRow]:
    """All replies in order, once none is open and no message is unanswered."""
    for _ in range(400):
        await asyncio.sleep(0.1)
        async with db.read() as session:
            query = select(OutboxRow).order_by(col(OutboxRow.created_at), col(OutboxRow.position))
            rows = list((await session.exec(query)).all())
            waiting = (await session.exec(select(InboxRow).where(col(InboxRow.handled_at).is_(None)))).first()
        if rows and not waiting and not [row for row in rows if row.state in ("queued", "sending", "unknown")]:
            return rows
    raise AssertionError("not all were answered")
