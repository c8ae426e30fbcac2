"""Webhook ingest: signed, distinct messages over 32 connections, from a second process.

Ours is durable and deduplicated when it answers (SQLite with synchronous=FULL, PostgreSQL with fsync); the peers keep
nothing. Each is alone while it is measured.
"""

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import psutil

from tests.bench.figures import Figure
from tests.bench.servers import databases, peer, web_of

SECONDS = 3
CEILING, PYWA = "bare Starlette", "pywa on FastAPI"


def pressed(port: int, process: psutil.Process | None = None, **how: Any) -> dict[str, Any]:
    """One run of the load, from its own process; `cpu` is what the server took for each request, in milliseconds."""
    words = [sys.executable, "-m", "tests.bench.load", str(port), json.dumps({"seconds": SECONDS, **how})]
    before = _cpu(process)
    told: dict[str, Any] = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, timeout=120).stdout)  # noqa: S603
    if set(told["statuses"]) - {"200"}:
        raise RuntimeError(f"not all were answered 200: {told['statuses']}")
    told["cpu"] = 1000 * (_cpu(process) - before) / told["sent"]
    return told


def _cpu(process: psutil.Process | None) -> float:
    times = process.cpu_times() if process is not None else None
    return times.user + times.system if times is not None else 0.0


def figures(runs: int) -> Iterable[Figure]:
    """Every server once a run, so that a slow minute hits all."""
    told: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with databases() as urls:
        for _ in range(runs):
            with tempfile.TemporaryDirectory() as name:
                _round(told, urls, Path(name))
    rate = {who: [one["rate"] for one in runs] for who, runs in told.items()}
    for kind in urls:
        ours = rate[kind]
        yield Figure(
            part="ingest",
            name=f"{kind}, beside pywa",
            unit="requests/s",
            ours=ours,
            peer=rate[PYWA],
            peer_name=PYWA,
            goal="≥ 1.5 ×" if kind == "SQLite" else "",
        )
        yield Figure(
            part="ingest",
            name=f"{kind}, beside the ceiling",
            unit="requests/s",
            ours=ours,
            peer=rate[CEILING],
            peer_name=CEILING,
            goal="≥ 0.40" if kind == "SQLite" else "",
        )
        for what, unit, goal in (
            ("p50", "ms", ""),
            ("p99", "ms", "≤ 25" if kind == "SQLite" else ""),
            ("cpu", "CPU ms/request", ""),
        ):
            yield Figure(
                part="ingest",
                name=f"{kind}, {what}",
                unit=unit,
                ours=[one[what] for one in told[kind]],
                peer=[one[what] for one in told[PYWA]],
                peer_name=PYWA,
                goal=goal,
            )


def _round(told: dict[str, list[dict[str, Any]]], urls: dict[str, str], folder: Path) -> None:
    for who, app in ((CEILING, "bare_app:app"), (PYWA, "pywa_app:app")):
        with peer(f"tests.bench.peers.{app}", folder) as (process, port):
            told[who].append(pressed(port, process))
    for kind, url in urls.items():
        with web_of(url, folder) as (process, port):
            told[kind].append(pressed(port, process))
