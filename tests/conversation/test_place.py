"""*The first one*, *a las 5 o a las 6*, *la de Mateo*: answers that point at what was shown or name two."""

from dataclasses import replace

import pytest

from bot.conversation.replies import Cancel, PickSlot, Undo
from bot.core.appointment import Status
from tests.conversation.ask import DAY, HOUR, TEN, offered, said, say, tap
from tests.conversation.world import Chat, World


@pytest.mark.parametrize("text", ["2", "la segunda", "the second one", "o segundo"])
def test_a_service_is_picked_by_its_place(world: World, ana: Chat, text: str) -> None:
    say(world, ana, "quiero una cita")
    assert "Corte y barba" in said(say(world, ana, text))


@pytest.mark.parametrize(("text", "at"), [("la primera", 0), ("el segundo", 1), ("la última", -1)])
def test_a_time_picked_by_its_place_is_asked_back(world: World, ana: Chat, text: str, at: int) -> None:
    say(world, ana, "quiero un corte")
    shown = [reply for reply in offered(say(world, ana, "otros horarios")) if isinstance(reply, PickSlot)]
    asked = offered(say(world, ana, text))
    assert isinstance(asked[0], PickSlot)
    assert (asked[0].start, asked[0].staff) == (shown[at].start, shown[at].staff)
    assert not world.appointments


def test_a_time_of_the_greeting_is_picked_by_its_place(world: World, ana: Chat) -> None:
    world.add(1, 1, 1, TEN - 7 * DAY)
    shown = [reply for reply in offered(say(world, ana, "hola")) if isinstance(reply, PickSlot)]
    asked = offered(say(world, ana, "la segunda"))
    assert isinstance(asked[0], PickSlot)
    assert asked[0].start == shown[1].start


@pytest.mark.parametrize("text", ["9", "0", "la tercera"])
def test_a_place_that_is_not_there_picks_nothing(world: World, ana: Chat, text: str) -> None:
    world.business = replace(world.business, services=world.business.services[:2])
    say(world, ana, "quiero una cita")
    assert "No te entendí bien" in said(say(world, ana, text))


@pytest.mark.parametrize("meanwhile", ["otro día", "gracias"])
def test_a_place_in_what_is_no_list_of_times_picks_nothing(world: World, ana: Chat, meanwhile: str) -> None:
    say(world, ana, "quiero un corte")
    say(world, ana, meanwhile)
    assert "No te entendí bien" in said(say(world, ana, "la segunda"))


def test_two_hours_are_two_buttons(world: World, ana: Chat) -> None:
    say(world, ana, "quiero un corte")
    asked = [reply for reply in offered(say(world, ana, "mañana a las 11 o a las 12")) if isinstance(reply, PickSlot)]
    assert [each.start for each in asked] == [asked[0].start, asked[0].start + HOUR]


def test_a_slip_of_the_finger_is_taken_back(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, TEN)
    assert any(isinstance(reply, Undo) for reply in offered(tap(world, ana, Cancel(mine.id, 1))))
    say(world, ana, "me equivoqué")
    assert world.appointments[mine.id].status is Status.SCHEDULED


def test_the_appointment_of_whoever_is_named_is_meant(world: World, ana: Chat) -> None:
    mine = world.add(1, 1, 1, TEN)
    his = world.add(1, 1, 1, TEN + 2 * HOUR)
    world.appointments[his.id] = replace(his, attendee="Mateo")
    assert Cancel(his.id, 1) in offered(say(world, ana, "cancela la de Mateo"))
    assert Cancel(mine.id, 1) not in offered(say(world, ana, "cancela la de mateo por favor"))
