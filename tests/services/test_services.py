"""The services that the tests start are real, and end."""

import asyncio
from pathlib import Path

import psutil
import pytest
from redis.asyncio import Redis

from tests.services.postgres import Cluster
from tests.services.process import start
from tests.services.valkey import valkey


async def test_valkey_answers(valkey_url: str) -> None:
    client = Redis.from_url(valkey_url)
    assert await client.ping()
    await client.aclose()


def test_valkey_ends_and_leaves_nothing() -> None:
    with valkey() as url:
        path = Path(url.removeprefix("unix://"))
        (process,) = [child for child in psutil.Process().children() if str(path) in " ".join(child.cmdline())]
    assert not process.is_running()
    assert not path.parent.exists()


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no such thing"):
        start(["sh", "-c", "echo no such thing; exit 3"], log=tmp_path / "log", ready=lambda: False)


def test_every_database_is_a_new_one(postgres_cluster: Cluster, postgres_url: str) -> None:
    other = postgres_cluster.create()
    assert postgres_cluster.address(other) != postgres_url
    postgres_cluster.drop(other)


async def test_chromium_is_a_program(chromium_path: str) -> None:
    process = await asyncio.create_subprocess_exec(chromium_path, "--version", stdout=asyncio.subprocess.PIPE)
    assert b"Chrom" in (await process.communicate())[0]
