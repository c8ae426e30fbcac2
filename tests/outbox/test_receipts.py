"""Receipts raise a message's state and never lower it, however early, late, often or crosswise they come."""

import pytest

from bot.simulator.bodies import Json
from bot.simulator.faults import Fault, Kind
from bot.simulator.messages import Accepted
from bot.simulator.refusals import GraphRefusal
from tests.outbox.hand import SECOND, Hand
from tests.web import said


async def sent(hand: Hand) -> Accepted:
    """One reminder that Meta has accepted, its receipts still to come."""
    hand.standin.receipts.statuses = ()
    await hand.remind()
    await hand.send()
    (taken,) = hand.standin.messages
    return taken


async def tell(hand: Hand, taken: Accepted, *statuses: str) -> list[str]:
    """Post these receipts; the state after each."""
    states = []
    for status in statuses:
        word, _, code = status.partition(" ")
        assert await hand.standin.send_receipt(taken, word, GraphRefusal(code=int(code), details="") if code else None)
        states.append((await hand.row()).state)
    return states


@pytest.mark.parametrize(
    ("told", "states"),
    [
        ("sent,delivered,read", "sent,delivered,read"),
        ("delivered,sent,read,delivered,delivered", "delivered,delivered,read,read,read"),
        ("read", "read"),
        ("read,delivered,sent", "read,read,read"),
        ("sent,played,read", "sent,sent,read"),
        ("sent,failed 131026", "sent,failed"),
        ("failed 131026,delivered", "failed,delivered"),
        ("failed 131026,sent", "failed,failed"),
        ("delivered,failed 131026", "delivered,delivered"),
        ("read,failed 131026", "read,read"),
    ],
)
async def test_a_state_never_goes_back(hand: Hand, told: str, states: str) -> None:
    taken = await sent(hand)
    assert await tell(hand, taken, *told.split(",")) == states.split(",")
    row = await hand.row()
    assert await hand.flags() == (True, taken.wamid, False, None)
    assert (row.delivered_at is not None) == ("delivered" in told)
    assert (row.read_at is not None) == ("read" in told)


async def test_a_failure_is_kept_though_the_message_has_arrived(hand: Hand) -> None:
    taken = await sent(hand)
    await tell(hand, taken, "delivered", "failed 131026")
    row = await hand.row()
    assert (row.state, row.error_code) == ("delivered", 131026)
    assert row.error_text


async def test_a_failed_reminder_is_shown_with_its_reason_and_stays_flagged(hand: Hand) -> None:
    taken = await sent(hand)
    await tell(hand, taken, "failed 131026")
    row = await hand.row()
    assert (row.state, row.error_code) == ("failed", 131026)
    assert "cannot be delivered" in str(row.error_text)
    assert await hand.flags() == (True, taken.wamid, False, None)
    assert await hand.stack.count("attention", "kind = 'not_sent'") == 1


async def test_a_failure_that_passes_is_sent_again(hand: Hand) -> None:
    taken = await sent(hand)
    assert await tell(hand, taken, "failed 131000") == ["queued"]
    hand.later(3 * SECOND)
    await hand.send()
    again = hand.standin.messages[1]
    assert await tell(hand, again, "delivered") == ["delivered"]
    assert await hand.flags() == (True, again.wamid, False, None)
    assert again.delivery_id == taken.delivery_id
    assert await hand.stack.count("outbox_messages") == 2


async def test_a_failed_receipt_can_stop_the_account(hand: Hand) -> None:
    taken = await sent(hand)
    assert await tell(hand, taken, "failed 131042") == ["queued"]
    assert await hand.alarms() == ["account_stopped"]


@pytest.mark.parametrize("echoed", [True, False], ids=["with its delivery id", "by its wamid only"])
@pytest.mark.parametrize(("statuses", "state"), [(("sent", "delivered"), "delivered"), (("sent",), "sent")])
async def test_a_receipt_that_is_faster_than_the_answer_counts(
    hand: Hand, statuses: tuple[str, ...], state: str, echoed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not echoed:
        monkeypatch.setattr(Accepted, "delivery_id", None)
    hand.standin.receipts.statuses = statuses
    hand.standin.receipts.before_answer = True
    await hand.remind()
    await hand.send()
    row = await hand.row()
    assert row.state == state
    assert await hand.flags() == (True, hand.standin.messages[0].wamid, False, None)
    assert await hand.stack.count("receipts", "outbox_id IS NULL") == 0


@pytest.mark.parametrize("echoed", [True, False], ids=["with its delivery id", "by its wamid only"])
@pytest.mark.parametrize(("code", "state"), [(131026, "failed"), (131000, "queued")])
async def test_a_failure_that_is_faster_than_the_answer_is_not_lost(
    hand: Hand, code: int, state: str, echoed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not echoed:
        monkeypatch.setattr(Accepted, "delivery_id", None)
    hand.standin.receipts.before_answer = True
    hand.standin.faults.add(Fault(kind=Kind.FAIL, code=code))
    await hand.remind()
    await hand.send()
    row = await hand.row()
    assert (row.state, row.error_code) == (state, code)
    assert await hand.stack.count("attention", "kind = 'not_sent'") == (1 if state == "failed" else 0)


async def test_receipts_of_nobody_s_message_wait_and_stop_nothing(hand: Hand) -> None:
    await sent(hand)
    errors = [{"code": 131042, "title": "Payment"}]
    strangers = said.receipts(said.receipt("wamid.x", "failed", errors=errors), said.receipt("wamid.y", "read"))
    for _ in range(2):
        assert (await hand.stack.post(strangers)).status_code == 200
    assert await hand.stack.count("receipts", "outbox_id IS NULL") == 2
    assert await hand.alarms() == []
    assert (await hand.row()).state == "accepted"


async def test_a_failure_without_a_reason_is_a_failure(hand: Hand) -> None:
    taken = await sent(hand)
    bare: Json = said.receipt(taken.wamid, "failed", biz_opaque_callback_data=taken.delivery_id)
    assert (await hand.stack.post(said.receipts(bare))).status_code == 200
    assert (await hand.row()).state in {"queued", "failed"}
