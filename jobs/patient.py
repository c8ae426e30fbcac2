"""arq's worker, made to outlive its Redis, and to start and finish jobs in few trips to it."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

import structlog
from arq.constants import in_progress_key_prefix, job_key_prefix, retry_key_prefix
from arq.utils import timestamp_ms
from arq.worker import Worker
from redis.commands.core import AsyncScript
from redis.exceptions import RedisError

from bot import queue
from bot.bounded import bounded
from bot.together import Together

log = structlog.get_logger(__name__)

FINISH_SECONDS = 3
"""How long running jobs may go on once the worker is told to stop."""
AGAIN_SECONDS = 1.0

# Of the given jobs the first so many that are due and that nobody is at: marked as ours. Answers their scores, or "".
_BEGIN = """
local began, left = {}, tonumber(ARGV[3])
for n = 5, #ARGV do
    local score, key = redis.call('ZSCORE', KEYS[1], ARGV[n]), ARGV[4] .. ARGV[n]
    if left > 0 and score and tonumber(score) <= tonumber(ARGV[1]) and redis.call('EXISTS', key) == 0 then
        redis.call('PSETEX', key, ARGV[2], '1')
        began[n - 4], left = score, left - 1
    else
        began[n - 4] = ''
    end
end
return began
"""


class PatientWorker(Worker):
    """arq's worker ends for good when Redis fails once; this one begins again, and ends cleanly without Redis too."""

    _looking: asyncio.Task[None] | None = None

    @cached_property
    def _one_look(self) -> asyncio.Lock:
        return asyncio.Lock()

    @cached_property
    def _begin(self) -> AsyncScript:
        return self.pool.register_script(_BEGIN)

    @cached_property
    def _ending(self) -> Together[str, None]:
        return Together(self._end, self.max_jobs)

    async def main(self) -> None:
        while True:
            try:
                await super().main()
            except (RedisError, OSError) as error:
                log.warning("the queue is away", action="worker", error=type(error).__name__)
            else:
                return
            _end_if_told()
            await asyncio.sleep(AGAIN_SECONDS)
            self.forget_broken()

    async def _poll_iteration(self) -> None:
        await super()._poll_iteration()
        _end_if_told()

    def wake(self) -> None:
        """Look at once and not at the next poll: there is something to do."""
        if self._looking is None or self._looking.done():
            self._looking = self.loop.create_task(self._look(), name="look")

    async def _look(self) -> None:
        with suppress(RedisError, OSError):  # the next poll tells
            if self.allow_pick_jobs and self.job_counter < self.max_jobs:
                count = self.queue_read_limit
                now = timestamp_ms()
                found = await self.pool.zrangebyscore(self.queue_name, min="-inf", max=now, start=0, num=count)
                await self.start_jobs(found)

    async def start_jobs(self, job_ids: list[bytes]) -> None:
        """As arq's own, in one trip for all of them instead of four for each."""
        if not job_ids:
            return
        async with self._one_look:  # so that the places are counted rightly
            rule = (timestamp_ms(), int(self.in_progress_timeout_s * 1000), self.max_jobs - self.job_counter)
            scores = await self._begin(keys=[self.queue_name], args=[*rule, in_progress_key_prefix, *job_ids])
            begun = [(id_.decode(), int(score)) for id_, score in zip(job_ids, scores, strict=True) if score]
            for job_id, score in begun:
                await self.sem.acquire()
                self.job_counter += 1
                self._start(job_id, score)

    def _start(self, job_id: str, score: int) -> None:
        task = self.loop.create_task(self.run_job(job_id, score))
        task.add_done_callback(lambda _: self._release_sem_dec_counter_on_complete())
        self.tasks[job_id] = task

    async def finish_job(self, job_id: str, finish: bool, *how: Any) -> None:
        """As arq's own; those that leave nothing behind, nearly all, share trips."""
        if finish and not any(how):
            await self._ending.ask(job_id)
        else:
            await super().finish_job(job_id, finish, *how)

    async def _end(self, job_ids: Sequence[str]) -> Sequence[None]:
        prefixes = (in_progress_key_prefix, retry_key_prefix, job_key_prefix)
        async with self.pool.pipeline(transaction=True) as pipe:
            pipe.delete(*(prefix + job_id for job_id in job_ids for prefix in prefixes))
            pipe.zrem(self.queue_name, *job_ids)
            await pipe.execute()
        return [None] * len(job_ids)

    async def _no_health(self) -> None:
        await self.pool.delete(self.health_check_key)

    def forget_broken(self) -> None:
        """What broke off with Redis: a task that ended in its error. Its place is free already."""
        for job_id, task in list(self.tasks.items()):
            if task.done():
                del self.tasks[job_id]
                _ = task.cancelled() or task.exception()  # asked for, so that asyncio does not complain

    async def close(self) -> None:
        """Let running jobs finish for a while, then let go: what is cut short stands in the database."""
        self.allow_pick_jobs = False
        if self._looking is not None:
            _, late = await asyncio.wait({self._looking}, timeout=queue.NUDGE_SECONDS)
            for look in late:
                look.cancel()
        if self.tasks:
            _, late = await asyncio.wait(self.tasks.values(), timeout=FINISH_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*self.tasks.values(), return_exceptions=True)
            self.tasks.clear()
        with suppress(RedisError, OSError):  # a frozen one must not hold up the end
            await bounded(self._no_health(), queue.NUDGE_SECONDS)
        if self.on_shutdown:
            await self.on_shutdown(self.ctx)
        await self.pool.aclose(close_connection_pool=True)


def _end_if_told() -> None:
    """On Python 3.11 `asyncio.wait_for`, in which redis-py sends, can swallow a cancellation: it would never end."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
