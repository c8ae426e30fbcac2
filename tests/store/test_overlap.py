"""No two active appointments of one staff member overlap, whoever writes them."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy.exc import DBAPIError
from sqlmodel import select

from bot.store.database import Database, slot_taken
from bot.store.tables import AppointmentRow
from tests.conftest import NOW
from tests.store.rows import HOUR, a_business, add, appointment

DAY = timedelta(days=1)
AT = NOW + DAY
"""10:00 in Mexico City; an appointment from 10 to 11 with half an hour after it is there already."""


@pytest.fixture
async def booked(db: Database) -> int:
    await a_business(db)
    async with db.write() as session:
        return await add(session, appointment(AT, buffer=0.5))


async def refused(db: Database, row: AppointmentRow) -> bool:
    try:
        async with db.write() as session:
            await add(session, row)
    except DBAPIError as error:
        if not slot_taken(error):
            raise
        return True
    return False


async def refused_change(db: Database, number: int, change: dict[str, object]) -> bool:
    try:
        async with db.write() as session:
            row = await session.get_one(AppointmentRow, number)
            row.sqlmodel_update(change)
    except DBAPIError as error:
        if not slot_taken(error):
            raise
        return True
    return False


@pytest.mark.parametrize(
    ("row", "is_refused"),
    [
        pytest.param(appointment(AT), True, id="the same slot"),
        pytest.param(appointment(AT, buffer=0.5), True, id="the very same"),
        pytest.param(appointment(AT - HOUR / 2), True, id="into its beginning"),
        pytest.param(appointment(AT + HOUR / 2), True, id="from its middle"),
        pytest.param(appointment(AT + HOUR / 4, 0.25), True, id="inside it"),
        pytest.param(appointment(AT - HOUR, 4), True, id="around it"),
        pytest.param(appointment(AT + HOUR), True, id="in its buffer"),
        pytest.param(appointment(AT - HOUR, buffer=0.25), True, id="its own buffer reaches in"),
        pytest.param(appointment(AT - HOUR), False, id="ends where it begins"),
        pytest.param(appointment(AT + 1.5 * HOUR), False, id="begins where its buffer ends"),
        pytest.param(appointment(AT, status="CONFIRMED"), True, id="confirmed"),
        pytest.param(appointment(AT, status="CANCELLED"), False, id="cancelled"),
        pytest.param(appointment(AT, status="COMPLETED"), False, id="completed"),
        pytest.param(appointment(AT, status="NO_SHOW"), False, id="no-show"),
        pytest.param(appointment(AT, staff=None), False, id="nobody in particular"),
        pytest.param(appointment(AT, staff=2), False, id="another person"),
        pytest.param(appointment(AT + DAY), False, id="another day"),
    ],
)
@pytest.mark.usefixtures("booked")
async def test_booking(db: Database, row: AppointmentRow, is_refused: bool) -> None:
    copy = AppointmentRow(**row.model_dump())
    assert await refused(db, copy) is is_refused


async def test_a_cancelled_one_holds_nothing(db: Database, booked: int) -> None:
    async with db.write() as session:
        row = await session.get_one(AppointmentRow, booked)
        row.status = "CANCELLED"
    assert not await refused(db, appointment(AT))


@pytest.mark.usefixtures("booked")
async def test_nobody_in_particular_may_be_booked_twice(db: Database) -> None:
    assert not await refused(db, appointment(AT, staff=None))
    assert not await refused(db, appointment(AT, staff=None))


@pytest.mark.parametrize(
    ("change", "is_refused"),
    [
        pytest.param({"scheduled_at": AT + HOUR / 2, "ends_at": AT + HOUR, "busy_until": AT + HOUR}, True, id="time"),
        pytest.param({"busy_until": AT + HOUR / 4}, True, id="a longer buffer"),
        pytest.param({"busy_until": AT - HOUR / 4}, False, id="a longer buffer that fits"),
        pytest.param({"version": 2, "status": "CONFIRMED"}, False, id="confirmed where it is"),
        pytest.param({"scheduled_at": AT - 1.25 * HOUR}, False, id="over its own old time"),
    ],
)
@pytest.mark.usefixtures("booked")
async def test_moving(db: Database, change: dict[str, object], is_refused: bool) -> None:
    async with db.write() as session:
        mine = await add(session, appointment(AT - 1.5 * HOUR))
    assert await refused_change(db, mine, change) is is_refused


@pytest.mark.parametrize(
    ("there", "change"),
    [
        pytest.param({"staff": 2}, {"staff_id": 1}, id="given to the person who is busy"),
        pytest.param({"staff": None}, {"staff_id": 1}, id="given to somebody at last"),
        pytest.param({"status": "CANCELLED"}, {"status": "SCHEDULED"}, id="an undo when the slot was sold"),
    ],
)
@pytest.mark.usefixtures("booked")
async def test_a_change_that_brings_it_into_the_way(
    db: Database, there: dict[str, object], change: dict[str, object]
) -> None:
    async with db.write() as session:
        other = await add(session, appointment(AT, **there))  # type: ignore[arg-type]
    assert await refused_change(db, other, change)


async def test_of_ten_at_once_one_gets_the_slot_and_no_two_wait_for_each_other(db: Database) -> None:
    await a_business(db)
    for day in range(8):
        tried = [appointment(AT + day * DAY + number * HOUR / 12) for number in range(10)]
        assert sorted(await asyncio.gather(*(refused(db, row) for row in tried))) == [False] + [True] * 9
    async with db.read() as session:
        assert len((await session.exec(select(AppointmentRow))).all()) == 8


async def test_another_error_is_not_a_taken_slot(db: Database) -> None:
    await a_business(db)
    with pytest.raises(DBAPIError) as caught:
        async with db.write() as session:
            await add(session, appointment(AT, hours=-1))
    assert not slot_taken(caught.value)
