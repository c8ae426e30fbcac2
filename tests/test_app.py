"""The composition root: what is opened is closed, and nobody is asked anything by opening it."""

import httpx
import pytest

from bot.app import check_schema, create_app, ensure_business, open_runtime, web
from bot.clock import TravelClock
from bot.settings import Settings, SettingsError
from bot.store import businesses
from tests.services.process import free_port
from tests.stack.processes import environment
from tests.stack.serving import serving
from tests.stack.told import told
from tests.stack.world import NUMBER, VERIFY, settings_for


@pytest.fixture
def settings(sqlite_url: str) -> Settings:
    return settings_for(sqlite_url, f"http://127.0.0.1:{free_port()}")


async def test_opening_asks_nobody_anything(settings: Settings, clock: TravelClock) -> None:
    async with open_runtime(settings, clock, f"redis://127.0.0.1:{free_port()}") as runtime:
        assert runtime.graph(NUMBER) is runtime.graph(NUMBER)
        assert runtime.graph("1") is not runtime.graph(NUMBER)


async def test_an_old_schema_is_named_with_the_command_that_helps(empty_url: str, clock: TravelClock) -> None:
    settings = settings_for(empty_url, "http://127.0.0.1:1")
    async with open_runtime(settings, clock, "redis://127.0.0.1:1") as runtime:
        with pytest.raises(SettingsError, match="confirmo db upgrade"):
            await check_schema(runtime)


async def test_the_first_start_makes_the_business_and_the_next_ones_keep_it(
    settings: Settings, clock: TravelClock
) -> None:
    async with open_runtime(settings, clock, "redis://127.0.0.1:1") as runtime:
        await check_schema(runtime)
        await ensure_business(runtime)
        app = web(runtime)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
            assert (await client.get("/livez")).text == "ok"
        async with runtime.db.read() as session:
            assert (await businesses.load(session, 1)).name == "Clases Robledo"


async def test_the_factory_makes_the_web_from_the_environment(
    sqlite_url: str, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment(sqlite_url, free_port(), REDIS_URL=valkey_url).items():
        monkeypatch.setenv(name, value)
    with told():
        app = create_app()
        url = f"http://127.0.0.1:{free_port()}"
        async with serving(app, url), httpx.AsyncClient(base_url=url, trust_env=False) as client:
            assert (await client.get("/readyz")).json()["database"] is True
            query = {"hub.mode": "subscribe", "hub.verify_token": VERIFY, "hub.challenge": "007"}
            assert (await client.get("/webhook", params=query)).text == "007"
        monkeypatch.delenv("REDIS_URL")
        with pytest.raises((SettingsError, SystemExit), match="REDIS_URL is not set"):
            create_app()
