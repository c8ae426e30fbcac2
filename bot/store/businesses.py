"""Which businesses there are: brought in from a file, read as values of bot.core."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import structlog
from sqlalchemy import bindparam
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.appointment import Actor
from bot.core.business import Business
from bot.store import business_rows, business_values, business_write
from bot.store.business_file import BusinessFile, read, starter
from bot.store.business_rows import stored
from bot.store.database import Database, alone
from bot.store.tables import BusinessEventRow, BusinessRow

log = structlog.get_logger(__name__)


async def ensure(
    db: Database,
    *,
    file: Path | None,
    phone_number_id: str,
    waba_id: str,
    now: datetime,
    by: tuple[Actor, str] = (Actor.SYSTEM, "start"),
) -> int:
    """The id of the business on that number.

    An empty database gets the one in `file`, or the packaged starter. A single business takes this number and account
    (empty ones change nothing). Of several, the number tells which; ValueError if none. The audit trail says `by` whom.
    """
    async with db.write() as session:
        await alone(session)
        rows = (await session.exec(select(BusinessRow).order_by(col(BusinessRow.id)))).all()
        if not rows:
            written = read(file) if file else starter()
            number = await seed(session, written, phone_number_id=phone_number_id, waba_id=waba_id, now=now)
            session.add(_event(number, f"added: {written.name}", by, now))
            return number
        row = _chosen(rows, phone_number_id)
        if phone_number_id and row.phone_number_id != phone_number_id:
            log.warning("the business has a new WhatsApp number", action="business_number", business=row.id)
        told = {"phone_number_id": phone_number_id, "waba_id": waba_id}
        other = {column: value for column, value in told.items() if value not in ("", getattr(row, column))}
        for column, value in other.items():
            session.add(_event(stored(row.id), f"{column}: {getattr(row, column) or 'none'} → {value}", by, now))
            setattr(row, column, value)
        return stored(row.id)


def _event(business_id: int, change: str, by: tuple[Actor, str], now: datetime) -> BusinessEventRow:
    actor, name = by
    return BusinessEventRow(
        business_id=business_id, at=now, subject="business", change=change, actor=actor.value, actor_name=name
    )


async def seed(
    session: AsyncSession, written: BusinessFile, *, phone_number_id: str, waba_id: str, now: datetime
) -> int:
    """Inserts a business and returns its id."""
    business = BusinessRow(
        name=written.name, zone=written.zone, phone_number_id=phone_number_id, waba_id=waba_id, created_at=now
    )
    session.add(business)
    await session.flush()
    await business_write.write(session, await business_rows.fetch(session, stored(business.id)), written)
    return stored(business.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Which business a webhook is for: by the number's id, for account matters by the account's id."""

    numbers: Mapping[str, int]
    accounts: Mapping[str, tuple[int, ...]]

    def by_number(self, phone_number_id: str | None) -> int | None:
        return self.numbers.get(phone_number_id or "")

    def by_account(self, waba_id: str) -> tuple[int, ...]:
        return self.accounts.get(waba_id, ())


_LINES = select(BusinessRow.id, BusinessRow.phone_number_id, BusinessRow.waba_id)


async def lines(session: AsyncSession) -> Lines:
    """All the numbers we run."""
    accounts: dict[str, list[int]] = defaultdict(list)
    numbers: dict[str, int] = {}
    for row in await (await session.connection()).execute(_LINES):
        business_id, number, account = row
        numbers[number] = stored(business_id)
        accounts[account].append(stored(business_id))
    return Lines(numbers=numbers, accounts={account: tuple(ids) for account, ids in accounts.items()})


async def by_phone_number(session: AsyncSession, phone_number_id: str) -> BusinessRow | None:
    """The business that a webhook is for."""
    return (await session.exec(select(BusinessRow).where(BusinessRow.phone_number_id == phone_number_id))).first()


_loaded: dict[tuple[int, str], Business] = {}
"""Businesses as they were last read, by id and version. The version is random and made anew by the database itself at
every change (migration 0003), so one that is found here is up to date, whichever database it was read from."""
KEPT = 64
_VERSION = select(col(BusinessRow.config_version)).where(col(BusinessRow.id) == bindparam("business"))


async def load(session: AsyncSession, business_id: int, version: str | None = None) -> Business:
    """The business as the pure code wants it; LookupError for an unknown id. `version`, if it has been read before."""
    version = version or await _version(session, business_id)
    known = _loaded.get((business_id, version))
    if known is not None:
        return known
    business = business_values.business(await business_rows.fetch(session, business_id))
    # PostgreSQL shows each statement what is committed by then: what was changed in between is not kept under its name.
    if await _version(session, business_id) == version:
        _keep((business_id, version), business)
        return business
    return await load(session, business_id)


async def _version(session: AsyncSession, business_id: int) -> str:
    # By `exec`, which writes first what this session has changed and not yet written.
    version = (await session.exec(_VERSION, params={"business": business_id})).first()
    if version is None:
        message = f"there is no business {business_id}"
        raise LookupError(message)
    return version


def _keep(key: tuple[int, str], business: Business) -> None:
    if len(_loaded) >= KEPT:
        del _loaded[next(iter(_loaded))]
    _loaded[key] = business


def _chosen(rows: Sequence[BusinessRow], phone_number_id: str) -> BusinessRow:
    if len(rows) == 1:
        return rows[0]
    for row in rows:
        if row.phone_number_id == phone_number_id:
            return row
    raise ValueError("WHATSAPP_PHONE_NUMBER_ID names none of the businesses in the database")
