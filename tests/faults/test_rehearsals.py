"""Rehearsals of bad days: a paused schedule, a restart midway, another time zone, many scans, a clock put back."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest

from bot.core.appointment import Happening
from bot.core.reminders import Kind
from bot.outbox import deliver
from bot.scan import scan
from tests.conftest import NOW
from tests.faults.world import Diary, diary, hanging

HOUR = timedelta(hours=1)
LONG_AGO = NOW - timedelta(days=9)
MANY = 30


@pytest.fixture
def tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Moves the server there when told, and back at the end."""
    yield monkeypatch
    monkeypatch.undo()
    time.tzset()


async def test_a_schedule_paused_for_hours_is_caught_up(still: Diary) -> None:
    """One appointment an hour; the schedule stands from 10:00 to 15:30 local time."""
    for hour in range(MANY):
        customer = await still.customer(hour)
        await still.appointment(customer, NOW + timedelta(hours=hour), LONG_AGO)
    await still.scan()
    await still.pass_time(5)
    before = Counter(still.graph.received())
    still.clock.travel(NOW + timedelta(hours=5, minutes=30))
    await still.scan()
    await still.pass_time(5)

    assert set(still.graph.received().values()) == {1}
    assert len(still.graph.received()) > len(before)
    told = {(row.appointment_id, row.kind): (row.state, row.reason) for row in await still.rows()}
    assert told[5, "2h"] == ("skipped", "started")  # 14:00, over by now
    assert told[7, "2h"] == ("accepted", None)  # 16:00, its mark an hour and a half ago
    assert told[30, "24h"] == ("accepted", None)  # 15:00 on the next day, its mark half an hour ago


async def test_a_worker_that_is_restarted_in_the_middle_goes_on(sqlite_url: str, valkey_url: str) -> None:
    """Cut short between scan and send, claim and send, and send and commit; the next process goes on."""
    async with diary(sqlite_url, valkey_url, NOW) as first:
        await first.beat()
        await first.many(MANY, NOW + 24 * HOUR, LONG_AGO)
        ordered = await first.scan()
        first.clock.travel(NOW + timedelta(seconds=1))
        for one in ordered[:10]:
            await deliver(first.runtime, one)
        reached = asyncio.Semaphore(0)
        first.graph.after = hanging(reached)
        cut = [asyncio.create_task(deliver(first.runtime, one)) for one in ordered[10:20]]
        for _ in cut:
            await reached.acquire()
        for task in cut:
            task.cancel()
        await asyncio.gather(*cut, return_exceptions=True)
        takes = list(first.graph.takes)
    async with diary(sqlite_url, valkey_url, NOW + timedelta(seconds=2)) as second:
        await second.beat()
        await second.scan()
        for delivery_id, wamid in takes[10:]:
            await second.hear(delivery_id, wamid, "sent")
        await second.pass_time(300)
        assert await second.pending() == []
        rows = await second.rows()
    received = Counter(one for one, _ in [*takes, *second.graph.takes])
    assert received == Counter(dict.fromkeys(ordered, 1))
    assert Counter(row.state for row in rows) == {"accepted": 20, "sent": 10}


async def test_a_server_that_moves_to_another_time_zone_between_two_scans(
    still: Diary, tokyo: pytest.MonkeyPatch
) -> None:
    await still.many(3, NOW + 24 * HOUR, LONG_AGO)
    late = await still.customer(77)
    await still.appointment(late, NOW + 25 * HOUR, LONG_AGO)
    first = await still.scan()
    tokyo.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    assert await still.scan() == []
    await still.send()
    still.clock.travel(NOW + HOUR)
    second = await still.scan()
    await still.send()

    assert (len(first), len(second)) == (3, 1)
    assert still.graph.received() == Counter(dict.fromkeys([*first, *second], 1))
    bodies = {row.body for row in await still.rows() if row.id in second}
    assert all("miércoles 2 de diciembre, 11:00" in (body or "") for body in bodies)


@pytest.mark.parametrize("scans", [2, 10])
async def test_scans_at_once_write_one_row_each(still: Diary, scans: int) -> None:
    await still.many(MANY, NOW + 24 * HOUR, LONG_AGO)
    results = await asyncio.gather(*(scan(still.runtime, kind, NOW) for _ in range(scans) for kind in Kind))
    created = Counter(one for result in results for one in result.created)
    assert len(created) == MANY
    assert set(created.values()) == {1}
    assert len(await still.rows()) == MANY
    await asyncio.gather(*(deliver(still.runtime, one) for one in created))


async def test_a_clock_that_steps_back_ten_minutes_changes_nothing(still: Diary) -> None:
    """What was sent stays sent; what is moved meanwhile is reminded of anew; what is due is sent, if later."""
    await still.many(2, NOW + 24 * HOUR, LONG_AGO)
    await still.scan()
    await still.send()
    still.clock.travel(NOW - timedelta(minutes=10))
    assert await still.scan() == []
    await still.happens(1, Happening.MOVE, NOW + 48 * HOUR)
    for minutes in (-5, 0, 5):
        still.clock.travel(NOW + timedelta(minutes=minutes))
        await still.scan()
        await still.send()
    assert Counter(still.graph.received().values()) == {1: 2}
    still.clock.travel(NOW + 24 * HOUR)
    await still.scan()
    await still.send()
    assert Counter(still.graph.received().values()) == {1: 3}
    moved = await still.get(1)
    assert moved.reminder_24h_sent
