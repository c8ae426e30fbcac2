"""One phone that books for several people: who comes is heard, kept, asked where it is not clear, and said."""

from datetime import timedelta

import pytest

from bot.conversation import draft as drafts
from bot.conversation.effects import Attend, Book, Effect, SetName
from bot.conversation.events import Said
from bot.conversation.replies import NEW, ForWhom, PickService, PickSlot
from tests.conftest import NOW
from tests.conversation.ask import DAY, TEN, offered, said, say, tap
from tests.conversation.businesses import replace_rules
from tests.conversation.world import Chat, World


def slot(epoch: int = 0) -> PickSlot:
    return PickSlot(service=1, staff=1, start=TEN, epoch=epoch)


def booked_for(effects: tuple[Effect, ...]) -> str | None:
    (only,) = [effect for effect in effects if isinstance(effect, Book)]
    return only.attendee


@pytest.fixture
def laura(world: World) -> Chat:
    """She came once herself, and twice with Mateo."""
    chat = world.meet("Laura", language="es")
    for days, who in ((30, None), (20, "Mateo"), (10, "mateo")):
        world.add(1, 1, 1, NOW - timedelta(days=days), attendee=who, slot_set_at=NOW - timedelta(days=days))
    return chat


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("cita para mi hijo Mateo", "Mateo", "Corte para Mateo con Rubén el miércoles"),
        ("quero marcar pra minha filha Júlia", "Júlia", "Corte para Júlia"),
        ("I want to book for my son Leo", "Leo", "Corte for Leo"),
    ],
)
def test_a_name_in_the_first_sentence_stays_with_the_request(world: World, text: str, name: str, line: str) -> None:
    chat = world.meet("Laura")
    say(world, chat, text)
    tap(world, chat, PickService(1))
    effects = tap(world, chat, slot())
    assert line in said(effects)
    assert booked_for(effects) == name


def test_my_son_without_a_name_is_asked_for_it_at_the_end(world: World, ana: Chat) -> None:
    say(world, ana, "cita para mi hijo")
    tap(world, ana, PickService(1))
    assert said(tap(world, ana, slot())) == "¿A nombre de quién dejo la cita?"
    assert booked_for(say(world, ana, "Mateo López")) == "Mateo López"


def test_a_customer_without_a_name_is_not_asked_for_it_when_another_comes(world: World) -> None:
    chat = world.meet("🦄", language="es")
    say(world, chat, "cita para mi hijo Mateo")
    tap(world, chat, PickService(1))
    effects = tap(world, chat, slot())
    assert booked_for(effects) == "Mateo"
    assert not [effect for effect in effects if isinstance(effect, SetName)]


def test_whoever_books_for_several_is_asked(world: World, laura: Chat) -> None:
    effects = tap(world, laura, slot())
    assert said(effects) == "¿Para quién es? Toca un nombre, o escríbelo."
    assert offered(effects) == [ForWhom(NEW), ForWhom(3)]
    assert booked_for(tap(world, laura, ForWhom(3))) == "mateo"
    assert tap(world, laura, ForWhom(3)) == ()
    assert said(say(world, laura, "gracias"))
    assert said(tap(world, laura, ForWhom(3))).startswith("Ese botón ya no sirve")


@pytest.mark.parametrize(
    ("typed", "whom"),
    [
        ("para mí", None),
        ("yo", None),
        ("Mateo", "Mateo"),
        ("para mateo", "Mateo"),
        ("mi hija Inés", "Inés"),
        ("Inés", "Inés"),
    ],
)
def test_the_question_may_be_answered_by_typing(world: World, laura: Chat, typed: str, whom: str | None) -> None:
    tap(world, laura, slot())
    assert booked_for(say(world, laura, typed)) == whom


def test_somebody_new_is_asked_for_the_name_and_nobody_known_is_taken_for_them(world: World, laura: Chat) -> None:
    tap(world, laura, slot())
    effects = say(world, laura, "es para mi hija")
    assert offered(effects) == [ForWhom(3)]
    assert booked_for(say(world, laura, "Inés")) == "Inés"


def test_words_that_are_no_name_are_no_name(world: World, laura: Chat) -> None:
    tap(world, laura, slot())
    effects = say(world, laura, "quiero hablar con una persona")
    assert not [effect for effect in effects if isinstance(effect, Book)]
    assert Attend(kind="person", text="quiero hablar con una persona") in effects


def test_a_customer_who_is_listed_by_a_longer_name_is_no_other_person(world: World) -> None:
    chat = world.meet("Laura", language="es")
    world.add(1, 1, 1, NOW - DAY, attendee="Laura Prueba López")
    assert booked_for(tap(world, chat, slot())) is None


def test_somebody_else_s_appointment_names_nobody(world: World, laura: Chat) -> None:
    world.meet("Beto")
    other = world.add(2, 1, 1, NOW - DAY, attendee="Carla")
    tap(world, laura, slot())
    effects = tap(world, laura, ForWhom(other.id))
    assert not [effect for effect in effects if isinstance(effect, Book)]
    assert "Carla" not in said(effects)


def test_many_people_fit_a_list(world: World) -> None:
    chat = world.meet("Laura", language="es")
    for number in range(14):
        world.add(1, 1, 1, NOW - timedelta(days=number + 1), attendee=f"Niño{chr(65 + number)} de nombre muy largo")
    effects = tap(world, chat, slot())
    assert len(offered(effects)) == 10


def test_said_later_it_still_counts_and_the_question_goes_on(world: World, ana: Chat) -> None:
    say(world, ana, "quiero una cita")
    tap(world, ana, PickService(1))
    assert said(say(world, ana, "es para mi hijo Mateo")).startswith("De acuerdo, para Mateo.")
    assert booked_for(tap(world, ana, slot())) == "Mateo"


def test_a_request_that_was_dropped_takes_the_name_along(world: World, ana: Chat) -> None:
    say(world, ana, "cita para mi hijo Mateo")
    say(world, ana, "cancelar")
    assert drafts.load(ana.draft).attendee is None
    say(world, ana, "quiero una cita")
    tap(world, ana, PickService(1))
    assert booked_for(tap(world, ana, slot())) is None


def test_the_name_outlives_a_time_that_went_to_another(world: World, laura: Chat) -> None:
    tap(world, laura, slot())
    world.rival.append((1, TEN, TEN + timedelta(minutes=30)))
    effects = tap(world, laura, ForWhom(3))
    assert said(effects).startswith("Ese horario se acaba de ocupar.")
    other = next(reply for reply in offered(effects) if isinstance(reply, PickSlot))
    assert booked_for(tap(world, laura, other)) == "mateo"


def test_staff_read_all_that_was_written(world: World, ana: Chat) -> None:
    text = "quiero hablar con una persona por mi hijo Mateo"
    assert Attend(kind="person", text=text) in say(world, ana, text)


def test_words_of_hours_ago_name_nobody(world: World, ana: Chat) -> None:
    effects = world.hear(ana, Said(text="para mi hijo Mateo", at=NOW - timedelta(hours=4)))
    assert Attend(kind="late_message", text="para mi hijo Mateo") in effects
    assert drafts.load(ana.draft).attendee is None


def test_an_appointment_for_another_is_always_called_so(world: World, ana: Chat) -> None:
    world.add(1, 1, 1, TEN, attendee="*Mateo*")
    world.add(1, 1, 1, TEN + DAY)
    assert "Corte para Mateo el" in said(say(world, ana, "hola"))
    effects = say(world, ana, "mis citas")
    assert [option.description for say in effects for option in getattr(say, "options", ())] == [
        "Corte para Mateo",
        "Corte",
    ]


def test_another_for_a_daughter_begins_her_booking_and_says_so(world: World, laura: Chat) -> None:
    assert said(say(world, laura, "y otra para mi hija Sofía")).startswith("De acuerdo, para Sofía.\n\n")
    tap(world, laura, PickService(1))
    assert booked_for(tap(world, laura, slot())) == "Sofía"


def test_another_for_a_daughter_is_refused_when_the_customer_has_as_many_as_allowed(world: World, ana: Chat) -> None:
    world.business = replace_rules(world.business, max_active=1)
    world.add(1, 1, 1, TEN)
    assert said(say(world, ana, "y otra para mi hija Sofía")).startswith("Ya tienes el máximo")


def test_a_son_named_in_the_greeting_comes(world: World, ana: Chat) -> None:
    say(world, ana, "hola, para mi hijo Mateo")
    tap(world, ana, PickService(1))
    assert booked_for(tap(world, ana, slot())) == "Mateo"


def test_a_son_without_a_name_while_choosing_is_asked_for_it_at_the_end(world: World, ana: Chat) -> None:
    say(world, ana, "quiero una cita")
    assert said(say(world, ana, "para mi hijo")).endswith("¿Qué te gustaría agendar?")
    tap(world, ana, PickService(1))
    assert said(tap(world, ana, slot())) == "¿A nombre de quién dejo la cita?"


def test_me_is_typed_where_it_is_asked_who_comes(world: World, laura: Chat) -> None:
    say(world, laura, "quiero otra cita")
    tap(world, laura, PickService(1))
    assert "¿Para quién" in said(tap(world, laura, slot()))
    assert booked_for(say(world, laura, "yo")) is None


def test_me_is_tapped_where_it_is_asked_who_comes(world: World, laura: Chat) -> None:
    say(world, laura, "quiero otra cita")
    tap(world, laura, PickService(1))
    tap(world, laura, slot())
    assert booked_for(tap(world, laura, ForWhom(NEW))) is None
