"""Plays stories through the whole stack: signed posts, database, queue, wire. Only time is the story's own."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlmodel import col, select

from bot.conversation.replies import PickMove, PickSlot, decode
from bot.core.business import Business
from bot.core.reminders import Kind, moved_mark
from bot.scan import scan
from bot.simulator import bodies
from bot.simulator.bodies import Json
from bot.simulator.people import Person
from bot.simulator.shown import Option
from bot.simulator.shown import shown as shown_on_a_phone
from bot.store import businesses, customers
from bot.store.customers import Person as Sender
from bot.store.tables import AppointmentRow, AttentionRow, CustomerRow
from tests.stack.world import Stack, StillClock
from tests.stories import script
from tests.stories.player import Bubble, Choice, Facts, Player
from tests.stories.script import Booked, Story

WEEK, STEP = timedelta(days=7), timedelta(milliseconds=1)
KINDS = {"buttons": "button"}
MEDIA = {"audio": "voice"}


class StackPlayer(Player):
    """Time stands still but for `wait`, `remind` and a millisecond per turn, which keeps things in order."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.people: dict[str, Person] = {}
        self.business: Business

    async def load(self) -> Business:
        """The business that the stack plays, needed before the story begins."""
        async with self.stack.runtime.db.read() as session:
            self.business = await businesses.load(session, 1)
        return self.business

    async def begin(self, story: Story) -> None:
        # A little before, so that what counts from the full hour still does after some steps.
        self._at(self._instant(story.now) - timedelta(seconds=1))
        self.people = {one.key: _person(number, one) for number, one in enumerate(story.customer)}
        self.stack.standin.directory.people = list(self.people.values())
        for one in story.customer:
            if one.language is not None:
                await self._known(one.key, one.language)
        for booked in story.appointment:
            await self._book(booked, booked.customer or story.customer[0].key)

    async def bubbles(self, who: str) -> Sequence[Bubble]:
        taken = self.stack.taken(self.people[who])
        seen = [(one.wamid, shown_on_a_phone(one.body, self.stack.standin.templates)) for one in taken]
        return [
            Bubble(
                id=wamid,
                kind=KINDS.get(one.kind, one.kind),
                text=one.text,
                choices=tuple(Choice(_id(option), option.title, option.description) for option in one.options),
            )
            for wamid, one in seen
        ]

    async def facts(self, who: str) -> Facts:
        async with self.stack.runtime.db.read() as session:
            row = await self._row(who)
            if row is None:
                return Facts(appointments=(), attention=(), muted=False, opted_out=False)
            made = (
                select(AppointmentRow).where(col(AppointmentRow.customer_id) == row.id).order_by(col(AppointmentRow.id))
            )
            matters = select(AttentionRow).where(col(AttentionRow.customer_id) == row.id).order_by(col(AttentionRow.id))
            appointments = (await session.exec(made)).all()
            attention = (await session.exec(matters)).all()
        return Facts(
            appointments=tuple((one.status, one.scheduled_at) for one in appointments),
            attention=tuple(one.kind for one in attention),
            muted=row.muted_until is not None and row.muted_until > self._now,
            opted_out=row.opted_out_at is not None,
        )

    async def says(self, who: str, text: str, *, quoting: Bubble | None, late: timedelta) -> None:
        await self._send(who, bodies.text(text) | self._context(quoting), late)

    async def taps(self, who: str, choice: Choice, bubble: Bubble | None) -> None:
        await self._send(who, _tap(choice, bubble) | self._context(bubble))

    async def reacts(self, who: str, emoji: str, bubble: Bubble) -> None:
        await self._send(who, bodies.reaction(bubble.id, emoji))

    async def sends(self, who: str, kind: str) -> None:
        await self._send(who, _media(kind))

    async def wait(self, length: timedelta) -> None:
        self._at(self._now + length)

    async def remind(self, who: str, kind: str) -> None:
        row = await self._row(who)
        flag = "reminder_24h_sent" if kind == "24h" else "reminder_2h_sent"
        open_ = [
            one.scheduled_at
            for one in await self.stack.appointments()
            if row is not None
            and one.customer_id == row.id
            and one.status in {"SCHEDULED", "CONFIRMED"}
            and one.scheduled_at > self._now
            and not getattr(one, flag)
        ]
        if open_:
            rules = self.stack.runtime.rules(self.business)
            self._at(max(self._now, moved_mark(Kind(kind), min(open_), rules)))
        for each in Kind:
            await scan(self.stack.runtime, each, self._now)
        self._at(self._now + timedelta(seconds=1))  # a scan's messages go out at the sending rate
        await self.stack.quiet()

    async def take(self, choice: Choice) -> None:
        wanted = decode(choice.id)
        assert isinstance(wanted, PickSlot | PickMove)
        if isinstance(wanted, PickSlot):
            kind: int | None = wanted.service
        else:
            (kind,) = [one.service_id for one in await self.stack.appointments() if one.id == wanted.appointment]
        self.people.setdefault("somebody else", Person(user_id="XX.99999999999999999", wa_id="15550009999"))
        await self._add("somebody else", kind or 0, wanted.staff, wanted.start, slot_set_at=self._now)

    # How it is done.

    @property
    def _now(self) -> datetime:
        return self.stack.clock.now()

    def _at(self, instant: datetime) -> None:
        assert isinstance(self.stack.clock, StillClock)
        self.stack.clock.travel(instant)

    def _instant(self, wall: datetime) -> datetime:
        return wall.replace(tzinfo=self.business.zone).astimezone(UTC)

    def _context(self, bubble: Bubble | None) -> Json:
        return {} if bubble is None else bodies.context(self.stack.standin.line, bubble.id)

    async def _send(self, who: str, content: Json, late: timedelta = timedelta()) -> None:
        self._at(self._now + STEP)
        standin = self.stack.standin
        standin.clock = StillClock(self._now - late)
        assert await standin.hear(self.people[who], content)
        standin.clock = self.stack.clock
        await self.stack.quiet()

    async def _row(self, who: str) -> CustomerRow | None:
        person = self.people[who]
        async with self.stack.runtime.db.read() as session:
            by_id = await customers.by_user_id(session, 1, person.user_id)
            return by_id or (await customers.by_phone(session, 1, person.wa_id) if person.wa_id else None)

    async def _known(self, who: str, language: str | None = None) -> int:
        """The customer's row, made as a message of theirs would make it."""
        person = self.people[who]
        sender = Sender(user_id=person.user_id, wa_id=person.wa_id, name=person.name)
        async with self.stack.runtime.db.write() as session:
            row = await customers.recognise(session, 1, sender, self._now)
            assert row is not None
            row.language = language or row.language
        return row.id or 0

    async def _book(self, booked: Booked, who: str) -> None:
        service = next(one for one in self.business.services if one.name == booked.service)
        people = self.business.staff_for(service.id)
        staff = next(one for one in people if booked.staff in (None, one.name))
        set_at = self._instant(booked.set_at) if booked.set_at else self._now - WEEK
        at = self._instant(booked.at)
        await self._add(
            who, service.id, staff.id, at, slot_set_at=set_at, status=booked.status, attendee=booked.attendee
        )

    async def _add(
        self,
        who: str,
        service_id: int,
        staff: int,
        start: datetime,
        *,
        slot_set_at: datetime,
        status: str = "SCHEDULED",
        attendee: str | None = None,
    ) -> None:
        service = next(one for one in self.business.services if one.id == service_id)
        row = AppointmentRow(
            business_id=1,
            customer_id=await self._known(who),
            service_id=service_id,
            staff_id=staff,
            scheduled_at=start,
            ends_at=start + service.duration,
            busy_until=start + service.duration + service.pause,
            status=status,
            attendee=attendee,
            slot_set_at=slot_set_at,
            next_mark_at=slot_set_at,
            created_at=slot_set_at,
            updated_at=slot_set_at,
        )
        async with self.stack.runtime.db.write() as session:
            session.add(row)


def _person(number: int, one: script.Person) -> Person:
    user_id = one.user_id or f"XX.8200000000000{number:04d}"
    return Person(user_id=user_id, wa_id=one.phone, name=one.name, language=one.language or "en")


def _media(kind: str) -> Json:
    """A kind that WhatsApp does not have yet comes without the object of its name."""
    match kind:
        case "location":
            return bodies.location()
        case "sticker" | "image" | "document" | "audio":
            return bodies.media(MEDIA.get(kind, kind))
        case _:
            return {"type": kind}


def _id(option: Option) -> str:
    """What the tap carries back."""
    if option.tap["type"] == "button":
        return str(option.tap["button"]["payload"])
    reply = option.tap["interactive"]
    return str(reply[reply["type"]]["id"])


def _tap(choice: Choice, bubble: Bubble | None) -> Json:
    """What the phone sends; a button that we never offered comes as a quick reply of some template."""
    if bubble is None or bubble.kind == "template":
        return bodies.template_tap(choice.id, choice.title)
    if bubble.kind == "list":
        return bodies.row_tap(choice.id, choice.title, choice.description or None)
    return bodies.button_tap(choice.id, choice.title)
