"""A world in memory to talk in: what the shell does around the pure machine, done as plainly as possible."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from bot.conversation import draft as drafts
from bot.conversation.effects import Attend, Book, Effect, Mark, Move, Mute, Option, Remind, Say, SetLanguage, SetName
from bot.conversation.events import About, Event, SlotTaken
from bot.conversation.machine import turn
from bot.conversation.replies import NEW, encode, resolve
from bot.conversation.view import Customer, View, Window
from bot.conversation.wording import Wording
from bot.core.appointment import Actor, Appointment, Happening
from bot.core.business import Business
from bot.core.slots import Busy, Calendar
from bot.simulator.rules import refusal
from bot.whatsapp import outbound
from tests.conversation.reminder import reminder
from tests.stories.player import Bubble, shown

WINDOW = timedelta(hours=24)


class Lost(Exception):
    """The slot went to somebody else between deciding and applying."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A message as it lies in the chat, what it was about, and what the conversation wanted said (None: a reminder)."""

    bubble: Bubble
    about: About | None
    say: Say | None
    at: datetime


@dataclass(slots=True, kw_only=True)
class Chat:
    """One customer and what the database holds of them."""

    customer: Customer
    draft: str = "{}"
    heard_at: datetime | None = None
    sent: list[Sent] = field(default_factory=list)
    attention: list[Attend] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class World:
    """Appointments, chats, and the instant."""

    business: Business
    now: datetime
    chats: dict[str, Chat] = field(default_factory=dict)
    appointments: dict[int, Appointment] = field(default_factory=dict)
    until: dict[int, datetime] = field(default_factory=dict)
    """End and buffer of each appointment."""
    rival: list[tuple[int, datetime, datetime]] = field(default_factory=list)
    """Spans (staff, start, until) that somebody takes between the next decision and its being applied."""

    def meet(self, name: str, *, key: str | None = None, **known: Any) -> Chat:
        """A new customer; `key` names the chat where the name is empty."""
        chat = Chat(customer=Customer(id=len(self.chats) + 1, name=name, **known))
        self.chats[key or name] = chat
        return chat

    def add(self, customer: int, service: int | None, staff: int | None, start: datetime, **more: Any) -> Appointment:
        """An appointment that was made elsewhere; never refused."""
        known = self.business.service(service) if service is not None else None
        length = known.duration if known else timedelta(minutes=30)
        made = Appointment(
            id=len(self.appointments) + 1,
            customer=customer,
            service=service,
            staff=staff,
            start=start,
            **{"end": start + length, "slot_set_at": self.now, **more},
        )
        self.appointments[made.id] = made
        self.until[made.id] = made.end + (known.pause if known else timedelta())
        return made

    def view(self, chat: Chat) -> View:
        heard = chat.heard_at
        mine = [one for one in self.appointments.values() if one.customer == chat.customer.id]
        return View(
            now=self.now,
            business=self.business,
            customer=chat.customer,
            calendar=self.calendar(),
            wording=Wording.of(self.business, chat.customer.language or self.business.language),
            window=Window.OPEN if heard is not None and self.now - heard < WINDOW else Window.CLOSED,
            appointments=tuple(sorted(mine, key=lambda one: one.start, reverse=True)),
        )

    def calendar(self) -> Calendar:
        busy = (
            Busy(staff=one.staff, start=one.start, until=self.until[one.id], appointment=one.id)
            for one in self.appointments.values()
            if one.staff is not None and one.active and self.until[one.id] > self.now
        )
        return Calendar(business=self.business, busy=tuple(busy), now=self.now)

    def hear(self, chat: Chat, event: Event, *, opens: bool = True) -> tuple[Effect, ...]:
        """One turn: decide on what there is, apply all or nothing, decide again when the slot has gone."""
        if opens:
            chat.heard_at = max(event.at, chat.heard_at or event.at)
        draft = drafts.load(chat.draft)
        if chat.sent and chat.sent[-1].say is None:
            draft = draft.unsaid()
        after, effects = turn(draft, event, self.view(chat))
        while self.rival:
            staff, start, until = self.rival.pop()
            self.occupy(staff, start, until)
        try:
            self._guard(effects)
        except Lost:
            event = self._taken(effects, chat)
            after, effects = turn(draft, event, self.view(chat))
            self._guard(effects)
        self._apply(effects, chat)
        chat.draft = drafts.dump(after)
        assert drafts.load(chat.draft) == after
        return effects

    def occupy(self, staff: int, start: datetime, until: datetime) -> None:
        """Somebody who is not in the story books this, if it is free."""
        if not self.overlaps(staff, start, until, None):
            made = self.add(0, None, staff, start)
            self.appointments[made.id] = replace(made, end=until)
            self.until[made.id] = until

    def overlaps(self, staff: int | None, start: datetime, until: datetime, but: int | None) -> bool:
        """Whether somebody has that time already."""
        return any(
            one.active and one.staff == staff is not None and one.id != but
            for one in self.appointments.values()
            if one.start < until and start < self.until[one.id]
        )

    def _guard(self, effects: Sequence[Effect]) -> None:
        """What the database's overlap guard does."""
        for effect in effects:
            match effect:
                case Book():
                    lost = self.overlaps(effect.staff, effect.start, effect.busy_until, None)
                case Move():
                    lost = self.overlaps(effect.staff, effect.start, effect.busy_until, effect.appointment)
                case Mark(happening=Happening.UNDO):
                    old = self.appointments[effect.appointment]
                    lost = self.overlaps(old.staff, old.start, self.until[old.id], old.id)
                case _:
                    lost = False
            if lost:
                raise Lost(effect)

    def _taken(self, effects: Sequence[Effect], chat: Chat) -> SlotTaken:
        wanted = next(effect for effect in effects if isinstance(effect, Book | Move | Mark))
        match wanted:
            case Book():
                return SlotTaken(service=wanted.service, start=wanted.start, at=self.now, attendee=wanted.attendee)
            case Move():
                moving = self._own(wanted.appointment, chat)
                return SlotTaken(
                    service=moving.service,
                    start=wanted.start,
                    at=self.now,
                    appointment=moving.id,
                    version=wanted.version,
                )
            case Mark():
                undone = self._own(wanted.appointment, chat)
                return SlotTaken(service=undone.service, start=undone.start, at=self.now)

    def _own(self, id: int, chat: Chat) -> Appointment:  # noqa: A002 - the column's name
        found = self.appointments[id]
        assert found.customer == chat.customer.id, "an effect on somebody else's appointment"
        return found

    def _apply(self, effects: Sequence[Effect], chat: Chat) -> None:
        booked = NEW
        for effect in effects:
            match effect:
                case Say():
                    self._say(effect, booked, chat)
                case Book():
                    booked = self.add(
                        chat.customer.id, effect.service, effect.staff, effect.start, attendee=effect.attendee
                    ).id
                    assert self.appointments[booked].end == effect.end
                    assert self.until[booked] == effect.busy_until
                case Move() | Mark():
                    self._change(effect, chat)
                case Attend():
                    chat.attention.append(effect)
                case _:
                    chat.customer = _learn(chat.customer, effect, self.now)

    def _change(self, effect: Move | Mark, chat: Chat) -> None:
        before = self._own(effect.appointment, chat)
        assert before.version == effect.version, "decided on another version"
        if isinstance(effect, Mark):
            after = before.after(effect.happening, by=Actor.CUSTOMER, now=self.now)
        else:
            after = before.after(
                Happening.MOVE,
                by=Actor.CUSTOMER,
                now=self.now,
                start=effect.start,
                end=effect.end,
                staff=effect.staff,
            )
            self.until[before.id] = effect.busy_until
        self.appointments[before.id] = after

    def _say(self, say: Say, booked: int, chat: Chat) -> None:
        """As content that Meta takes, else the test fails here."""
        content = outbound.say(say.text, [_option(one, booked) for one in say.options], say.button)
        body = outbound.addressed(content, wa_id="15550000009", user_id=None, delivery_id="d")
        assert refusal(body, window_open=True, templates=()) is None
        about = booked if say.appointment == NEW else say.appointment
        known = self.appointments.get(about) if about is not None else None
        self._put(content, chat, known, say)

    def _put(self, content: Any, chat: Chat, about: Appointment | None, say: Say | None) -> None:
        handle = f"{chat.customer.id}-{len(chat.sent) + 1}"
        bubble = shown(content, handle) if say is not None else content
        spoken = None if about is None else About(about.id, about.version, say is None)
        chat.sent.append(Sent(bubble=bubble, about=spoken, say=say, at=self.now))

    def remind(self, chat: Chat, appointment: Appointment, kind: str) -> None:
        """The reminder goes out."""
        bubble = reminder(self.view(chat), appointment, kind, f"{chat.customer.id}-{len(chat.sent) + 1}")
        sent = replace(appointment, sent_24h=appointment.sent_24h or kind == "24h", sent_2h=kind == "2h")
        self.appointments[sent.id] = sent
        self._put(bubble, chat, sent, None)


def _option(option: Option, booked: int) -> outbound.Option:
    return outbound.Option(encode(resolve(option.reply, booked)), option.title, option.description)


def _learn(customer: Customer, effect: Effect, now: datetime) -> Customer:
    match effect:
        case SetLanguage(language=language):
            return replace(customer, language=language)
        case SetName(name=name):
            return replace(customer, name=name)
        case Mute(until=until):
            assert until is None or until > now
            return replace(customer, muted_until=until)
        case Remind(wanted=wanted):
            return replace(customer, opted_out=not wanted)
        case _:
            raise AssertionError(effect)
