"""Scan, outbox and receipts in this process on a clock that stands: for rules that depend on the instant."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from redis.asyncio import Redis
from sqlmodel import col, select

from bot.app import ensure_business, open_runtime
from bot.core.reminders import Kind
from bot.outbox import deliver, recover
from bot.runtime import Runtime
from bot.scan import scan
from bot.simulator.bodies import Json, new_wamid
from bot.simulator.messages import Accepted as Taken
from bot.simulator.people import Person
from bot.simulator.receipts import receipt
from bot.simulator.webhook import wire
from bot.store import heartbeats
from bot.store.outbox import PENDING
from bot.store.tables import AppointmentRow, CustomerRow, OutboxRow
from bot.web.keep import keep
from bot.whatsapp.client import Accepted, GraphClient, Outcome
from bot.whatsapp.inbound import read
from tests.stack.world import StillClock, line_to, settings_for

After = Callable[[str], Awaitable[Outcome | None]]
"""Asked once a message is taken: what becomes of the answer (None = it is good)."""
BEAT = timedelta(seconds=5)


async def _answered(_: str) -> None:
    """The answer comes through."""


class Taking(GraphClient):
    """Takes every message, and then does as it is told."""

    def __init__(self) -> None:
        self.takes: list[tuple[str, str]] = []
        self.after: After = _answered

    async def send(self, body: Json) -> Outcome:
        delivery_id, wamid = str(body["biz_opaque_callback_data"]), new_wamid()
        self.takes.append((delivery_id, wamid))
        outcome = await self.after(delivery_id)
        return outcome or Accepted(wamid=wamid, wa_id=None, user_id=None, held=False, calls=1)

    def received(self) -> Counter[str]:
        """How often each delivery id reached its customer."""
        return Counter(delivery_id for delivery_id, _ in self.takes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diary:
    """One business, its clock and its rows."""

    runtime: Runtime
    clock: StillClock
    graph: Taking
    up_since: list[datetime] = field(default_factory=list)

    async def customer(self, number: int = 1, *, reachable: bool = True) -> int:
        phone = f"5215550{number:06d}" if reachable else None
        row = CustomerRow(
            business_id=1,
            name=f"Cliente {number}",
            whatsapp_number=phone,
            canonical_number=phone,
            created_at=self.clock.now(),
            updated_at=self.clock.now(),
        )
        return await self._add(row)

    async def appointment(self, customer: int, start: datetime, booked: datetime, *, status: str = "SCHEDULED") -> int:
        """Its first mark is the past, so that the next scan looks at it."""
        return await self._add(
            AppointmentRow(
                business_id=1,
                customer_id=customer,
                service_id=1,
                scheduled_at=start,
                ends_at=start + timedelta(hours=1),
                busy_until=start + timedelta(hours=1),
                status=status,
                next_mark_at=booked,
                slot_set_at=booked,
                created_at=booked,
                updated_at=booked,
            )
        )

    async def _add(self, row: AppointmentRow | CustomerRow) -> int:
        async with self.runtime.db.write() as session:
            session.add(row)
            await session.flush()
        return row.id or 0

    async def scan(self) -> list[str]:
        """Both scans at this instant; the delivery ids to be sent."""
        results = [await scan(self.runtime, kind, self.clock.now()) for kind in Kind]
        return [one for result in results for one in result.created]

    async def rows(self) -> Sequence[OutboxRow]:
        async with self.runtime.db.read() as session:
            return (await session.exec(select(OutboxRow).order_by(col(OutboxRow.created_at), col(OutboxRow.id)))).all()

    async def get(self, appointment_id: int) -> AppointmentRow:
        async with self.runtime.db.read() as session:
            return (await session.exec(select(AppointmentRow).where(col(AppointmentRow.id) == appointment_id))).one()

    async def hear(self, delivery_id: str, wamid: str, *statuses: str) -> None:
        """Receipts, in at the webhook's back door."""
        body: dict[str, Any] = {"type": "template", "biz_opaque_callback_data": delivery_id}
        taken = Taken(wamid=wamid, person=Person(user_id="XX.1", wa_id="5215550000001"), body=body, at=self.clock.now())
        for status in statuses:
            told = receipt(line_to("http://127.0.0.1:1"), taken, status, self.clock.now())
            await keep(self.runtime, read(wire(told)))

    async def beat(self) -> None:
        """A web process is up, since the first beat."""
        now = self.clock.now()
        self.up_since.append(now)
        async with self.runtime.db.write() as session:
            await heartbeats.beat(session, "web", self.up_since[0], now)

    async def pass_time(self, seconds: float) -> None:
        """The clock moves on in beats; at each the sweep looks after what was left behind and what is due is sent."""
        end = self.clock.now() + timedelta(seconds=seconds)
        while self.clock.now() < end:
            self.clock.travel(self.clock.now() + BEAT)
            await self.beat()
            await recover(self.runtime)
            await self.send()

    async def send(self) -> None:
        """Everything that is due now."""
        rows = await self.rows()
        due = [row.id for row in rows if row.state == "queued" and row.due_at <= self.clock.now()]
        for at in range(0, len(due), 20):
            await asyncio.gather(*(deliver(self.runtime, one) for one in due[at : at + 20]))

    async def pending(self) -> list[str]:
        return [row.id for row in await self.rows() if row.state in PENDING]


@asynccontextmanager
async def diary(database_url: str, valkey_url: str, now: datetime, **more: object) -> AsyncIterator[Diary]:
    """On an empty queue; nothing happens by itself."""
    clock = StillClock(now.astimezone(UTC))
    graph = Taking()
    settings = settings_for(database_url, "http://127.0.0.1:1", **{"send_rate_per_second": 1000, **more})
    async with Redis.from_url(valkey_url) as redis:
        await redis.flushall()
    async with open_runtime(settings, clock, valkey_url) as opened:
        runtime = replace(opened, graph=lambda _: graph)
        await ensure_business(runtime)
        yield Diary(runtime=runtime, clock=clock, graph=graph)
