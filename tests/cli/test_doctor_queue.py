"""`confirmo doctor`: the queue."""

import socket
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from bot.cli import check_queue
from bot.embedded import EngineError
from tests.cli.conftest import Confirmo
from tests.cli.meta import ALL
from tests.services.valkey import valkey

pytestmark = pytest.mark.usefixtures("meta")


@pytest.fixture
async def redis() -> AsyncIterator[Redis]:
    """One of the test's own, to be spoilt."""
    with valkey() as url:
        client = Redis.from_url(url)
        yield client
        await client.aclose()


def address(redis: Redis, user: str = "") -> str:
    return f"unix://{user}{redis.connection_pool.connection_kwargs['path']}"


async def line(run: Confirmo, url: str) -> str:
    done = await run("doctor", **ALL, REDIS_URL=url)
    assert "geheim" not in done.out + done.err
    return next(found for found in done.out.splitlines() if " queue: " in found)


async def test_one_that_answers(anywhere: Confirmo, redis: Redis) -> None:
    assert await line(anywhere, address(redis)) == "OK       queue: Redis answers"


async def test_one_that_throws_things_away_is_a_warning(anywhere: Confirmo, redis: Redis) -> None:
    await redis.config_set("maxmemory-policy", "allkeys-lru")
    assert (await line(anywhere, address(redis))).startswith(
        "WARNING  queue: maxmemory-policy is allkeys-lru: set noev"
    )


async def test_one_that_does_not_tell_its_policy_is_well(anywhere: Confirmo, redis: Redis) -> None:
    await redis.acl_setuser("bot", enabled=True, passwords=["+geheim"], commands=["+ping", "+client"])
    assert await line(anywhere, address(redis, "bot:geheim@")) == "OK       queue: Redis answers"


@pytest.mark.parametrize("user", ["", ":geheim-und-falsch@"])
async def test_a_password_that_is_wrong_or_missing(anywhere: Confirmo, redis: Redis, user: str) -> None:
    await redis.config_set("requirepass", "ein-anderes")
    assert (await line(anywhere, address(redis, user))).startswith("WRONG    queue: refuses the user or the password")


async def test_one_that_is_not_there(anywhere: Confirmo) -> None:
    said = await line(anywhere, "redis://:geheim@127.0.0.1:1/0")
    assert said == "WRONG    queue: cannot be reached (ConnectionError): start it, or correct REDIS_URL"


async def test_one_that_hangs(anywhere: Confirmo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_queue, "SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://:geheim@127.0.0.1:{silent.getsockname()[1]}/0"
        assert "does not answer within" in await line(anywhere, url)


async def test_an_address_that_is_none(anywhere: Confirmo) -> None:
    assert (await line(anywhere, "http://:geheim@h")).startswith("WRONG    queue: REDIS_URL takes redis://")


async def test_a_machine_without_an_engine(anywhere: Confirmo, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise EngineError("no queue engine found: install one")

    monkeypatch.setattr(check_queue, "binary", none)
    assert await line(anywhere, "") == "WRONG    queue: no queue engine found: install one"
