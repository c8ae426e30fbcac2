"""The real programs: `confirmo serve`, `uvicorn` and `arq`, each in a process of its own with settings of its own."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import psutil
from starlette.applications import Starlette

from bot.clock import Clock
from bot.simulator.graph import StandIn
from bot.simulator.people import Person
from tests.conftest import FIXTURES
from tests.services.process import free_port, start, stop
from tests.stack.serving import PLAIN, serving
from tests.stack.world import ACCOUNT, ANA, NUMBER, SECRET, TOKEN, VERIFY, line_to, templates

SERVE = (sys.executable, "-c", "from bot.cli import main; main()", "serve")  # as the script `confirmo` does
WEB = (sys.executable, "-m", "uvicorn", "--factory", "bot.app:create_app", "--host", "127.0.0.1", "--port")
WORKER = (sys.executable, "-m", "arq", "jobs.worker.WorkerSettings")
Environment = Mapping[str, str]


def environment(database_url: str, graph_port: int, **more: str) -> Environment:
    """All settings; one given as "" is not set."""
    return {
        "WHATSAPP_APP_SECRET": SECRET,
        "WHATSAPP_VERIFY_TOKEN": VERIFY,
        "WHATSAPP_ACCESS_TOKEN": TOKEN,
        "WHATSAPP_PHONE_NUMBER_ID": NUMBER,
        "WHATSAPP_BUSINESS_ACCOUNT_ID": ACCOUNT,
        "WHATSAPP_GRAPH_URL": f"http://127.0.0.1:{graph_port}/graph",
        "DATABASE_URL": database_url,
        "BUSINESS_FILE": str(FIXTURES / "businesses" / "one_service.toml"),
        "REDIS_URL": "",
        "REMINDER_SCAN_INTERVAL_SECONDS": "1",
        "SEND_TIMEOUT_SECONDS": "2",
        "UNKNOWN_OUTCOME_WAIT_SECONDS": "2",
        "HOST": "127.0.0.1",
        "LOG_FORMAT": "json",
        "LOG_LEVEL": "INFO",
        "PYTHONDONTWRITEBYTECODE": "",  # so many starts: compile the packages once
        **more,
    }


def _command(command: tuple[str, ...], env: Environment) -> list[str]:
    unset = [word for name, value in env.items() if not value for word in ("-u", name)]
    return ["env", *unset, *(f"{name}={value}" for name, value in env.items() if value), *command]


@contextmanager
def served(command: tuple[str, ...], env: Environment, log: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A web process that answers /livez, and its address. It is ended at the end, unless the test has ended it."""
    port = int(env.get("PORT") or free_port())
    url = f"http://127.0.0.1:{port}"
    words = (*command, str(port)) if command is WEB else command
    process = start(_command(words, {**env, "PORT": str(port)}), log=log, ready=lambda: alive(url))
    try:
        yield process, url
    finally:
        stop(process)


@contextmanager
def worked(env: Environment, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker of its own."""
    process = start(_command(WORKER, env), log=log, ready=lambda: b"Starting worker" in log.read_bytes())
    try:
        yield process
    finally:
        stop(process)


async def ended(command: tuple[str, ...], env: Environment, folder: Path) -> tuple[int, str]:
    """Exit code and output of a program that ends by itself."""
    process = await asyncio.create_subprocess_exec(
        *_command(command, env), cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    out, _ = await asyncio.wait_for(process.communicate(), 20)
    return process.returncode or 0, out.decode()


def alive(url: str) -> bool:
    try:
        return httpx.get(f"{url}/livez", timeout=2, trust_env=False, verify=PLAIN).status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


class Graph(StandIn):
    """The stand-in, for tests that post the webhooks themselves."""

    def window_open(self, person: Person) -> bool:  # noqa: ARG002
        return True


@asynccontextmanager
async def graph_for(port: int, web_port: int = 1) -> AsyncIterator[StandIn]:
    """The stand-in on that port, in this process; its receipts go to the server on `web_port`."""
    webhook = httpx.AsyncHTTPTransport(verify=PLAIN)
    standin = Graph(line_to(f"http://127.0.0.1:{web_port}"), Clock(), templates(), webhook)
    standin.receipts.pause = 0.0
    standin.directory.people += [ANA]
    async with serving(Starlette(routes=standin.routes), f"http://127.0.0.1:{port}"):
        yield standin
        await standin.close()


def engines(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The queue engines that a `serve` has started."""
    return [child for child in psutil.Process(process.pid).children(recursive=True) if "valkey" in child.name()]
