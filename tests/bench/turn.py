"""One turn of a conversation in this process: load, decide, apply; the search for times; what a phrase means."""

import asyncio
import csv
import time
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from sqlalchemy import event

from bot.app import ensure_business, open_runtime
from bot.clock import Clock
from bot.simulator.webhook import wire
from bot.store.database import SQLITE
from bot.store.migrate import upgrade
from bot.turn import answer
from bot.understanding.read import every_day, understand
from bot.web.keep import Letter, keep
from bot.whatsapp.inbound import read
from tests.bench.figures import Figure
from tests.bench.load import message, percentile
from tests.bench.servers import databases
from tests.conftest import FIXTURES
from tests.services.valkey import valkey
from tests.stack.world import settings_for

TURNS, WARM = 400, 50
SAID = ("hola", "quiero una cita mañana a las 5", "qué citas tengo", "gracias")


def figures(runs: int) -> Iterable[Figure]:
    """On both databases."""
    with databases() as urls, valkey() as redis_url:
        for kind, url in urls.items():
            told = [asyncio.run(_turns(url, redis_url)) for _ in range(runs)]
            for place, what in enumerate(("median", "p99")):
                yield Figure(
                    part="turn",
                    name=f"{kind}: load, decide, apply, {what}",
                    unit="ms",
                    ours=[one[place] for one in told],
                )
            yield Figure(part="turn", name=f"{kind}: statements of a turn", unit="", ours=[one[2] for one in told])
    yield Figure(part="turn", name="understand a phrase", unit="ms", ours=[_understand() for _ in range(runs)])


async def _turns(url: str, redis_url: str) -> tuple[float, float, float]:
    await upgrade(url)
    took, statements = [], 0
    async with open_runtime(settings_for(url, "http://127.0.0.1:1"), Clock(), redis_url) as runtime:
        await ensure_business(runtime)

        def count(*_: object) -> None:
            nonlocal statements
            statements += 1

        engines = [runtime.db._writer.sync_engine]  # noqa: SLF001 - to count with
        if runtime.db.dialect == SQLITE:  # elsewhere the reader is the same engine, and would count twice
            engines.append(runtime.db._reader.sync_engine)  # noqa: SLF001 - the same
        for engine in engines:
            event.listen(engine, "before_cursor_execute", count)
        for number in range(TURNS + WARM):
            content = message(number, f"wamid.{time.time_ns()}", SAID[number % len(SAID)])
            letter = Letter(reading=read(wire(content)), at=runtime.clock.now())
            (customer,) = await keep(runtime, [letter])
            before, began = statements, time.perf_counter()
            await answer(runtime, customer)
            took.append((1000 * (time.perf_counter() - began), statements - before))
    counted = took[WARM:]
    milliseconds = [one for one, _ in counted]
    return percentile(milliseconds, 0.5), percentile(milliseconds, 0.99), sum(n for _, n in counted) / len(counted)


def _understand() -> float:
    """The mean over all phrases that the tests know."""
    phrases = []
    for path in sorted((FIXTURES / "phrases").glob("*.tsv")):
        with path.open(encoding="utf-8") as lines:
            phrases += [row[1] for row in csv.reader(lines, delimiter="\t") if len(row) > 1 and row[1] != "phrase"]
    now, zone, week = Clock().now(), ZoneInfo("America/Mexico_City"), every_day(9 * 60, 19 * 60)
    began = time.perf_counter()
    for phrase in phrases:
        understand(phrase, now=now, zone=zone, hours=week)
    return 1000 * (time.perf_counter() - began) / len(phrases)
