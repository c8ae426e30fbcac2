"""What is taken of the staff's time."""

from datetime import datetime

from sqlalchemy import text
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.slots import Busy
from bot.store.tables import ACTIVE, AppointmentRow, StaffRow


async def load_busy(session: AsyncSession, business_id: int, since: datetime, until: datetime) -> tuple[Busy, ...]:
    """Active appointments of named staff that touch `[since, until)`, their buffer counted, by start."""
    staff_id, start = col(AppointmentRow.staff_id), col(AppointmentRow.scheduled_at)
    busy_until = col(AppointmentRow.busy_until)
    people = select(col(StaffRow.id)).where(col(StaffRow.business_id) == business_id)
    wanted = (
        select(staff_id, start, busy_until, col(AppointmentRow.id))
        .where(staff_id.in_(people), busy_until > since, start < until, text(ACTIVE))
        .order_by(start)
    )
    return tuple(
        Busy(staff=who, start=at, until=end, appointment=number)
        for who, at, end, number in await session.exec(wanted)
        if who is not None and number is not None
    )
