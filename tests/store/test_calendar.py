"""What is taken of the staff's time."""

from datetime import timedelta

from bot.core.slots import Busy
from bot.store.calendar import load_busy
from bot.store.database import Database
from tests.conftest import NOW
from tests.store.rows import HOUR, a_business, add, appointment, sql

SINCE, UNTIL = NOW, NOW + timedelta(days=30)


async def test_active_appointments_of_named_staff_are_busy(db: Database) -> None:
    business_id = await a_business(db)
    async with db.write() as session:
        second = await add(session, appointment(NOW + 5 * HOUR, buffer=0.25, status="CONFIRMED"))
        first = await add(session, appointment(NOW + 2 * HOUR, staff=2))
        for status in ("CANCELLED", "COMPLETED", "NO_SHOW"):
            await add(session, appointment(NOW + 2 * HOUR, status=status))
        await add(session, appointment(NOW + 2 * HOUR, staff=None))
    async with db.read() as session:
        busy = await load_busy(session, business_id, SINCE, UNTIL)
    assert busy == (
        Busy(staff=2, start=NOW + 2 * HOUR, until=NOW + 3 * HOUR, appointment=first),
        Busy(staff=1, start=NOW + 5 * HOUR, until=NOW + 6.25 * HOUR, appointment=second),
    )


async def test_what_only_touches_the_span_is_left_out(db: Database) -> None:
    business_id = await a_business(db)
    async with db.write() as session:
        await add(session, appointment(SINCE - 2 * HOUR, 1.5, buffer=0.5))
        inside = await add(session, appointment(SINCE - 2 * HOUR, 2, buffer=0.1, staff=2))
        last = await add(session, appointment(UNTIL - HOUR / 2))
        await add(session, appointment(UNTIL, staff=2))
    async with db.read() as session:
        assert [b.appointment for b in await load_busy(session, business_id, SINCE, UNTIL)] == [inside, last]


async def test_another_business_is_not_looked_at(db: Database) -> None:
    await a_business(db)
    other = await a_business(db, "noturno", "PNID2")
    async with db.write() as session:
        await add(session, appointment(NOW + HOUR))
    async with db.read() as session:
        assert await load_busy(session, other, SINCE, UNTIL) == ()


async def test_it_is_read_by_the_index(sqlite_db: Database) -> None:
    statement = (
        "EXPLAIN QUERY PLAN SELECT id FROM appointments WHERE staff_id IN (SELECT id FROM staff WHERE business_id = 1)"
        " AND busy_until > '2026-12-01' AND scheduled_at < '2027-01-01' AND status IN ('SCHEDULED', 'CONFIRMED')"
    )
    async with sqlite_db.read() as session:
        plan = " ".join(str(row[-1]) for row in await sql(session, statement))
    assert "ix_appointments_staff_id (staff_id=? AND busy_until>?)" in plan
