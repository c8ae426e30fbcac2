"""The last look before sending: once only, and not what has become senseless."""

import asyncio
import json
from datetime import timedelta

import pytest

from bot.core.reminders import Kind
from bot.outbox import deliver
from bot.scan import due_scan
from bot.store.outbox import reminder_id
from tests.outbox.hand import BO, HOUR, MINUTE, START, Hand
from tests.stack.world import ANA, NOA


async def test_ten_scans_at_once_make_one_row_per_reminder(hands: Hand) -> None:
    ids = [await hands.appointment(), await hands.appointment(person=BO)]
    hands.at(START - 24 * HOUR)
    results = await asyncio.gather(*(hands.scan() for _ in range(10)))
    assert sorted(one for result in results for one in result.created) == sorted(reminder_id(n, "24h", 1) for n in ids)
    assert await hands.stack.count("outbox") == 2


async def test_of_many_workers_one_scans_per_interval(hands: Hand) -> None:
    results = await asyncio.gather(*(due_scan(hands.runtime, kind) for kind in Kind for _ in range(5)))
    assert len([one for one in results if one is not None]) == 2
    assert await due_scan(hands.runtime, Kind.DAY) is None
    hands.later(timedelta(seconds=1))
    assert await due_scan(hands.runtime, Kind.DAY) is not None
    hands.later(timedelta(days=-3))  # the clock was set back: not three days of silence
    assert await due_scan(hands.runtime, Kind.DAY) is not None


async def test_ten_senders_of_one_row_send_once(hands: Hand) -> None:
    row = await hands.remind()
    await asyncio.gather(*(deliver(hands.runtime, row.id) for _ in range(10)))
    await hands.settle()
    assert len(hands.standin.messages) == 1
    sent = await hands.row()
    assert (sent.state, sent.attempts, sent.failures, sent.resends) == ("delivered", 1, 0, 0)


async def test_flag_message_id_and_body_are_written_with_the_state(hand: Hand) -> None:
    hand.standin.receipts.statuses = ()
    row = await hand.remind()
    assert (row.state, row.body, row.rank, row.order_at) == ("queued", None, 1, START)
    assert await hand.flags() == (False, None, False, None)
    await hand.send()
    (taken,) = hand.standin.messages
    sent = await hand.row()
    assert await hand.flags() == (True, taken.wamid, False, None)
    assert (sent.state, sent.message_id, sent.sent_at) == ("accepted", taken.wamid, hand.now)
    assert json.loads(sent.body or "") == taken.body
    assert taken.delivery_id == row.id == reminder_id(1, "24h", 1)
    assert await hand.stack.count("outbox_messages") == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("UPDATE appointments SET status = 'CANCELLED'", "cancelled"),
        ("UPDATE appointments SET status = 'NO_SHOW'", "started"),
        ("UPDATE appointments SET slot_version = 2, version = 2", "moved"),
        ("UPDATE customers SET opted_out_at = '{now}'", "opted_out"),
        ("UPDATE customers SET whatsapp_number = NULL, canonical_number = NULL, user_id = NULL", "unreachable"),
    ],
)
async def test_what_changed_between_scan_and_claim_is_not_sent(hand: Hand, change: str, reason: str) -> None:
    await hand.remind()
    await hand.stack.change(change.format(now=stored(hand.now)))
    await hand.send()
    row = await hand.row()
    assert (row.state, row.reason, row.message_id) == ("skipped", reason, None)
    assert hand.standin.messages == []
    assert (await hand.flags())[0] is False


@pytest.mark.parametrize(
    ("customer", "reason"),
    [
        ("opted_out_at = created_at", "opted_out"),
        ("whatsapp_number = NULL, canonical_number = NULL, user_id = NULL", "unreachable"),
    ],
)
async def test_the_scan_skips_whom_it_cannot_or_may_not_remind(hand: Hand, customer: str, reason: str) -> None:
    await hand.appointment()
    await hand.stack.change(f"UPDATE customers SET {customer}")
    hand.at(START - 24 * HOUR)
    result = await hand.scan()
    assert (result.created, result.skipped) == ((), 1)
    row = await hand.row()
    assert (row.state, row.reason) == ("skipped", reason)
    assert (await hand.scan()).skipped == 0


async def test_a_customer_without_a_phone_is_reminded_by_id(hand: Hand) -> None:
    await hand.remind(person=NOA)
    await hand.send()
    (taken,) = hand.standin.messages
    assert taken.body["recipient"] == NOA.user_id
    assert "to" not in taken.body


async def test_quiet_hours_put_a_late_one_off_until_they_end(hand: Hand) -> None:
    """Queued at 20:59 for the next evening, claimed at 21:00: it waits for 08:00."""
    start = START.replace(day=5, hour=2, minute=59)  # Friday 20:59 local
    await hand.remind(start)
    hand.later(MINUTE)
    await hand.send()
    row = await hand.row()
    assert (row.state, row.due_at) == ("queued", START.replace(day=4, hour=14))  # 08:00 local
    assert hand.standin.messages == []
    hand.at(row.due_at)
    await hand.send()
    assert len(hand.standin.messages) == 1


async def test_what_the_quiet_hours_make_senseless_is_skipped(hand: Hand) -> None:
    """For 09:00, claimed at 07:00 only: at 08:00 the 2h reminder has overtaken it."""
    start = START.replace(day=5, hour=15)
    await hand.remind(start)
    hand.at(start - 2 * HOUR)
    await hand.send()
    row = await hand.row()
    assert (row.state, row.reason) == ("skipped", "overtaken")


async def test_at_the_start_nothing_goes_out_any_more(hand: Hand) -> None:
    await hand.remind()
    hand.at(START)
    await hand.send()
    row = await hand.row()
    assert (row.state, row.reason) == ("skipped", "started")


async def test_an_answer_after_the_window_is_dropped_and_shown(hand: Hand) -> None:
    (delivery_id,) = await hand.hears()
    hand.later(24 * HOUR)
    await hand.send(delivery_id)
    row = await hand.row()
    assert (row.state, row.reason) == ("skipped", "window_closed")
    assert await hand.stack.count("attention", "kind = 'window_closed'") == 1
    assert hand.standin.messages == []


async def test_an_earlier_answer_goes_first(hand: Hand) -> None:
    (first,) = await hand.hears()
    hand.later(timedelta(seconds=1))
    (second,) = await hand.hears("mis citas")
    await deliver(hand.runtime, second)
    assert hand.standin.messages == []
    await deliver(hand.runtime, first)
    await deliver(hand.runtime, second)
    assert [one.delivery_id for one in hand.standin.messages] == [first, second]


async def test_a_reminder_is_not_held_up_by_an_answer(hand: Hand) -> None:
    await hand.remind()
    await hand.hears()
    rows = await hand.rows()
    await hand.send(*(row.id for row in rows if row.kind == "24h"))
    assert [one.kind for one in hand.standin.messages] == ["template"]


async def test_another_language_stands_in_for_a_paused_template(hand: Hand) -> None:
    await hand.remind()
    await hand.stack.change(
        "INSERT INTO template_states (business_id, name, language, status, reason, category, updated_at) "
        f"VALUES (1, 'appointment_reminder_24h', 'es', 'PAUSED', '', '', '{stored(hand.now)}')"
    )
    await hand.send()
    (taken,) = hand.standin.messages
    assert taken.body["template"]["language"]["code"] != "es"


async def test_names_that_break_templates_are_mended(hand: Hand) -> None:
    await hand.remind(attendee="  Ana\n\tPrueba     {{1}} ")
    await hand.send()
    (taken,) = hand.standin.messages
    values = [one["text"] for one in taken.body["template"]["components"][0]["parameters"]]
    assert "Ana Prueba {1}" in values  # Meta would refuse the doubled braces
    assert "viernes 4 de diciembre, 17:00" in values


async def test_a_customer_without_a_name_is_still_addressed(hand: Hand) -> None:
    await hand.remind(service_id=None)
    await hand.stack.change("UPDATE customers SET name = ''")
    await hand.send()
    (taken,) = hand.standin.messages
    assert all(one["text"].strip() for one in taken.body["template"]["components"][0]["parameters"])
    assert ANA.name not in json.dumps(taken.body)


async def test_an_unknown_delivery_id_or_one_that_is_not_due_sends_nothing(hand: Hand) -> None:
    assert await deliver(hand.runtime, "no-such-id") is None
    row = await hand.remind()
    hand.later(-HOUR)
    assert await deliver(hand.runtime, row.id) is None
    assert hand.standin.messages == []


def stored(instant: object) -> str:
    return f"{instant:%Y-%m-%d %H:%M:%S.%f}"
