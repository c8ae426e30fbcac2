"""Businesses: seeded from a file, loaded as values."""

import asyncio
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlmodel import col, select

from bot.core.business import Interval
from bot.store.businesses import by_phone_number, ensure, load, seed
from bot.store.database import Database
from bot.store.tables import BusinessEventRow, BusinessRow
from tests.conftest import FIXTURES, NOW
from tests.store.rows import a_business, written


async def ensured(db: Database, file: Path | None = None, number: str = "PNID1", account: str = "WABA1") -> int:
    return await ensure(db, file=file, phone_number_id=number, waba_id=account, now=NOW)


async def test_an_empty_database_gets_the_starter(db: Database) -> None:
    business_id = await ensured(db)
    async with db.read() as session:
        business = await load(session, business_id)
    (service,), (person,) = business.services, business.staff
    assert (service.name, service.minutes, service.buffer) == ("Cita", 30, 0)
    assert person.week == ((Interval(opens=9 * 60, closes=19 * 60),),) * 7
    assert person.services == {service.id}
    assert business.zone == ZoneInfo("America/Mexico_City")
    assert business.rules.notice == timedelta(minutes=60)
    assert business.rules.horizon == timedelta(days=30)
    assert business.rules.grid == timedelta(minutes=30)
    assert business.rules.max_active is None
    assert business.rules.change_deadline is None


async def test_an_empty_database_gets_the_file_that_is_named(db: Database) -> None:
    business_id = await ensured(db, FIXTURES / "businesses" / "barberia.toml")
    async with db.read() as session:
        business = await load(session, business_id)
    assert business.name == "Barbería El Naranjo"
    assert [service.name for service in business.services] == ["Corte", "Corte y barba", "Tinte"]
    assert [person.name for person in business.staff] == ["Rubén", "Nico"]
    assert [len(person.services) for person in business.staff] == [3, 2]
    assert business.rules.max_active == 3


@pytest.mark.parametrize("name", sorted(path.stem for path in (FIXTURES / "businesses").glob("*.toml")))
async def test_what_was_written_is_what_is_loaded(db: Database, name: str) -> None:
    entry = written(name)
    business_id = await a_business(db, name)
    async with db.read() as session:
        business = await load(session, business_id)
    assert (business.name, business.zone.key, business.language) == (entry.name, entry.zone, entry.language)
    assert [(s.name, s.minutes, s.buffer, s.price, s.note, s.active) for s in business.services] == [
        (s.name, s.minutes, s.buffer_minutes, s.price, s.note, True) for s in entry.service
    ]
    assert [(p.name, p.week) for p in business.staff] == [(p.name, p.week) for p in entry.staff]
    names = {service.id: service.name for service in business.services}
    assert [{names[number] for number in person.services} for person in business.staff] == [
        set(person.services or names.values()) for person in entry.staff
    ]
    assert business.rules.remind_confirmed is entry.remind_confirmed


async def test_a_business_that_is_there_is_kept(db: Database) -> None:
    first = await ensured(db)
    assert await ensured(db, FIXTURES / "businesses" / "barberia.toml") == first
    async with db.read() as session:
        (row,) = (await session.exec(select(BusinessRow))).all()
    assert row.name == "Mi negocio"


async def test_a_single_business_takes_the_number_of_the_settings(db: Database) -> None:
    await ensured(db, number="", account="")
    await ensured(db, number="PNID7", account="WABA7")
    await ensured(db, number="", account="")
    async with db.read() as session:
        (row,) = (await session.exec(select(BusinessRow))).all()
    assert (row.phone_number_id, row.waba_id) == ("PNID7", "WABA7")


async def test_of_several_businesses_the_number_tells_which(db: Database) -> None:
    await a_business(db, phone_number_id="PNID1")
    second = await a_business(db, "noturno", phone_number_id="PNID2")
    assert await ensured(db, number="PNID2") == second
    with pytest.raises(ValueError, match="WHATSAPP_PHONE_NUMBER_ID"):
        await ensured(db, number="PNID3")


async def test_processes_that_start_at_once_make_one_business(db: Database) -> None:
    assert len(set(await asyncio.gather(*(ensured(db) for _ in range(5))))) == 1
    async with db.read() as session:
        assert len((await session.exec(select(BusinessRow))).all()) == 1


async def test_a_business_is_found_by_its_number(db: Database) -> None:
    business_id = await a_business(db, phone_number_id="PNID1")
    async with db.read() as session:
        found = await by_phone_number(session, "PNID1")
        assert found is not None
        assert found.id == business_id
        assert await by_phone_number(session, "PNID2") is None


async def test_an_unknown_business_is_said(db: Database) -> None:
    async with db.read() as session:
        with pytest.raises(LookupError, match="no business 7"):
            await load(session, 7)


async def test_what_is_off_is_loaded_as_off(db: Database) -> None:
    async with db.write() as session:
        business_id = await seed(session, written("one_service"), phone_number_id="P", waba_id="", now=NOW)
        row = await session.get_one(BusinessRow, business_id)
        row.change_deadline_minutes, row.remind_confirmed = 0, False
    async with db.read() as session:
        rules = (await load(session, business_id)).rules
    assert rules.change_deadline == timedelta(0)
    assert rules.remind_confirmed is False


async def test_how_it_came_and_each_other_number_are_in_the_audit_trail(db: Database) -> None:
    await ensured(db, number="", account="WABA1")
    await ensured(db, number="PNID7", account="WABA1")
    await ensured(db, number="PNID7", account="")
    await ensured(db, number="PNID8", account="WABA8")
    async with db.read() as session:
        rows = (await session.exec(select(BusinessEventRow).order_by(col(BusinessEventRow.id)))).all()
    assert [row.change for row in rows] == [
        "added: Mi negocio",
        "phone_number_id: none → PNID7",
        "phone_number_id: PNID7 → PNID8",
        "waba_id: WABA1 → WABA8",
    ]
    assert {(row.subject, row.actor, row.actor_name) for row in rows} == {("business", "SYSTEM", "start")}
