"""Appointments whose reminders fall due while a campaign runs, in the database by the store's own rows."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.core.phone import canonical
from bot.core.reminders import OFFSET, Kind
from bot.store.database import Database, Session
from bot.store.outbox import reminder_id
from bot.store.tables import AppointmentRow, CustomerRow

LONG_AGO = timedelta(days=3)
OPTED_OUT_SHARE = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """One reminder that falls due; `reason` when it must be skipped."""

    appointment: int
    kind: str
    delivery_id: str
    reason: str | None


async def seed(db: Database, *, number: int, seconds: float, now: datetime, dice: random.Random) -> Sequence[Expected]:
    """`number` reminders of both kinds, spread over the next `seconds`; a few customers have opted out."""
    async with db.write() as session:
        customers = [_customer(place, now, dice) for place in range(number)]
        session.add_all(customers)
        await session.flush()
        return [await _appointment(session, one, now, seconds, dice) for one in customers]


def _customer(place: int, now: datetime, dice: random.Random) -> CustomerRow:
    phone = f"5215550{place:06d}"
    return CustomerRow(
        business_id=1,
        name=f"Cliente {place}",
        whatsapp_number=phone,
        canonical_number=canonical(phone),
        language=dice.choice(("es", "pt_BR", "en", None)),
        opted_out_at=now - LONG_AGO if dice.random() < OPTED_OUT_SHARE else None,
        created_at=now - LONG_AGO,
        updated_at=now - LONG_AGO,
    )


async def _appointment(
    session: Session, customer: CustomerRow, now: datetime, seconds: float, dice: random.Random
) -> Expected:
    kind = dice.choice(list(Kind))
    mark = now + timedelta(seconds=dice.uniform(0, seconds))
    start = mark + OFFSET[kind]
    row = AppointmentRow(
        business_id=1,
        customer_id=customer.id or 0,
        service_id=1,
        scheduled_at=start,
        ends_at=start + timedelta(hours=1),
        busy_until=start + timedelta(hours=1),
        next_mark_at=mark,
        slot_set_at=start - OFFSET[kind] - timedelta(seconds=1) if kind is Kind.HOURS else now - LONG_AGO,
        created_at=now - LONG_AGO,
        updated_at=now - LONG_AGO,
    )
    if kind is Kind.HOURS:
        # Booked within the day: the 24h one is out of the question from the start.
        row.slot_set_at = start - timedelta(hours=23)
    session.add(row)
    await session.flush()
    return Expected(
        appointment=row.id or 0,
        kind=kind.value,
        delivery_id=reminder_id(row.id or 0, kind, row.version),
        reason="opted_out" if customer.opted_out_at is not None else None,
    )
