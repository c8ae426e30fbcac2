"""Bringing a database to the tables of this version."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel, select

from bot.store import migrate
from bot.store.businesses import load
from bot.store.database import Database
from bot.store.migrate import current, head, is_current, upgrade
from bot.store.tables import AppointmentRow
from tests.store.rows import a_business, sql


def differences(connection: Connection) -> Any:
    return compare_metadata(MigrationContext.configure(connection), SQLModel.metadata)


async def test_the_migrations_make_exactly_the_tables_of_the_code(db: Database) -> None:
    async with db.read() as session:
        connection = await session.connection()
        assert await connection.run_sync(differences) == []


async def test_an_upgrade_says_what_it_applied_and_the_next_has_nothing_to_do(empty_url: str) -> None:
    db = Database(empty_url)
    assert await current(db) is None
    assert not await is_current(db)
    applied = await upgrade(empty_url)
    assert applied == sorted(applied)
    assert applied[-1] == head() == await current(db)
    assert await is_current(db)
    assert await upgrade(empty_url) == []
    await db.close()


UPGRADER = """
import asyncio, sys
from bot.store.migrate import upgrade
print(len(asyncio.run(upgrade(sys.argv[1]))))
"""


@pytest.mark.timeout(120)
async def test_processes_that_upgrade_at_once_apply_each_step_once(empty_url: str) -> None:
    root = Path(__file__).parents[2]
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", UPGRADER, empty_url, cwd=root, stdout=asyncio.subprocess.PIPE
        )
        for _ in range(3)
    ]
    said = sorted([int((await process.communicate())[0]) for process in processes])
    assert said[:2] == [0, 0]
    assert said[2] > 0


async def test_tasks_that_upgrade_at_once_apply_each_step_once(empty_url: str) -> None:
    applied = await asyncio.gather(*(upgrade(empty_url) for _ in range(4)))
    assert sorted(map(bool, applied)) == [False, False, False, True]


async def test_a_database_of_a_newer_version_is_left_alone(db: Database, database_url: str) -> None:
    async with db.write() as session:
        await sql(session, "UPDATE alembic_version SET version_num = '9999'")
    assert not await is_current(db)
    with pytest.raises(ValueError, match="newer version"):
        await upgrade(database_url)


async def test_the_flags_of_the_reminders_begin_false(db: Database) -> None:
    await a_business(db)
    columns = "business_id, customer_id, scheduled_at, ends_at, busy_until, status, version, slot_set_at"
    at = "'2026-12-02 16:00:00.000000'"
    end = "'2026-12-02 17:00:00.000000'"
    values = f"1, 1, {at}, {end}, {end}, 'SCHEDULED', 1, {at}, {at}, {at}"
    async with db.write() as session:
        insert = f"INSERT INTO appointments ({columns}, created_at, updated_at) VALUES ({values})"
        await sql(session, insert)
        flags = await sql(session, "SELECT reminder_24h_sent, reminder_2h_sent FROM appointments")
        assert [bool(flag) for flag in flags.one()] == [False, False]


async def test_what_was_booked_before_rooms_and_classes_is_kept_and_guarded(empty_url: str) -> None:
    """From the tables of 0002, with what they held."""
    db = Database(empty_url)
    async with db.write() as session:
        await (await session.connection()).run_sync(to_second)
    now = "'2026-12-02 16:00:00.000000'" if db.dialect == "sqlite" else "'2026-12-02 16:00:00+00'"
    later = now.replace("16:", "17:")
    async with db.write() as session:
        for statement in (
            "INSERT INTO businesses (id, name, zone, language, phone_number_id, waba_id, notice_minutes,"
            " horizon_days, grid_minutes, remind_confirmed, created_at)"
            f" VALUES (1, 'B', 'UTC', 'es', 'P', 'W', 0, 9, 30, true, {now})",
            "INSERT INTO services (id, business_id, name, minutes, buffer_minutes, price, note, active, position)"
            " VALUES (1, 1, 'S', 60, 0, '', '', true, 0)",
            "INSERT INTO staff (id, business_id, name, active, position) VALUES (1, 1, 'P', true, 0)",
            "INSERT INTO customers (id, business_id, name, draft, created_at, updated_at)"
            f" VALUES (1, 1, 'Ana', '{{}}', {now}, {now})",
            "INSERT INTO appointments (business_id, customer_id, service_id, staff_id, scheduled_at, ends_at,"
            " busy_until, status, version, slot_set_at, created_at, updated_at)"
            f" VALUES (1, 1, 1, 1, {now}, {later}, {later}, 'SCHEDULED', 1, {now}, {now}, {now})",
        ):
            await sql(session, statement)
    assert (await upgrade(empty_url))[0] == "0003"
    async with db.read() as session:
        business = await load(session, 1)
        rows = (await session.exec(select(AppointmentRow))).all()
        versions = (await sql(session, "SELECT config_version FROM businesses")).scalars().all()
    assert (business.services[0].capacity, business.services[0].resources) == (1, None)
    assert [(row.id, row.resource_id, row.status) for row in rows] == [(1, None, "SCHEDULED")]
    assert all(versions)
    again = AppointmentRow(**rows[0].model_dump(exclude={"id"}))
    with pytest.raises(DBAPIError, match="slot_taken"):
        async with db.write() as session:
            session.add(again)
    await db.close()


def to_second(connection: Connection) -> None:
    """The tables as they were before."""
    config = migrate._config()  # noqa: SLF001
    config.attributes.update(connection=connection)
    command.upgrade(config, "0002")
