"""Appointments agreed elsewhere: what the database knows of them already, and their insertion in one go."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.appointment import Actor, Status
from bot.core.slots import Busy
from bot.store import businesses
from bot.store.appointments import SlotGone
from bot.store.calendar import load_busy
from bot.store.database import insert, slot_taken
from bot.store.places import place, plain
from bot.store.tables import AppointmentEventRow, AppointmentRow, CustomerRow

CHUNK = 500
"""Values in one statement: SQLite takes 32,766."""
ACTOR_NAME = "import"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """A customer as the import needs them."""

    id: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Booked:
    """An appointment of one of these customers, whatever its status; `name` is who comes."""

    canonical: str
    name: str
    service: int | None
    start: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is there already. Customers are by canonical phone."""

    customers: Mapping[str, Owner]
    keys: frozenset[str]
    booked: tuple[Booked, ...]
    busy: tuple[Busy, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """A customer to be made; `phone` as it was entered, digits only."""

    phone: str
    canonical: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """An appointment to be added."""

    canonical: str
    attendee: str | None
    service: int | None
    staff: int | None
    start: datetime
    end: datetime
    busy_until: datetime
    next_mark_at: datetime | None
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """All that one import writes; `named` are customers whose name was not known, by id."""

    newcomers: tuple[Newcomer, ...]
    named: Mapping[int, str]
    appointments: tuple[Agreed, ...]


async def look(
    session: AsyncSession,
    business_id: int,
    *,
    canonicals: Collection[str],
    keys: Collection[str],
    span: tuple[datetime, datetime] | None,
) -> Known:
    """What is known of these phones and import keys, and whose time is taken within `span`."""
    # First: PostgreSQL's later queries see more, so what is taken here by another import is known below.
    busy = await load_busy(session, business_id, *span) if span is not None else ()
    customers: dict[str, Owner] = {}
    for chunk in _chunks(sorted(canonicals)):
        query = select(CustomerRow.id, CustomerRow.name, CustomerRow.canonical_number).where(
            col(CustomerRow.business_id) == business_id, col(CustomerRow.canonical_number).in_(chunk)
        )
        for customer_id, name, number in await session.exec(query):
            customers[number or ""] = Owner(id=customer_id or 0, name=name)
    found: set[str] = set()
    for chunk in _chunks(sorted(keys)):
        used = select(col(AppointmentRow.import_key)).where(col(AppointmentRow.import_key).in_(chunk))
        found.update(key for key in await session.exec(used) if key is not None)
    return Known(
        customers=customers,
        keys=frozenset(found),
        booked=await _booked(session, customers),
        busy=busy,
    )


async def write(session: AsyncSession, business_id: int, batch: Batch, now: datetime) -> None:
    """Customers, appointments and their audit rows; SlotGone when somebody else has taken one of the times."""
    if not batch.appointments:
        return
    customers = await _customers(session, business_id, batch, now)
    ordered = sorted(batch.appointments, key=lambda one: (one.staff or 0, one.start))
    connection = await session.connection()
    try:
        await _insert(
            session, business_id, [_appointment(business_id, customers[one.canonical], one, now) for one in ordered]
        )
    except DBAPIError as error:
        if slot_taken(error):
            raise SlotGone from None
        raise
    ids: dict[str, int] = {}
    for keys in _chunks([one.key for one in ordered]):
        query = select(AppointmentRow.import_key, AppointmentRow.id).where(col(AppointmentRow.import_key).in_(keys))
        ids |= {key or "": id_ or 0 for key, id_ in await session.exec(query)}
    await connection.execute(
        insert(session, AppointmentEventRow), [_event(business_id, ids[one.key], one.start, now) for one in ordered]
    )


async def _insert(session: AsyncSession, business_id: int, rows: Sequence[dict[str, Any]]) -> None:
    """In one go where no room or seat is to be found; one after the other where there is. Without a free room it is
    recorded without: that was agreed elsewhere."""
    connection = await session.connection()
    business = await businesses.load(session, business_id)
    placed = {service.id for service in business.services if not plain(service)}
    together = [row for row in rows if row["service_id"] not in placed]
    if together:
        await connection.execute(insert(session, AppointmentRow), together)
    for row in rows:
        if row["service_id"] in placed:
            found = await place(
                session,
                business_id,
                service=row["service_id"],
                staff=row["staff_id"],
                start=row["scheduled_at"],
                until=row["busy_until"],
            )
            resource = found.resource if found is not None else None
            await connection.execute(insert(session, AppointmentRow), row | {"resource_id": resource})


def _appointment(business_id: int, customer_id: int, one: Agreed, now: datetime) -> dict[str, Any]:
    return {
        "business_id": business_id,
        "customer_id": customer_id,
        "service_id": one.service,
        "staff_id": one.staff,
        "attendee": one.attendee,
        "scheduled_at": one.start,
        "ends_at": one.end,
        "busy_until": one.busy_until,
        "status": Status.SCHEDULED.value,
        "version": 1,
        "reminder_24h_sent": False,
        "reminder_2h_sent": False,
        "next_mark_at": one.next_mark_at,
        "import_key": one.key,
        "slot_set_at": now,
        "slot_version": 1,
        "created_at": now,
        "updated_at": now,
    }


def _event(business_id: int, appointment_id: int, start: datetime, now: datetime) -> dict[str, object]:
    return {
        "business_id": business_id,
        "appointment_id": appointment_id,
        "at": now,
        "happening": "BOOK",
        "to_status": Status.SCHEDULED.value,
        "to_start": start,
        "version": 1,
        "actor": Actor.STAFF.value,
        "actor_name": ACTOR_NAME,
    }


async def _customers(session: AsyncSession, business_id: int, batch: Batch, now: datetime) -> dict[str, int]:
    """The ids of all the batch's customers by canonical phone, made or named where they were not."""
    if batch.newcomers:
        values = [
            {
                "business_id": business_id,
                "name": one.name,
                "whatsapp_number": one.phone,
                "canonical_number": one.canonical,
                "draft": "{}",
                "created_at": now,
                "updated_at": now,
            }
            for one in batch.newcomers
        ]
        # A message of the same person may come in at this very moment.
        connection = await session.connection()
        await connection.execute(insert(session, CustomerRow).on_conflict_do_nothing(), values)
    ids: dict[str, int] = {}
    for numbers in _chunks(sorted({one.canonical for one in batch.appointments})):
        query = select(CustomerRow).where(
            col(CustomerRow.business_id) == business_id, col(CustomerRow.canonical_number).in_(numbers)
        )
        for row in await session.exec(query):
            ids[row.canonical_number or ""] = row.id or 0
            row.name = row.name or batch.named.get(row.id or 0, "")
    return ids


async def _booked(session: AsyncSession, customers: Mapping[str, Owner]) -> tuple[Booked, ...]:
    owners = {owner.id: (canonical, owner.name) for canonical, owner in customers.items()}
    found: list[Booked] = []
    for chunk in _chunks(sorted(owners)):
        query = select(
            AppointmentRow.customer_id, AppointmentRow.attendee, AppointmentRow.service_id, AppointmentRow.scheduled_at
        ).where(col(AppointmentRow.customer_id).in_(chunk))
        for customer_id, attendee, service, start in await session.exec(query):
            canonical, name = owners[customer_id]
            found.append(Booked(canonical=canonical, name=attendee or name, service=service, start=start))
    return tuple(found)


def _chunks(values: Sequence[T]) -> Iterator[Sequence[T]]:
    for first in range(0, len(values), CHUNK):
        yield values[first : first + CHUNK]
