"""One turn per customer at a time, one commit per decision, whatever happens in between."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from importlib import import_module

import pytest

from bot.conversation.effects import Book, Mark, Move, Say
from bot.core.appointment import Actor
from bot.simulator import bodies
from bot.simulator.bodies import Json
from bot.simulator.people import Person
from bot.store import business_edit, business_parts, inbox
from bot.store.appointments import Cause
from bot.store.business_entries import SpecialDayEntry
from bot.store.inbox import MOST_ATTEMPTS
from bot.turn import answer
from bot.turn.answer import LEASE
from tests.outbox.hand import BO, HOUR, SECOND, START, Hand
from tests.stack.told import told
from tests.stack.world import ANA


async def hear(hand: Hand, *contents: Json) -> int:
    """Ana sends them one after the other; her id."""
    for content in contents:
        assert await hand.standin.hear(ANA, content)
    return (await hand.stack.customers())[0].id or 0


async def states(hand: Hand) -> list[str]:
    """`handled` or `waiting`, one for each message that came."""
    done = await hand.stack.count("inbox", "handled_at IS NOT NULL")
    return ["handled"] * done + ["waiting"] * await hand.stack.count("inbox", "handled_at IS NULL")


async def wamids(hand: Hand) -> list[str]:
    joined = await hand.stack.value("SELECT group_concat(message_id, ' ') FROM inbox")
    return str(joined).split()


async def test_ten_turns_at_once_take_one(hands: Hand) -> None:
    ana = await hear(hands, bodies.text("hola"))
    written = await asyncio.gather(*(answer(hands.runtime, ana) for _ in range(10)))
    assert len([one for one in written if one]) == 1
    assert len(await hands.rows()) == 1
    assert await hands.stack.count("customers", "lease IS NULL") == 1


async def test_what_was_typed_in_a_row_is_read_together(hand: Hand) -> None:
    ana = await hear(hand, bodies.text("hola"), bodies.text("quiero una cita"), bodies.text("por favor"))
    assert len(await answer(hand.runtime, ana)) == 1
    assert await states(hand) == ["handled"] * 3
    (row,) = await hand.rows()
    assert row.cause in await wamids(hand)


async def test_a_tap_between_words_is_a_turn_of_its_own(hand: Hand) -> None:
    ana = await hear(hand, bodies.text("hola"))
    await hand.send(*await answer(hand.runtime, ana))
    tap = hand.stack.offered(ANA, "vie 4 dic, 17:00")[1].tap
    hand.later(SECOND)
    await hear(hand, bodies.text("a ver"), tap, bodies.text("gracias"))
    await answer(hand.runtime, ana)
    assert await states(hand) == ["handled"] * 4
    assert await hand.stack.count("appointments") == 1


async def test_a_customer_who_is_held_is_left_alone_until_the_lease_ends(hand: Hand) -> None:
    ana = await hear(hand, bodies.text("hola"))
    async with hand.runtime.db.write() as session:
        assert await inbox.lease(session, ana, "somebody", hand.now, hand.now + LEASE)
    assert await answer(hand.runtime, ana) == ()
    assert await states(hand) == ["waiting"]
    hand.later(LEASE)
    assert len(await answer(hand.runtime, ana)) == 1
    async with hand.runtime.db.write() as session:
        assert not await inbox.release(session, ana, "somebody")


async def test_a_turn_whose_lease_is_gone_applies_nothing(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else has taken the customer over: their turn counts."""
    ana = await hear(hand, bodies.text("hola"))
    between(monkeypatch, Say, lambda: hand.stack.change("UPDATE customers SET lease = 'thief'"))
    with told() as log:
        assert await answer(hand.runtime, ana) == ()
    assert await hand.rows() == []
    assert "OutOfDate" in log.getvalue()
    assert await states(hand) == ["waiting"]
    assert await hand.stack.value("SELECT lease FROM customers") == "thief"


async def test_our_own_fault_is_tried_again_and_at_last_given_up(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    ana = await hear(hand, bodies.text("mi secreto"))

    def broken(*_: object) -> None:
        raise ZeroDivisionError("our bug")

    monkeypatch.setattr(import_module("bot.turn.answer"), "turn", broken)
    with told() as log:
        for attempt in range(1, MOST_ATTEMPTS + 1):
            assert await answer(hand.runtime, ana) == ()
            assert await hand.stack.value("SELECT attempts FROM inbox") == attempt
            assert await answer(hand.runtime, ana) == ()  # not before its time
            assert await hand.stack.value("SELECT attempts FROM inbox") == attempt
            hand.later(timedelta(minutes=2))
    assert await states(hand) == ["handled"]
    assert await hand.stack.value("SELECT error FROM inbox") == "ZeroDivisionError"
    assert "mi secreto" not in log.getvalue()
    assert "our bug" in log.getvalue()
    monkeypatch.undo()
    await hear(hand, bodies.text("hola"))
    assert len(await answer(hand.runtime, ana)) == 1


async def test_a_message_that_came_during_the_turn_is_answered_by_it(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own wake-up is turned away by the lease."""
    ana = await hear(hand, bodies.text("hola"))

    async def writes_again() -> None:
        hand.later(SECOND)
        await hear(hand, bodies.text("mis citas"))
        assert await answer(hand.runtime, ana) == ()

    between(monkeypatch, Say, writes_again)
    assert len(await answer(hand.runtime, ana)) == 2
    assert await states(hand) == ["handled", "handled"]


async def test_a_slot_that_went_to_another_is_answered_with_other_times(hand: Hand) -> None:
    ana = await hear(hand, bodies.text("hola"))
    await hand.send(*await answer(hand.runtime, ana))
    tap = hand.stack.offered(ANA, "vie 4 dic, 17:00")[1].tap
    await hand.appointment(START, BO, staff_id=1)
    hand.later(SECOND)
    await hear(hand, tap)
    await hand.send(*await answer(hand.runtime, ana))
    assert await hand.stack.count("appointments") == 1
    assert "vie 4 dic, 17:00" not in hand.stack.titles(ANA)
    assert len([title for title in hand.stack.titles(ANA) if " dic" in title]) == 3


async def test_a_move_into_a_slot_that_goes_meanwhile_keeps_the_old_one(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hand.appointment(START - 24 * HOUR, staff_id=1)
    await tapped(hand, "Cambiar")
    between(monkeypatch, Move, lambda: hand.appointment(START, BO, staff_id=1))
    await tapped(hand, "vie 4 dic, 17:00")
    mine, theirs = await hand.stack.appointments()
    assert (mine.scheduled_at, mine.version, mine.status) == (START - 24 * HOUR, 1, "SCHEDULED")
    assert theirs.scheduled_at == START
    assert "se acaba de ocupar" in hand.stack.last(ANA).text
    assert "vie 4 dic, 17:00" not in hand.stack.titles(ANA)


async def test_a_booking_into_a_slot_that_goes_meanwhile_offers_others(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = await hear(hand, bodies.text("hola"))
    await hand.send(*await answer(hand.runtime, ana))
    between(monkeypatch, Book, lambda: hand.appointment(START, BO, staff_id=1))
    await tapped(hand, "vie 4 dic, 17:00")
    assert await hand.stack.count("appointments") == 1
    assert "se acaba de ocupar" in hand.stack.last(ANA).text


async def test_a_day_that_staff_close_meanwhile_is_not_booked(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules are asked again when booking, with those of that moment."""
    await hear(hand, bodies.text("hola"))
    await hand.send(*await answer(hand.runtime, (await hand.stack.customers())[0].id or 0))

    async def close() -> None:
        closed = business_parts.put_day(SpecialDayEntry(day=START.date(), hours=[]))
        async with hand.runtime.db.write() as session:
            edit = await business_edit.edit(session, 1, closed, cause=Cause(actor=Actor.STAFF), now=hand.now)
        assert (len(edit.changes), edit.stranded) == (1, ())

    between(monkeypatch, Book, close)
    await tapped(hand, "vie 4 dic, 17:00")
    assert await hand.stack.count("appointments") == 0
    assert "vie 4 dic, 17:00" not in hand.stack.titles(ANA)
    assert hand.stack.titles(ANA)


async def test_an_undo_into_a_slot_that_goes_meanwhile_offers_others(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hand.appointment(START, staff_id=1)
    await tapped(hand, "Cancelar")
    assert (await hand.stack.appointment()).status == "CANCELLED"
    between(monkeypatch, Mark, lambda: hand.appointment(START, BO, staff_id=1))
    await tapped(hand, "Deshacer")
    mine, _ = await hand.stack.appointments()
    assert mine.status == "CANCELLED"
    assert "se acaba de ocupar" in hand.stack.last(ANA).text


async def test_an_appointment_that_staff_change_meanwhile_is_decided_on_anew(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cancelled between load and apply: the tap that would cancel it finds it so."""
    await hand.appointment(START, staff_id=1)
    cancelled = "UPDATE appointments SET status = 'CANCELLED', cancelled_from = 'SCHEDULED', version = 2"
    between(monkeypatch, Mark, lambda: hand.stack.change(cancelled))
    await tapped(hand, "Cancelar")
    row = await hand.stack.appointment()
    assert (row.status, row.version) == ("CANCELLED", 2)
    assert await hand.stack.count("appointment_events") == 0
    assert set(await states(hand)) == {"handled"}
    assert len(hand.stack.taken(ANA)) == 2


async def test_an_appointment_that_staff_move_meanwhile_is_decided_on_anew(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hand.appointment(START, staff_id=1)
    await tapped(hand, "Cambiar")
    moved = "UPDATE appointments SET version = 2, slot_version = 2"
    between(monkeypatch, Move, lambda: hand.stack.change(moved))
    await tapped(hand, "vie 4 dic, 09:00")
    row = await hand.stack.appointment()
    assert (row.scheduled_at, row.version) == (START, 2)


async def test_a_customer_who_is_joined_away_during_the_turn_is_answered_under_the_other_id(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = await hear(hand, bodies.text("hola"))
    other = await hand.customer(BO)

    async def joined() -> None:
        await hand.stack.change(f"UPDATE inbox SET customer_id = {other}")
        await hand.stack.change(f"DELETE FROM customers WHERE id = {ana}")

    between(monkeypatch, Say, joined)
    assert await answer(hand.runtime, ana) == ()
    assert len(await answer(hand.runtime, other)) == 1


async def test_what_staff_must_see_is_listed_once_and_logged(hand: Hand) -> None:
    ana = await hear(hand, bodies.text("quiero hablar con una persona"))
    with told() as log:
        await answer(hand.runtime, ana)
    assert await hand.stack.count("attention", "done_at IS NULL") == 1
    assert '"level": "warning"' in log.getvalue()
    assert await hand.stack.count("customers", "muted_until IS NOT NULL") == 1


async def test_opting_out_and_in_is_kept_on_the_customer(hand: Hand) -> None:
    ana = await hear(hand, bodies.text("STOP"))
    await answer(hand.runtime, ana)
    assert await hand.stack.count("customers", "opted_out_at IS NOT NULL") == 1
    hand.later(SECOND)
    await hear(hand, bodies.text("alta"))
    await answer(hand.runtime, ana)
    assert await hand.stack.count("customers", "opted_out_at IS NOT NULL") == 0


async def test_a_customer_without_a_name_is_greeted_without_one_and_asked_later(hand: Hand) -> None:
    nobody = Person(user_id="MX.80000000000000010", wa_id="5215550001610", name="")
    await hand.send(*await hand.hears("hola", nobody))
    assert "None" not in str(hand.standin.messages[-1].body)
    tap = hand.stack.offered(nobody, "vie 4 dic, 17:00")[1].tap
    hand.later(SECOND)
    await hand.standin.hear(nobody, tap)
    await hand.send(*await answer(hand.runtime, 1))
    hand.later(SECOND)
    await hand.send(*await hand.hears("Zoe", nobody))
    assert [one.name for one in await hand.stack.customers()] == ["Zoe"]
    assert await hand.stack.count("appointments") == 1


async def test_a_deleted_or_edited_message_is_done_with_in_silence(hand: Hand) -> None:
    revoked = {"type": "revoke", "revoke": {"original_message_id": "wamid.1"}}
    ana = await hear(hand, bodies.reaction("wamid.x", None), revoked)
    assert await answer(hand.runtime, ana) == ()
    assert await states(hand) == ["handled", "handled"]


async def test_a_reaction_to_the_reminder_confirms_and_marks_it_answered(hand: Hand) -> None:
    row = await hand.remind()
    await hand.send()
    await hand.settle()
    await hear(hand, bodies.reaction(hand.standin.messages[0].wamid, "👍"))
    await answer(hand.runtime, await hand.customer())
    assert (await hand.stack.appointment()).status == "CONFIRMED"
    (now,) = [one for one in await hand.rows() if one.id == row.id]
    assert now.answered_at == hand.now


async def test_a_quote_of_somebody_else_s_reminder_is_just_words(hand: Hand) -> None:
    await hand.remind(person=BO)
    await hand.send()
    context = {"context": {"id": hand.standin.messages[0].wamid}}
    ana = await hear(hand, bodies.text("sí, confirmo") | context)
    await answer(hand.runtime, ana)
    assert (await hand.stack.appointment()).status == "SCHEDULED"


# How it is done.


async def tapped(hand: Hand, title: str) -> None:
    """Taps it, after a greeting if nothing was offered yet."""
    if not hand.standin.messages:
        ana = await hear(hand, bodies.text("hola"))
        await hand.send(*await answer(hand.runtime, ana))
    hand.later(SECOND)
    message, option = hand.stack.offered(ANA, title)
    await hear(hand, option.tap | {"context": {"id": message.wamid}})
    await hand.send(*await answer(hand.runtime, await hand.customer()))


def between(monkeypatch: pytest.MonkeyPatch, kind: type, do: Callable[[], Awaitable[object]]) -> None:
    """Somebody else does this once, after a decision with such an effect and before it is applied."""
    module = import_module("bot.turn.answer")  # `bot.turn.answer` by name is the function
    real, pending = module.apply, [do]

    async def apply(runtime: object, batch: object, draft: object, effects: Sequence[object], token: str) -> object:
        if pending and any(isinstance(effect, kind) for effect in effects):
            await pending.pop()()
        return await real(runtime, batch, draft, effects, token)

    monkeypatch.setattr(module, "apply", apply)
