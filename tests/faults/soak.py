"""`make soak`: campaigns on both databases with one seed after the other; one line each, a table, exit 1 on any fault.

SOAK_SEEDS says how many (10), SOAK_SEED the first (else random), SOAK_REMINDERS and SOAK_SECONDS how long each is.
"""

import argparse
import asyncio
import logging
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import structlog

from bot.store.migrate import upgrade
from tests.faults.campaign import Campaign, Report, run
from tests.faults.farm import engine_binary
from tests.services.postgres import Cluster, binaries, postgres

SERVE_CHAOS = ("kill_web", "deploy_web")
MINUTE: Mapping[str, Any] = MappingProxyType(
    {"chaos": ("fill", "freeze_engine", "flush"), "in_order": True, "freeze": (60.0, 60.0), "seconds": 65.0}
)
"""Redis is frozen for a whole minute."""
DATABASES = ("sqlite", "postgresql")


def campaigns(seed: int, reminders: int, seconds: float) -> Sequence[tuple[str, Campaign]]:
    """One of each shape: apart on both databases, every third seed with Debian's Redis, and `serve` on SQLite."""
    engine = "redis" if seed % 3 == 0 and engine_binary("redis") else "valkey"
    apart = Campaign(seed=seed, reminders=reminders, seconds=seconds, engine=engine, freeze=(1.0, 15.0))
    serve = replace(apart, webs=1, workers=0, chaos=SERVE_CHAOS, reminders=reminders // 4)
    every = [("sqlite", apart), ("postgresql", apart), ("sqlite", serve)]
    return [*every, ("postgresql", replace(apart, **MINUTE))] if seed % 5 == 0 else every


def main() -> int:
    """All seeds."""
    words = argparse.ArgumentParser(prog="make soak", description=__doc__)
    first = int(os.environ.get("SOAK_SEED") or random.SystemRandom().randrange(10**6))
    words.add_argument("--seed", type=int, default=first)
    words.add_argument("--seeds", type=int, default=int(os.environ.get("SOAK_SEEDS", "10")))
    words.add_argument("--reminders", type=int, default=int(os.environ.get("SOAK_REMINDERS", "1000")))
    words.add_argument("--seconds", type=float, default=float(os.environ.get("SOAK_SECONDS", "40")))
    words.add_argument("--database", choices=DATABASES, default=None, help="only this one")
    given = words.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    every = [one for n in range(given.seeds) for one in campaigns(given.seed + n, given.reminders, given.seconds)]
    with _databases() as fresh:
        reports = [(kind, _one(kind, one, fresh)) for kind, one in every if given.database in (None, kind)]
    return _table(reports)


Fresh = Callable[[str, Path], str]
"""Kind of database, folder → the address of a new migrated one."""


@contextmanager
def _databases() -> Iterator[Fresh]:
    """PostgreSQL is started once; without its binaries a soak cannot pass."""
    folder = binaries()
    if folder is None:
        raise SystemExit("make soak needs PostgreSQL's binaries")
    with postgres(folder) as url, closing(Cluster(url)) as cluster:

        def fresh(kind: str, where: Path) -> str:
            address = (
                f"sqlite+aiosqlite:///{where / 'bot.db'}" if kind == "sqlite" else cluster.address(cluster.create())
            )
            asyncio.run(upgrade(address))
            return address

        yield fresh


def _one(kind: str, campaign: Campaign, fresh: Fresh) -> Report:
    with tempfile.TemporaryDirectory(prefix="confirmo-soak-") as name:
        report = asyncio.run(run(campaign, fresh(kind, Path(name)), Path(name)))
    shape = "serve" if campaign.workers == 0 else f"{campaign.webs} web × {campaign.workers} worker, {campaign.engine}"
    _say(f"{'ok  ' if report.good else 'FAIL'} {kind}, {shape}, {report.line()}")
    if not report.good:
        _say(str(report.findings))
    return report


def _table(reports: Sequence[tuple[str, Report]]) -> int:
    """The sums, and the exit code."""
    for kind in DATABASES:
        mine = [report for one, report in reports if one == kind]
        found = [report.findings for report in mine]
        reminders = sum(report.campaign.reminders for report in mine)
        counts = {name: sum(len(getattr(one, name)) for one in found) for name in ("lost", "doubled", "wrong")}
        resent = sum(one.allowed_resends for one in found)
        _say(f"{kind:<10} campaigns {len(mine):>3} reminders {reminders:>6} {counts} resent without a receipt {resent}")
    failed = [f"{kind} seed {report.campaign.seed}" for kind, report in reports if not report.good]
    _say(f"FAILED: {', '.join(failed)}" if failed else "0 lost, 0 doubled, every flag and message id right")
    return 1 if failed else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
