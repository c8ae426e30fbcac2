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
from bot.core.appointment import Actor, Happening
from bot.core.reminders import Kind, Subject, next_mark, verdicts
from bot.outbox import deliver, recover
from bot.runtime import Runtime
from bot.scan import scan
from bot.simulator.bodies import Json, new_wamid
from bot.simulator.messages import Accepted as Taken
from bot.simulator.people import Person
from bot.simulator.receipts import receipt
from bot.simulator.refusals import GraphRefusal
from bot.simulator.webhook import wire
from bot.store import appointments, businesses, heartbeats
from bot.store.appointments import Cause
from bot.store.outbox import PENDING
from bot.store.tables import AppointmentRow, CustomerRow, OutboxMessageRow, OutboxRow
from bot.web.keep import Letter, keep
from bot.whatsapp.client import Accepted, GraphClient, Outcome
from bot.whatsapp.inbound import read
from tests.stack.world import StillClock, line_to, settings_for

After = Callable[[str], Awaitable[Outcome | None]]
"""Asked once a message is taken: what becomes of the answer (None = it is good)."""
BEAT = timedelta(seconds=5)


async def _answered(_: str) -> None:
    """The answer comes through."""


def hanging(reached: asyncio.Semaphore) -> After:
    """The answer never comes; `reached` is released at that point of each send."""

    async def after(_: str) -> Outcome | None:
        reached.release()
        await asyncio.Event().wait()
        return None

    return after


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
    webs: list[datetime] = field(default_factory=list)
    """Since when each web process has been up, the present one last."""

    async def customer(self, number: int = 1, *, reachable: bool = True) -> int:
        return await self._add(_customer(number, self.clock.now(), reachable=reachable))

    async def appointment(self, customer: int, start: datetime, booked: datetime) -> int:
        """The next scan looks at it."""
        return await self._add(_appointment(customer, start, booked))

    async def many(self, number: int, start: datetime, booked: datetime) -> None:
        """So many customers with one appointment each."""
        async with self.runtime.db.write() as session:
            customers = [_customer(place, booked) for place in range(number)]
            session.add_all(customers)
            await session.flush()
            session.add_all(_appointment(one.id or 0, start, booked) for one in customers)

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

    async def happens(self, number: int, happening: Happening, start: datetime | None = None) -> None:
        """What a turn does: the pure change, and when the scan must look again."""
        now = self.clock.now()
        async with self.runtime.db.write() as session:
            row = await appointments.get(session, number)
            assert row is not None
            before = appointments.value(row)
            end = start + (before.end - before.start) if start is not None else None
            after = before.after(happening, by=Actor.CUSTOMER, now=now, start=start, end=end)
            business = await businesses.load(session, 1)
            subject = Subject(status=after.status, start=after.start, slot_set_at=after.slot_set_at)
            mark = next_mark(verdicts(subject, now, self.runtime.rules(business)))
            cause = Cause(actor=Actor.CUSTOMER)
            await appointments.store(session, before, after, happening, cause=cause, now=now, next_mark_at=mark)

    async def wamids(self, delivery_id: str) -> set[str]:
        query = select(col(OutboxMessageRow.message_id)).where(col(OutboxMessageRow.outbox_id) == delivery_id)
        async with self.runtime.db.read() as session:
            return set((await session.exec(query)).all())

    async def hear(
        self, delivery_id: str, wamid: str, *statuses: str, code: int = 131026, at: datetime | None = None
    ) -> None:
        """Receipts, in at the webhook's back door."""
        body: dict[str, Any] = {"type": "template", "biz_opaque_callback_data": delivery_id}
        taken = Taken(wamid=wamid, person=Person(user_id="XX.1", wa_id="5215550000001"), body=body, at=self.clock.now())
        for status in statuses:
            error = GraphRefusal(code=code, details="By the test.") if status == "failed" else None
            told = receipt(line_to("http://127.0.0.1:1"), taken, status, at or self.clock.now(), error)
            await keep(self.runtime, [Letter(reading=read(wire(told)), at=self.clock.now())])

    async def beat(self) -> None:
        """A web process is up."""
        if not self.webs:
            self.another_web()
        async with self.runtime.db.write() as session:
            await heartbeats.beat(session, f"web{len(self.webs)}", self.webs[-1], self.clock.now())

    def another_web(self) -> None:
        """The present one is killed, the next comes up."""
        self.webs.append(self.clock.now())

    async def pass_time(self, seconds: float, step: timedelta = BEAT) -> None:
        """The clock moves on in beats; at each the sweep looks after what was left behind and what is due is sent."""
        end = self.clock.now() + timedelta(seconds=seconds)
        while self.clock.now() < end:
            self.clock.travel(self.clock.now() + step)
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


def _customer(number: int, now: datetime, *, reachable: bool = True) -> CustomerRow:
    phone = f"5215550{number:06d}" if reachable else None
    return CustomerRow(
        business_id=1,
        name=f"Cliente {number}",
        whatsapp_number=phone,
        canonical_number=phone,
        created_at=now,
        updated_at=now,
    )


def _appointment(customer: int, start: datetime, booked: datetime) -> AppointmentRow:
    return AppointmentRow(
        business_id=1,
        customer_id=customer,
        service_id=1,
        scheduled_at=start,
        ends_at=start + timedelta(hours=1),
        busy_until=start + timedelta(hours=1),
        next_mark_at=booked,
        slot_set_at=booked,
        created_at=booked,
        updated_at=booked,
    )


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
