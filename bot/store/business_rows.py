"""All rows that make a business, read together."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.business import WEEKDAYS, Interval, Week
from bot.store.tables import (
    BusinessRow,
    OpeningHoursRow,
    ResourceRow,
    ServiceResourceRow,
    ServiceRow,
    SpecialDayRow,
    StaffRow,
    StaffServiceRow,
    TimeOffRow,
    WorkingHolidayRow,
)

Row = TypeVar("Row", bound=SQLModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """In the business's own order; the rows themselves, to be changed where they are."""

    business: BusinessRow
    services: Sequence[ServiceRow]
    staff: Sequence[StaffRow]
    resources: Sequence[ResourceRow]
    offered: Mapping[int, frozenset[int]]
    """Service ids by staff id."""
    usable: Mapping[int, frozenset[int]]
    """Resource ids by service id, as listed; a service's `resource_kind` adds to them."""
    weeks: Mapping[int, Week]
    """By staff id."""
    special_days: Sequence[SpecialDayRow]
    time_off: Sequence[TimeOffRow]
    working_holidays: frozenset[str]


async def fetch(session: AsyncSession, business_id: int) -> Rows:
    """As the database has them now, whatever this session has read before. LookupError for an unknown id."""
    business = await session.get(BusinessRow, business_id, populate_existing=True)
    if business is None:
        message = f"there is no business {business_id}"
        raise LookupError(message)
    staff = await _ordered(session, StaffRow, business_id, "position", "id")
    services = await _ordered(session, ServiceRow, business_id, "position", "id")
    people, offers = [row.id for row in staff], [row.id for row in services]
    offered = select(StaffServiceRow.staff_id, StaffServiceRow.service_id)
    usable = select(ServiceResourceRow.service_id, ServiceResourceRow.resource_id)
    hours = select(OpeningHoursRow).where(col(OpeningHoursRow.staff_id).in_(people))
    return Rows(
        business=business,
        services=services,
        staff=staff,
        resources=await _ordered(session, ResourceRow, business_id, "position", "id"),
        offered=await _links(session, offered.where(col(StaffServiceRow.staff_id).in_(people))),
        usable=await _links(session, usable.where(col(ServiceResourceRow.service_id).in_(offers))),
        weeks=_weeks((await session.exec(hours.order_by(col(OpeningHoursRow.opens)))).all()),
        special_days=await _ordered(session, SpecialDayRow, business_id, "day", "id"),
        time_off=await _ordered(session, TimeOffRow, business_id, "starts_at", "id"),
        working_holidays=frozenset(row.name for row in await _ordered(session, WorkingHolidayRow, business_id, "name")),
    )


def stored(number: int | None) -> int:
    """A stored row's id, which the type of a row that is not stored yet allows to be None."""
    assert number is not None  # noqa: S101 - a fact for the type checker
    return number


async def _ordered(session: AsyncSession, table: type[Row], business_id: int, *order: str) -> Sequence[Row]:
    columns: Any = table
    query = select(table).where(columns.business_id == business_id).execution_options(populate_existing=True)
    return (await session.exec(query.order_by(*(getattr(columns, name) for name in order)))).all()


async def _links(session: AsyncSession, query: Any) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for one, other in await session.exec(query):
        found[one].add(other)
    return {one: frozenset(others) for one, others in found.items()}


def _weeks(rows: Sequence[OpeningHoursRow]) -> dict[int, Week]:
    hours: dict[int, dict[int, list[Interval]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        hours[row.staff_id][row.weekday].append(Interval(opens=row.opens, closes=row.closes))
    return {staff: tuple(tuple(days[weekday]) for weekday in range(WEEKDAYS)) for staff, days in hours.items()}


NO_WEEK: Week = ((),) * WEEKDAYS
"""Of somebody who is there on special days only."""
