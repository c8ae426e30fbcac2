"""A scan decides and writes; it sends nothing itself, and leaves to the next tick what takes too long."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot import scan as scanning
from bot.core.reminders import Kind
from bot.scan import scan
from bot.store import reminders
from bot.store.outbox import reminder_id
from tests.conftest import NOW
from tests.outbox.hand import BO, HOUR, MINUTE, START, Hand
from tests.stack.told import told
from tests.stack.world import StillClock, stack


@pytest.fixture
async def hand(sqlite_url: str, valkey_url: str) -> AsyncIterator[Hand]:
    """No worker, and a clock that stands still."""
    async with stack(sqlite_url, valkey_url, StillClock(NOW), worker=False, send_rate_per_second=10) as world:
        yield Hand(world)


async def test_before_its_mark_an_appointment_only_says_when_to_look_again(hand: Hand) -> None:
    await hand.appointment()
    assert (await scan(hand.runtime, Kind.DAY, hand.now)).created == ()
    assert await hand.rows() == []
    assert (await hand.stack.appointment()).next_mark_at == START - 24 * HOUR


async def test_what_is_due_is_written_with_all_that_the_sender_needs(hand: Hand) -> None:
    number = await hand.appointment()
    hand.at(START - 24 * HOUR)
    with told() as log:
        result = await scan(hand.runtime, Kind.DAY, hand.now)
    assert result.created == (reminder_id(number, "24h", 1),)
    row = await hand.row()
    assert (row.kind, row.state, row.reason, row.rank) == ("24h", "queued", None, 1)
    assert (row.order_at, row.expires_at, row.due_at) == (START, START, hand.now)
    assert (row.appointment_id, row.appointment_version, row.attempts) == (number, 1, 0)
    assert (await hand.stack.appointment()).next_mark_at == START - 2 * HOUR
    assert [(job.function, job.args[0]) for job in await hand.runtime.queue.redis.queued_jobs()] == [
        ("deliver", row.id)
    ]
    assert hand.standin.messages == []
    assert '"created": 1' in log.getvalue()


async def test_messages_of_one_scan_are_spread_at_the_sending_rate_nearest_start_first(hand: Hand) -> None:
    late = await hand.appointment(START + MINUTE)
    soon = await hand.appointment(START, BO)
    hand.at(START - 23 * HOUR)
    result = await scan(hand.runtime, Kind.DAY, hand.now)
    assert len(result.created) == 2
    due = {row.appointment_id: row.due_at - hand.now for row in await hand.rows()}
    assert due == {soon: timedelta(0), late: timedelta(seconds=hand.runtime.limits.apart)}


async def test_a_scan_that_takes_too_long_leaves_the_rest_to_the_next(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = reminders.due
    monkeypatch.setattr(reminders, "due", lambda session, now, after: real(session, now, after, limit=2))
    monkeypatch.setattr(scanning, "LONGEST", -1.0)
    for number in range(5):
        await hand.appointment(START + number * MINUTE)
    hand.at(START - 23 * HOUR)
    taken = [len((await scan(hand.runtime, Kind.DAY, hand.now)).created) for _ in range(4)]
    assert taken == [2, 2, 1, 0]


async def test_a_scan_of_nothing_says_nothing(hand: Hand) -> None:
    with told() as log:
        assert (await scan(hand.runtime, Kind.HOURS, hand.now)).created == ()
    assert log.getvalue() == ""


async def test_an_appointment_that_moved_during_the_scan_keeps_its_own_mark(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hand.appointment()
    hand.at(START - 24 * HOUR)
    real = reminders.record

    async def meanwhile(session, rows, marks):  # type: ignore[no-untyped-def]
        return await real(session, rows, [(number, version - 1, mark) for number, version, mark in marks])

    monkeypatch.setattr(reminders, "record", meanwhile)
    before = (await hand.stack.appointment()).next_mark_at
    await scan(hand.runtime, Kind.DAY, hand.now)
    assert (await hand.stack.appointment()).next_mark_at == before
