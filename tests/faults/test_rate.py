"""The sending rate over all processes, the pair limit, who goes first, and what goes on without Redis."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from redis.asyncio import Redis

from bot.app import ensure_business, open_runtime
from bot.clock import Clock
from bot.limits import PAIR_BURST, Limits
from tests.faults.campaign import settled
from tests.faults.farm import farm
from tests.faults.plan import Plan
from tests.faults.seeding import seed as seed_rows
from tests.stack.world import settings_for

RATE = 40
PROCESSES = 4
ROUNDS = 2.2
"""Seconds: more than two windows."""
JITTER = 3
"""Sends that a busy machine may push over a window's edge, beside the bucket."""


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


async def test_no_second_has_more_places_than_the_rate_and_the_bucket(processes: Sequence[Limits]) -> None:
    """Four processes with ten senders each ask as fast as they can."""
    end = now() + ROUNDS
    places = [one for each in await asyncio.gather(*(ask(limits, end) for limits in processes)) for one in each]
    assert most_in_a_second(places) <= RATE * 1.05 + 1
    assert len(places) >= RATE * ROUNDS * 0.9


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
    assert most_in_a_second(times) <= 20 * 1.05 + JITTER


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
