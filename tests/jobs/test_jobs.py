"""The jobs are a few lines each: what they are handed is an id, everything else is in the database."""

from datetime import timedelta

from bot.simulator import bodies
from bot.store import inbox
from bot.turn.answer import LEASE
from jobs.answer import answer
from jobs.deliver import deliver
from jobs.reminders import scan_2h, scan_24h
from jobs.sweep import LOST_AFTER, sweep
from tests.outbox.hand import HOUR, START, Hand
from tests.stack.world import ANA


async def queued(hand: Hand) -> list[tuple[str, object]]:
    """The wake-ups that wait."""
    return sorted((job.function, job.args[0]) for job in await hand.runtime.queue.redis.queued_jobs())


async def forget(hand: Hand) -> None:
    await hand.runtime.queue.redis.flushall()


async def test_an_answer_is_decided_and_sent_and_the_message_marked_as_read(hand: Hand) -> None:
    await hand.standin.hear(ANA, bodies.text("hola"), "wamid.asked")
    await answer({"runtime": hand.runtime}, await hand.customer())
    assert len(hand.standin.messages) == 1
    assert hand.standin.read == ["wamid.asked"]
    await answer({"runtime": hand.runtime}, await hand.customer())
    assert len(hand.standin.messages) == 1
    assert hand.standin.read == ["wamid.asked"]


async def test_both_scans_run_when_their_time_has_come(hand: Hand) -> None:
    await hand.appointment()
    hand.at(START - 24 * HOUR)
    ctx = {"runtime": hand.runtime}
    await scan_24h(ctx)
    await scan_24h(ctx)
    (row,) = await hand.rows()
    await deliver(ctx, row.id)
    assert len(hand.standin.messages) == 1
    hand.at(START - 2 * HOUR)
    await scan_2h(ctx)
    assert [one.kind for one in await hand.rows()] == ["24h", "2h"]
    assert await hand.stack.count("scans", "finished_at IS NOT NULL") == 2


async def test_the_sweep_wakes_what_was_forgotten_and_only_that(hand: Hand) -> None:
    ctx = {"runtime": hand.runtime}
    await hand.standin.hear(ANA, bodies.text("hola"))
    ana = await hand.customer()
    await forget(hand)
    await sweep(ctx)
    assert await queued(hand) == []  # its own wake-up may be on its way
    hand.later(LOST_AFTER)
    await sweep(ctx)
    assert await queued(hand) == [("answer", ana)]
    await forget(hand)
    async with hand.runtime.db.write() as session:
        await inbox.lease(session, ana, "somebody", hand.now, hand.now + LEASE)
    await sweep(ctx)
    assert await queued(hand) == []
    hand.later(LEASE)
    await sweep(ctx)
    assert await queued(hand) == [("answer", ana)]


async def test_the_sweep_wakes_messages_that_nobody_sent(hand: Hand) -> None:
    row = await hand.remind()
    await forget(hand)
    hand.later(LOST_AFTER)
    await sweep({"runtime": hand.runtime})
    assert await queued(hand) == [("deliver", row.id)]


async def test_the_sweep_frees_what_a_dead_sender_held(hand: Hand) -> None:
    await hand.remind()
    await hand.stack.change("UPDATE outbox SET state = 'sending', lease = 'dead', lease_until = created_at")
    await sweep({"runtime": hand.runtime})
    assert (await hand.row()).state == "unknown"


async def test_a_message_that_waits_for_its_next_try_is_left_alone(hand: Hand) -> None:
    await hand.standin.hear(ANA, bodies.text("hola"))
    await forget(hand)
    await hand.stack.change(f"UPDATE inbox SET retry_at = '{hand.now + timedelta(minutes=1):%F %T.%f}'")
    hand.later(timedelta(seconds=30))
    await sweep({"runtime": hand.runtime})
    assert await queued(hand) == []
    hand.later(timedelta(seconds=30))
    await sweep({"runtime": hand.runtime})
    assert len(await queued(hand)) == 1
