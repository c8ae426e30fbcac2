"""What Meta answered, or did not: the same table decides, and nothing is sent twice for want of an answer."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import httpx
import pytest

from bot.outbox import deliver
from bot.outbox.failure import MOST_FAILURES
from bot.outbox.mark import Marked
from bot.simulator.faults import Fault, Kind
from bot.store.tables import OutboxRow
from bot.whatsapp.client import GraphClient
from tests.outbox.hand import BO, HOUR, MINUTE, SECOND, START, Hand
from tests.services.process import free_port
from tests.stack.world import ANA, NUMBER, TOKEN


def refuse(code: int, **more: object) -> Fault:
    return Fault(kind=Kind.REFUSE, code=code, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "state"),
    [
        (131056, "queued"),
        (130429, "queued"),
        (131000, "queued"),
        (131026, "failed"),
        (131047, "failed"),
        (132000, "failed"),
        (131049, "failed"),
        (123456, "failed"),
    ],
)
async def test_a_refusal_is_tried_again_or_given_up_by_its_code(hand: Hand, code: int, state: str) -> None:
    hand.standin.faults.add(refuse(code))
    await hand.remind()
    await hand.send()
    row = await hand.row()
    assert (row.state, row.error_code, row.attempts, row.failures, row.message_id) == (state, code, 1, 1, None)
    assert row.error_text
    assert await hand.flags() == (False, None, False, None)
    assert await hand.stack.count("attention", "kind = 'not_sent'") == (1 if state == "failed" else 0)
    assert await hand.alarms() == []
    if state == "queued":
        assert SECOND <= row.due_at - hand.now <= 2 * SECOND
        hand.later(2 * SECOND)
        await hand.send()
        await hand.settle()
        row = await hand.row()
        assert (row.state, row.attempts, row.error_code) == ("delivered", 2, None)


async def test_after_eight_refusals_the_row_rests(hand: Hand) -> None:
    hand.standin.faults.add(refuse(131016, times=None))
    await hand.remind()
    pauses = []
    for _ in range(MOST_FAILURES + 3):
        row = await hand.row()
        hand.at(max(hand.now, row.due_at))
        await hand.send()
        pauses.append((await hand.row()).due_at - hand.now)
    row = await hand.row()
    assert (row.state, row.attempts, row.failures) == ("failed", MOST_FAILURES, MOST_FAILURES)
    assert max(pauses) <= timedelta(seconds=300)
    assert await hand.stack.count("attention", "kind = 'not_sent'") == 1


async def test_131000_is_tried_three_times(hand: Hand) -> None:
    hand.standin.faults.add(refuse(131000, times=None))
    await hand.remind()
    for _ in range(5):
        await hand.send()
        hand.later(10 * SECOND)
    assert ((await hand.row()).state, len(hand.standin.refused)) == ("failed", 3)


async def test_the_start_ends_the_tries(hand: Hand) -> None:
    hand.standin.faults.add(refuse(131016, times=None))
    await hand.remind()
    await hand.stack.change("UPDATE appointments SET next_mark_at = NULL")
    hand.at(START - SECOND)
    row = await hand.row()
    assert row.expires_at == START
    await hand.stack.change("UPDATE outbox SET failures = 5")
    await hand.send()
    row = await hand.row()
    assert (row.state, row.reason) in {("failed", None), ("skipped", "overtaken")}


async def test_retry_after_is_obeyed(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in knows no such header: it is put on the answer on its way back."""
    real = httpx.AsyncClient.send

    async def with_header(self: httpx.AsyncClient, *given: object, **more: object) -> httpx.Response:
        answer = await real(self, *given, **more)  # type: ignore[arg-type]
        answer.headers["Retry-After"] = "77"
        return answer

    hand.standin.faults.add(refuse(80007))
    await hand.remind()
    monkeypatch.setattr(httpx.AsyncClient, "send", with_header)
    await hand.send()
    row = await hand.row()
    assert (row.state, row.due_at - hand.now) == ("queued", timedelta(seconds=77))


async def test_a_stopped_account_is_one_alarm_and_nothing_is_flagged(hands: Hand) -> None:
    hands.standin.faults.add(refuse(190, times=None))
    for _ in range(5):
        await hands.appointment()
    hands.at(START - 24 * HOUR)
    await hands.scan()
    hands.later(SECOND)
    await hands.send()
    assert await hands.alarms() == ["account_stopped"]
    assert {row.state for row in await hands.rows()} == {"queued"}
    assert len(hands.standin.refused) == 1
    assert await hands.stack.count("appointments", "reminder_24h_sent") == 0
    hands.later(30 * SECOND)
    await hands.send()
    assert len(hands.standin.refused) == 1
    hands.later(MINUTE)
    await hands.send()
    assert len(hands.standin.refused) == 2  # one probe a minute
    assert await hands.alarms() == ["account_stopped"]

    hands.standin.faults.remove(Kind.REFUSE)
    for _ in range(3):
        hands.later(MINUTE)
        await hands.send()
        await hands.settle()
    assert await hands.alarms() == []
    assert {row.state for row in await hands.rows()} == {"delivered"}
    assert len(hands.standin.messages) == 5
    assert {row.failures for row in await hands.rows()} == {0}
    assert await hands.stack.count("alarms") == 1


async def test_a_fresh_customer_message_is_a_probe_too(hand: Hand) -> None:
    hand.standin.faults.add(refuse(190))
    await hand.remind()
    await hand.send()
    assert await hand.alarms() == ["account_stopped"]
    await hand.hears()
    replies = [row.id for row in await hand.rows() if row.kind == "reply"]
    await hand.send(*replies)
    assert [one.delivery_id for one in hand.standin.messages] == replies
    assert await hand.alarms() == []


@pytest.mark.parametrize(("code", "alarm"), [(131048, "reminders_stopped"), (131064, "templates_stopped")])
async def test_stopped_reminders_leave_answers_alone(hand: Hand, code: int, alarm: str) -> None:
    hand.standin.faults.add(refuse(code))
    await hand.remind()
    await hand.send()
    assert await hand.alarms() == [alarm]
    await hand.hears()
    await hand.send(*(row.id for row in await hand.rows() if row.kind == "reply"))
    assert len(hand.standin.messages) == 1
    assert await hand.alarms() == [alarm]  # an answer proves nothing for reminders
    hand.later(2 * MINUTE)
    await hand.send()
    assert await hand.alarms() == []
    assert (await hand.flags())[0]


async def test_a_refused_connection_is_surely_not_sent(hand: Hand) -> None:
    await hand.remind()
    away = GraphClient(
        base_url=f"http://127.0.0.1:{free_port()}",
        version="v27.0",
        phone_number_id=NUMBER,
        token=TOKEN,
        timeout=1,
        http=hand.stack.http,
    )
    await deliver(replace(hand.runtime, graph=lambda _: away), (await hand.row()).id)
    row = await hand.row()
    assert (row.state, row.attempts, row.failures) == ("queued", 2, 1)  # twice within the one claim
    hand.later(2 * SECOND)
    await hand.send()
    assert len(hand.standin.messages) == 1


LOST = [
    Fault(kind=Kind.LOSE),
    Fault(kind=Kind.DELAY, seconds=1.3),
    Fault(kind=Kind.GARBLE, status=500),
    Fault(kind=Kind.GARBLE, status=200, text="OK"),
    Fault(kind=Kind.GARBLE, status=200, text="{}"),
]


@pytest.mark.parametrize("fault", LOST, ids=lambda fault: f"{fault.kind.value}-{fault.status}-{fault.text[:3]}")
async def test_a_lost_answer_is_settled_by_its_receipt(hand: Hand, fault: Fault) -> None:
    """The message is taken each time; only we do not know."""
    hand.standin.receipts.statuses = ()
    hand.standin.faults.add(Fault(**{name: getattr(fault, name) for name in fault.__dataclass_fields__}))
    await hand.remind()
    await hand.send()
    row = await hand.row()
    assert (row.state, row.message_id, row.failures) == ("unknown", None, 0)
    assert row.lease_until == hand.now + 120 * SECOND
    assert await hand.flags() == (False, None, False, None)
    (taken,) = hand.standin.messages
    await hand.standin.send_receipt(taken, "sent")
    row = await hand.row()
    assert (row.state, row.message_id, row.reason) == ("sent", taken.wamid, None)
    assert await hand.flags() == (True, taken.wamid, False, None)
    hand.later(3 * MINUTE)
    await hand.listening(hand.now - HOUR)
    assert await hand.recover() == 0


async def test_without_a_receipt_it_goes_once_more_with_the_same_id(hand: Hand) -> None:
    hand.standin.receipts.statuses = ()
    hand.standin.faults.add(Fault(kind=Kind.LOSE))
    row = await hand.remind()
    await hand.send()
    hand.later(119 * SECOND)
    await hand.listening(hand.now - HOUR)
    assert await hand.recover() == 0
    hand.later(SECOND)
    await hand.listening()
    assert await hand.recover() == 1
    await hand.send()
    assert hand.standin.deliveries() == {row.id: 2}
    now = await hand.row()
    assert (now.state, now.resends, now.message_id) == ("accepted", 1, hand.standin.messages[1].wamid)
    assert await hand.stack.count("outbox_messages") == 1
    await hand.standin.send_receipt(hand.standin.messages[0], "delivered")
    assert (await hand.row()).state == "delivered"
    assert await hand.stack.count("outbox_messages") == 2


async def test_nobody_to_listen_means_that_the_waiting_has_not_begun(hand: Hand) -> None:
    hand.standin.receipts.statuses = ()
    hand.standin.faults.add(Fault(kind=Kind.LOSE))
    await hand.remind()
    await hand.send()
    await hand.stack.change("DELETE FROM web_heartbeats")
    hand.later(HOUR)
    await hand.recover()
    assert (await hand.row()).state == "unknown"
    await hand.listening()
    hand.later(10 * SECOND)
    await hand.recover()
    assert (await hand.row()).state == "unknown"
    hand.later(115 * SECOND)
    await hand.listening(hand.now - 125 * SECOND)
    await hand.recover()
    assert (await hand.row()).state == "queued"


async def test_three_lost_answers_are_the_end_but_a_late_receipt_still_settles_it(hand: Hand) -> None:
    hand.standin.receipts.statuses = ()
    hand.standin.faults.add(Fault(kind=Kind.LOSE, times=None))
    await hand.remind()
    for _ in range(5):
        await hand.send()
        hand.later(121 * SECOND)
        await hand.listening(hand.now - HOUR)
        await hand.recover()
    row = await hand.row()
    assert (row.state, row.reason, len(hand.standin.messages)) == ("failed", "outcome_unknown", 3)
    await hand.standin.send_receipt(hand.standin.messages[-1], "delivered")
    row = await hand.row()
    assert (row.state, row.reason) == ("delivered", None)
    assert (await hand.flags())[0]


async def test_a_sender_that_did_not_come_back_is_an_unknown_outcome(hand: Hand) -> None:
    await hand.remind()
    await hand.stack.change(f"UPDATE outbox SET state = 'sending', lease = 'dead', lease_until = '{hand.now:%F %T.%f}'")
    assert await hand.recover() == 1
    assert (await hand.row()).state == "unknown"
    hand.later(121 * SECOND)
    await hand.listening(hand.now - HOUR)
    await hand.recover()
    await hand.send()
    assert len(hand.standin.messages) == 1


async def test_an_unknown_outcome_is_never_sent_at_or_after_the_start(hand: Hand) -> None:
    hand.standin.receipts.statuses = ()
    hand.standin.faults.add(Fault(kind=Kind.LOSE))
    await hand.remind()
    await hand.send()
    hand.at(START)
    await hand.listening(hand.now - HOUR)
    await hand.recover()
    row = await hand.row()
    assert (row.state, row.reason) == ("failed", "outcome_unknown")


async def test_an_answer_to_a_lapsed_claim_still_counts_when_it_is_good(hand: Hand) -> None:
    """We were slow: the sweep took the claim away while Meta was taking the message."""
    hand.standin.receipts.statuses = ()
    hand.standin.faults.add(Fault(kind=Kind.DELAY, seconds=0.3))
    row = await hand.remind()
    sending = sending_of(hand, row)
    await hand.stack.until("EXISTS (SELECT 1 FROM outbox WHERE state = 'sending')")
    hand.later(MINUTE)
    assert await hand.recover() == 1
    await sending
    now = await hand.row()
    assert (now.state, now.message_id) == ("accepted", hand.standin.messages[0].wamid)
    assert (await hand.flags())[0]


async def test_a_bad_answer_to_a_lapsed_claim_changes_nothing(hand: Hand) -> None:
    hand.standin.faults.add(refuse(131026))
    hand.standin.faults.add(Fault(kind=Kind.DELAY, seconds=0.3))
    row = await hand.remind()
    sending = sending_of(hand, row)
    await hand.stack.until("EXISTS (SELECT 1 FROM outbox WHERE state = 'sending')")
    hand.later(MINUTE)
    assert await hand.recover() == 1
    await sending
    assert (await hand.row()).state == "unknown"


async def test_one_customer_s_trouble_does_not_hold_up_the_others(hand: Hand) -> None:
    hand.standin.faults.add(refuse(131026, to=ANA.wa_id, times=None))
    await hand.appointment()
    await hand.appointment(person=BO)
    hand.at(START - 24 * HOUR)
    await hand.scan()
    hand.later(SECOND)
    await hand.send()
    assert {row.state for row in await hand.rows()} == {"failed", "accepted"} or hand.standin.messages
    assert [one.person.wa_id for one in hand.standin.messages] == [BO.wa_id]


def sending_of(hand: Hand, row: OutboxRow) -> "asyncio.Task[Marked | None]":
    return asyncio.create_task(deliver(hand.runtime, row.id))


@pytest.mark.parametrize(("code", "status"), [(132001, "MISSING"), (132015, "PAUSED"), (132016, "DISABLED")])
async def test_a_template_that_cannot_be_sent_gives_way_to_another(hand: Hand, code: int, status: str) -> None:
    hand.standin.faults.add(refuse(code))
    await hand.remind()
    await hand.send()
    assert (await hand.row()).state == "queued"
    assert await hand.stack.value("SELECT status FROM template_states") == status
    assert await hand.alarms() == ["template:appointment_reminder_24h:es"]
    hand.later(2 * SECOND)
    await hand.send()
    (taken,) = hand.standin.messages
    assert taken.body["template"]["language"]["code"] != "es"
    assert (await hand.flags())[0]


async def test_an_unknown_answer_that_the_customer_has_overtaken_is_dropped(hand: Hand) -> None:
    hand.standin.receipts.statuses = ()
    hand.standin.faults.add(Fault(kind=Kind.LOSE))
    (first,) = await hand.hears()
    await hand.send(first)
    assert (await hand.row()).state == "unknown"
    hand.later(MINUTE)
    (second,) = await hand.hears("mis citas")
    await hand.send(second)
    assert len(hand.standin.messages) == 2  # an unknown answer blocks nothing
    hand.later(2 * MINUTE)
    await hand.listening(hand.now - HOUR)
    await hand.recover()
    states = {row.id: (row.state, row.reason) for row in await hand.rows()}
    assert states == {first: ("skipped", "overtaken"), second: ("accepted", None)}


async def test_a_stop_that_would_outlast_the_start_skips_the_reminder(hand: Hand) -> None:
    hand.standin.faults.add(refuse(190))
    await hand.remind()
    await hand.send()
    hand.at(START - 30 * SECOND)
    await hand.stack.change(f"UPDATE alarms SET probe_at = '{START:%F %T.%f}'")
    await hand.send()
    row = await hand.row()
    assert (row.state, row.reason) == ("skipped", "account_stopped")


async def test_a_template_s_code_for_an_answer_is_the_answer_s_end(hand: Hand) -> None:
    hand.standin.faults.add(refuse(132001))
    await hand.send(*await hand.hears())
    assert (await hand.row()).state == "failed"
    assert await hand.stack.count("template_states") == 0


async def test_a_customer_who_gets_too_much_at_once_waits_for_a_place(hand: Hand) -> None:
    """WhatsApp lets one message go to one person every six seconds, and a burst of twenty."""
    ana = await hand.customer()
    for _ in range(20):
        assert (await hand.runtime.limits.take(NUMBER, ana, urgent=True)).taken
    await hand.remind()
    await hand.send()
    assert (await hand.row()).state == "queued"
    assert hand.standin.messages == []
    wakes = [job for job in await hand.runtime.queue.redis.queued_jobs() if job.function == "deliver"]
    assert len(wakes) == 2  # the scan's, and the one for its place


async def test_an_answer_that_waited_for_another_is_woken_by_it(hand: Hand) -> None:
    (first,) = await hand.hears()
    hand.later(SECOND)
    (second,) = await hand.hears("mis citas")
    await hand.runtime.queue.redis.flushall()
    await hand.send(first)
    assert [job.args[0] for job in await hand.runtime.queue.redis.queued_jobs()] == [second]
