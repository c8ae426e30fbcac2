"""Killed between *Meta accepted* and *we committed*: none doubled when receipts come, once more when they never do."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from bot.outbox import deliver
from bot.whatsapp.client import Lost, Outcome
from tests.conftest import NOW
from tests.faults.world import Diary, hanging

pytestmark = pytest.mark.timeout(120)
TIMES = 200
BATCH = 25
SELDOM = timedelta(seconds=15)
WAITED = 225.0
"""More than the lease, the wait for receipts and the sweeps between them."""


async def test_200_times_with_receipts_none_is_doubled(still: Diary) -> None:
    """They come while the killed send seems under way, after its lease, or doubled and out of order."""
    await killed(still)
    takes = dict(still.graph.takes)
    for number, (delivery_id, wamid) in enumerate(takes.items()):
        if number % 3 == 0:
            await still.hear(delivery_id, wamid, "sent")
    await still.pass_time(20, SELDOM)
    for number, (delivery_id, wamid) in enumerate(takes.items()):
        await still.hear(delivery_id, wamid, *(("delivered", "sent", "sent") if number % 2 else ("sent", "delivered")))
    await still.pass_time(WAITED, SELDOM)

    assert still.graph.received() == Counter(dict.fromkeys(takes, 1))
    rows = {row.id: row for row in await still.rows() if row.id in takes}
    assert Counter(row.state for row in rows.values()) == {"delivered": TIMES}
    assert {row.id: row.message_id for row in rows.values()} == takes
    await flags_are_right(still)


async def test_200_times_without_any_receipt_each_is_sent_once_more(still: Diary) -> None:
    await killed(still)
    await still.pass_time(WAITED, SELDOM)

    assert set(still.graph.received().values()) == {2}
    assert len(still.graph.received()) == TIMES
    rows = [row for row in await still.rows() if row.id in still.graph.received()]
    assert Counter(row.state for row in rows) == {"accepted": TIMES}
    assert {row.resends for row in rows} == {1}
    assert {row.id: row.message_id for row in rows} == dict(still.graph.takes)
    await flags_are_right(still)


async def test_when_every_outcome_stays_unknown_there_are_three_sends_and_a_reason(still_sqlite: Diary) -> None:
    """And a receipt that comes later still settles it."""
    await killed(still_sqlite, times=1, always=True)
    for _ in range(6):
        await still_sqlite.pass_time(WAITED, SELDOM)
    ((delivery_id, number),) = still_sqlite.graph.received().items()
    assert number == 3
    (row,) = [row for row in await still_sqlite.rows() if row.id == delivery_id]
    assert (row.state, row.reason, row.message_id) == ("failed", "outcome_unknown", None)

    wamid = still_sqlite.graph.takes[0][1]
    await still_sqlite.hear(delivery_id, wamid, "delivered")
    (row,) = [row for row in await still_sqlite.rows() if row.id == delivery_id]
    assert (row.state, row.reason, row.message_id) == ("delivered", None, wamid)
    await flags_are_right(still_sqlite)


async def killed(world: Diary, *, times: int = TIMES, always: bool = False) -> None:
    """So many reminders, each sender killed at that very point, `BATCH` at a time."""
    await world.beat()
    await world.many(times, NOW + timedelta(hours=24), NOW - timedelta(days=3))
    ordered = await world.scan()
    assert len(ordered) == times
    world.clock.travel(NOW + timedelta(seconds=1))
    for at in range(0, times, BATCH):
        batch = ordered[at : at + BATCH]
        reached = asyncio.Semaphore(0)
        world.graph.after = hanging(reached)
        tasks = [asyncio.create_task(deliver(world.runtime, one)) for one in batch]
        for _ in batch:
            await reached.acquire()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    world.graph.after = _lost if always else _good


async def _good(_: str) -> Outcome | None:
    return None


async def _lost(_: str) -> Outcome | None:
    return Lost(why="ReadTimeout", calls=1)


async def flags_are_right(world: Diary) -> None:
    for row in await world.rows():
        if row.kind == "24h":
            appointment = await world.get(row.appointment_id or 0)
            assert (appointment.reminder_24h_sent, appointment.reminder_24h_message_id) == (True, row.message_id)
