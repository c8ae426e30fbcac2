"""Messages that are sent side by side share transactions, and nobody is the worse for a neighbour."""

import asyncio
from collections.abc import Sequence

from sqlalchemy import Engine, event

from bot.outbox import deliver
from bot.simulator.faults import Fault, Kind
from bot.simulator.people import Person
from bot.store.tables import OutboxRow
from tests.outbox.hand import HOUR, SECOND, START, Hand

MANY = 12


def phone(n: int) -> str:
    return f"52155502{n:05d}"


async def due(hand: Hand, number: int) -> list[str]:
    """So many people's reminders, due now."""
    for n in range(number):
        person = Person(user_id=f"MX.8100000000000{n:04d}", wa_id=phone(n), name=f"P{n}", language="es")
        hand.standin.directory.people.append(person)
        await hand.appointment(person=person)
    hand.at(START - 24 * HOUR)
    created = (await hand.scan()).created
    hand.later(SECOND)
    return list(created)


async def send(hand: Hand, ids: Sequence[str]) -> list[object]:
    return await asyncio.gather(*(deliver(hand.runtime, one) for one in ids), return_exceptions=True)


async def states(hand: Hand) -> dict[str, OutboxRow]:
    return {row.id: row for row in await hand.rows()}


async def test_many_that_ask_at_once_are_claimed_at_once(hands: Hand) -> None:
    """Marks share too, as far as the answers come together."""
    hands.standin.receipts.statuses = ()
    ids = await due(hands, MANY)
    claims: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if statement.startswith("UPDATE outbox") and "RETURNING" in statement:
            claims.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    await send(hands, ids)
    event.remove(Engine, "before_cursor_execute", note)
    rows = await states(hands)
    assert {row.state for row in rows.values()} == {"accepted"}
    assert {(row.attempts, row.lease, row.sent_at) for row in rows.values()} == {(1, None, hands.now)}
    assert all(row.body is not None and row.message_id is not None for row in rows.values())
    assert await hands.stack.count("appointments", "reminder_24h_sent") == MANY
    assert await hands.stack.count("outbox_messages") == MANY
    assert 1 <= len(claims) <= 2


async def test_a_message_that_cannot_be_prepared_costs_its_neighbours_nothing(hands: Hand) -> None:
    ids = await due(hands, 4)
    broken = ids[1]
    await hands.stack.change(f"UPDATE outbox SET kind = 'reply', body = 'no JSON' WHERE id = '{broken}'")
    ended = await send(hands, ids)
    assert [type(one).__name__ for one in ended] == ["Marked", "JSONDecodeError", "Marked", "Marked"]
    await hands.settle()
    assert len(hands.standin.messages) == 3
    assert {row.id: row.attempts for row in (await states(hands)).values()} == {one: int(one != broken) for one in ids}


async def test_one_refused_and_one_lost_leave_the_others_accepted(hands: Hand) -> None:
    hands.standin.receipts.statuses = ()
    ids = await due(hands, 6)
    hands.standin.faults.add(Fault(kind=Kind.REFUSE, code=131026, to=phone(1)))
    hands.standin.faults.add(Fault(kind=Kind.LOSE, to=phone(2)))
    await send(hands, ids)
    rows = await states(hands)
    assert sorted(row.state for row in rows.values()) == ["accepted"] * 4 + ["failed", "unknown"]
    assert await hands.stack.count("appointments", "reminder_24h_sent") == 4
    assert await hands.stack.count("attention", "kind = 'not_sent'") == 1


async def test_receipts_that_come_before_the_marks_count(hands: Hand) -> None:
    hands.standin.receipts.before_answer = True
    await send(hands, await due(hands, 5))
    await hands.settle()
    rows = await states(hands)
    assert {(row.state, row.attempts) for row in rows.values()} == {("delivered", 1)}
    assert await hands.stack.count("receipts", "outbox_id IS NULL") == 0
    assert await hands.stack.count("appointments", "reminder_24h_sent") == 5
