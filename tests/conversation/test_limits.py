"""Nothing that is said is ever refused for its size: the largest and oddest of businesses, every list to its end."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.conversation.effects import Option, Say
from bot.conversation.lines import FORMS_OF_ADDRESS, LANGUAGES, LONGEST, fault
from bot.conversation.replies import (
    Cancel,
    Change,
    MoreMine,
    MoreServices,
    MoreTimes,
    OtherDay,
    OtherStaff,
    PickDay,
    PickMove,
    PickService,
    PickSlot,
    PickStaff,
    Reply,
    ShowOne,
)
from bot.conversation.wording import Wording
from bot.core.business import Business
from bot.core.graphemes import units
from bot.simulator.rules import refusal
from bot.whatsapp import outbound
from bot.whatsapp import templates as reminders
from tests.conftest import NOW
from tests.conversation.ask import DAY, HOUR, say, tap
from tests.conversation.businesses import a_business
from tests.conversation.chance import PHRASES, STEPS, Step, happens
from tests.conversation.world import Chat, Sent, World
from tests.stack.world import templates

HUGE = a_business("enorme")
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
TWIN = "Corte de pelo con tijera y "
ODD = (
    "\u202eanA",
    "dos\nlíneas\ty tab",
    "{{1}} {name} {",
    "*Ana* _x_ ~y~",
    "\u200b",
    "",
    " ",
    FAMILY * 30,
    "A" * 300,
    "e\u0301" * 200,
    TWIN + "lavado",
    TWIN + "barba",
    TWIN + "barba",
    "\U0001f1f2\U0001f1fd" * 40,
    "تصفيف الشعر",
    "\ud83d",
)
NAME = st.sampled_from(ODD) | st.text(max_size=80)


def extreme(names: list[str], language: str, form: str) -> Business:
    """Forty services and fourteen people who are called so, whatever another program has written."""
    services = [
        replace(one, name=names[at % len(names)], price=names[-1 - at % len(names)], note=names[at % len(names)])
        for at, one in enumerate(HUGE.services)
    ]
    staff = [replace(one, name=names[at % len(names)]) for at, one in enumerate(HUGE.staff)]
    return replace(
        HUGE, name=names[0], services=tuple(services), staff=tuple(staff), language=language, form_of_address=form
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    names=st.lists(NAME, min_size=3, max_size=12),
    who=NAME,
    language=st.sampled_from(LANGUAGES),
    form=st.sampled_from(FORMS_OF_ADDRESS),
    appointments=st.integers(0, 25),
    steps=st.lists(STEPS, min_size=5, max_size=15),
)
def test_no_message_is_ever_refused(
    names: list[str], who: str, language: str, form: str, appointments: int, steps: list[Step]
) -> None:
    """`World` gives every message to the stand-in's own rules; what is tapped is any row of any message."""
    world = World(business=extreme(names, language, form), now=NOW)
    chats = [world.meet(who, key="one", language=language), world.meet(who, key="other", language=language)]
    for number in range(appointments):
        world.add(chats[0].customer.id, number % 40 + 1, number % 14 + 1, NOW + (number + 1) * HOUR)
    for word in ("hola", "quiero una cita", "más", "mis citas"):
        say(world, chats[0], word)
    for step in steps:
        chat = chats[step.who]
        event = happens(step, world, chat, chats[1 - step.who], [Cancel(1, 1)])
        if event is not None:
            world.hear(chat, event)
    for sent in chats[0].sent + chats[1].sent:
        _check_shown(sent)


def _check_shown(sent: Sent) -> None:
    """Short, and no two rows that look alike."""
    if sent.say is None:
        return
    assert units(sent.bubble.text) <= LONGEST
    assert not {"\u202e", "\u2066"} & set(sent.bubble.text)
    titles = [choice.title for choice in sent.bubble.choices]
    assert len(set(titles)) == len(titles)


@given(name=NAME, service=NAME, business=NAME, language=st.sampled_from(reminders.LANGUAGES))
def test_a_reminder_takes_any_name(name: str, service: str, business: str, language: str) -> None:
    chosen = reminders.pick("24h", (language[:2],))
    assert chosen is not None
    filled = {"name": name, "service": service, "when": Wording("es").when(NOW, HUGE.zone), "business": business}
    body = outbound.addressed(
        outbound.template(chosen.name, chosen.language, filled, ["confirm:1:1", "change:1:1", "cancel:1:1"]),
        wa_id="15550000009",
        user_id=None,
        delivery_id="d",
    )
    assert refusal(body, window_open=False, templates=templates()) is None


@pytest.fixture
def huge() -> World:
    return World(business=HUGE, now=NOW)


@pytest.fixture
def ana(huge: World) -> Chat:
    return huge.meet("Ana", language="es")


def leads(chat: Chat, kind: type[Reply], title: str) -> Option | None:
    """The row of the newest message that leads on, or back."""
    last = chat.sent[-1].say
    assert last is not None
    return next((one for one in last.options if isinstance(one.reply, kind) and one.title == title), None)


def pages(world: World, chat: Chat, kind: type[Reply], more: str) -> Iterator[Say]:
    """The newest message and, row by row, all that follow it; the last one leads back to the first."""
    first = chat.sent[-1].say
    while (shown := chat.sent[-1].say) is not None:
        yield shown
        row = leads(chat, kind, more)
        if row is None:
            break
        tap(world, chat, row.reply)
    back = leads(chat, kind, "Volver al inicio")
    if shown is not first:
        assert back is not None
        tap(world, chat, back.reply)
        assert chat.sent[-1].say is not None
        assert first is not None
        assert chat.sent[-1].say.options[0] == first.options[0]


def chosen(shown: Iterator[Say], kind: type[Reply]) -> list[Reply]:
    return [option.reply for one in shown for option in one.options if isinstance(option.reply, kind)]


def test_every_service_can_be_reached_and_the_rows_say_how_many_are_left(huge: World, ana: Chat) -> None:
    say(huge, ana, "quiero una cita")
    shown = list(pages(huge, ana, MoreServices, "Más servicios"))
    assert chosen(iter(shown), PickService) == [PickService(one.id) for one in HUGE.services]
    assert [one.options[-1].description for one in shown[:1]] == ["Quedan 31 por ver"]
    assert all(len(one.options) <= 10 for one in shown)


def test_twins_are_told_apart(huge: World, ana: Chat) -> None:
    say(huge, ana, "quiero una cita")
    rows = [(one.title, one.description) for one in ana.sent[-1].bubble.choices[:3]]
    assert rows == [
        ("Corte… tijera y lavado", "Corte de pelo con tijera y lavado · 10 min · $150"),
        ("Corte… tijera y peinado", "Corte de pelo con tijera y peinado · 20 min"),
        ("Corte… tijera y barba", "Corte de pelo con tijera y barba · 30 min"),
    ]
    titles = [one.title for one in ana.sent[-1].bubble.choices]
    assert len(set(titles)) == len(titles)


def test_services_are_paged_by_typing_too(huge: World, ana: Chat) -> None:
    say(huge, ana, "quiero una cita")
    for word in ("más", "Más servicios", "ver más"):
        before = ana.sent[-1].say
        say(huge, ana, word)
        assert ana.sent[-1].say != before
        assert leads(ana, MoreServices, "Volver al inicio")
    say(huge, ana, "barba")
    assert "Barba: estos son" in ana.sent[-1].bubble.text


def test_every_appointment_can_be_reached_for_each_purpose(huge: World, ana: Chat) -> None:
    mine = [huge.add(ana.customer.id, number + 1, 1, NOW + (number + 1) * HOUR) for number in range(23)]
    for words, kind in (("mis citas", ShowOne), ("cancelar mi cita", Cancel), ("quiero cambiar mi cita", Change)):
        say(huge, ana, words)
        assert chosen(pages(huge, ana, MoreMine, "Más citas"), kind) == [kind(one.id, 1) for one in mine]
    say(huge, ana, "mis citas")
    for word in ("más", "Más citas"):
        say(huge, ana, word)
    assert [one.reply for one in ana.sent[-1].say.options[:-1]] == [ShowOne(one.id, 1) for one in mine[17:]]  # type: ignore[union-attr]
    tap(huge, ana, MoreMine("change", 18))
    tap(huge, ana, Change(mine[20].id, 1))
    assert "Tu cita sigue en pie" in ana.sent[-1].bubble.text


def test_every_day_can_be_reached(huge: World, ana: Chat) -> None:
    tap(huge, ana, PickService(1))
    say(huge, ana, "otro día")
    days = [one.day for one in chosen(pages(huge, ana, OtherDay, "Más días"), PickDay) if isinstance(one, PickDay)]
    assert days == [NOW.date() + number * DAY for number in range(61)]


def test_every_one_of_sixty_times_of_a_day_can_be_reached(huge: World, ana: Chat) -> None:
    tap(huge, ana, PickService(1))
    tap(huge, ana, PickDay(1, 0, 0, (NOW + DAY).date()))
    rows = chosen(pages(huge, ana, MoreTimes, "Más horarios"), PickSlot)
    starts = [one.start for one in rows if isinstance(one, PickSlot)]
    assert len(starts) == 60
    assert {later - sooner for sooner, later in pairwise(starts)} == {timedelta(minutes=10)}


def test_more_is_typed_through_the_times_and_leads_on_to_other_days(huge: World, ana: Chat) -> None:
    tap(huge, ana, PickService(1))
    tap(huge, ana, PickDay(1, 0, 0, (NOW + DAY).date()))
    for _ in range(10):
        say(huge, ana, "más")
    assert ana.sent[-1].bubble.text == "¿Qué día te queda mejor?"


def test_every_person_can_be_reached_and_only_their_times_are_shown(huge: World, ana: Chat) -> None:
    tap(huge, ana, PickService(1))
    say(huge, ana, "otra persona")
    people = chosen(pages(huge, ana, OtherStaff, "Más personas"), PickStaff)
    assert [one.staff for one in people if isinstance(one, PickStaff) and one.staff] == list(range(1, 15))
    say(huge, ana, "más")
    say(huge, ana, "Zoë")
    slots = [option.reply for option in ana.sent[-1].say.options if isinstance(option.reply, PickSlot)]  # type: ignore[union-attr]
    assert {one.staff for one in slots} == {7}
    tap(huge, ana, PickStaff(1, 0, 0, 0))
    slots = [option.reply for option in ana.sent[-1].say.options if isinstance(option.reply, PickSlot)]  # type: ignore[union-attr]
    assert len({one.staff for one in slots}) > 1


def test_somebody_without_time_is_said_to_have_none(huge: World, ana: Chat) -> None:
    huge.occupy(3, NOW, NOW + 90 * DAY)
    tap(huge, ana, PickService(1))
    tap(huge, ana, PickStaff(1, 0, 0, 3))
    assert ana.sent[-1].bubble.text.startswith("Con esa persona no quedan horarios libres")
    assert leads(ana, OtherStaff, "Otra persona")


def test_a_move_can_go_to_somebody_else(huge: World, ana: Chat) -> None:
    mine = huge.add(ana.customer.id, 1, 1, NOW + 3 * DAY)
    tap(huge, ana, Change(mine.id, 1))
    row = leads(ana, OtherStaff, "Otra persona")
    assert row is not None
    tap(huge, ana, row.reply)
    tap(huge, ana, PickStaff(1, mine.id, 1, 5))
    slot = next(one.reply for one in ana.sent[-1].say.options if isinstance(one.reply, PickMove))  # type: ignore[union-attr]
    tap(huge, ana, slot)
    assert huge.appointments[mine.id].staff == 5


def test_long_lines_of_a_business_s_own_are_cut_where_several_meet(huge: World, ana: Chat) -> None:
    own = {"again": "a" * 290, "greet_new": "{name} {business} " + "b" * 160, "which_service": "c" * 290}
    assert [fault("es", key, text) for key, text in own.items()] == [None] * 3
    huge.business = replace(HUGE, lines={"es": own})
    for _ in range(2):
        say(huge, ana, "hola")
    assert units(ana.sent[-1].bubble.text) == LONGEST
    assert ana.sent[-1].bubble.text.endswith("c…")


def test_words_are_understood_at_every_list(huge: World, ana: Chat) -> None:
    """Nothing that can be typed at any of these lists is refused or raises."""
    for words in PHRASES[::15]:
        for row in (MoreServices(9), OtherStaff(1, 0, 0, 0), MoreMine("one", 0), MoreTimes(1, 0, 0, NOW + DAY)):
            tap(huge, ana, row)
            say(huge, ana, words)
    assert len(ana.sent) > 20


def test_days_are_paged_by_typing_too(huge: World, ana: Chat) -> None:
    tap(huge, ana, PickService(1))
    say(huge, ana, "otro día")
    first = chosen(iter([newest(ana)]), PickDay)
    say(huge, ana, "más")
    following = chosen(iter([newest(ana)]), PickDay)
    assert following
    assert not set(first) & set(following)


def test_whoever_is_free_is_typed_too(huge: World, ana: Chat) -> None:
    tap(huge, ana, PickService(1))
    tap(huge, ana, PickStaff(1, 0, 0, 7))
    say(huge, ana, "otra persona")
    say(huge, ana, "Con quien sea")
    slots = [one for one in chosen(iter([newest(ana)]), PickSlot) if isinstance(one, PickSlot)]
    assert len({one.staff for one in slots}) > 1


def test_a_service_whose_name_has_no_letter_is_typed_too(huge: World, ana: Chat) -> None:
    services = (replace(HUGE.services[0], name="💇✨"), *HUGE.services[1:])
    huge.business = replace(HUGE, services=services)
    say(huge, ana, "quiero una cita")
    say(huge, ana, "💇✨")
    assert newest(ana).text.startswith("💇✨: estos son")


def test_after_the_last_time_they_begin_again(huge: World, ana: Chat) -> None:
    tap(huge, ana, PickService(1))
    tap(huge, ana, MoreTimes(1, 0, 0, NOW + 80 * DAY))
    assert chosen(iter([newest(ana)]), PickSlot)


def newest(chat: Chat) -> Say:
    last = chat.sent[-1].say
    assert last is not None
    return last
