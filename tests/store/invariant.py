"""What must hold of all appointments together, said without the code under test, and a crowd that tries to break it."""

import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import combinations

from sqlmodel import func, select

from bot.core.appointment import Actor, Happening, Status
from bot.core.business import Business
from bot.store import appointments, businesses
from bot.store.appointments import Cause, OutOfDate, SlotGone
from bot.store.database import Database, Session
from bot.store.tables import AppointmentRow
from tests.conftest import NOW
from tests.store.rows import appointment

HELD = (Status.SCHEDULED, Status.CONFIRMED)
QUARTER = timedelta(minutes=15)
BY = Cause(actor=Actor.STAFF, name="prueba")


def violations(rows: Iterable[AppointmentRow], business: Business) -> list[str]:
    """Pairs that overlap and are no seats of one session; sessions with more seats than there are; rooms not had."""
    held = [row for row in rows if row.status in HELD and row.staff_id is not None]
    rooms = [row for row in held if row.resource_id is not None]
    services = {service.id: service for service in business.services}
    found = [
        f"{one.id} and {other.id} meet"
        for together in (*_grouped(held, lambda row: row.staff_id), *_grouped(rooms, lambda row: row.resource_id))
        for one, other in combinations(together, 2)
        if one.scheduled_at < other.busy_until
        and other.scheduled_at < one.busy_until
        and (one.service_id is None or _session(one) != _session(other))
    ]
    for seats in _grouped(held, _session):
        service = services.get(seats[0].service_id or 0)
        if service and len(seats) > service.capacity:
            found.append(f"{len(seats)} seats in the session of {seats[0].id}")
        if service and service.resources is not None and seats[0].resource_id not in service.resources:
            found.append(f"{seats[0].id} has no room")
    return found


def _grouped(rows: Iterable[AppointmentRow], key: Callable[[AppointmentRow], object]) -> Iterable[list[AppointmentRow]]:
    groups: dict[object, list[AppointmentRow]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups.values()


def _session(row: AppointmentRow) -> tuple[object, ...]:
    return row.service_id, row.staff_id, row.scheduled_at, row.resource_id


@dataclass(slots=True, kw_only=True)
class Crowd:
    """One of many who book, move, cancel and restore at random, in a few hours of a few people."""

    db: Database
    business: Business
    dice: random.Random
    done: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    async def act(self, times: int) -> None:
        for _ in range(times):
            try:
                await self._once(self.dice.choice((self._book, self._change)))
            except SlotGone:
                self.done["refused"] += 1
            except OutOfDate:
                self.done["overtaken"] += 1

    async def _once(self, what: Callable[[Session], Awaitable[None]]) -> None:
        async with self.db.write() as session:
            await what(session)

    async def _book(self, session: Session) -> None:
        service = self.dice.choice(self.business.services)
        person = self.dice.choice([None, *(person.id for person in self.business.staff_for(service.id))])
        start = NOW + timedelta(days=1) + self.dice.randrange(40) * QUARTER
        row = appointment(start, service.minutes / 60, buffer=service.buffer / 60, staff=person)
        row.service_id = service.id
        await appointments.book(session, row, BY, NOW)
        self.done["booked"] += 1

    async def _change(self, session: Session) -> None:
        last = (await session.exec(select(func.max(AppointmentRow.id)))).one() or 0
        row = await appointments.get(session, self.dice.randint(0, last))
        if row is None:
            return
        before = appointments.value(row)
        happening = self.dice.choice((Happening.MOVE, Happening.CANCEL, Happening.UNDO, Happening.CONFIRM))
        if not before.may(happening, by=Actor.STAFF, now=NOW):
            return
        by = self.dice.randrange(-6, 7) * QUARTER
        start, end = before.start + by, before.end + by
        after = before.after(happening, by=Actor.STAFF, now=NOW, start=start, end=end)
        until = row.busy_until + by
        await appointments.store(session, before, after, happening, cause=BY, now=NOW, busy_until=until)
        self.done[happening.value] += 1


async def check(db: Database, business_id: int) -> list[str]:
    """The violations in the whole table."""
    async with db.read() as session:
        rows = (await session.exec(select(AppointmentRow))).all()
        return violations(rows, await businesses.load(session, business_id))
