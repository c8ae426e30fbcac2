"""What is taken of the staff's time and of the rooms. Read as plain tuples: a turn needs thousands of them."""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, bindparam, or_, select, text, type_coerce
from sqlalchemy.types import NullType
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.slots import Busy
from bot.store.database import SQLITE
from bot.store.tables import ACTIVE, AppointmentRow, StaffRow

_BUSY: Any = select(
    col(AppointmentRow.staff_id),
    # As the driver gives them: converting each by the column's type takes longer than all the rest.
    type_coerce(col(AppointmentRow.scheduled_at), NullType()),
    type_coerce(col(AppointmentRow.busy_until), NullType()),
    col(AppointmentRow.id),
    col(AppointmentRow.service_id),
    col(AppointmentRow.resource_id),
).where(
    col(AppointmentRow.busy_until) > bindparam("since"),
    col(AppointmentRow.scheduled_at) < bindparam("until"),
    text(ACTIVE),
)
_OF_BUSINESS = _BUSY.where(
    col(AppointmentRow.staff_id).in_(select(col(StaffRow.id)).where(col(StaffRow.business_id) == bindparam("business")))
)
_AROUND = _BUSY.where(
    col(AppointmentRow.staff_id).is_not(None),
    or_(
        col(AppointmentRow.staff_id) == bindparam("staff"),
        col(AppointmentRow.resource_id).in_(bindparam("resources", expanding=True)),
    ),
)


async def load_busy(session: AsyncSession, business_id: int, since: datetime, until: datetime) -> tuple[Busy, ...]:
    """Active appointments of named staff that touch `[since, until)`, their buffer counted, by start."""
    found = await _rows(session, _OF_BUSINESS, {"business": business_id, "since": since, "until": until})
    return tuple(sorted(found, key=_start))


async def load_around(
    session: AsyncSession, staff: int, resources: Iterable[int], since: datetime, until: datetime
) -> tuple[Busy, ...]:
    """The same of one staff member and of these resources, whoever makes use of them; in any order."""
    return tuple(
        await _rows(session, _AROUND, {"staff": staff, "resources": list(resources), "since": since, "until": until})
    )


async def _rows(session: AsyncSession, wanted: Select[Any], values: dict[str, Any]) -> list[Busy]:
    connection = await session.connection()
    rows = await connection.execute(wanted, values)
    if connection.dialect.name == SQLITE:
        return [Busy(who, _instant(start), _instant(until), *rest) for who, start, until, *rest in rows]
    return [Busy(*row) for row in rows]


@lru_cache(maxsize=2**16)
def _instant(written: str) -> datetime:
    """SQLite's text. The same instants are asked for again and again."""
    return datetime.fromisoformat(written + "+00:00")


def _start(busy: Busy) -> datetime:
    return busy.start
