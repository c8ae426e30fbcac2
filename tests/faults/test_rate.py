"""The sending rate over all processes, the pair limit, who goes first, and what goes on without Redis."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from redis.asyncio import Redis

from bot.app import ensure_business, open_runtime
from bot.clock import Clock
from bot.limits import PAIR_BURST, STEADY, Limits, Place
from bot.outbox import deliver
from tests.conftest import NOW
from tests.faults.campaign import settled
from tests.faults.farm import farm
from tests.faults.plan import Plan
from tests.faults.seeding import seed as seed_rows
from tests.faults.world import Diary
from tests.stack.world import settings_for

RATE = 40
PROCESSES = 4
ROUNDS = 2.2
"""Seconds: more than two windows."""
JITTER = 3
"""Sends that a busy machine may push over a window's edge."""


@pytest.fixture
async def clients(valkey_url: str) -> AsyncIterator[Sequence[Redis]]:
    """Each with a connection of its own."""
    every = [Redis.from_url(valkey_url) for _ in range(PROCESSES)]
    await every[0].flushall()
    yield every
    for one in every:
        await one.aclose()


@pytest.fixture
def processes(clients: Sequence[Redis]) -> Sequence[Limits]:
    return [Limits(one, RATE) for one in clients]


async def test_no_second_has_more_places_than_its_share_of_the_rate(processes: Sequence[Limits]) -> None:
    """Four processes with ten senders each ask as fast as they can."""
    end = now() + ROUNDS
    places = [one for each in await asyncio.gather(*(ask(limits, end) for limits in processes)) for one in each]
    assert most_in_a_second(places) <= RATE * STEADY + 1 + JITTER
    assert len(places) >= RATE * ROUNDS * 0.9


async def test_those_who_ask_at_once_share_calls_and_get_places_of_their_own(clients: Sequence[Redis]) -> None:
    """Each as far from the next as if it had been asked for alone; one who may not have any takes none away."""
    limits = Limits(clients[0], RATE)
    for _ in range(PAIR_BURST):
        assert (await Limits(clients[1], 100_000).take("other", 99, urgent=True)).taken
    before = await calls(clients[0])
    customers = [*range(30), 99]
    places = await asyncio.gather(*(limits.take("other" if n == 99 else "N", n, urgent=True) for n in customers))
    assert await calls(clients[0]) - before <= 2
    assert [one.taken for one in places] == [True] * 30 + [False]
    waits = [one.wait for one in places[:30]]
    assert all(later - earlier == pytest.approx(limits.apart, abs=0.002) for earlier, later in pairwise(waits))


async def calls(client: Redis) -> int:
    """Of scripts."""
    told = await client.info("commandstats")
    return sum(int(one["calls"]) for name, one in told.items() if name in {"cmdstat_evalsha", "cmdstat_eval"})


async def test_a_customer_gets_a_burst_and_then_one_every_six_seconds(clients: Sequence[Redis]) -> None:
    """Whichever process asks; and others are not held up by it."""
    limits, other = (Limits(one, 1000) for one in clients[:2])
    taken = [await limits.take("N", 1, urgent=True) for _ in range(PAIR_BURST + 1)]
    assert [one.taken for one in taken] == [True] * PAIR_BURST + [False]
    assert 5.0 < taken[-1].wait <= 6.0
    assert not (await other.take("N", 1, urgent=True)).taken
    assert (await limits.take("N", 2, urgent=False)).taken


async def test_a_reply_finds_a_place_where_reminders_must_come_again(processes: Sequence[Limits]) -> None:
    """And waits behind no more than a quarter of a second of them."""
    limits = processes[0]
    for customer in range(1000):
        if not (await limits.take("N", customer, urgent=False)).taken:
            break
    reply = await processes[1].take("N", 2000, urgent=True)
    assert reply.taken
    assert reply.wait < 0.5


async def test_without_redis_each_process_goes_on_at_a_tenth() -> None:
    async with Redis.from_url("unix:///nowhere/at/all.sock") as away:
        limits = Limits(away, RATE)
        waits = [(await limits.take("N", customer, urgent=True)).wait for customer in range(5)]
    apart = [later - earlier for earlier, later in pairwise(waits)]
    assert all(gap == pytest.approx(10 / RATE, abs=0.1) for gap in apart)


async def test_a_place_that_a_slow_database_has_missed_counts_no_more(still_sqlite: Diary) -> None:
    """Another one is waited for while the lease has room, then the message is put back, unsent and unflagged."""
    await still_sqlite.many(1, NOW + timedelta(hours=24), NOW - timedelta(days=3))
    (delivery_id,) = await still_sqlite.scan()
    taken_up = replace(still_sqlite.runtime, limits=OnePlace(still_sqlite.runtime.queue.redis, RATE))
    async with still_sqlite.runtime.db.write():
        sending = asyncio.create_task(deliver(taken_up, delivery_id))
        await asyncio.sleep(0.15)
    assert await sending is None
    assert await still_sqlite.pending() == [delivery_id]
    assert still_sqlite.graph.received() == {}

    await still_sqlite.send()
    assert still_sqlite.graph.received() == {delivery_id: 1}


class OnePlace(Limits):
    """The first who asks has a place at once, nobody else has one."""

    first = True

    async def take(self, phone_number_id: str, customer_id: int, *, urgent: bool) -> Place:  # noqa: ARG002
        taken, self.first = self.first, False
        return Place(0.0 if taken else 0.3, taken=taken)


@pytest.mark.timeout(120)
async def test_three_workers_keep_below_the_rate_at_the_other_end(sqlite_url: str, tmp_path: Path) -> None:
    """Sixty reminders are due at once; the stand-in notes when each call arrives."""
    settings = settings_for(sqlite_url, "http://127.0.0.1:1")
    async with farm(tmp_path, sqlite_url, Plan(), workers=3, SEND_RATE_PER_SECOND="20") as here:
        async with open_runtime(settings, Clock(), here.redis_url) as runtime:
            await ensure_business(runtime)
            dice = random.Random(1)
            expected = await seed_rows(runtime.db, number=60, seconds=0.1, now=Clock().now(), dice=dice)
            assert await settled(here, runtime.db, expected) == ""
        times = [at for at, _ in (await here.statistics())["call_times"]]
    assert len(times) == len([one for one in expected if one.reason is None])
    assert most_in_a_second(times) <= 20 + JITTER


async def ask(limits: Limits, end: float) -> list[float]:
    """Ten senders of one process; the instants of the places they got."""
    places: list[float] = []

    async def sender(number: int) -> None:
        customer = number * 10_000
        while now() < end:
            customer += 1
            place = await limits.take("N", customer, urgent=False)
            if place.taken:
                places.append(now() + place.wait)
            await asyncio.sleep(place.wait)

    await asyncio.gather(*(sender(number) for number in range(10)))
    return places


def most_in_a_second(times: Sequence[float]) -> int:
    """Of all windows of one second, the fullest."""
    ordered = sorted(times)
    return max(sum(start <= one < start + 1 for one in ordered) for start in ordered)


def now() -> float:
    return asyncio.get_running_loop().time()
