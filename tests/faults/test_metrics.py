"""GET /metrics while things go wrong: what an operator is woken by is there, and true."""

from datetime import timedelta

import httpx

from bot.app import web
from bot.outbox import deliver
from bot.whatsapp.client import Lost, Outcome, Refused
from bot.whatsapp.errors import GraphError
from bot.whatsapp.signature import sign
from tests.conftest import NOW
from tests.faults.world import Diary
from tests.stack.world import SECRET

EXPIRED, NOT_ON_WHATSAPP = 190, 131026


async def test_the_figures_of_a_bad_day(still: Diary) -> None:
    """Five reminders: accepted, lost, refused for good, refused with the account, and one that nobody sends."""
    await still.beat()
    await still.many(5, NOW + timedelta(hours=24), NOW - timedelta(days=3))
    ordered = await still.scan()
    still.clock.travel(NOW + timedelta(seconds=1))
    outcomes = iter([None, Lost(why="ReadTimeout", calls=1), refused(NOT_ON_WHATSAPP), refused(EXPIRED)])

    async def after(_: str) -> Outcome | None:
        return next(outcomes)

    still.graph.after = after
    for one in ordered[:4]:
        await deliver(still.runtime, one)
    still.clock.travel(NOW + timedelta(seconds=300))
    figures = await read(still)

    assert 295 <= figures["confirmo_queue_age_seconds"] <= 300
    assert figures["confirmo_reminders_open"] == 3
    assert figures["confirmo_unknown_outcomes_open"] == 1
    assert figures["confirmo_alarms_open"] == 1
    assert figures["confirmo_attempts_total"] == 4
    assert figures["confirmo_accepted_total"] == 1
    assert figures["confirmo_lost_total"] == 1
    assert figures["confirmo_refused_total"] == 2
    assert figures["confirmo_permanent_failures_total"] == 1
    assert figures["confirmo_send_seconds_count"] == 4
    assert figures["confirmo_token_wait_seconds_count"] == 4
    assert figures['confirmo_send_seconds_bucket{le="+Inf"}'] == 4


async def test_webhooks_are_timed(still_sqlite: Diary) -> None:
    """Counted in the process that answered them."""
    before = (await read(still_sqlite)).get("confirmo_webhook_seconds_count", 0)
    body = b"{}"
    async with client(still_sqlite) as http:
        answer = await http.post("/webhook", content=body, headers={"X-Hub-Signature-256": sign(SECRET, body)})
    assert answer.status_code == 200
    assert (await read(still_sqlite))["confirmo_webhook_seconds_count"] == before + 1


async def test_without_redis_the_ages_are_still_there(still_sqlite: Diary) -> None:
    """They stand in the database; only what is counted in Redis begins anew."""
    await still_sqlite.many(1, NOW + timedelta(hours=24), NOW - timedelta(days=3))
    await still_sqlite.scan()
    await still_sqlite.runtime.queue.redis.flushall()
    still_sqlite.clock.travel(NOW + timedelta(seconds=60))
    figures = await read(still_sqlite)
    assert figures["confirmo_queue_age_seconds"] == 60
    assert figures["confirmo_attempts_total"] == 0


async def read(world: Diary) -> dict[str, float]:
    """Name (with its labels) → value."""
    async with client(world) as http:
        answer = await http.get("/metrics")
    assert answer.status_code == 200
    lines = [line for line in answer.text.splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def client(world: Diary) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=web(world.runtime)), base_url="http://bot")


def refused(code: int) -> Refused:
    return Refused(error=GraphError(code=code), http_status=400, retry_after=None, calls=1)
