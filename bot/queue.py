"""The only door to arq: wake-ups for work that stands in the database. A lost one loses nothing: the sweep finds it."""

import json
from collections.abc import Callable, Sequence
from uuid import uuid4

import structlog
from arq.connections import ArqRedis
from arq.constants import default_queue_name, expires_extra_ms, job_key_prefix
from arq.jobs import serialize_job
from arq.utils import timestamp_ms
from redis.asyncio import ConnectionPool
from redis.exceptions import RedisError

from bot.bounded import bounded

log = structlog.get_logger(__name__)

NUDGE_SECONDS = 0.5
"""A frozen Redis must not hold up a webhook's 200."""
SOCKET_SECONDS = 5
ANSWER, DELIVER = "answer", "deliver"
TOGETHER = 50
Arguments = Sequence[int] | Sequence[str]


def connect(url: str) -> ArqRedis:
    """A pool for `redis://`, `rediss://` or `unix://` that connects when first used; ValueError for another address."""
    if url.split("://", 1)[0] not in {"redis", "rediss", "unix"}:
        raise ValueError("REDIS_URL takes redis://, rediss:// or unix://, or nothing for the embedded engine")
    try:
        pool = ConnectionPool.from_url(
            url, socket_timeout=SOCKET_SECONDS, socket_connect_timeout=SOCKET_SECONDS, health_check_interval=15
        )
    except ValueError:
        # "from None": the original quotes a piece of the address.
        raise ValueError("REDIS_URL takes redis://[[user]:password@]host[:port][/number]") from None
    return ArqRedis(pool, job_serializer=dump, job_deserializer=load)


class Queue:
    """Nudges that never fail their caller."""

    def __init__(self, redis: ArqRedis) -> None:
        self.redis = redis
        self.woken: Callable[[], None] | None = None
        """A worker of this very process, which then need not find out at its next look."""

    async def answer(self, customer_ids: Sequence[int]) -> None:
        """These customers wrote: one job for up to TOGETHER of them, since a job costs as much as a short turn."""
        shares = [customer_ids[start : start + TOGETHER] for start in range(0, len(customer_ids), TOGETHER)]
        await self._nudge(ANSWER, shares)

    async def deliver(self, delivery_ids: Sequence[str], *, after: float = 0.0, apart: float = 0.0) -> None:
        """These messages may be sent: the first in `after` seconds, each next one `apart` seconds later.

        One small job for each: whatever befalls one, the others are none the worse.
        """
        await self._nudge(DELIVER, [(one,) for one in delivery_ids], after, apart)

    async def ping(self) -> bool:
        """Whether it answers, within the time of a nudge."""
        try:
            await bounded(self._ping(), NUDGE_SECONDS)
        except (RedisError, OSError, TimeoutError):
            return False
        return True

    async def close(self) -> None:
        """Closes the connections."""
        await self.redis.aclose(close_connection_pool=True)

    async def _nudge(self, job: str, arguments: Sequence[Arguments], after: float = 0.0, apart: float = 0.0) -> None:
        if not arguments:
            return
        try:
            await bounded(self._enqueue(job, arguments, after, apart), NUDGE_SECONDS + len(arguments) / 1000)
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("the queue did not take a wake-up", action="nudge", job=job, error=type(error).__name__)

    async def _ping(self) -> None:
        await self.redis.ping()

    async def _enqueue(self, job_name: str, arguments: Sequence[Arguments], after: float, apart: float) -> None:
        """As arq's own `enqueue_job`, all in one trip to Redis and not three trips for each job.

        No job id of ours, so none need be looked for: a fixed one would block the next nudge for the same work.
        """
        now = timestamp_ms()
        async with self.redis.pipeline(transaction=False) as pipe:
            for number, given in enumerate(arguments):
                id_, wait = uuid4().hex, int((after + number * apart) * 1000)
                job = serialize_job(job_name, tuple(given), {}, None, now, serializer=dump)
                pipe.psetex(job_key_prefix + id_, wait + expires_extra_ms, job)
                pipe.zadd(default_queue_name, {id_: now + wait})
            await pipe.execute()
        if self.woken is not None and after <= 0:
            self.woken()


def dump(value: object) -> bytes:
    """A job as it stands in Redis: JSON, so that nothing that is read from there can run."""
    return json.dumps(value, default=repr).encode()


def load(raw: bytes) -> dict[str, object]:
    """The same, read."""
    job: dict[str, object] = json.loads(raw)
    return job
