"""What is measured is told to Redis about once a second, and at the end."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from bot import meter as module
from bot.meter import KEY, Meter, observed


@pytest.fixture
async def redis(valkey_url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(valkey_url) as client:
        await client.flushall()
        yield client


async def test_it_is_told_at_the_end_and_not_before(redis: Redis) -> None:
    meter = Meter(redis)
    for _ in range(3):
        meter.note({"attempts": 2, "accepted": 1}, {"send": 0.02})
    assert await redis.exists(KEY) == 0
    await meter.close()
    told = await Meter(redis).read()
    assert (told["attempts"], told["accepted"]) == (6, 3)
    sends = observed(told, "send")
    assert sends.total == pytest.approx(0.06)
    assert dict(sends.buckets)["0.025"] == 3
    await meter.close()
    assert (await Meter(redis).read())["attempts"] == 6


async def test_it_is_told_after_a_while_and_before_it_is_read(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter(redis)
    meter.note({"attempts": 1}, {})
    assert (await meter.read())["attempts"] == 1
    monkeypatch.setattr(module, "TELL_SECONDS", 0.01)
    other = Meter(redis)
    other.note({"attempts": 1}, {})
    for _ in range(200):
        if (await meter.read())["attempts"] == 2:
            break
        await asyncio.sleep(0.01)
    assert (await meter.read())["attempts"] == 2
    await meter.close()
    await other.close()


async def test_without_redis_nothing_fails() -> None:
    async with Redis.from_url("unix:///nowhere/at/all.sock") as away:
        meter = Meter(away)
        meter.note({"attempts": 1}, {"send": 99.0})
        assert await meter.read() == {}
        meter.note({"attempts": 1}, {})
        await meter.close()
