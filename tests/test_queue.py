"""The door to arq: addresses, wake-ups that never fail their caller, jobs that are only data."""

import os
import signal
import time
from pathlib import Path

import psutil
import pytest
from arq.connections import ArqRedis
from redis.asyncio import Redis

from bot import queue
from bot.queue import TOGETHER, Queue, connect
from tests.services.process import free_port
from tests.services.valkey import valkey
from tests.stack.told import told


def test_the_password_is_decoded() -> None:
    pool = connect("redis://us%40er:p%40ss%23w%2Frd@[::1]:6380/3").connection_pool
    given = pool.connection_kwargs
    assert (given["username"], given["password"], given["host"], given["port"], given["db"]) == (
        "us@er",
        "p@ss#w/rd",
        "::1",
        6380,
        3,
    )


@pytest.mark.parametrize("url", ["rediss://user:pw@h:6380/1", "redis://h:6379/", "unix:///tmp/none.sock"])
def test_every_kind_of_address_is_taken(url: str) -> None:
    assert isinstance(connect(url), ArqRedis)


@pytest.mark.parametrize("url", ["", "h:6379", "http://:sekret@h", "redis://:sek/ret@h:x", "redis://h:99999999/x"])
def test_a_bad_address_is_named_without_its_password(url: str) -> None:
    with pytest.raises(ValueError, match=r"^REDIS_URL takes redis://") as caught:
        connect(url)
    assert "sek" not in str(caught.value)
    assert caught.value.__cause__ is None


async def test_wake_ups_are_jobs(valkey_url: str) -> None:
    async with Redis.from_url(valkey_url) as redis:
        await redis.flushall()
        door = Queue(connect(valkey_url))
        await door.answer([1, 1, 2])
        await door.deliver(["a"], after=60)
        await door.deliver(["b", "c"], apart=0.5)
        await door.deliver([])
        jobs = await door.redis.queued_jobs()
        assert sorted((job.function, tuple(job.args)) for job in jobs) == [
            ("answer", (1, 1, 2)),
            ("deliver", ("a",)),
            ("deliver", ("b",)),
            ("deliver", ("c",)),
        ]
        await redis.flushall()
        await door.answer(range(TOGETHER + 1))
        assert sorted(len(job.args) for job in await door.redis.queued_jobs()) == [1, TOGETHER]
        assert await door.ping()
        await door.close()


async def test_without_a_queue_a_wake_up_is_lost_and_noted() -> None:
    door = Queue(connect(f"redis://127.0.0.1:{free_port()}"))
    with told() as log:
        await door.answer([1])
    assert not await door.ping()
    assert "did not take a wake-up" in log.getvalue()
    await door.close()


async def test_a_frozen_queue_holds_nobody_up() -> None:
    with valkey() as url:
        path = url.removeprefix("unix://")
        (process,) = [one for one in psutil.Process().children() if path in " ".join(one.cmdline())]
        door = Queue(connect(url))
        assert await door.ping()
        os.kill(process.pid, signal.SIGSTOP)
        try:
            began = time.monotonic()
            await door.answer([1])
            assert not await door.ping()
            assert time.monotonic() - began < 1.5
        finally:
            os.kill(process.pid, signal.SIGCONT)
        assert await door.ping()
        await door.close()


def test_a_job_is_json_so_that_nothing_read_can_run() -> None:
    raw = queue.dump({"f": "answer", "a": (1,), "e": ValueError("x")})
    assert queue.load(raw) == {"f": "answer", "a": [1], "e": "ValueError('x')"}
    with pytest.raises(ValueError, match=r"."):
        queue.load(b"\x80\x04\x95")


def test_the_socket_of_a_unix_address_is_its_path(tmp_path: Path) -> None:
    assert connect(f"unix://{tmp_path}/q.sock").connection_pool.connection_kwargs["path"] == f"{tmp_path}/q.sock"
