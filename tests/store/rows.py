"""Rows to begin a test with."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import CursorResult, text
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.business_file import BusinessFile, parse
from bot.store.businesses import seed
from bot.store.database import Database
from bot.store.tables import AppointmentRow, CustomerRow
from tests.conftest import FIXTURES, NOW

HOUR = timedelta(hours=1)


def written(name: str) -> BusinessFile:
    """A business of fixtures/businesses."""
    path = FIXTURES / "businesses" / f"{name}.toml"
    return parse(path.read_text(encoding="utf-8"), path.name)


async def a_business(db: Database, name: str = "barberia", phone_number_id: str = "PNID1") -> int:
    """Stores it, with one customer; on a fresh database business, customer and first staff member have the id 1."""
    async with db.write() as session:
        business_id = await seed(session, written(name), phone_number_id=phone_number_id, waba_id="WABA1", now=NOW)
        session.add(CustomerRow(business_id=business_id, name="Ana Prueba", created_at=NOW, updated_at=NOW))
    return business_id


def appointment(
    start: datetime, hours: float = 1, *, buffer: float = 0, staff: int | None = 1, status: str = "SCHEDULED"
) -> AppointmentRow:
    """One of the first customer's, `hours` long and `buffer` hours blocked after it."""
    end = start + hours * HOUR
    return AppointmentRow(
        business_id=1,
        customer_id=1,
        staff_id=staff,
        scheduled_at=start,
        ends_at=end,
        busy_until=end + buffer * HOUR,
        status=status,
        slot_set_at=NOW,
        created_at=NOW,
        updated_at=NOW,
    )


async def add(session: AsyncSession, row: AppointmentRow) -> int:
    """Its id."""
    session.add(row)
    await session.flush()
    assert row.id is not None
    return row.id


async def sql(session: AsyncSession, statement: str) -> CursorResult[Any]:
    """What another SQL client would see."""
    return await (await session.connection()).execute(text(statement))
