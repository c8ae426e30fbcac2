"""The worker's work, done step by step by the test."""

from datetime import datetime, timedelta
from typing import Any

from sqlmodel import col, select

from bot.core.phone import canonical
from bot.core.reminders import Kind
from bot.outbox import deliver, recover
from bot.scan import ScanResult, scan
from bot.simulator.people import Person
from bot.store import heartbeats
from bot.store.attention import open_alarms
from bot.store.tables import AppointmentRow, CustomerRow, OutboxRow
from bot.turn import answer
from tests.stack.world import ANA, Stack

HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
BO = Person(user_id="MX.80000000000000009", wa_id="5215550001609", name="Bo Prueba", language="es")
START = datetime.fromisoformat("2026-12-04T23:00:00Z")
"""Friday 17:00 in Mexico City: both marks lie outside the quiet hours."""


class Hand:
    """`stack` and what is done with it; the clock only moves when told."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.runtime = stack.runtime
        self.standin = stack.standin

    @property
    def now(self) -> datetime:
        return self.stack.clock.now()

    def at(self, instant: datetime) -> None:
        self.stack.clock.travel(instant)

    def later(self, by: timedelta) -> None:
        self.at(self.now + by)

    # What is there to begin with.

    async def appointment(self, start: datetime = START, person: Person = ANA, **more: Any) -> int:
        """Booked now, and due to be looked at by the scan; its id."""
        customer_id = await self.customer(person)
        values: dict[str, Any] = {
            "business_id": 1,
            "customer_id": customer_id,
            "service_id": 1,
            "staff_id": None,
            "scheduled_at": start,
            "ends_at": start + HOUR,
            "busy_until": start + HOUR,
            "next_mark_at": self.now,
            "slot_set_at": self.now,
            "created_at": self.now,
            "updated_at": self.now,
        }
        row = AppointmentRow(**(values | more))
        async with self.runtime.db.write() as session:
            session.add(row)
            await session.flush()
        return row.id or 0

    async def customer(self, person: Person = ANA) -> int:
        """This person's row, made when it is not there."""
        async with self.runtime.db.write() as session:
            query = select(CustomerRow).where(col(CustomerRow.user_id) == person.user_id)
            row = (await session.exec(query)).first() or CustomerRow(
                business_id=1,
                name=person.name,
                whatsapp_number=person.wa_id,
                canonical_number=canonical(person.wa_id) if person.wa_id else None,
                user_id=person.user_id,
                created_at=self.now,
                updated_at=self.now,
            )
            session.add(row)
            await session.flush()
        return row.id or 0

    # What the jobs do.

    async def scan(self, kind: Kind = Kind.DAY) -> ScanResult:
        return await scan(self.runtime, kind, self.now)

    async def send(self, *delivery_ids: str) -> None:
        """Deliver these, or all that is queued and due, in order."""
        for delivery_id in delivery_ids or [row.id for row in await self.rows() if row.state == "queued"]:
            await deliver(self.runtime, delivery_id)

    async def settle(self) -> None:
        """Every receipt has come in."""
        await self.standin.settled()

    async def remind(self, start: datetime = START, **more: Any) -> OutboxRow:
        """An appointment whose 24h reminder stands in the outbox, due."""
        await self.appointment(start, **more)
        self.at(start - 24 * HOUR)
        await self.scan()
        return (await self.rows())[-1]

    async def recover(self) -> int:
        return await recover(self.runtime)

    async def listening(self, since: datetime | None = None) -> None:
        """A web process has been up to hear receipts since then."""
        async with self.runtime.db.write() as session:
            await heartbeats.beat(session, "test", since or self.now, self.now)

    async def hears(self, words: str = "hola", person: Person = ANA) -> tuple[str, ...]:
        """The person writes, the turn is taken; the delivery ids of the answers."""
        await self.standin.hear(person, {"type": "text", "text": {"body": words}})
        return await answer(self.runtime, await self.customer(person))

    # What can be seen.

    async def rows(self) -> list[OutboxRow]:
        return list(await self.stack.outbox())

    async def row(self) -> OutboxRow:
        (row,) = await self.rows()
        return row

    async def flags(self) -> tuple[bool, str | None, bool, str | None]:
        """24h sent, its message id, 2h sent, its message id."""
        one = await self.stack.appointment()
        return one.reminder_24h_sent, one.reminder_24h_message_id, one.reminder_2h_sent, one.reminder_2h_message_id

    async def alarms(self) -> list[str]:
        async with self.runtime.db.read() as session:
            return [row.kind for row in await open_alarms(session)]
