"""Plays stories through the pure machine, in a world in memory."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from bot.conversation.events import About, Reacted, Said, Tapped, Unreadable
from bot.conversation.replies import PickMove, PickSlot, decode
from bot.core.appointment import Status
from bot.core.quiet import Quiet
from bot.core.reminders import Decision, Kind, ReminderRules, Subject, moved_mark, verdicts
from tests.conversation.businesses import a_business
from tests.conversation.world import Chat, World
from tests.stories.player import Bubble, Choice, Facts, Player
from tests.stories.script import Booked, Story

WEEK = timedelta(days=7)
QUIET = Quiet.parse("21:00-08:00")


class PurePlayer(Player):
    """Time stands still but for `wait` and `remind`."""

    world: World

    async def begin(self, story: Story) -> None:
        business = a_business(story.business)
        self.world = World(business=business, now=self._instant(story.now, business.zone))
        for one in story.customer:
            self.world.meet(one.name, key=one.key, language=one.language, phone=one.phone)
        for booked in story.appointment:
            self._book(booked, booked.customer or story.customer[0].key)

    def _instant(self, wall: datetime, zone: object = None) -> datetime:
        return wall.replace(tzinfo=zone or self.world.business.zone).astimezone(UTC)  # type: ignore[arg-type]

    def _book(self, booked: Booked, who: str) -> None:
        business = self.world.business
        service = next(one for one in business.services if one.name == booked.service)
        people = business.staff_for(service.id)
        staff = next(one for one in people if booked.staff in (None, one.name))
        self.world.add(
            self._chat(who).customer.id,
            service.id,
            staff.id,
            self._instant(booked.at),
            status=Status(booked.status),
            attendee=booked.attendee,
            slot_set_at=self._instant(booked.set_at) if booked.set_at else self.world.now - WEEK,
        )

    def _chat(self, who: str) -> Chat:
        return self.world.chats[who]

    def _about(self, who: str, bubble: Bubble | None) -> About | None:
        """What one of our messages to this very customer spoke of."""
        return next((sent.about for sent in self._chat(who).sent if bubble and sent.bubble.id == bubble.id), None)

    async def bubbles(self, who: str) -> Sequence[Bubble]:
        return [sent.bubble for sent in self._chat(who).sent]

    async def facts(self, who: str) -> Facts:
        chat = self._chat(who)
        return Facts(
            appointments=status_of(self.world, chat),
            attention=tuple(one.kind for one in chat.attention),
            muted=self.world.view(chat).muted,
            opted_out=chat.customer.opted_out,
        )

    async def says(self, who: str, text: str, *, quoting: Bubble | None, late: timedelta) -> None:
        about = self._about(who, quoting)
        self.world.hear(self._chat(who), Said(text=text, at=self.world.now - late, about=about))

    async def taps(self, who: str, choice: Choice, bubble: Bubble | None) -> None:
        event = Tapped(reply=decode(choice.id), title=choice.title, at=self.world.now, about=self._about(who, bubble))
        self.world.hear(self._chat(who), event)

    async def reacts(self, who: str, emoji: str, bubble: Bubble) -> None:
        event = Reacted(emoji=emoji, at=self.world.now, about=self._about(who, bubble))
        self.world.hear(self._chat(who), event, opens=False)

    async def sends(self, who: str, kind: str) -> None:
        self.world.hear(self._chat(who), Unreadable(kind=kind, at=self.world.now))

    async def wait(self, length: timedelta) -> None:
        self.world.now += length

    async def remind(self, who: str, kind: str) -> None:
        """All of the customer's reminders of that kind that are due at the mark of the nearest one."""
        chat, rules = self._chat(who), self._rules()
        open_ = [one for one in self.world.view(chat).upcoming if not (one.sent_24h if kind == "24h" else one.sent_2h)]
        if open_:
            self.world.now = max(self.world.now, moved_mark(Kind(kind), open_[0].start, rules))
        for one in open_:
            subject = Subject(
                status=one.status,
                start=one.start,
                slot_set_at=one.slot_set_at,
                decided=frozenset({Kind.DAY} if one.sent_24h else ()),
                opted_out=chat.customer.opted_out,
            )
            verdict = next(each for each in verdicts(subject, self.world.now, rules) if each.kind == kind)
            if verdict.decision is Decision.SEND:
                self.world.remind(chat, one, kind)

    def _rules(self) -> ReminderRules:
        business = self.world.business
        return ReminderRules(zone=business.zone, quiet=QUIET, confirmed_too=business.rules.remind_confirmed)

    async def take(self, choice: Choice) -> None:
        wanted = decode(choice.id)
        assert isinstance(wanted, PickSlot | PickMove)
        kind = wanted.service if isinstance(wanted, PickSlot) else self.world.appointments[wanted.appointment].service
        service = next(one for one in self.world.business.services if one.id == kind)
        self.world.occupy(wanted.staff, wanted.start, wanted.start + service.duration + service.pause)


def status_of(world: World, chat: Chat) -> tuple[tuple[Status, datetime], ...]:
    """The customer's appointments as they were made."""
    mine = (one for _, one in sorted(world.appointments.items()) if one.customer == chat.customer.id)
    return tuple((one.status, one.start) for one in mine)
