"""How long a start takes, and what a process weighs."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import psutil

from tests.bench.figures import Figure
from tests.bench.ingest import pressed
from tests.bench.servers import web_of
from tests.services.process import free_port
from tests.stack.processes import SERVE, environment, served

STORM = 100_000
MESSAGES_AT_ONCE = 20_000


def figures(runs: int) -> Iterable[Figure]:
    """The command line, `serve`, and the web before and after many messages."""
    yield Figure(
        part="start",
        name="--help of the command line",
        unit="ms",
        ours=[_help() for _ in range(runs + 2)],
        peer=[_python() for _ in range(runs + 2)],
        peer_name="python -c pass",
        goal="≤ 300",
    )
    ready, weight = zip(*(_serve() for _ in range(runs)), strict=True)
    yield Figure(part="start", name="serve ready, new SQLite file", unit="s", ours=ready)
    yield Figure(part="start", name="serve at idle, its engine apart", unit="MB", ours=weight)
    before, after, count = _storm()
    yield Figure(part="start", name="web at idle", unit="MB", ours=[before])
    yield Figure(part="start", name=f"web after {count:,} messages", unit="MB", ours=[after])


def _timed(words: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    return 1000 * (time.perf_counter() - began)


def _help() -> float:
    return _timed([str(Path(sys.executable).with_name("confirmo")), "--help"])


def _python() -> float:
    return _timed([sys.executable, "-c", "pass"])


def _serve() -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        env = environment(f"sqlite+aiosqlite:///{folder}/bench.db", free_port())
        began = time.perf_counter()
        with served(SERVE, env, Path(folder) / "log") as (process, _):
            ready = time.perf_counter() - began
            time.sleep(2)
            return ready, psutil.Process(process.pid).memory_info().rss / 1e6


def _storm() -> tuple[float, float, int]:
    with tempfile.TemporaryDirectory() as folder:
        with web_of(f"sqlite+aiosqlite:///{folder}/bench.db", Path(folder)) as (process, port):
            before, sent = process.memory_info().rss / 1e6, 0
            while sent < int(os.environ.get("BENCH_STORM", STORM)):
                sent += pressed(port, seconds=60, most=MESSAGES_AT_ONCE, warm=0.1)["sent"]
            return before, process.memory_info().rss / 1e6, sent
