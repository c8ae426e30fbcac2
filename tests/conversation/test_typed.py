"""What is typed is read in the light of what was said last, and never guessed."""

import pytest

from bot.conversation.effects import Attend, Mark, Say, SetLanguage
from bot.conversation.events import About, Reacted, Tapped
from bot.conversation.replies import (
    NEW,
    BookNew,
    Change,
    PickDay,
    PickService,
    PickSlot,
    ShowOne,
)
from bot.core.appointment import Happening, Status
from tests.conftest import NOW
from tests.conversation.ask import DAY, HOUR, TEN, offered, said, say, staff_do, tap
from tests.conversation.world import Chat, World


def test_other_day_typed_before_the_service_is_known_asks_the_service_first(world: World, ana: Chat) -> None:
    say(world, ana, "quiero una cita")
    assert said(say(world, ana, "otro día")).startswith("Aquí va de nuevo")
    assert said(tap(world, ana, PickService(1))).startswith("¿Qué día")


def test_whoever_drops_a_move_that_staff_changed_meanwhile_hears_the_new_time(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, TEN)
    tap(world, ana, Change(mine.id, 1))
    staff_do(world, mine, Happening.MOVE)
    assert said(say(world, ana, "cancelar")).startswith("Esa cita cambió. Ahora es Corte")


def test_undo_word_without_a_cancellation_is_not_understood(world: World, ana: Chat) -> None:
    world.add(1, 1, 1, TEN)
    assert said(say(world, ana, "deshacer")).startswith("No te entendí bien")


def test_a_quoted_no_asks_back_about_the_quoted_one(world: World, ana: Chat) -> None:
    world.add(1, 1, 1, TEN)
    second = world.add(1, 2, 1, TEN + 4 * HOUR)
    effects = say(world, ana, "no", About(second.id, 1, reminder=True))
    assert said(effects).startswith("¿Cancelo Corte y barba")
    assert not [effect for effect in effects if isinstance(effect, Mark)]


def test_no_without_a_question_is_not_understood(world: World, ana: Chat) -> None:
    world.add(1, 1, 1, TEN)
    say(world, ana, "gracias")
    assert said(say(world, ana, "no")).startswith("No te entendí bien")


def test_yes_and_undo_to_a_question_of_yesterday_are_not_applied(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, NOW + 3 * DAY)
    say(world, ana, "cancelar")
    world.now += DAY
    effects = say(world, ana, "sí")
    assert world.appointments[mine.id].status is not Status.CANCELLED
    assert said(effects).startswith("👍 ¡Confirmada!")
    assert said(say(world, ana, "deshacer")).startswith("No te entendí bien")


def test_yes_without_any_appointment_offers_to_book(world: World, ana: Chat) -> None:
    assert offered(say(world, ana, "sí")) == [BookNew()]
    assert said(say(world, ana, "sí")).startswith("¿Qué te gustaría agendar?")
    assert "No te entendí bien" in said(say(world, ana, "sí"))


def test_a_typed_answer_is_about_what_is_on_the_screen(world: World, ana: Chat) -> None:
    world.add(1, 1, 1, TEN)
    second = world.add(1, 2, 1, TEN + 4 * HOUR)
    tap(world, ana, ShowOne(second.id, 1))
    say(world, ana, "sí, confirmo")
    assert [one.status for one in world.appointments.values()] == [Status.SCHEDULED, Status.CONFIRMED]


def test_cancel_typed_after_a_reminder_means_the_appointment_even_while_choosing(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, TEN)
    say(world, ana, "quiero otra cita")
    world.remind(ana, mine, "24h")
    assert said(say(world, ana, "cancelar")).startswith("¿Cancelo Corte")


def test_another_time_while_choosing_is_no_move(world: World, ana: Chat) -> None:
    world.add(1, 1, 1, TEN)
    tap(world, ana, PickDay(1, NEW, NEW, (NOW + 2 * DAY).date()))
    assert [one for one in offered(say(world, ana, "otro horario")) if isinstance(one, PickSlot)]
    assert [one for one in offered(say(world, ana, "mover a otro día")) if isinstance(one, PickDay)]


def test_the_same_question_typed_again_is_answered_again_but_not_as_if_it_were_new(world: World, ana: Chat) -> None:
    first = said(say(world, ana, "hola"))
    assert said(say(world, ana, "hola")) == f"Aquí va de nuevo:\n\n{first}"
    assert said(say(world, ana, "hola")) == first
    world.now += DAY
    assert "mar 1 dic" not in first
    assert said(say(world, ana, "hola")) == f"Aquí va de nuevo:\n\n{first}"


def test_another_service_forgets_the_time_that_was_picked_for_the_old_one(world: World) -> None:
    nameless = world.meet("", language="es")
    say(world, nameless, "hola")
    tap(world, nameless, PickService(1))
    assert said(tap(world, nameless, PickSlot(1, 1, TEN + HOUR, 0))).startswith("¿A nombre de quién")
    say(world, nameless, "otro servicio")
    assert said(tap(world, nameless, PickService(3))).startswith("Tinte: estos son")


def test_the_name_is_not_asked_twice_when_the_slot_had_gone(world: World) -> None:
    nameless = world.meet("", language="es")
    tap(world, nameless, PickSlot(1, 1, TEN + HOUR, 0))
    world.occupy(1, TEN, TEN + 3 * HOUR)
    effects = say(world, nameless, "Iris")
    assert said(effects).startswith("Ese horario se acaba de ocupar")
    assert said(tap(world, nameless, offered(effects)[0])).startswith("✅ ¡Listo!")
    assert nameless.customer.name == "Iris"


@pytest.mark.parametrize("emoji", ["👍", "👍🏿", "✅"])
def test_a_thumb_on_what_is_no_reminder_only_reaches_staff(world: World, ana: Chat, emoji: str) -> None:
    mine = world.add(1, 1, 1, TEN)
    effects = world.hear(ana, Reacted(emoji=emoji, at=NOW, about=About(mine.id, 1, reminder=False)), opens=False)
    assert [effect for effect in effects if isinstance(effect, Attend | Mark | Say)] == [
        Attend(kind="reaction", text=emoji, appointment=mine.id)
    ]


@pytest.mark.parametrize(
    ("text", "phone", "known", "answered"),
    [
        ("hola", None, None, "es"),
        ("oi, bom dia", None, None, "pt"),
        ("good morning", None, None, "en"),
        ("👍", "5511900000001", None, "pt"),
        ("123", "15500000001", None, "en"),
        ("123", "4915000000001", None, "es"),
        ("123", None, None, "es"),
        ("ok", "5511900000001", "en", "en"),
        ("gracias", None, "pt", "pt"),
        ("hola, quiero una cita para mañana", None, "pt", "es"),
    ],
)
def test_the_language_is_the_customers_and_does_not_flip_on_a_word(
    world: World, text: str, phone: str | None, known: str | None, answered: str
) -> None:
    chat = world.meet("Ana", phone=phone, language=known)
    effects = say(world, chat, text)
    assert chat.customer.language == answered
    assert (SetLanguage(answered) in effects) is (known != answered)


def test_a_label_alone_means_the_only_appointment_or_is_asked(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, TEN)
    assert said(tap(world, ana, None, " confirm ")).startswith("👍 ¡Confirmada!")
    about = About(mine.id, 1, reminder=True)
    world.hear(ana, Tapped(reply=None, title="Cancelar", at=NOW, about=about))
    assert world.appointments[mine.id].status is Status.CANCELLED
