"""`python -m tests.bench [PART…] [--runs N] [--compare] [--save]`: measure, then print one table."""

import argparse
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path

from bot.log import configure
from bot.settled import settled
from tests.bench import beyond
from tests.bench.figures import Figure, load, save, table
from tests.stack.world import settings_for

PARTS = ("start", "ingest", "batches", "replies", "turn", "slots", "scan", "drain")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--compare", action="store_true", help="ratios to tests/bench/baseline.json")
    parser.add_argument("--save", action="store_true", help="write tests/bench/baseline.json")
    asked = parser.parse_args()
    # The servers are processes of their own, started in folders of their own.
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    configure(settings_for("sqlite+aiosqlite:///unused.db", "http://127.0.0.1:1", log_level="WARNING"))
    figures: list[Figure] = []
    failed = []
    for part in asked.parts or PARTS:
        began = time.monotonic()
        try:
            figures += list(measure(part)(asked.runs))
        except Exception:  # noqa: BLE001 - the other parts are worth having; the exit code tells
            traceback.print_exc()
            failed.append(part)
        print(f"{part}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    print(table(figures, load() if asked.compare else None))
    print("", beyond.table(figures), sep="\n")
    if asked.save:
        save(figures)
    sys.exit(f"could not be measured: {', '.join(failed)}" if failed else 0)


def measure(part: str) -> Callable[[int], Iterable[Figure]]:
    """A module of that name here; what it runs in this process finds it as a program is that serves."""
    found: Mapping[str, Callable[[int], Iterable[Figure]]] = vars(import_module(f"tests.bench.{part}"))
    settled()
    return found["figures"]


if __name__ == "__main__":
    main()
