"""Which businesses there are: brought in from a file, read as values of bot.core."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.business import Business, Interval, Rules, Service, Staff
from bot.store.business_file import BusinessFile, read, starter
from bot.store.database import Database, alone
from bot.store.tables import BusinessRow, OpeningHoursRow, ServiceRow, StaffRow, StaffServiceRow

log = structlog.get_logger(__name__)


async def ensure(db: Database, *, file: Path | None, phone_number_id: str, waba_id: str, now: datetime) -> int:
    """The id of the business on that number.

    An empty database gets the one in `file`, or the packaged starter. A single business takes this number and account
    (empty ones change nothing). Of several, the number tells which; ValueError if none.
    """
    async with db.write() as session:
        await alone(session)
        rows = (await session.exec(select(BusinessRow).order_by(col(BusinessRow.id)))).all()
        if not rows:
            written = read(file) if file else starter()
            return await seed(session, written, phone_number_id=phone_number_id, waba_id=waba_id, now=now)
        row = _chosen(rows, phone_number_id)
        if phone_number_id and row.phone_number_id != phone_number_id:
            log.warning("the business has a new WhatsApp number", action="business_number", business=row.id)
            row.phone_number_id = phone_number_id
        row.waba_id = waba_id or row.waba_id
        return _id(row.id)


async def seed(
    session: AsyncSession, written: BusinessFile, *, phone_number_id: str, waba_id: str, now: datetime
) -> int:
    """Inserts a business and returns its id."""
    columns = written.model_dump(exclude={"service", "staff"})
    columns["templates"] = json.dumps(columns["templates"])
    business = BusinessRow(**columns, phone_number_id=phone_number_id, waba_id=waba_id, created_at=now)
    session.add(business)
    await session.flush()
    services = [
        ServiceRow(**entry.model_dump(), business_id=_id(business.id), position=position)
        for position, entry in enumerate(written.service)
    ]
    people = [
        StaffRow(name=entry.name, business_id=_id(business.id), position=position)
        for position, entry in enumerate(written.staff)
    ]
    session.add_all([*services, *people])
    await session.flush()
    for person, entry in zip(people, written.staff, strict=True):
        offered = [service for service in services if not entry.services or service.name in entry.services]
        session.add_all(StaffServiceRow(staff_id=_id(person.id), service_id=_id(service.id)) for service in offered)
        session.add_all(
            OpeningHoursRow(staff_id=_id(person.id), weekday=weekday, opens=interval.opens, closes=interval.closes)
            for weekday, intervals in enumerate(entry.week)
            for interval in intervals
        )
    await session.flush()
    return _id(business.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Which business a webhook is for: by the number's id, for account matters by the account's id."""

    numbers: Mapping[str, int]
    accounts: Mapping[str, tuple[int, ...]]

    def by_number(self, phone_number_id: str | None) -> int | None:
        return self.numbers.get(phone_number_id or "")

    def by_account(self, waba_id: str) -> tuple[int, ...]:
        return self.accounts.get(waba_id, ())


async def lines(session: AsyncSession) -> Lines:
    """All the numbers we run."""
    accounts: dict[str, list[int]] = defaultdict(list)
    numbers: dict[str, int] = {}
    for row in await session.exec(select(BusinessRow.id, BusinessRow.phone_number_id, BusinessRow.waba_id)):
        business_id, number, account = row
        numbers[number] = _id(business_id)
        accounts[account].append(_id(business_id))
    return Lines(numbers=numbers, accounts={account: tuple(ids) for account, ids in accounts.items()})


async def by_phone_number(session: AsyncSession, phone_number_id: str) -> BusinessRow | None:
    """The business that a webhook is for."""
    return (await session.exec(select(BusinessRow).where(BusinessRow.phone_number_id == phone_number_id))).first()


async def load(session: AsyncSession, business_id: int) -> Business:
    """The business as the pure code wants it; LookupError for an unknown id."""
    row = await session.get(BusinessRow, business_id)
    if row is None:
        message = f"there is no business {business_id}"
        raise LookupError(message)
    return Business(
        id=business_id,
        name=row.name,
        zone=ZoneInfo(row.zone),
        language=row.language,
        services=await _services(session, business_id),
        staff=await _staff(session, business_id),
        rules=_rules(row),
    )


async def _services(session: AsyncSession, business_id: int) -> tuple[Service, ...]:
    wanted = (
        select(ServiceRow)
        .where(ServiceRow.business_id == business_id)
        .order_by(col(ServiceRow.position), col(ServiceRow.id))
    )
    return tuple(
        Service(
            id=_id(row.id),
            name=row.name,
            minutes=row.minutes,
            buffer=row.buffer_minutes,
            price=row.price,
            note=row.note,
            active=row.active,
        )
        for row in await session.exec(wanted)
    )


async def _staff(session: AsyncSession, business_id: int) -> tuple[Staff, ...]:
    offered: dict[int, set[int]] = defaultdict(set)
    links = select(StaffServiceRow.staff_id, StaffServiceRow.service_id).join(StaffRow)
    for staff_id, service_id in await session.exec(links.where(StaffRow.business_id == business_id)):
        offered[staff_id].add(service_id)
    hours: dict[tuple[int, int], list[Interval]] = defaultdict(list)
    opening = select(OpeningHoursRow).join(StaffRow).where(StaffRow.business_id == business_id)
    for row in await session.exec(opening.order_by(col(OpeningHoursRow.opens))):
        hours[row.staff_id, row.weekday].append(Interval(opens=row.opens, closes=row.closes))
    people = select(StaffRow).where(StaffRow.business_id == business_id)
    return tuple(
        Staff(
            id=_id(row.id),
            name=row.name,
            services=frozenset(offered[_id(row.id)]),
            week=tuple(tuple(hours[_id(row.id), weekday]) for weekday in range(7)),
            active=row.active,
        )
        for row in await session.exec(people.order_by(col(StaffRow.position), col(StaffRow.id)))
    )


def _rules(row: BusinessRow) -> Rules:
    deadline = row.change_deadline_minutes
    return Rules(
        notice=timedelta(minutes=row.notice_minutes),
        horizon=timedelta(days=row.horizon_days),
        grid=timedelta(minutes=row.grid_minutes),
        max_active=row.max_active,
        change_deadline=None if deadline is None else timedelta(minutes=deadline),
        remind_confirmed=row.remind_confirmed,
    )


def _chosen(rows: Sequence[BusinessRow], phone_number_id: str) -> BusinessRow:
    if len(rows) == 1:
        return rows[0]
    for row in rows:
        if row.phone_number_id == phone_number_id:
            return row
    raise ValueError("WHATSAPP_PHONE_NUMBER_ID names none of the businesses in the database")


def _id(value: int | None) -> int:
    """A stored row's id, which the type of a row that is not stored yet allows to be None."""
    assert value is not None  # noqa: S101 - a fact for the type checker
    return value
