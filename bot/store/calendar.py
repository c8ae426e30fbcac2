"""What is taken of the staff's time and of the rooms."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Select, bindparam, or_, select, text
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.slots import Busy
from bot.store.tables import ACTIVE, AppointmentRow, StaffRow

_HELD = (
    col(AppointmentRow.busy_until) > bindparam("since"),
    col(AppointmentRow.scheduled_at) < bindparam("until"),
    text(ACTIVE),
)


async def load_busy(session: AsyncSession, business_id: int, since: datetime, until: datetime) -> tuple[Busy, ...]:
    """Active appointments of named staff that touch `[since, until)`, their buffer counted, by start."""
    people = select(col(StaffRow.id)).where(col(StaffRow.business_id) == bindparam("business"))
    wanted = _columns().where(col(AppointmentRow.staff_id).in_(people), *_HELD)
    rows = await _rows(session, wanted, {"business": business_id, "since": since, "until": until})
    return tuple(sorted(rows, key=lambda busy: busy.start))


async def load_around(
    session: AsyncSession, staff: int, resources: Iterable[int], since: datetime, until: datetime
) -> tuple[Busy, ...]:
    """The same of one staff member and of these resources, whoever makes use of them."""
    mine = col(AppointmentRow.staff_id) == bindparam("staff")
    theirs = col(AppointmentRow.resource_id).in_(bindparam("resources", expanding=True))
    wanted = _columns().where(col(AppointmentRow.staff_id).is_not(None), or_(mine, theirs), *_HELD)
    return await _rows(session, wanted, {"staff": staff, "resources": list(resources), "since": since, "until": until})


def _columns() -> Any:
    return select(
        col(AppointmentRow.staff_id),
        col(AppointmentRow.scheduled_at),
        col(AppointmentRow.busy_until),
        col(AppointmentRow.id),
        col(AppointmentRow.service_id),
        col(AppointmentRow.resource_id),
    )


async def _rows(session: AsyncSession, wanted: Select[Any], values: dict[str, Any]) -> tuple[Busy, ...]:
    connection = await session.connection()
    return tuple(Busy(*row) for row in await connection.execute(wanted, values))
