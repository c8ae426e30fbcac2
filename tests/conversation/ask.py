"""What tests of single answers share: to say and tap something, and to read the answer."""

from dataclasses import replace
from datetime import timedelta

from bot.conversation.effects import Effect, Say
from bot.conversation.events import About, Said, Tapped
from bot.conversation.replies import (
    Reply,
)
from bot.core.appointment import Actor, Appointment, Happening
from tests.conftest import NOW
from tests.conversation.world import Chat, World

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
TEN = NOW + DAY


def say(world: World, chat: Chat, text: str, about: About | None = None) -> tuple[Effect, ...]:
    return world.hear(chat, Said(text=text, at=world.now, about=about))


def tap(world: World, chat: Chat, reply: Reply | None, title: str = "") -> tuple[Effect, ...]:
    return world.hear(chat, Tapped(reply=reply, title=title, at=world.now))


def said(effects: tuple[Effect, ...]) -> str:
    """The one message among the effects."""
    (only,) = [effect for effect in effects if isinstance(effect, Say)]
    return only.text


def offered(effects: tuple[Effect, ...]) -> list[Reply]:
    return [option.reply for effect in effects if isinstance(effect, Say) for option in effect.options]


def staff_do(world: World, appointment: Appointment, happening: Happening, start: timedelta = HOUR) -> None:
    moved = appointment.after(
        happening,
        by=Actor.STAFF,
        now=world.now,
        start=appointment.start + start,
        end=appointment.end + start,
    )
    world.appointments[appointment.id], world.until[appointment.id] = moved, moved.end


def nobody_works(world: World) -> None:
    staff = tuple(replace(one, active=False) for one in world.business.staff)
    world.business = replace(world.business, staff=staff)
