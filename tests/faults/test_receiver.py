"""What a customer's side sees: attempts of one delivery id are one reminder, counted by id and not by HTTP requests."""

import json
from collections import Counter
from datetime import timedelta

from bot.outbox import deliver
from bot.whatsapp.client import Lost, Outcome, Refused
from bot.whatsapp.errors import GraphError
from tests.conftest import NOW
from tests.faults.world import After, Diary


async def test_two_attempts_of_one_delivery_id_are_one_reminder_applied(still: Diary) -> None:
    """The first answer is lost and no receipt comes; the second call bears the same id and the same buttons."""
    (delivery_id,) = await ordered(still)
    still.graph.after = lost_once()
    await still.send()
    await still.pass_time(200)

    assert still.graph.received() == {delivery_id: 2}
    applied = dict(still.graph.takes)
    assert list(applied) == [delivery_id]
    (row,) = [row for row in await still.rows() if row.kind == "24h"]
    assert (row.id, row.message_id, row.attempts, row.resends) == (delivery_id, applied[delivery_id], 2, 1)
    appointment = await still.get(row.appointment_id or 0)
    assert (appointment.reminder_24h_sent, appointment.reminder_24h_message_id) == (True, applied[delivery_id])


async def test_the_receipt_of_the_first_attempt_does_not_take_the_place_of_the_latest(still: Diary) -> None:
    """Both message ids are kept, also when the first is heard of last; message_id is the latest that was accepted."""
    (delivery_id,) = await ordered(still)
    still.graph.after = lost_once()
    await still.send()
    lost_at = still.clock.now()
    await still.pass_time(200)
    (_, first), (_, second) = still.graph.takes
    now = still.clock.now()
    still.clock.travel(lost_at)
    told = still.clock.now()
    still.clock.travel(now)
    await still.hear(delivery_id, second, "sent")
    await still.hear(delivery_id, first, "sent", at=told)

    (row,) = [row for row in await still.rows() if row.kind == "24h"]
    assert row.message_id == second
    assert await still.wamids(delivery_id) == {first, second}
    assert (await still.get(row.appointment_id or 0)).reminder_24h_message_id == second


async def test_refusals_are_attempts_too_and_still_one_reminder(still: Diary) -> None:
    (delivery_id,) = await ordered(still)
    left = iter([refused(131016), refused(130429), refused(131056)])

    async def after(_: str) -> Outcome | None:
        return next(left, None)

    still.graph.after = after
    await still.send()
    await still.pass_time(60)
    (row,) = [row for row in await still.rows() if row.kind == "24h"]
    assert (row.id, row.state, row.attempts, row.failures) == (delivery_id, "accepted", 4, 3)


async def test_a_failure_told_before_the_answer_is_not_undone_by_it(still: Diary) -> None:
    """Meta says that it failed, for now, while the good answer is still on its way: it is sent again."""
    (delivery_id,) = await ordered(still)

    async def after(_: str) -> Outcome | None:
        if len(still.graph.takes) == 1:
            await still.hear(delivery_id, still.graph.takes[0][1], "failed", code=131016)
        return None

    still.graph.after = after
    await deliver(still.runtime, delivery_id)
    assert [row.state for row in await still.rows() if row.kind == "24h"] == ["queued"]
    await still.hear(delivery_id, still.graph.takes[0][1], "sent")
    assert [row.state for row in await still.rows() if row.kind == "24h"] == ["queued"]
    await still.pass_time(20)
    assert still.graph.received() == {delivery_id: 2}
    (row,) = [row for row in await still.rows() if row.kind == "24h"]
    assert (row.state, row.message_id) == ("accepted", still.graph.takes[1][1])


async def test_a_killed_listener_has_listened_only_until_its_last_beat(still: Diary) -> None:
    """The web is killed at once and another comes up before anybody misses it: the waiting begins anew."""
    (delivery_id,) = await ordered(still)
    still.graph.after = lost_once()
    await still.beat()
    await still.send()
    await still.pass_time(105)
    still.clock.travel(still.clock.now() + timedelta(seconds=5))
    still.another_web()
    await still.pass_time(100)
    assert still.graph.received() == {delivery_id: 1}
    await still.pass_time(40)
    assert still.graph.received() == {delivery_id: 2}


async def test_the_body_that_is_sent_is_the_body_that_is_kept(still: Diary) -> None:
    (delivery_id,) = await ordered(still)
    await still.send()
    (row,) = [row for row in await still.rows() if row.kind == "24h"]
    assert json.loads(row.body or "")["biz_opaque_callback_data"] == delivery_id
    assert Counter(one for one, _ in still.graph.takes) == {delivery_id: 1}


async def ordered(world: Diary) -> list[str]:
    """One reminder that is due now."""
    await world.beat()
    customer = await world.customer()
    await world.appointment(customer, NOW + timedelta(hours=24), NOW - timedelta(days=3))
    return await world.scan()


def lost_once() -> After:
    """The first answer does not come through."""
    left = iter([Lost(why="ReadTimeout", calls=1)])

    async def after(_: str) -> Outcome | None:
        return next(left, None)

    return after


def refused(code: int) -> Refused:
    return Refused(error=GraphError(code=code), http_status=400, retry_after=None, calls=1)
