"""One campaign: reminders fall due, everything fails at random, and at the end it is counted who received what."""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

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

SETTLES_WITHIN = 90.0
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
    every: tuple[float, float] = (0.8, 2.5)
    freeze: tuple[float, float] = (1.0, 3.0)
    plan: Plan | None = None
    by_hand: bool = True
    nudge_again: bool = False
    web: str = "bot.app:create_app"
    worker: str = "jobs.worker.WorkerSettings"
    settings: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Report:
    """What came of it."""

    campaign: Campaign
    findings: Findings
    took: float
    done: Counter[str]
    webhook_answers: dict[str, int]
    calls: int
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
            f"resent without a receipt {found.allowed_resends}, calls {self.calls}, {chaos}, {self.took:.0f} s{left}"
        )


@dataclass(slots=True)
class _Chaos:
    """Does what the dice say, one thing after the other."""

    here: Farm
    campaign: Campaign
    dice: random.Random
    done: Counter[str] = field(default_factory=Counter)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self.dice.uniform(*self.campaign.every))
            name = self.dice.choice(list(self.campaign.chaos))
            self.done[name] += 1
            await getattr(self, name)()

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
    processes = {name: getattr(campaign, name) for name in ("webs", "workers", "engine", "web", "worker")}
    async with farm(folder, database_url, plan, **processes, **dict(campaign.settings)) as here:
        settings = settings_for(database_url, f"{here.graph_url}/graph", **_lower(SETTINGS))
        async with open_runtime(settings, Clock(), here.redis_url) as runtime:
            await ensure_business(runtime)
            began = clock()
            expected = await seed(
                runtime.db, number=campaign.reminders, seconds=campaign.seconds, now=Clock().now(), dice=dice
            )
            chaos = _Chaos(here, campaign, dice)
            async with _beside(chaos.run if campaign.chaos else None), _beside(_scheduler(campaign, runtime)):
                await asyncio.sleep(campaign.seconds)
            left = await _settle(here, runtime.db, expected)
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
        left=left,
    )


def _lower(settings: dict[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in settings.items()}


def _scheduler(campaign: Campaign, runtime: Runtime) -> Callable[[], Awaitable[None]] | None:
    """A further scheduler beside those of the workers: scans by hand, sweeps, and wakes up for what is under way."""
    if not campaign.by_hand:
        return None

    async def again() -> None:
        while True:
            await asyncio.sleep(0.7)
            with suppress(OSError, DBAPIError):
                await asyncio.gather(*(scan(runtime, kind, runtime.clock.now()) for kind in Kind), recover(runtime))
                if campaign.nudge_again:
                    await runtime.queue.deliver(await _pending(runtime.db))

    return again


@asynccontextmanager
async def _beside(work: Callable[[], Awaitable[None]] | None) -> AsyncIterator[None]:
    """While the block runs; what goes wrong in it is told. What it has begun it finishes."""
    if work is None:
        yield
        return
    task = asyncio.ensure_future(work())
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def _settle(here: Farm, db: Database, expected: Sequence[Expected]) -> str:
    """Everything runs again; until nothing is left to do. What is left after a long time, else nothing."""
    here.engine.send(signal.SIGCONT)
    for one in (here.engine, *here.webs, *here.workers):
        if not one.running:
            one.start()
    until = asyncio.get_running_loop().time() + SETTLES_WITHIN
    while left := await _left(here, db, expected):
        if asyncio.get_running_loop().time() > until:
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
    posting = (await here.counts())["posting"]
    if rows >= len(expected) and not open_ and not posting:
        return ""
    return f"{rows} of {len(expected)} rows, {open_} pending, {posting} receipts to be posted"


async def _pending(db: Database) -> Sequence[str]:
    async with db.read() as session:
        return (await session.exec(select(col(OutboxRow.id)).where(col(OutboxRow.state).in_(PENDING)))).all()
