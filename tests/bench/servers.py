"""The servers under load: Confirmo's own programs and the peers, each in a process of its own, on a new database."""

import asyncio
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psutil

from bot.store.migrate import upgrade
from tests.services.postgres import Cluster, binaries, postgres
from tests.services.process import free_port, start, stop
from tests.services.valkey import valkey
from tests.stack.processes import WEB, environment, served

PEER = (sys.executable, "-m", "uvicorn", "--log-level", "warning", "--no-access-log", "--host", "127.0.0.1", "--port")


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """A new database of each kind, migrated, on disk and durable: SQLite, and PostgreSQL where it is installed."""
    with tempfile.TemporaryDirectory() as folder:
        urls = {"SQLite": f"sqlite+aiosqlite:///{folder}/bench.db"}
        found = binaries()
        if found is None:
            yield urls
            return
        with postgres(found, durable=True) as url, closing(Cluster(url)) as cluster:
            yield {**urls, "PostgreSQL": cluster.address(cluster.create())}


@contextmanager
def web_of(database_url: str, folder: Path) -> Iterator[tuple[psutil.Process, int]]:
    """Confirmo's web alone, as an operator starts it: its process and port."""
    asyncio.run(upgrade(database_url))
    with valkey() as redis_url:
        env = environment(database_url, free_port(), REDIS_URL=redis_url)
        with served(WEB, env, folder / "web.log") as (process, url):
            yield psutil.Process(process.pid), int(url.rsplit(":", 1)[1])


@contextmanager
def peer(app: str, folder: Path) -> Iterator[tuple[psutil.Process, int]]:
    """Another program on the same kind of server."""
    port = free_port()
    process = start([*PEER, str(port), app], log=folder / "peer.log", ready=lambda: listens(port))
    try:
        yield psutil.Process(process.pid), port
    finally:
        stop(process)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
