"""Which slot a reminder is for: moves begin anew, an undo goes on, a clock that steps changes nothing."""

from datetime import timedelta

import pytest

from bot.core.reminders import Kind
from bot.store import reminders
from tests.outbox.hand import HOUR, MINUTE, START, Hand
from tests.stack.world import ANA, Stack

LATER = "vie 4 dic, 17:00"


async def test_the_rules_of_an_outage(hand: Hand) -> None:
    """Down over the 24h mark: sent late. Down over both marks: only the nearer goes, the other is recorded."""
    await hand.appointment()
    hand.at(START - 24 * HOUR + 40 * MINUTE)
    await both(hand)
    assert [(row.kind, row.state) for row in await hand.rows()] == [("24h", "accepted")]


async def test_after_an_outage_over_both_marks_only_the_nearer_goes(hand: Hand) -> None:
    await hand.appointment()
    hand.at(START - 90 * MINUTE)
    await both(hand)
    assert {row.kind: (row.state, row.reason) for row in await hand.rows()} == {
        "24h": ("skipped", "overtaken"),
        "2h": ("accepted", None),
    }
    assert await hand.flags() == (False, None, True, hand.standin.messages[0].wamid)
    assert (await hand.stack.appointment()).next_mark_at is None


async def test_booked_late_means_no_reminder(hand: Hand) -> None:
    await hand.appointment(hand.now + 90 * MINUTE)
    await both(hand)
    assert {row.kind: (row.state, row.reason) for row in await hand.rows()} == {
        "24h": ("skipped", "booked_late"),
        "2h": ("skipped", "booked_late"),
    }
    assert await hand.flags() == (False, None, False, None)


@pytest.mark.parametrize("early", [0, 1])
async def test_the_exact_boundary(hand: Hand, early: int) -> None:
    await hand.appointment()
    hand.at(START - 24 * HOUR - timedelta(microseconds=early))
    result = await hand.scan()
    assert len(result.created) == 1 - early


async def test_many_pages_are_scanned_in_order_of_start(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    real = reminders.due
    monkeypatch.setattr(reminders, "due", lambda session, now, after: real(session, now, after, limit=2))
    for number in range(5):
        await hand.appointment(START + number * MINUTE)
    hand.at(START - 23 * HOUR)
    result = await hand.scan()
    assert len(result.created) == 5
    assert (await hand.scan()).created == ()


async def test_a_moved_appointment_is_reminded_anew_under_a_new_id(bot: Stack) -> None:
    await bot.says(ANA, "hola")
    await bot.taps(ANA, LATER)
    bot.clock.travel((await bot.appointment()).scheduled_at - 24 * HOUR)
    await bot.scan()
    await bot.taps(ANA, "Cambiar")
    await bot.taps(ANA, bot.titles(ANA)[-3])
    moved = await bot.appointment()
    assert (moved.version, moved.reminder_24h_sent, moved.slot_version) == (2, False, 2)
    bot.clock.travel(moved.scheduled_at - 24 * HOUR)
    await bot.scan()
    day = await bot.outbox("24h")
    assert [one.state for one in day] == ["delivered", "delivered"]
    assert len({one.id for one in day}) == 2


async def test_an_undo_brings_back_what_was_not_sent_yet(bot: Stack) -> None:
    """Cancelled before the 24h mark, undone after it: both marks are looked at again."""
    await bot.says(ANA, "hola")
    await bot.taps(ANA, LATER)
    await bot.taps(ANA, "Cancelar")
    row = await bot.appointment()
    bot.clock.travel(row.scheduled_at - 23 * HOUR)
    await bot.scan()
    assert await bot.outbox("24h", "2h") == []
    await bot.taps(ANA, "Deshacer")
    await bot.scan()
    assert [(one.kind, one.state) for one in await bot.outbox("24h", "2h")] == [("24h", "delivered")]
    bot.clock.travel(row.scheduled_at - 2 * HOUR)
    await bot.scan()
    assert (await bot.appointment()).reminder_2h_sent


async def test_a_cancelled_reminder_in_the_outbox_comes_back_with_the_undo(hand: Hand) -> None:
    await hand.remind()
    await hand.stack.change("UPDATE appointments SET status = 'CANCELLED', cancelled_from = 'SCHEDULED'")
    await hand.send()
    assert (await hand.row()).reason == "cancelled"
    await hand.hears("hola")
    await hand.stack.change(
        "UPDATE appointments SET status = 'SCHEDULED', version = 2, cancelled_from = NULL, next_mark_at = slot_set_at"
    )
    await hand.scan()
    states = [(row.state, row.reason) for row in await hand.rows() if row.kind == "24h"]
    assert states == [("skipped", "cancelled"), ("queued", None)]


async def test_a_clock_that_steps_back_sends_nothing_twice(hand: Hand) -> None:
    await hand.remind()
    await hand.send()
    for hours in (1, 30, 300):
        hand.at(START - hours * HOUR)
        await both(hand)
    hand.at(START - 24 * HOUR)
    await both(hand)
    assert [row.kind for row in await hand.rows() if row.state != "skipped"].count("24h") == 1
    assert len([one for one in hand.standin.messages if "24h" in str(one.body["template"]["name"])]) == 1


async def both(hand: Hand) -> None:
    """Both scans, and what they ordered is sent."""
    for kind in Kind:
        await hand.scan(kind)
    hand.later(timedelta(seconds=1))
    hand.standin.receipts.statuses = ()
    await hand.send()
