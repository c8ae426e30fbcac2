"""What workers and web processes measure together, counted in Redis for /metrics; a wiped Redis resets it, no more."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

from bot.bounded import bounded

STEPS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds, in seconds, of what is observed."""
ANSWER_SECONDS = 0.5
TELL_SECONDS = 1.0
KEY = "confirmo:metrics"


@dataclass(frozen=True, slots=True)
class Observed:
    """Cumulative counts per upper bound (`+Inf` last), and the sum in seconds."""

    buckets: Sequence[tuple[str, float]]
    total: float


class Meter:
    """Never fails its caller: a measurement that finds no Redis is lost, and what a killed process has not told yet."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._counts: Counter[str] = Counter()
        self._sums: dict[str, float] = {}
        self._telling: asyncio.Task[None] | None = None
        self._over = asyncio.Event()

    def note(self, counts: Mapping[str, int], seconds: Mapping[str, float]) -> None:
        """Add to counters, and observe durations; Redis is told within a second, of all that was noted meanwhile."""
        self._counts.update(counts)
        for name, took in seconds.items():
            self._counts[f"{name}:{_bound(took)}"] += 1
            self._sums[f"{name}:sum"] = self._sums.get(f"{name}:sum", 0.0) + took
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell_soon(), name="meter")

    async def close(self) -> None:
        """Tell Redis what it has not been told yet."""
        self._over.set()
        if self._telling is not None:
            await self._telling

    async def _tell_soon(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(TELL_SECONDS):
                await self._over.wait()
        await self._tell()

    async def _tell(self) -> None:
        counts, self._counts = self._counts, Counter()
        sums, self._sums = self._sums, {}
        if counts:
            with suppress(RedisError, OSError, TimeoutError):
                await bounded(self._add(counts, sums), ANSWER_SECONDS)

    async def _add(self, counts: Mapping[str, int], sums: Mapping[str, float]) -> None:
        async with self._redis.pipeline(transaction=False) as pipe:
            for name, more in counts.items():
                pipe.hincrby(KEY, name, more)
            for name, seconds in sums.items():
                pipe.hincrbyfloat(KEY, name, seconds)
            await pipe.execute()

    async def read(self) -> Mapping[str, float]:
        """All that was noted; empty when Redis is away."""
        await self._tell()
        try:
            found = await bounded(self._all(), ANSWER_SECONDS)
        except (RedisError, OSError, TimeoutError):
            return {}
        return {name.decode(): float(value) for name, value in found.items()}

    async def _all(self) -> Mapping[bytes, bytes]:
        return await cast("Awaitable[Mapping[bytes, bytes]]", self._redis.hgetall(KEY))


def observed(noted: Mapping[str, float], name: str) -> Observed:
    """One histogram out of what was read."""
    total, buckets = 0.0, []
    for bound in (*map(str, STEPS), "+Inf"):
        total += noted.get(f"{name}:{bound}", 0.0)
        buckets.append((bound, total))
    return Observed(buckets, noted.get(f"{name}:sum", 0.0))


def _bound(seconds: float) -> str:
    return next((str(one) for one in STEPS if seconds <= one), "+Inf")
