"""The corners of the conversation that no story needs: what has gone meanwhile, what is empty, what is odd."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.conversation.draft import Draft, Flow, dump
from bot.conversation.effects import Book, Move
from bot.conversation.events import Said, SlotTaken
from bot.conversation.flows import move
from bot.conversation.machine import turn
from bot.conversation.replies import (
    NEW,
    AskPerson,
    Cancel,
    Change,
    Confirm,
    Keep,
    OtherDay,
    OtherStaff,
    PickDay,
    PickMove,
    PickService,
    PickSlot,
    Reply,
    ShowOne,
    Undo,
)
from bot.conversation.steps.day import ChooseDay
from bot.conversation.steps.name import GiveName
from bot.conversation.steps.time import ChooseTime
from bot.core.appointment import Happening, Status
from tests.conftest import NOW
from tests.conversation.ask import DAY, HOUR, TEN, nobody_works, offered, said, say, staff_do, tap
from tests.conversation.businesses import replace_rules
from tests.conversation.world import Chat, World


def test_turn_is_a_function_of_its_arguments(world: World, ana: Chat) -> None:
    view, event = world.view(ana), Said(text="hola", at=NOW)
    assert turn(Draft(), event, view) == turn(Draft(), event, view)


def test_without_anybody_at_work_a_person_is_offered(world: World, ana: Chat) -> None:
    nobody_works(world)
    effects = say(world, ana, "hola")
    assert said(effects).startswith("¡Hola, Ana!")
    assert offered(effects) == [AskPerson()]


def test_a_move_without_anybody_at_work_keeps_the_appointment(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, TEN)
    nobody_works(world)
    assert offered(tap(world, ana, Change(mine.id, 1))) == [AskPerson()]
    assert not [one for one in tap(world, ana, PickMove(mine.id, 1, 1, TEN + HOUR)) if isinstance(one, Move)]
    assert offered(world.hear(ana, SlotTaken(service=1, start=TEN, at=NOW))) == []


def test_a_known_customer_whose_service_is_full_is_greeted_like_a_new_one(world: World, ana: Chat) -> None:
    world.add(1, 1, 1, NOW - DAY, status=Status.COMPLETED)
    world.business = replace_rules(world.business, horizon=timedelta(minutes=90), notice=HOUR)
    world.occupy(1, NOW, NOW + DAY)
    world.occupy(2, NOW, NOW + DAY)
    effects = say(world, ana, "hola")
    assert said(effects).startswith("¡Hola, Ana! 👋")
    assert "no quedan horarios libres para Corte" in said(tap(world, ana, offered(effects)[0]))


def test_a_lost_slot_with_nothing_left_offers_a_person(world: World, ana: Chat) -> None:
    world.occupy(1, NOW, NOW + 60 * DAY)
    world.occupy(2, NOW, NOW + 60 * DAY)
    effects = world.hear(ana, SlotTaken(service=1, start=TEN, at=NOW))
    assert offered(effects) == [AskPerson()]


def test_a_day_that_is_full_leads_to_the_nearest(world: World, ana: Chat) -> None:
    monday = (NOW + 6 * DAY).date()
    world.occupy(1, NOW + 5 * DAY, NOW + 7 * DAY)
    effects = tap(world, ana, PickDay(1, NEW, NEW, monday))
    assert "Ese día ya no hay horarios libres" in said(effects)
    assert offered(effects)


def test_the_days_of_an_old_list_that_are_over_give_those_there_are(world: World, ana: Chat) -> None:
    effects = tap(world, ana, OtherDay(1, NEW, NEW, (NOW + 60 * DAY).date()))
    assert said(effects) == "¿Qué día te queda mejor?"
    assert offered(effects)[0] == PickDay(1, NEW, NEW, NOW.date())


def test_a_service_that_is_gone_is_said_to_be_so(world: World, ana: Chat) -> None:
    say(world, ana, "quiero una cita")
    world.business = replace(
        world.business, services=tuple(replace(one, active=one.id != 3) for one in world.business.services)
    )
    effects = tap(world, ana, PickService(3))
    assert said(effects).startswith("Ese botón ya no sirve")
    assert offered(effects) == [PickService(1), PickService(2)]


def test_a_slot_of_a_service_that_is_gone_is_an_old_offer(world: World, ana: Chat) -> None:
    effects = tap(world, ana, PickSlot(99, 1, TEN, 0))
    assert said(effects).startswith("Esos horarios son de antes.")


def test_a_slot_with_somebody_who_left_asks_again(world: World, ana: Chat) -> None:
    effects = tap(world, ana, PickSlot(3, 2, TEN, 0))
    assert "¿Qué te gustaría agendar?" in said(effects)
    assert not [effect for effect in effects if isinstance(effect, Book)]


def test_a_move_to_somebody_who_left_shows_the_times_there_are(world: World, ana: Chat) -> None:
    mine = world.add(1, 3, 1, TEN)
    effects = tap(world, ana, PickMove(mine.id, 1, 2, TEN + HOUR))
    assert said(effects).startswith("Tu cita sigue en pie")
    assert world.appointments[mine.id] == mine


def test_a_move_stays_with_the_same_person_while_they_have_time(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 2, TEN + 2 * HOUR)
    staff = {one.staff for one in offered(tap(world, ana, Change(mine.id, 1))) if isinstance(one, PickMove)}
    assert staff == {2}
    world.add(0, None, 2, NOW, end=NOW + 60 * DAY)
    world.appointments[mine.id] = replace(mine, version=2)
    staff = {one.staff for one in offered(tap(world, ana, Change(mine.id, 2))) if isinstance(one, PickMove)}
    assert staff == {1}


def test_an_imported_appointment_of_no_service_can_be_moved_and_keeps_its_length(world: World, ana: Chat) -> None:
    mine = world.add(1, None, None, TEN, end=TEN + timedelta(minutes=50))
    effects = tap(world, ana, Change(mine.id, 1))
    picks = [one for one in offered(effects) if isinstance(one, PickMove)]
    effects = tap(world, ana, picks[0])
    assert said(effects).startswith("✅ Cambiada: Cita el")
    moved = world.appointments[mine.id]
    assert moved.end - moved.start == timedelta(minutes=50)


def test_a_second_tap_on_a_moved_row_is_one_line_once_something_else_was_said(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, TEN)
    row = next(one for one in offered(tap(world, ana, Change(mine.id, 1))) if isinstance(one, PickMove))
    tap(world, ana, row)
    assert tap(world, ana, row) == ()
    say(world, ana, "gracias")
    assert said(tap(world, ana, row)).startswith("Ya quedó cambiada: Corte")


def test_a_row_for_an_appointment_that_is_gone_says_so(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, TEN)
    staff_do(world, mine, Happening.CANCEL)
    for reply in (PickMove(mine.id, 1, 1, TEN + HOUR), OtherDay(1, mine.id, 1, TEN.date()), ShowOne(mine.id, 1)):
        ana.draft = "{}"
        assert said(tap(world, ana, reply)).startswith("Esa cita ya está cancelada")


def test_a_row_of_an_old_move_begins_the_move_again(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, TEN)
    effects = tap(world, ana, PickDay(1, mine.id, 1, (NOW + 2 * DAY).date()))
    assert all(one.appointment == mine.id for one in offered(effects) if isinstance(one, PickMove))
    assert any(isinstance(one, PickMove) for one in offered(effects))


def test_a_finished_appointment_is_not_found_nor_restored(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, TEN, status=Status.NO_SHOW)
    for reply in (Undo(mine.id, 1), Confirm(mine.id, 1), Keep(mine.id, 1)):
        ana.draft = "{}"
        assert said(tap(world, ana, reply)).startswith("No encuentro esa cita")


def test_undo_again_after_something_else_says_that_it_stands(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, TEN)
    tap(world, ana, Cancel(mine.id, 1))
    tap(world, ana, Undo(mine.id, 1))
    say(world, ana, "gracias")
    assert said(tap(world, ana, Undo(mine.id, 1))).startswith("Tu cita sigue en pie: Corte")


def test_undo_gives_a_confirmed_one_back_confirmed(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, TEN, status=Status.CONFIRMED)
    tap(world, ana, Cancel(mine.id, 1))
    assert offered(tap(world, ana, Undo(mine.id, 1))) == [Change(mine.id, 2), Cancel(mine.id, 2)]
    assert world.appointments[mine.id].status is Status.CONFIRMED


@pytest.mark.parametrize(
    "draft",
    [
        Draft(flow=Flow.MOVE, service=1, appointment=1, version=1),
        Draft(flow=Flow.MOVE, service=99, appointment=1, version=1, staff=1, start=TEN),
        Draft(flow=Flow.MOVE, service=1, staff=1, start=TEN),
    ],
)
def test_a_move_that_lacks_something_changes_nothing(world: World, ana: Chat, draft: Draft) -> None:
    world.add(1, 1, 1, TEN)
    _, effects = move.finish(draft, world.view(ana))
    assert AskPerson() in offered(effects)
    assert len(effects) == 1


def test_a_draft_of_another_version_of_the_bot_is_no_obstacle(world: World, ana: Chat) -> None:
    ana.draft = '{"flow": "move", "service": "x", "hologram": 1, "epoch": 3}'
    assert said(say(world, ana, "hola")).startswith("¡Hola, Ana!")
    ana.draft = dump(Draft(flow=Flow.BOOK, service=99))
    assert "¿Qué te gustaría agendar?" in said(say(world, ana, "asdf"))


def test_a_slot_tapped_when_staff_have_booked_the_last_allowed_one_is_refused(world: World, ana: Chat) -> None:
    world.business = replace_rules(world.business, max_active=1)
    row = next(one for one in offered(tap(world, ana, PickService(1))) if isinstance(one, PickSlot))
    world.add(1, 1, 2, TEN + 3 * HOUR)
    effects = tap(world, ana, row)
    assert said(effects).startswith("Ya tienes el máximo")
    assert not [effect for effect in effects if isinstance(effect, Book)]


def test_the_time_that_it_has_already_is_not_offered_for_a_move(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, NOW + HOUR)
    picks = [one for one in offered(tap(world, ana, Change(mine.id, 1))) if isinstance(one, PickMove)]
    assert len(picks) == 7
    assert mine.start not in [one.start for one in picks]


def test_what_is_all_there_is_leads_to_no_more(world: World, ana: Chat) -> None:
    world.business = replace_rules(world.business, horizon=3 * DAY)
    effects = tap(world, ana, OtherDay(1, NEW, NEW, NOW.date()))
    assert [type(one) for one in offered(effects)] == [PickDay] * 4
    world.business = replace_rules(world.business, horizon=2 * HOUR)
    ana.draft = "{}"
    effects = tap(world, ana, PickService(1))
    assert {type(one) for one in offered(effects)} == {PickSlot, OtherDay, OtherStaff}


def test_the_steps_ask_nothing_before_their_turn(world: World, ana: Chat) -> None:
    assert not ChooseDay().open(Draft(days_since=NOW.date()), world.view(ana))
    assert not GiveName().open(Draft(), world.view(ana))


def test_a_time_step_has_no_times_of_its_own(world: World, ana: Chat) -> None:
    step, view = ChooseTime(), world.view(ana)
    assert step.settle(Draft(), view) == Draft()
    assert step.read(Said(text="asdf", at=NOW), Draft(), view) is None


Maker = Callable[[int, int], Reply]


@pytest.mark.parametrize("kind", [Confirm, Change, Cancel, Undo, Keep, ShowOne])
def test_somebody_elses_appointment_is_not_found(world: World, ana: Chat, kind: Maker) -> None:
    theirs = world.add(2, 1, 1, TEN)
    assert said(tap(world, ana, kind(theirs.id, 1))).startswith("No encuentro esa cita")
    assert world.appointments[theirs.id] == theirs
