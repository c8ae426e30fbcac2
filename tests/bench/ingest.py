"""Webhook ingest: signed, distinct messages over 32 connections, from a second process."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import psutil

from tests.bench.servers import databases, peer, web_of

Subject = Callable[[Path], AbstractContextManager[tuple[psutil.Process, int]]]


def pressed(port: int, **how: Any) -> dict[str, Any]:
    """One run of the load, from its own process."""
    words = [sys.executable, "-m", "tests.bench.load", str(port), json.dumps(how)]
    told: dict[str, Any] = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, timeout=120).stdout)  # noqa: S603
    return told


if __name__ == "__main__":
    how = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {"seconds": 3}
    with tempfile.TemporaryDirectory() as name, databases() as urls:
        folder = Path(name)
        for app in ("bare_app:app", "pywa_app:app"):
            with peer(f"tests.bench.peers.{app}", folder) as (_, port):
                print(app, pressed(port, **how))
        for kind, url in urls.items():
            with web_of(url, folder) as (process, port):
                print(kind, pressed(port, **how), process.memory_info().rss / 1e6)
