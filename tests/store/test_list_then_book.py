"""The rules that list and the database that books agree: what is listed is always taken, what is not never offered."""

import random
from datetime import timedelta

import pytest

from bot.core.appointment import Actor, Happening
from bot.core.business import Business
from bot.core.slots import Calendar, Slot
from bot.store import appointments, businesses
from bot.store.appointments import Cause, SlotGone
from bot.store.calendar import load_busy
from bot.store.database import Database, Session
from bot.store.tables import AppointmentRow
from tests.conftest import NOW
from tests.store.invariant import check
from tests.store.rows import a_business
from tests.store.rows import appointment as plain

BY = Cause(actor=Actor.CUSTOMER)
DAYS = timedelta(days=3)


async def calendar(session: Session, business_id: int) -> Calendar:
    """Of few days, so that they fill up."""
    business = await businesses.load(session, business_id)
    return Calendar(business=business, busy=await load_busy(session, business_id, NOW, NOW + 2 * DAYS), now=NOW)


def row(slot: Slot, business: Business) -> AppointmentRow:
    service = business.service(slot.service)
    assert service is not None
    one = plain(slot.start, service.minutes / 60, buffer=service.buffer / 60, staff=slot.staff)
    one.service_id = service.id
    return one


@pytest.mark.parametrize("name", ["barberia", "clinica", "estudio"])
async def test_whatever_is_listed_can_be_booked_until_nothing_is_left(db: Database, name: str) -> None:
    business_id, dice, booked = await a_business(db, name), random.Random(name), 0
    for _ in range(80):
        async with db.write() as session:
            book = await calendar(session, business_id)
            service = dice.choice(book.business.services)
            slots = book.free(service.id, before=NOW + DAYS)
            if slots:
                await appointments.book(session, row(dice.choice(slots), book.business), BY, NOW)
                booked += 1
    assert booked > 30
    assert await check(db, business_id) == []


async def test_whatever_is_listed_for_a_move_can_be_moved_to(db: Database) -> None:
    business_id, dice, over_its_own = await a_business(db, "estudio"), random.Random(3), 0
    async with db.write() as session:
        for service in (await calendar(session, business_id)).business.services:
            book = await calendar(session, business_id)
            await appointments.book(session, row(book.free(service.id)[0], book.business), BY, NOW)
    for number in range(60):
        async with db.write() as session:
            book = await calendar(session, business_id)
            mine = await appointments.get(session, number % len(book.business.services) + 1)
            assert mine is not None
            before = appointments.value(mine)
            slot = dice.choice(book.free(mine.service_id or 0, ignore=mine.id, before=NOW + DAYS))
            over_its_own += slot.start < before.end and before.start < slot.end
            after = before.after(
                Happening.MOVE, by=Actor.CUSTOMER, now=NOW, start=slot.start, end=slot.end, staff=slot.staff
            )
            until = row(slot, book.business).busy_until
            await appointments.store(session, before, after, Happening.MOVE, cause=BY, now=NOW, busy_until=until)
    assert over_its_own
    assert await check(db, business_id) == []


async def test_what_is_not_free_is_refused_by_the_database_too(db: Database) -> None:
    """Of one person's day: every quarter of an hour that the rules call taken, and only those."""
    business_id, dice = await a_business(db, "barberia"), random.Random(5)
    for _ in range(8):
        async with db.write() as session:
            book = await calendar(session, business_id)
            slots = book.free(1, staff=1, before=NOW + timedelta(days=1))
            await appointments.book(session, row(dice.choice(slots), book.business), BY, NOW)
    told = set()
    for quarter in range(40):
        start = NOW.replace(minute=0) + quarter * timedelta(minutes=15)
        async with db.read() as session:
            board = await calendar(session, business_id)
        slot = Slot(service=1, staff=1, start=start, end=start + timedelta(minutes=30))
        refusal = board.check(slot)
        if refusal is None or refusal.value == "TAKEN":
            told.add((refusal is not None, await refused(db, slot, board.business)))
    assert told == {(True, True), (False, False)}


async def refused(db: Database, slot: Slot, business: Business) -> bool:
    """Whether the database refuses it; nothing stays."""
    try:
        async with db.write() as session:
            await appointments.book(session, row(slot, business), BY, NOW)
            raise LookupError  # rolls back
    except SlotGone:
        return True
    except LookupError:
        return False
