"""What one typed sentence does, where no story tells it: readings that cannot be had, doubts, other people."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.conversation.draft import Draft, dump, load
from bot.conversation.effects import Book, Mark, Move
from bot.conversation.replies import AskPerson, Change, Keep, PickMove, PickSlot
from bot.core.appointment import Happening, Status
from tests.conftest import NOW
from tests.conversation.ask import DAY, HOUR, TEN, offered, said, say, staff_do, tap
from tests.conversation.businesses import a_business
from tests.conversation.world import Chat, World

FIVE = TEN + 7 * HOUR
"""Tomorrow, 17:00."""


def starts(effects: object) -> list[str]:
    picked = [one for one in offered(effects) if isinstance(one, PickSlot | PickMove)]  # type: ignore[arg-type]
    return [f"{one.start - timedelta(hours=6):%d %H:%M}" for one in picked]


def test_the_only_reading_that_can_be_had_is_asked_back(world: World, ana: Chat) -> None:
    world.occupy(1, FIVE + 2 * DAY, FIVE + 2 * DAY + HOUR)
    world.occupy(2, FIVE + 2 * DAY, FIVE + 2 * DAY + HOUR)
    effects = say(world, ana, "corte el viernes que viene a las 5")
    assert said(effects) == "¿Agendo Corte con Rubén el viernes 11 de diciembre, 17:00?"


def test_of_a_bare_hour_outside_opening_hours_the_nearest_to_both_readings_are_offered(world: World, ana: Chat) -> None:
    effects = say(world, ana, "corte a las 8")
    assert said(effects).startswith("Ese horario ya no está disponible")
    assert starts(effects) == ["01 11:00", "01 19:00", "01 11:15"]


def test_the_day_that_both_readings_share_is_kept(world: World, ana: Chat) -> None:
    say(world, ana, "corte mañana a las 8")
    assert said(say(world, ana, "a las 10")) == "¿Agendo Corte con Rubén el miércoles 2 de diciembre, 10:00?"


def test_the_hour_that_both_fridays_share_is_kept(world: World, ana: Chat) -> None:
    say(world, ana, "corte el viernes que viene a las 5")
    assert said(say(world, ana, "el 11")) == "¿Agendo Corte con Rubén el viernes 11 de diciembre, 17:00?"


def test_a_far_off_date_is_asked(world: World, ana: Chat) -> None:
    assert said(say(world, ana, "corte el 31/12/9999 a las 17:00")).startswith("¿Qué día te queda mejor?")


def test_later_while_choosing_shows_more_times(world: World, ana: Chat) -> None:
    say(world, ana, "corte")
    assert starts(say(world, ana, "más tarde"))[:2] == ["01 11:00", "01 11:15"]


def test_a_closed_day_and_part_of_it_shows_other_days(world: World, ana: Chat) -> None:
    world.business = a_business("one_service")
    effects = say(world, ana, "clase el domingo por la noche")
    assert said(effects).startswith("Ese día ya no hay horarios libres")


def test_a_part_of_the_day_that_is_never_open_shows_the_nearest(world: World, ana: Chat) -> None:
    world.business = a_business("one_service")
    assert said(say(world, ana, "clase de madrugada")).startswith("A esas horas ya no queda nada libre")


def test_a_move_may_go_to_another_person_who_is_named(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, FIVE)
    world.occupy(1, FIVE + DAY, FIVE + DAY + HOUR)
    effects = say(world, ana, "cámbiala al jueves a las 5")
    assert said(effects) == "¿Cambio tu cita de Corte al jueves 3 de diciembre, 17:00, con Nico?"
    assert offered(effects) == [PickMove(mine.id, 1, 2, FIVE + DAY)]
    assert [one for one in say(world, ana, "va") if isinstance(one, Move)]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("a las 6 mejor", "¿Cambio tu cita de Corte al miércoles 2 de diciembre, 18:00, con Rubén?"),
        (
            "mejor el viernes",
            "Tu cita sigue en pie: Corte el miércoles 2 de diciembre, 17:00.\n\nCorte: horarios libres",
        ),
        (
            "mejor la próxima semana",
            "Tu cita sigue en pie: Corte el miércoles 2 de diciembre, 17:00.\n\nCorte: horarios",
        ),
        ("otra cita el viernes a las 5", "¿Agendo Corte con Rubén el viernes 4 de diciembre, 17:00? Tu cita sigue"),
        ("tinte el viernes a las 5", "¿Agendo Tinte el viernes 4 de diciembre, 17:00?"),
    ],
)
def test_a_time_named_after_a_booking_is_another_one_for_it(world: World, ana: Chat, text: str, answer: str) -> None:
    say(world, ana, "corte mañana a las 5")
    say(world, ana, "sí")
    assert said(say(world, ana, text)).startswith(answer)


def test_a_move_of_what_staff_changed_meanwhile_is_told_and_ends(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, FIVE)
    tap(world, ana, Change(mine.id, 1))
    staff_do(world, mine, Happening.MOVE)
    assert said(say(world, ana, "el jueves a las 5")).startswith("Esa cita cambió. Ahora es Corte")
    assert load(ana.draft).flow is None


def test_change_typed_again_while_choosing_shows_times_again(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, FIVE)
    tap(world, ana, Change(mine.id, 1))
    say(world, ana, "el jueves a las 5")
    assert said(say(world, ana, "cámbiala")).startswith("Tu cita sigue en pie")


def test_a_service_that_fits_two_alike_is_asked_even_of_a_known_customer(world: World, ana: Chat) -> None:
    first, second, dye = world.business.services
    alike = (replace(first, name="Corte dama"), replace(second, name="Corte niño"), dye)
    world.business = replace(world.business, services=alike)
    world.add(1, 3, 1, NOW - 9 * DAY, status=Status.COMPLETED)
    assert said(say(world, ana, "corte mañana a las 5")).endswith("¿Qué te gustaría agendar?")


def test_a_person_who_does_not_do_it_is_not_offered_for_it(world: World, ana: Chat) -> None:
    assert said(say(world, ana, "tinte con Nico mañana a las 5")).startswith("¿Agendo Tinte el miércoles 2")


def test_a_person_asked_for_before_the_service_is_kept(world: World, ana: Chat) -> None:
    say(world, ana, "con Nico mañana a las 5 pm")
    assert said(say(world, ana, "corte")).startswith("¿Agendo Corte con Nico el miércoles 2")


def test_yes_is_asked_again_when_staff_moved_what_was_to_be_cancelled(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, FIVE)
    say(world, ana, "cancelar")
    staff_do(world, mine, Happening.MOVE)
    assert not [one for one in say(world, ana, "sí, cancélala") if isinstance(one, Mark)]


def test_yes_after_hours_does_not_cancel_but_is_asked_again(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, FIVE + DAY)
    say(world, ana, "cancelar")
    world.now += 2 * HOUR
    effects = say(world, ana, "sí")
    assert said(effects) == "Aquí va de nuevo:\n\n¿Cancelo Corte del jueves 3 de diciembre, 17:00?"
    assert said(say(world, ana, "sí")).startswith("Cancelada")
    assert world.appointments[mine.id].status is Status.CANCELLED


def test_a_doubtful_answer_twice_offers_a_person(world: World, ana: Chat) -> None:
    world.add(1, 1, 1, FIVE)
    say(world, ana, "cancelar")
    assert said(say(world, ana, "confirmo")).startswith("No te entendí bien")
    assert AskPerson() in offered(say(world, ana, "la verdad quién sabe jaja"))


@pytest.mark.parametrize(
    ("text", "which"),
    [
        ("cancela la cita de las 17:00", "miércoles 2 de diciembre, 17:00"),
        ("cancela la del jueves por la tarde", "jueves 3 de diciembre, 18:00"),
        ("cancela la de la tarde del jueves", "jueves 3 de diciembre, 18:00"),
        ("cancela la cita de las 10 am", "viernes 4 de diciembre, 10:00"),
        ("cancela la de la mañana", "viernes 4 de diciembre, 10:00"),
        ("cancela la de mañana a las 5", "miércoles 2 de diciembre, 17:00"),
        ("cancela la del viernes que viene", "viernes 4 de diciembre, 10:00"),
    ],
)
def test_the_time_that_is_said_tells_which_appointment(world: World, ana: Chat, text: str, which: str) -> None:
    for start in (FIVE, FIVE + DAY + HOUR, TEN + 2 * DAY):
        world.add(1, 1, 1, start)
    assert said(say(world, ana, text)) == f"¿Cancelo Corte del {which}?"


def test_a_time_that_fits_none_asks_which(world: World, ana: Chat) -> None:
    for start in (FIVE, FIVE + DAY):
        world.add(1, 1, 1, start)
    assert said(say(world, ana, "cancela la del sábado")) == "¿De cuál cita hablamos?"


def test_leaving_an_appointment_as_it_is_ends_its_move(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, FIVE)
    tap(world, ana, Change(mine.id, 1))
    tap(world, ana, Keep(mine.id, 1))
    assert load(ana.draft).flow is None


def test_a_typed_yes_to_a_time_that_was_taken_meanwhile_offers_the_nearest(world: World, ana: Chat) -> None:
    say(world, ana, "corte con Nico mañana a las 5")
    world.occupy(2, FIVE, FIVE + HOUR)
    effects = say(world, ana, "sí")
    assert said(effects).startswith("Ese horario se acaba de ocupar")
    assert not [one for one in effects if isinstance(one, Book)]


def test_a_stranger_to_our_language_is_read_in_their_own(world: World) -> None:
    world.business = a_business("one_service")
    assert "miércoles 2 de diciembre, 17:00" in said(say(world, world.meet("Bo"), "tomorow 5pm"))


@pytest.mark.parametrize("stored", ['["x"]', "[7]", '"T17:00"', "7", '["T99:00"]'])
def test_readings_that_cannot_be_read_back_are_left_out(stored: str) -> None:
    assert load(f'{{"readings": {stored}, "epoch": 2}}') == Draft(epoch=2)


@pytest.mark.parametrize("stored", ['["x", "y"]', '["10:00"]', "7"])
def test_a_part_of_the_day_that_cannot_be_read_back_is_left_out(stored: str) -> None:
    assert load(f'{{"part": {stored}, "epoch": 2}}') == Draft(epoch=2)


def test_a_typed_time_survives_the_database(world: World, ana: Chat) -> None:
    say(world, ana, "corte el viernes que viene a las 5")
    draft = load(ana.draft)
    assert draft.readings == ("2026-12-04T17:00", "2026-12-11T17:00")
    assert load(dump(draft)) == draft
