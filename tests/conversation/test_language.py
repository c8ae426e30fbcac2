"""The language changes when it is asked for, whatever is going on, and stays."""

from datetime import timedelta

from bot.conversation.effects import Attend, SetLanguage
from bot.conversation.events import Said
from bot.conversation.replies import Confirm, PickService
from tests.conftest import NOW
from tests.conversation.ask import DAY, TEN, offered, said, say, tap
from tests.conversation.world import Chat, World


def test_it_is_answered_in_the_language_that_was_asked_for_and_stays(world: World, ana: Chat) -> None:
    say(world, ana, "hola")
    effects = say(world, ana, "english please")
    assert SetLanguage("en") in effects
    assert said(effects).startswith("What would you like to book?")
    say(world, ana, "ok")
    say(world, ana, "gracias")
    assert ana.customer.language == "en"
    assert said(say(world, ana, "em português por favor")).startswith("O que você gostaria de agendar?")


def test_the_running_question_is_asked_again_in_it(world: World, ana: Chat) -> None:
    say(world, ana, "quiero una cita")
    tap(world, ana, PickService(1))
    before = offered(world.hear(ana, Said(text="más horarios", at=NOW)))
    effects = say(world, ana, "english please")
    assert said(effects).startswith("Corte: these are the next free times.")
    assert offered(effects)[:3] == before[:3]


def test_after_a_reminder_it_can_still_be_answered_with_a_tap(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, TEN, slot_set_at=NOW - DAY)
    world.remind(ana, mine, "24h")
    effects = say(world, ana, "english?")
    assert said(effects).startswith("Your appointment: Corte")
    assert offered(effects)[0] == Confirm(mine.id, 1)


def test_whoever_is_with_a_person_is_only_written_to_in_it_later(world: World, ana: Chat) -> None:
    say(world, ana, "quiero hablar con una persona")
    assert say(world, ana, "english please") == (
        SetLanguage("en"),
        Attend(kind="message", text="english please"),
    )


def test_a_late_wish_is_late(world: World, ana: Chat) -> None:
    effects = world.hear(ana, Said(text="english please", at=NOW - timedelta(hours=4)))
    assert said(effects).startswith("Your message reached me late")
