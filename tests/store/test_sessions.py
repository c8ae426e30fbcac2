"""Rooms and seats: no room is taken twice, no session has more customers than seats, whoever writes."""

import asyncio
from datetime import datetime, timedelta

import pytest
from sqlalchemy.exc import DBAPIError
from sqlmodel import select

from bot.core.appointment import Actor, Appointment, Happening
from bot.store import appointments
from bot.store.appointments import Cause, OutOfDate, SlotGone
from bot.store.database import Database, slot_taken
from bot.store.tables import AppointmentRow, ServiceRow
from tests.conftest import NOW
from tests.store.rows import HOUR, a_business, add, sql
from tests.store.rows import appointment as plain

AT = NOW + timedelta(days=1)
YOGA, MASSAGE, THERAPY, CALL = 1, 2, 3, 4
BIG, SMALL, TABLE = 1, 2, 3
INES, OMAR, VERA = 1, 2, 3
BY = Cause(actor=Actor.STAFF, name="prueba")


@pytest.fixture(autouse=True)
async def studio(db: Database) -> None:
    await a_business(db, "estudio")


def wanted(service: int, staff: int | None, start: datetime = AT, hours: float = 1) -> AppointmentRow:
    row = plain(start, hours, staff=staff)
    row.service_id = service
    return row


async def booked(db: Database, row: AppointmentRow) -> Appointment:
    async with db.write() as session:
        return await appointments.book(session, row, BY, NOW)


async def room(db: Database, number: int) -> int | None:
    async with db.read() as session:
        row = await appointments.get(session, number)
    assert row is not None
    return row.resource_id


async def changed(db: Database, before: Appointment, happening: Happening, **what: datetime | int) -> Appointment:
    after = before.after(happening, by=Actor.STAFF, now=NOW, **what)  # type: ignore[arg-type]
    async with db.write() as session:
        await appointments.store(session, before, after, happening, cause=BY, now=NOW)
    return after


async def refused(db: Database, row: AppointmentRow) -> bool:
    """Another SQL client's insert."""
    try:
        async with db.write() as session:
            await add(session, row)
    except DBAPIError as error:
        return slot_taken(error)
    return False


async def test_a_class_fills_seat_by_seat_and_shares_one_room(db: Database) -> None:
    seats = [await booked(db, wanted(YOGA, INES)) for _ in range(4)]
    assert [await room(db, seat.id) for seat in seats] == [BIG] * 4
    with pytest.raises(SlotGone):
        await booked(db, wanted(YOGA, INES))
    cancelled = await changed(db, seats[2], Happening.CANCEL)
    await booked(db, wanted(YOGA, INES))
    with pytest.raises(SlotGone):
        await changed(db, cancelled, Happening.UNDO)


async def test_a_seat_is_confirmed_even_when_the_class_has_become_smaller(db: Database) -> None:
    seats = [await booked(db, wanted(YOGA, INES)) for _ in range(3)]
    async with db.write() as session:
        (await session.get_one(ServiceRow, YOGA)).capacity = 2
    await changed(db, seats[0], Happening.CONFIRM)
    with pytest.raises(SlotGone):
        await booked(db, wanted(YOGA, INES))


async def test_a_service_that_becomes_a_class_takes_in_what_is_booked_already(db: Database) -> None:
    await booked(db, wanted(CALL, INES, hours=0.5))
    async with db.write() as session:
        (await session.get_one(ServiceRow, CALL)).capacity = 2
    await booked(db, wanted(CALL, INES, hours=0.5))
    with pytest.raises(SlotGone):
        await booked(db, wanted(CALL, INES, hours=0.5))


async def test_another_session_may_not_overlap_a_class(db: Database) -> None:
    await booked(db, wanted(YOGA, INES))
    for row in (wanted(YOGA, INES, AT + HOUR / 2), wanted(CALL, INES), wanted(YOGA, OMAR)):
        with pytest.raises(SlotGone):
            await booked(db, row)
    await booked(db, wanted(CALL, OMAR))


async def test_the_first_free_room_is_taken_and_then_the_next(db: Database) -> None:
    first = await booked(db, wanted(MASSAGE, INES))
    second = await booked(db, wanted(MASSAGE, OMAR))
    assert [await room(db, one.id) for one in (first, second)] == [BIG, SMALL]
    with pytest.raises(SlotGone):
        await booked(db, wanted(MASSAGE, VERA))
    cancelled = await changed(db, first, Happening.CANCEL)
    third = await booked(db, wanted(MASSAGE, VERA))
    assert await room(db, third.id) == BIG
    with pytest.raises(SlotGone):
        await changed(db, cancelled, Happening.UNDO)
    await changed(db, second, Happening.CANCEL)
    await changed(db, cancelled, Happening.UNDO)
    assert await room(db, first.id) == SMALL


async def test_a_move_over_its_own_old_time_keeps_the_room(db: Database) -> None:
    first = await booked(db, wanted(THERAPY, INES))
    moved = await changed(db, first, Happening.MOVE, start=AT + HOUR / 2, end=AT + 1.5 * HOUR)
    assert await room(db, first.id) == TABLE
    with pytest.raises(SlotGone):
        await booked(db, wanted(THERAPY, VERA, AT + HOUR))
    back = await changed(db, moved, Happening.MOVE, start=AT, end=AT + HOUR)
    assert (back.start, back.end, back.staff) == (first.start, first.end, first.staff)


async def test_a_class_stays_in_the_room_that_it_has(db: Database) -> None:
    first = await booked(db, wanted(YOGA, INES))
    async with db.write() as session:
        await sql(session, "UPDATE service_resources SET resource_id = 2 WHERE service_id = 1")
    second = await booked(db, wanted(YOGA, INES))
    assert [await room(db, one.id) for one in (first, second)] == [BIG, BIG]


async def test_nobody_in_particular_holds_neither_room_nor_seat(db: Database) -> None:
    for _ in range(6):
        assert await room(db, (await booked(db, wanted(YOGA, None))).id) is None
    assert await room(db, (await booked(db, wanted(YOGA, INES))).id) == BIG


async def test_what_has_gone_is_out_of_date(db: Database) -> None:
    first = await booked(db, wanted(CALL, INES))
    async with db.write() as session:
        await sql(session, "DELETE FROM appointment_events")
        await sql(session, "DELETE FROM appointments")
    with pytest.raises(OutOfDate):
        await changed(db, first, Happening.MOVE, start=AT + HOUR, end=AT + 2 * HOUR)


@pytest.mark.parametrize(
    ("resource", "staff", "service", "is_refused"),
    [
        pytest.param(BIG, INES, YOGA, False, id="a seat of the session"),
        pytest.param(None, INES, YOGA, True, id="the same class elsewhere"),
        pytest.param(SMALL, INES, YOGA, True, id="the same class in another room"),
        pytest.param(BIG, OMAR, YOGA, True, id="a class of somebody else in the room"),
        pytest.param(BIG, OMAR, None, True, id="something nameless in the room"),
        pytest.param(None, INES, None, True, id="something nameless with the same person"),
        pytest.param(SMALL, OMAR, YOGA, False, id="somebody else, another room"),
        pytest.param(BIG, None, YOGA, False, id="nobody in particular"),
    ],
)
async def test_the_database_itself_refuses(
    db: Database, resource: int | None, staff: int | None, service: int | None, is_refused: bool
) -> None:
    await booked(db, wanted(YOGA, INES))
    row = plain(AT, staff=staff)
    row.service_id, row.resource_id = service, resource
    assert await refused(db, row) is is_refused


async def test_of_ten_at_once_four_get_a_seat_and_of_rooms_each_is_used(db: Database) -> None:
    async def try_it(row: AppointmentRow) -> bool:
        try:
            await booked(db, row)
        except SlotGone:
            return False
        return True

    for day in range(5):
        at = AT + timedelta(days=day)
        seats = await asyncio.gather(*(try_it(wanted(YOGA, INES, at)) for _ in range(10)))
        assert seats.count(True) == 4
        later = at + 3 * HOUR
        rooms = await asyncio.gather(*(try_it(wanted(MASSAGE, who, later)) for who in (INES, OMAR, VERA) * 3))
        assert rooms.count(True) == 2
    async with db.read() as session:
        assert len((await session.exec(select(AppointmentRow))).all()) == 30


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_transaction_that_looks_at_an_old_snapshot_may_not_write(db: Database) -> None:
    """SQLite's writers see what is there."""
    async with db.read() as session:
        await sql(session, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
        session.add(plain(AT))
        with pytest.raises(DBAPIError, match="READ COMMITTED"):
            await session.flush()
