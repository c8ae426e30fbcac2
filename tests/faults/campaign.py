"""One campaign: reminders fall due, everything fails at random, and at the end it is counted who received what."""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.exc import DBAPIError
from sqlmodel import col, func, select

from bot.app import ensure_business, open_runtime
from bot.clock import Clock
from bot.core.reminders import Kind
from bot.outbox import recover
from bot.runtime import Runtime
from bot.scan import scan
from bot.store.database import Database
from bot.store.outbox import FLAGS, PENDING
from bot.store.tables import OutboxRow
from tests.faults.checker import Findings, check, load
from tests.faults.farm import SETTINGS, Farm, farm, tail
from tests.faults.plan import Plan, storm
from tests.faults.seeding import Expected, seed
from tests.stack.world import settings_for

STUCK_AFTER = 90.0
"""Seconds in which nothing at all changes: a slow machine is no fault, a message that nobody fetches is."""
CHAOS = ("kill_worker", "kill_web", "flush", "restart_engine", "freeze_engine", "deploy_worker", "deploy_web")


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """What is tried: everything that is random follows from `seed`."""

    seed: int
    reminders: int = 500
    seconds: float = 15.0
    webs: int = 2
    workers: int = 2
    engine: str = "valkey"
    chaos: Sequence[str] = CHAOS
    every: tuple[float, float] = (0.3, 1.5)
    freeze: tuple[float, float] = (1.0, 3.0)
    plan: Plan | None = None
    by_hand: bool = True
    nudge_again: bool = False
    web: str = "bot.app:create_app"
    worker: str = "jobs.worker.WorkerSettings"
    settings: tuple[tuple[str, str], ...] = ()
    in_order: bool = False
    options: tuple[str, ...] = ()


@dataclass(slots=True)
class Report:
    """What came of it."""

    campaign: Campaign
    findings: Findings
    took: float
    done: Counter[str]
    webhook_answers: dict[str, int]
    calls: int
    dead: tuple[str, ...]
    slowest_webhook: float
    left: str = ""

    @property
    def good(self) -> bool:
        return self.findings.good and not self.left

    def line(self) -> str:
        """One line for people."""
        found = self.findings
        faults = f"lost {len(found.lost)} doubled {len(found.doubled)} wrong {len(found.wrong)}"
        more = f"received {found.received} skipped {found.skipped} given up {found.given_up}"
        chaos = " ".join(f"{name}={number}" for name, number in sorted(self.done.items()))
        left = f" LEFT: {self.left}" if self.left else ""
        return (
            f"seed {self.campaign.seed}: {self.campaign.reminders} reminders, {faults}; {more}, "
            f"resent without a receipt {found.allowed_resends}, calls {self.calls}, {chaos}, "
            f"slowest webhook {self.slowest_webhook:.1f} s, {self.took:.0f} s{left}"
        )


@dataclass(slots=True)
class _Chaos:
    """Does what the dice say, one thing after the other."""

    here: Farm
    campaign: Campaign
    dice: random.Random
    done: Counter[str] = field(default_factory=Counter)
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        """Until told to stop; what is begun is finished, so that nothing is left half ended or frozen."""
        for name in self._names():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stop.wait(), self.dice.uniform(*self.campaign.every))
            if self.stop.is_set() and not self.campaign.in_order:
                return
            self.done[name] += 1
            await getattr(self, name)()

    def _names(self) -> Iterator[str]:
        """At random without end, or one after the other."""
        if self.campaign.in_order or not self.campaign.chaos:
            yield from self.campaign.chaos
            return
        while True:
            yield self.dice.choice(list(self.campaign.chaos))

    async def kill_worker(self) -> None:
        one = self.dice.choice(list(self.here.workers))
        await one.kill()
        one.start()

    async def kill_web(self) -> None:
        one = self.dice.choice(list(self.here.webs))
        await one.kill()
        one.start()

    async def deploy_worker(self) -> None:
        one = self.dice.choice(list(self.here.workers))
        one.send(signal.SIGTERM)
        await one.ended()
        one.start()

    async def deploy_web(self) -> None:
        one = self.dice.choice(list(self.here.webs))
        one.send(signal.SIGTERM)
        await one.ended()
        one.start()

    async def flush(self) -> None:
        with suppress(RedisError, OSError):
            async with Redis.from_url(self.here.redis_url, socket_timeout=2) as redis:
                await redis.flushall()

    async def fill(self) -> None:
        """More than its memory holds: everything that was in it is evicted."""
        with suppress(RedisError, OSError):
            async with Redis.from_url(self.here.redis_url, socket_timeout=2) as redis:
                await redis.mset({f"junk:{number}": b"x" * 10_000 for number in range(400)})

    async def restart_engine(self) -> None:
        await self.here.engine.kill()
        await asyncio.sleep(self.dice.uniform(0, 1))
        self.here.engine.start()

    async def freeze_engine(self) -> None:
        self.here.engine.send(signal.SIGSTOP)
        await asyncio.sleep(self.dice.uniform(*self.campaign.freeze))
        self.here.engine.send(signal.SIGCONT)


async def run(campaign: Campaign, database_url: str, folder: Path) -> Report:
    """From an empty migrated database to the verdict."""
    clock = asyncio.get_running_loop().time
    dice = random.Random(campaign.seed)
    plan = campaign.plan if campaign.plan is not None else storm(campaign.seed)
    names = ("webs", "workers", "engine", "web", "worker", "options")
    processes: dict[str, Any] = {name: getattr(campaign, name) for name in names} | dict(campaign.settings)
    async with farm(folder, database_url, plan, **processes) as here:
        settings = settings_for(database_url, f"{here.graph_url}/graph", **_lower(SETTINGS))
        async with open_runtime(settings, Clock(), here.redis_url) as runtime:
            await ensure_business(runtime)
            began = clock()
            expected = await seed(
                runtime.db, number=campaign.reminders, seconds=campaign.seconds, now=Clock().now(), dice=dice
            )
            chaos = _Chaos(here, campaign, dice)
            async with _chaotic(chaos), _scheduled(campaign, runtime):
                await asyncio.sleep(campaign.seconds)
            dead = begin_again(here)
            left = await settled(here, runtime.db, expected)
            told = await here.statistics()
            findings = check(expected, await load(runtime.db), told)
    if left:
        left += "".join(f"\n--- {one.name}\n{tail(one.log)[-800:]}" for one in (*here.workers, *here.webs, here.graph))
    return Report(
        campaign=campaign,
        findings=findings,
        took=clock() - began,
        done=chaos.done,
        webhook_answers=told["webhook_answers"],
        calls=len(told["call_times"]),
        dead=dead,
        slowest_webhook=told["slowest_webhook"],
        left=left,
    )


def _lower(settings: dict[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in settings.items()}


@asynccontextmanager
async def _chaotic(chaos: _Chaos) -> AsyncIterator[None]:
    """While the block runs; what goes wrong in it is told."""
    task = asyncio.ensure_future(chaos.run())
    yield
    chaos.stop.set()
    await task


@asynccontextmanager
async def _scheduled(campaign: Campaign, runtime: Runtime) -> AsyncIterator[None]:
    """A further scheduler beside those of the workers: scans by hand, sweeps, and wakes up for what is under way."""
    stop = asyncio.Event()
    task = asyncio.ensure_future(_schedule(campaign, runtime, stop))
    yield
    stop.set()  # not cancelled: its own transactions end in good order
    await task


async def _schedule(campaign: Campaign, runtime: Runtime, stop: asyncio.Event) -> None:
    while campaign.by_hand and not stop.is_set():
        with suppress(OSError, DBAPIError):
            await asyncio.gather(*(scan(runtime, kind, runtime.clock.now()) for kind in Kind), recover(runtime))
            if campaign.nudge_again:
                await runtime.queue.deliver(await _pending(runtime.db))
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), 0.7)


def begin_again(here: Farm) -> tuple[str, ...]:
    """Everything runs again; the names of the programs that had ended."""
    here.engine.send(signal.SIGCONT)
    dead = [one for one in (here.engine, *here.webs, *here.workers) if not one.running]
    for one in dead:
        one.start()
    return tuple(one.name for one in dead)


async def settled(here: Farm, db: Database, expected: Sequence[Expected]) -> str:
    """Waits until nothing is left to do; what is left when it is stuck, else nothing."""
    clock = asyncio.get_running_loop().time
    before, since = "", clock()
    while left := await _left(here, db, expected):
        if left != before:
            before, since = left, clock()
        if clock() > since + STUCK_AFTER:
            return left
        await asyncio.sleep(0.25)
    return ""


async def _left(here: Farm, db: Database, expected: Sequence[Expected]) -> str:
    async with db.read() as session:
        pending = func.count().filter(col(OutboxRow.state).in_(PENDING))
        query = select(func.count(), pending).where(
            col(OutboxRow.kind).in_(tuple(FLAGS)), col(OutboxRow.reason).is_distinct_from("booked_late")
        )
        rows, open_ = (await session.exec(query)).one()
    counts = await here.counts()
    posting = counts["posting"]
    if rows >= len(expected) and not open_ and not posting:
        return ""
    return f"{rows} of {len(expected)} rows, {open_} pending, {posting} receipts to be posted, {counts['taken']} taken"


async def _pending(db: Database) -> Sequence[str]:
    async with db.read() as session:
        return (await session.exec(select(col(OutboxRow.id)).where(col(OutboxRow.state).in_(PENDING)))).all()
