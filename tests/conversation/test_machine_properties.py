"""Whatever customers, rivals, staff and time do, in any order, the conversation keeps its promises."""

import os
from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.conversation import draft as drafts
from bot.conversation.effects import Book, Effect, Mark, Move, Say
from bot.conversation.events import Event, Reacted, Said, Tapped
from bot.conversation.flows.hearing import hear
from bot.conversation.replies import PickMove, PickSlot, Reply, Undo, decode
from bot.conversation.view import View
from bot.core.appointment import Happening
from bot.core.business import Business
from bot.core.slots import Slot
from bot.understanding.intent import Intent
from tests.conftest import NOW
from tests.conversation.chance import BUSINESSES, FORGED, NAMES, PHONES, STEPS, Step, happens
from tests.conversation.world import Chat, World

SEQUENCES = int(os.environ.get("MACHINE_SEQUENCES", "300"))
"""How many chats are made up; `MACHINE_SEQUENCES=10000` before a release."""


@pytest.mark.timeout(60 + SEQUENCES)
@settings(max_examples=SEQUENCES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    business=st.sampled_from(BUSINESSES),
    people=st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(PHONES)), min_size=2, max_size=2),
    steps=st.lists(STEPS, min_size=10, max_size=40),
    forged=st.lists(FORGED, min_size=1, max_size=8),
)
def test_every_promise_is_kept(
    business: Business, people: list[tuple[str, str | None]], steps: list[Step], forged: list[Reply]
) -> None:
    world = World(business=business, now=NOW)
    chats = [world.meet(name, key=str(number), phone=phone) for number, (name, phone) in enumerate(people)]
    for step in steps:
        chat = chats[step.who]
        event = happens(step, world, chat, chats[1 - step.who], forged)
        if event is not None:
            _check_turn(world, chat, event)
            _check_calendar(world)


def _check_turn(world: World, chat: Chat, event: Event) -> None:
    before, spoken, raced = world.view(chat), chat.sent[-1:], bool(world.rival)
    picked = drafts.load(chat.draft).start
    effects = world.hear(chat, event, opens=not isinstance(event, Reacted))
    said = [effect for effect in effects if isinstance(effect, Say)]
    assert len(said) <= 1, "one message a turn"
    if said and spoken and spoken[0].say is not None:
        last = spoken[0].say
        assert (said[0].text, said[0].options) != (last.text, last.options), "said twice in a row"
    if isinstance(event, Said) and event.about is None and before.muted:
        assert not said or _meant(event, before) in (Intent.STOP, Intent.START), "spoke where a person has the chat"
    for effect in effects:
        _check_change(effect, before, event)
        _check_typed(effect, event, spoken[0].say if spoken else None, picked)
    for one in () if raced else said:  # in a race what was offered may have gone before it was sent
        _check_offers(one, world, chat)


def _check_typed(effect: Effect, event: Event, last: Say | None, picked: datetime | None) -> None:
    """Typing alone books, moves and cancels nothing that was not asked back, the date spelled out.

    `picked` was chosen by a tap before, and only the name was missing.
    """
    if not isinstance(event, Said) or not isinstance(effect, Book | Move | Mark):
        return
    asked, _, rest = (last.key if last is not None else "").partition(":")
    if isinstance(effect, Mark):
        assert effect.happening is not Happening.CANCEL or asked == "really_cancel", "cancelled without asking"
    elif effect.start != picked:
        reply = decode(rest)
        assert asked == "is_it", "a time was taken without asking"
        assert isinstance(reply, PickSlot | PickMove)
        assert reply.start == effect.start, "another time was taken than was asked about"


def _meant(event: Said, before: View) -> Intent:
    meaning = hear(event, drafts.Draft(), before).meaning
    assert meaning is not None
    return meaning.intent


def _check_change(effect: Effect, before: View, event: Event) -> None:
    """Only what was tapped, as it was shown, ahead, and within the deadline and the number allowed."""
    if not isinstance(effect, Book | Mark | Move):
        return
    most = before.business.rules.max_active
    if isinstance(effect, Book) or (isinstance(effect, Mark) and effect.happening is Happening.UNDO):
        assert most is None or len(before.upcoming) < most, "one too many"
    if isinstance(effect, Book):
        assert effect.start > before.now
        return
    mine = before.appointment(effect.appointment)
    assert mine is not None and mine.start > before.now  # noqa: PT018 - one thing: it is there to be changed
    if isinstance(event, Tapped) and event.reply is not None:
        tapped = getattr(event.reply, "appointment", None), getattr(event.reply, "version", None)
        assert tapped == (mine.id, mine.version), "a stale tap was acted on"
    if isinstance(event, Reacted):
        assert effect == Mark(appointment=mine.id, version=mine.version, happening=Happening.CONFIRM)
    if isinstance(effect, Move) or effect.happening is Happening.CANCEL:
        assert not before.business.rules.past_deadline(mine.start, before.now)


def _check_offers(say: Say, world: World, chat: Chat) -> None:
    """What is offered can be had, now."""
    calendar = world.calendar()
    for option in say.options:
        match option.reply:
            case PickSlot(service=service, staff=staff, start=start):
                ignore = None
            case PickMove(appointment=number, version=version, staff=staff, start=start):
                moving = world.appointments[number]
                assert version == moving.version, "a move of what has changed was offered"
                assert start != moving.start, "the time that it has already was offered"
                # Where the service is gone, the hours of another one are offered.
                service, ignore = drafts.load(chat.draft).service or 0, number
            case Undo(appointment=number, version=version):
                assert world.appointments[number].version == version
                continue
            case _:
                continue
        assert start > world.now, "a past time was offered"
        kind = world.business.service(service)
        if kind is not None:
            slot = Slot(service=service, staff=staff, start=start, end=start + kind.duration)
            assert calendar.check(slot, ignore=ignore) is None, "a time was offered that cannot be had"


def _check_calendar(world: World) -> None:
    taken = [(one.staff, one.start, world.until[one.id]) for one in world.appointments.values() if one.active]
    for (staff, _, until), (following, start, _) in pairwise(sorted(taken, key=lambda one: (one[0] or 0, one[1]))):
        assert staff != following or until <= start, "booked twice"
