"""A real PostgreSQL in a folder of its own, made and thrown away; fast because it may lose everything."""

import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]

from tests.services.process import free_port, start, stop

SETTINGS = {"listen_addresses": "127.0.0.1", "max_connections": "200", "wal_level": "minimal", "max_wal_senders": "0"}
CARELESS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}


ROOM = 2**30


def binaries() -> Path | None:
    """The folder of the newest `initdb` and `postgres` on this machine."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    found = str(debian[-1]) if debian else shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def owner() -> str | None:
    """Whom to run it as: PostgreSQL refuses root. None = as ourselves."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def memory() -> Path | None:
    """A folder in memory with room for it: a database is made of 300 files, thirty times faster there than on disk."""
    shared = Path("/dev/shm")  # noqa: S108 - only as the parent of a private folder
    if os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > ROOM:
        return shared
    return None


@contextmanager
def postgres(folder: Path, *, durable: bool = False) -> Iterator[str]:
    """The address of its first database, without the driver: `postgresql://…/postgres`.

    `durable`: on disk and as careful as an operator's, for measurements.
    """
    user = owner()
    settings = SETTINGS if durable else SETTINGS | CARELESS
    home = Path(tempfile.mkdtemp(prefix="confirmo-", dir=None if durable else memory()))
    try:
        if user:
            shutil.chown(home, user)
        data, port = home / "data", free_port()
        subprocess.run(  # noqa: S603
            [folder / "initdb", "-D", data, "-U", "confirmo", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            cwd=home,
            user=user,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        command = [str(folder / "postgres"), "-D", str(data), "-p", str(port), "-k", str(home)]
        command += [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        ready = [str(folder / "pg_isready"), "-q", "-h", str(home), "-p", str(port)]
        process = start(
            command,
            log=home / "log",
            ready=lambda: subprocess.run(ready, check=False, stderr=subprocess.DEVNULL).returncode == 0,  # noqa: S603
            user=user,
        )
        try:
            yield f"postgresql://confirmo@127.0.0.1:{port}/postgres"
        finally:
            stop(process, signal.SIGINT)
    finally:
        shutil.rmtree(home)


class Cluster:
    """Databases by the dozen on one PostgreSQL: each a copy of a migrated one.

    It has an event loop of its own, so that plain fixtures can use it between the tests' loops.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._loop = asyncio.new_event_loop()
        self._names = (f"test_{number}" for number in count(1))
        self._connection = self._loop.run_until_complete(asyncpg.connect(url))

    def create(self, template: str = "template0") -> str:
        """The name of a new database."""
        name = next(self._names)
        self._run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def drop(self, name: str) -> None:
        # FORCE: a failed test may have left connections open.
        self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def address(self, name: str) -> str:
        """As DATABASE_URL wants it."""
        return self.url.replace("postgresql://", "postgresql+asyncpg://").removesuffix("postgres") + name

    def close(self) -> None:
        self._loop.run_until_complete(self._connection.close())
        self._loop.close()

    def _run(self, statement: str) -> None:
        self._loop.run_until_complete(self._connection.execute(statement))
