"""The real programs: many servers on one database, killed ones, ended ones, and those that must not start."""

import asyncio
import signal
import time
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from bot.simulator import bodies
from bot.simulator.bodies import Json
from bot.simulator.graph import StandIn
from bot.simulator.shown import shown
from bot.simulator.webhook import wire
from bot.store.database import Database
from bot.whatsapp.signature import sign
from tests.services.process import free_port
from tests.stack.processes import SERVE, WEB, WORKER, ended, engines, environment, graph_for, served, worked
from tests.stack.world import ANA, SECRET, TOKEN, VERIFY
from tests.store.rows import sql

TWENTY = 20
SECONDS = 20.0


async def test_twenty_posts_of_one_message_to_two_servers_have_one_effect(database_url: str, tmp_path: Path) -> None:
    port = free_port()
    env = environment(database_url, port)
    async with graph_for(port) as graph:
        with served(SERVE, env, tmp_path / "a") as (_, one), served(SERVE, env, tmp_path / "b") as (_, two):
            assert await flood(graph, [one, two], bodies.text("hola")) == [200] * TWENTY
            await until(lambda: len(graph.messages) == 1)
            row = shown(graph.messages[0].body, graph.templates).options[0]
            assert await flood(graph, [one, two], row.tap) == [200] * TWENTY
            await until(lambda: len(graph.messages) == 2)
            await asyncio.sleep(0.5)  # for a second effect to show itself
    assert len(graph.messages) == 2
    assert await counts(database_url) == {"inbox": 2, "outbox": 2, "appointments": 1, "customers": 1}
    tells_nothing(tmp_path, "hola", row.title)


async def test_a_server_killed_right_after_the_200_answers_after_the_restart(
    sqlite_url: str, valkey_url: str, tmp_path: Path
) -> None:
    port = free_port()
    async with graph_for(port) as graph:
        with served(WEB, environment(sqlite_url, port, REDIS_URL=valkey_url), tmp_path / "web") as (web, url):
            assert (await post([url], signed(graph, bodies.text("hola"))))[0] == 200
            web.kill()
            web.wait()
        assert graph.messages == []
        with served(SERVE, environment(sqlite_url, port), tmp_path / "serve"):
            await until(lambda: len(graph.messages) == 1)
            await asyncio.sleep(0.5)
    assert len(graph.messages) == 1
    assert (await counts(sqlite_url))["inbox"] == 1


async def test_a_serve_killed_at_any_moment_answers_once(sqlite_url: str, tmp_path: Path) -> None:
    """Web and worker go together here: what was under way is found and finished by the next one."""
    port, web_port = free_port(), free_port()
    env = environment(sqlite_url, port, PORT=str(web_port))
    async with graph_for(port, web_port) as graph:
        with served(SERVE, env, tmp_path / "first") as (process, url):
            assert (await post([url], signed(graph, bodies.text("hola"))))[0] == 200
            process.kill()
            process.wait()
        with served(SERVE, env, tmp_path / "second"):
            await until(lambda: len(graph.messages) >= 1, seconds=30)
            await asyncio.sleep(0.5)
    assert len(graph.messages) == 1


@pytest.mark.parametrize("frozen", [False, True])
async def test_serve_ends_cleanly_and_takes_its_engine_along(sqlite_url: str, tmp_path: Path, frozen: bool) -> None:
    """Also when the engine does not react any more."""
    with served(SERVE, environment(sqlite_url, free_port()), tmp_path / "log") as (process, _):
        (engine,) = engines(process)
        if frozen:
            engine.suspend()
        before = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(process.wait, 5) == 0
        assert time.monotonic() - before < 5
    assert not engine.is_running()
    assert "Traceback" not in (tmp_path / "log").read_text()


async def test_a_killed_serve_leaves_no_engine(sqlite_url: str, tmp_path: Path) -> None:
    with served(SERVE, environment(sqlite_url, free_port()), tmp_path / "log") as (process, _):
        (engine,) = engines(process)
        process.kill()
        process.wait()
        await until(lambda: not engine.is_running() or engine.status() == psutil.STATUS_ZOMBIE, seconds=2)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"WHATSAPP_APP_SECRET": ""}, "WHATSAPP_APP_SECRET"),
        ({"WHATSAPP_VERIFY_TOKEN": "", "WHATSAPP_ACCESS_TOKEN": ""}, "WHATSAPP_VERIFY_TOKEN, WHATSAPP_ACCESS_TOKEN"),
        ({"DATABASE_URL": "mysql://u:sekret@h/x"}, "DATABASE_URL"),
        ({"REDIS_URL": "redis://:sek/ret@h:x"}, "REDIS_URL"),
    ],
)
async def test_serve_with_a_wrong_setting_names_it_in_one_line(
    sqlite_url: str, tmp_path: Path, changed: dict[str, str], named: str
) -> None:
    env = environment(sqlite_url, free_port(), **{"PORT": str(free_port()), **changed})
    code, out = await ended(SERVE, env, tmp_path)
    assert code == 1
    assert len(out.splitlines()) == 1
    assert named in out
    assert not [secret for secret in (SECRET, TOKEN, VERIFY, "sekret", "ret@h") if secret in out]


async def test_serve_on_a_port_in_use_says_so_in_one_line(sqlite_url: str, tmp_path: Path) -> None:
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    code, out = await ended(SERVE, environment(sqlite_url, free_port(), PORT=str(port)), tmp_path)
    server.close()
    await server.wait_closed()
    assert code == 1
    assert len(out.splitlines()) == 1
    assert str(port) in out
    # By `info`: one that ends while they are gone through (other tests run beside this one) is left out, not raised.
    every = [one.info for one in psutil.process_iter(["name", "cmdline"])]
    assert not [one for one in every if "valkey" in (one["name"] or "") and str(tmp_path) in str(one["cmdline"])]


async def test_web_and_worker_apart_on_postgresql_and_redis(postgres_url: str, redis_url: str, tmp_path: Path) -> None:
    port = free_port()
    env = environment(postgres_url, port, REDIS_URL=redis_url)
    async with graph_for(port) as graph:
        with served(WEB, env, tmp_path / "a") as (_, one), served(WEB, env, tmp_path / "b") as (_, two):
            with worked(env, tmp_path / "worker") as worker:
                assert await flood(graph, [one, two], bodies.text("hola")) == [200] * TWENTY
                await until(lambda: len(graph.messages) == 1)
                row = shown(graph.messages[0].body, graph.templates).options[0]
                assert await flood(graph, [one, two], row.tap) == [200] * TWENTY
                await until(lambda: len(graph.messages) == 2)
                await asyncio.sleep(0.3)
                worker.send_signal(signal.SIGTERM)
                assert await asyncio.to_thread(worker.wait, 5) in {0, -signal.SIGTERM, 1}
            assert httpx.get(f"{one}/webhook?hub.mode=subscribe&hub.verify_token={VERIFY}&hub.challenge=7").text == "7"
    assert len(graph.messages) == 2
    assert await counts(postgres_url) == {"inbox": 2, "outbox": 2, "appointments": 1, "customers": 1}
    tells_nothing(tmp_path, "hola", row.title)


@pytest.mark.parametrize("command", [(*WEB, "0"), WORKER], ids=["uvicorn", "arq"])
async def test_web_and_worker_apart_do_not_migrate(
    empty_url: str, redis_url: str, tmp_path: Path, command: tuple[str, ...]
) -> None:
    code, out = await ended(command, environment(empty_url, free_port(), REDIS_URL=redis_url), tmp_path)
    assert code != 0
    assert "confirmo db upgrade" in out


@pytest.mark.parametrize("command", [(*WEB, "0"), WORKER], ids=["uvicorn", "arq"])
async def test_web_and_worker_apart_need_a_redis(sqlite_url: str, tmp_path: Path, command: tuple[str, ...]) -> None:
    code, out = await ended(command, environment(sqlite_url, free_port()), tmp_path)
    assert code != 0
    assert "REDIS_URL is not set" in out
    assert not [secret for secret in (SECRET, TOKEN, VERIFY) if secret in out]


def signed(graph: StandIn, content: Json, wamid: str = "wamid.invented") -> tuple[bytes, dict[str, str]]:
    body = wire(bodies.message(graph.line, ANA, wamid, graph.clock.now(), content))
    return body, {"X-Hub-Signature-256": sign(SECRET, body)}


async def post(urls: list[str], one: tuple[bytes, dict[str, str]], times: int = 1) -> list[int]:
    body, headers = one
    async with httpx.AsyncClient(timeout=20, trust_env=False) as client:
        calls = [client.post(f"{urls[n % len(urls)]}/webhook", content=body, headers=headers) for n in range(times)]
        return [answer.status_code for answer in await asyncio.gather(*calls)]


async def flood(graph: StandIn, urls: list[str], content: Json) -> list[int]:
    """The same signed message twenty times at once."""
    return await post(urls, signed(graph, content, bodies.new_wamid()), TWENTY)


async def until(true: Any, seconds: float = SECONDS) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come"
        await asyncio.sleep(0.02)


async def counts(database_url: str) -> dict[str, int]:
    db = Database(database_url)
    found = {}
    async with db.read() as session:
        for table in ("inbox", "outbox WHERE kind = 'reply'", "appointments", "customers"):
            found[table.split()[0]] = int((await sql(session, f"SELECT count(*) FROM {table}")).scalar_one())
    await db.close()
    return found


def tells_nothing(logs: Path, *words: str) -> None:
    """No secret, no number, no name, no text."""
    told = "".join(path.read_text() for path in logs.iterdir() if path.suffix == "")
    assert "messages kept" in told
    for secret in (SECRET, TOKEN, VERIFY, str(ANA.wa_id), ANA.user_id, ANA.name, "Clases Robledo", *words):
        assert secret not in told
