"""A business's file → its rows: matched by name, nothing deleted that appointments may refer to."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy import delete
from sqlmodel import SQLModel, col
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.zones import edge
from bot.store.business_entries import ServiceEntry, StaffEntry
from bot.store.business_file import BusinessFile
from bot.store.business_rows import Rows, stored
from bot.store.business_written import PLAIN
from bot.store.file_fields import shown
from bot.store.tables import (
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

Row = TypeVar("Row", ServiceRow, StaffRow, ResourceRow)


async def write(session: AsyncSession, rows: Rows, after: BusinessFile) -> None:
    """Makes the rows say what the file says; whoever is not in the file stays as they are."""
    number = stored(rows.business.id)
    _business(rows, after)
    resources = await _matched(session, ResourceRow, rows.resources, after.resource, number)
    services = await _matched(session, ServiceRow, rows.services, after.service, number)
    staff = await _matched(session, StaffRow, rows.staff, after.staff, number)
    for service, wanted in zip(services.values(), after.service, strict=True):
        await _usable(session, rows, service, wanted, resources)
    for person, entry in zip(staff.values(), after.staff, strict=True):
        await _offered(session, rows, person, entry, services)
        await _week(session, rows, person, entry)
    await _dates(session, rows, after, staff)
    await session.flush()


def _business(rows: Rows, after: BusinessFile) -> None:
    columns: dict[str, Any] = {name: getattr(after, name) for name in PLAIN}
    columns["templates"] = json.dumps(after.templates)
    columns["wording"] = json.dumps(after.wording, ensure_ascii=False)
    columns["holiday_country"] = after.holidays.country if after.holidays else ""
    columns["holiday_region"] = after.holidays.region if after.holidays else ""
    _set(rows.business, columns)


async def _matched(
    session: AsyncSession, table: type[Row], rows: Sequence[Row], entries: Sequence[Any], business_id: int
) -> dict[str, Row]:
    """The row of each entry, by the entry's folded name and in its order; one that is not there yet is added."""
    known = {row.name.casefold(): row for row in rows}
    found: dict[str, Row] = {}
    for position, entry in enumerate(entries):
        columns = {name: value for name, value in entry.model_dump().items() if name in table.model_fields}
        row = known.get(entry.name.casefold())
        if row is None:
            row = table(**columns, business_id=business_id, position=position)
            session.add(row)
        _set(row, columns | {"position": position})
        found[entry.name.casefold()] = row
    await session.flush()
    return found


async def _usable(
    session: AsyncSession, rows: Rows, service: ServiceRow, entry: ServiceEntry, resources: Mapping[str, ResourceRow]
) -> None:
    wanted = frozenset(stored(resources[name.casefold()].id) for name in entry.resources)
    if wanted != rows.usable.get(stored(service.id), frozenset()):
        links = [ServiceResourceRow(service_id=stored(service.id), resource_id=number) for number in sorted(wanted)]
        await _replace(session, col(ServiceResourceRow.service_id) == service.id, ServiceResourceRow, links)


async def _offered(
    session: AsyncSession, rows: Rows, person: StaffRow, entry: StaffEntry, services: Mapping[str, ServiceRow]
) -> None:
    names = services if entry.services is None else [name.casefold() for name in entry.services]
    wanted = frozenset(stored(services[name].id) for name in names)
    if wanted != rows.offered.get(stored(person.id), frozenset()):
        links = [StaffServiceRow(staff_id=stored(person.id), service_id=number) for number in sorted(wanted)]
        await _replace(session, col(StaffServiceRow.staff_id) == person.id, StaffServiceRow, links)


async def _week(session: AsyncSession, rows: Rows, person: StaffRow, entry: StaffEntry) -> None:
    if entry.week == rows.weeks.get(stored(person.id)):
        return
    hours = [
        OpeningHoursRow(staff_id=stored(person.id), weekday=weekday, opens=interval.opens, closes=interval.closes)
        for weekday, intervals in enumerate(entry.week)
        for interval in intervals
    ]
    await _replace(session, col(OpeningHoursRow.staff_id) == person.id, OpeningHoursRow, hours)


async def _dates(session: AsyncSession, rows: Rows, after: BusinessFile, staff: Mapping[str, StaffRow]) -> None:
    """No appointment refers to these: they are written anew."""
    number, zone = stored(rows.business.id), ZoneInfo(after.zone)
    whom = {name: row.id for name, row in staff.items()}
    days = [
        SpecialDayRow(
            business_id=number,
            staff_id=whom.get((one.staff or "").casefold()),
            day=one.day,
            hours=", ".join(shown(tuple(one.hours))),
            note=one.note,
        )
        for one in after.special_day
    ]
    away = [
        TimeOffRow(
            business_id=number,
            staff_id=whom.get((one.staff or "").casefold()),
            starts_at=_instant(one.span[0], zone),
            ends_at=_instant(one.span[1], zone),
            note=one.note,
        )
        for one in after.time_off
    ]
    working = after.holidays.working if after.holidays else ()
    names = [WorkingHolidayRow(business_id=number, name=name) for name in dict.fromkeys(working)]
    await _replace(session, col(SpecialDayRow.business_id) == number, SpecialDayRow, days)
    await _replace(session, col(TimeOffRow.business_id) == number, TimeOffRow, away)
    await _replace(session, col(WorkingHolidayRow.business_id) == number, WorkingHolidayRow, names)


def _instant(reading: datetime, zone: ZoneInfo) -> datetime:
    return edge(reading.replace(tzinfo=zone))


async def _replace(session: AsyncSession, of: Any, table: type[SQLModel], rows: Iterable[SQLModel]) -> None:
    await session.exec(delete(table).where(of).execution_options(synchronize_session="fetch"))
    session.add_all(rows)
    await session.flush()


def _set(row: SQLModel, columns: Mapping[str, Any]) -> None:
    """Only what differs, so that nothing is written where nothing changes."""
    for name, value in columns.items():
        if getattr(row, name) != value:
            setattr(row, name, value)
