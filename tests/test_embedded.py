"""The embedded queue engine: private, without a trace, and gone with us."""

import asyncio
import os
import signal
import stat
from pathlib import Path

import psutil
import pytest
from redis.asyncio import Redis

from bot import embedded
from bot.embedded import EngineError, engine


def running(url: str) -> list[psutil.Process]:
    path = url.removeprefix("unix://")
    return [one for one in psutil.Process().children() if path in " ".join(one.cmdline())]


async def test_it_answers_on_a_private_socket_and_leaves_nothing() -> None:
    async with engine() as url:
        path = Path(url.removeprefix("unix://"))
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        async with Redis.from_url(url) as redis:
            assert await redis.ping()
            assert (await redis.config_get("maxmemory-policy"))["maxmemory-policy"] == "noeviction"
            assert (await redis.config_get("port"))["port"] == "0"
        (process,) = running(url)
    assert not process.is_running()
    assert not path.parent.exists()


async def test_one_that_died_before_is_no_trouble_at_the_end() -> None:
    async with engine() as url:
        (process,) = running(url)
        process.kill()
        await asyncio.sleep(0.1)


async def test_one_that_does_not_stop_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "STOP_SECONDS", 0.1)
    async with engine() as url:
        (process,) = running(url)
        os.kill(process.pid, signal.SIGSTOP)
    assert not process.is_running()


async def test_without_a_packaged_binary_the_one_on_the_path_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def none() -> str:
        raise FileNotFoundError("no binary for this system")

    monkeypatch.setattr(embedded, "get_binary_path", none)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match="set REDIS_URL"):
        async with engine():
            pass
    script(tmp_path / "redis-server", "exit 7")
    with pytest.raises(EngineError, match="exit 7"):
        async with engine():
            pass


async def test_one_that_is_never_ready_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script(tmp_path / "valkey-server", "sleep 60")
    monkeypatch.setattr(embedded, "get_binary_path", lambda: tmp_path / "valkey-server")
    monkeypatch.setattr(embedded, "READY_SECONDS", 0.2)
    with pytest.raises(EngineError, match="not ready"):
        async with engine():
            pass


def script(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
