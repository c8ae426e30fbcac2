"""Apply: all effects of a decision, the new draft and the inbox rows, in one commit or not at all."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import structlog

from bot.conversation import draft as drafts
from bot.conversation.draft import Draft
from bot.conversation.effects import Attend, Book, Effect, Mark, Move, Mute, Option, Remind, Say, SetLanguage, SetName
from bot.conversation.replies import NEW, encode, resolve
from bot.core.appointment import Actor, Appointment, Happening, Status
from bot.core.reminders import Kind, Subject, next_mark, verdicts
from bot.log import person
from bot.runtime import Runtime
from bot.store import appointments, attention, businesses, inbox, outbox, places, spoken
from bot.store.appointments import Cause, OutOfDate
from bot.store.database import Session
from bot.store.tables import AppointmentRow, AttentionRow
from bot.turn.load import WINDOW, Batch
from bot.whatsapp import outbound

log = structlog.get_logger(__name__)


@dataclass(slots=True, kw_only=True)
class _Applying:
    """One commit in the making."""

    runtime: Runtime
    session: Session
    batch: Batch
    heard_at: datetime
    """When the customer last wrote: so long we may answer."""
    now: datetime
    booked: Appointment | None = None
    replies: list[dict[str, object]] = field(default_factory=list)

    @property
    def business_id(self) -> int:
        return self.batch.view.business.id

    @property
    def customer_id(self) -> int:
        return self.batch.view.customer.id

    @property
    def cause(self) -> Cause:
        return Cause(actor=Actor.CUSTOMER, message_id=self.batch.causes[0])


@dataclass(frozen=True, slots=True)
class Applied:
    """The delivery ids written, and whether the same commit gave the customer back, since nothing else was waiting."""

    written: tuple[str, ...] = ()
    released: bool = False


async def apply(runtime: Runtime, batch: Batch, draft: Draft, effects: Sequence[Effect], token: str) -> Applied:
    """SlotGone or OutOfDate when the world has moved on: then nothing was applied."""
    customer_id, now = batch.view.customer.id, batch.view.now
    async with runtime.db.write() as session:
        heard_at = await inbox.write(session, customer_id, token, now, _of_customer(draft, effects, now))
        if heard_at is None:
            raise OutOfDate("the lease on the customer ran out")
        work = _Applying(runtime=runtime, session=session, batch=batch, heard_at=heard_at, now=now)
        if any(isinstance(effect, Book | Move) for effect in effects):
            await _same_rules(work)
        for effect in effects:
            await _do(effect, work)
        written = await spoken.say(session, work.replies) if work.replies else ()
        await inbox.handled(session, batch.causes, now)
        if batch.answers:
            await spoken.answered(session, batch.answers, now)
        released = await inbox.release(session, customer_id, token, if_done=True)
    actions = [type(effect).__name__ for effect in effects]
    log.info("answered", action="answer", customer=person(customer_id), effects=actions)
    return Applied(written, released)


def _of_customer(draft: Draft, effects: Sequence[Effect], now: datetime) -> dict[str, object]:
    """What is written into the customer's row."""
    changes: dict[str, object] = {"draft": drafts.dump(draft)}
    for effect in effects:
        match effect:
            case SetLanguage(language=language):
                changes["language"] = language
            case SetName(name=name):
                changes["name"] = name
            case Mute(until=until):
                changes["muted_until"] = until
            case Remind(wanted=wanted):
                changes["opted_out_at"] = None if wanted else now
            case Say() | Book() | Move() | Mark() | Attend():
                pass
    return changes


async def _same_rules(work: _Applying) -> None:
    """OutOfDate when the business was edited meanwhile. An edit takes the same turn before it lists what it strands."""
    decided_on = work.batch.view.business
    await places.take_turn(work.session, decided_on.id)
    if await businesses.load(work.session, decided_on.id) != decided_on:
        raise OutOfDate("the business was edited")


async def _do(effect: Effect, work: _Applying) -> None:
    match effect:
        case Say():
            await _say(effect, work)
        case Book():
            await _book(effect, work)
        case Move():
            await _move(effect, work)
        case Mark():
            await _mark(effect, work)
        case Attend():
            await _attend(effect, work)
        case SetLanguage() | SetName() | Mute() | Remind():
            pass


async def _say(effect: Say, work: _Applying) -> None:
    """Into the outbox, as content; the address is put on when it is sent."""
    position, cause = len(work.replies), work.batch.causes[-1]
    appointment, version = await _spoken_of(effect, work)
    content = outbound.say(effect.text, [_option(one, work) for one in effect.options], effect.button)
    reply: dict[str, object] = {
        "id": outbox.reply_id(cause, position),
        "business_id": work.business_id,
        "customer_id": work.customer_id,
        "appointment_id": appointment,
        "appointment_version": version,
        "body": outbox.dump(content),
        "cause": cause,
        "position": position,
        "expires_at": work.heard_at + WINDOW,
        **dict.fromkeys(("order_at", "due_at", "created_at", "updated_at"), work.now),
    }
    work.replies.append(reply)


async def _spoken_of(effect: Say, work: _Applying) -> tuple[int | None, int | None]:
    """The appointment, and at which version it is by now."""
    if effect.appointment == NEW and work.booked is not None:
        return work.booked.id, work.booked.version
    if effect.appointment is None:
        return None, None
    return effect.appointment, await appointments.version(work.session, effect.appointment)


def _option(option: Option, work: _Applying) -> outbound.Option:
    reply = resolve(option.reply, work.booked.id) if work.booked is not None else option.reply
    return outbound.Option(encode(reply), option.title, option.description)


async def _book(effect: Book, work: _Applying) -> None:
    row = AppointmentRow(
        business_id=work.business_id,
        customer_id=work.customer_id,
        service_id=effect.service,
        staff_id=effect.staff,
        attendee=effect.attendee,
        scheduled_at=effect.start,
        ends_at=effect.end,
        busy_until=effect.busy_until,
        slot_set_at=work.now,
        created_at=work.now,
        updated_at=work.now,
    )
    row.next_mark_at = _next_mark(effect.start, work.now, frozenset(), work)
    work.booked = await appointments.book(work.session, row, work.cause, work.now)


async def _move(effect: Move, work: _Applying) -> None:
    before = _shown(effect.appointment, effect.version, work)
    after = before.after(
        Happening.MOVE, by=Actor.CUSTOMER, now=work.now, start=effect.start, end=effect.end, staff=effect.staff
    )
    await appointments.store(
        work.session,
        before,
        after,
        Happening.MOVE,
        cause=work.cause,
        now=work.now,
        busy_until=effect.busy_until,
        next_mark_at=_next_mark(after.start, work.now, frozenset(), work),
    )


async def _mark(effect: Mark, work: _Applying) -> None:
    before = _shown(effect.appointment, effect.version, work)
    after = before.after(effect.happening, by=Actor.CUSTOMER, now=work.now)
    sent = {Kind.DAY: after.sent_24h, Kind.HOURS: after.sent_2h}
    decided = frozenset(kind for kind, flag in sent.items() if flag)
    await appointments.store(
        work.session,
        before,
        after,
        effect.happening,
        cause=work.cause,
        now=work.now,
        next_mark_at=_next_mark(after.start, after.slot_set_at, decided, work),
    )


def _shown(appointment_id: int, version: int, work: _Applying) -> Appointment:
    """The appointment as it was decided on."""
    shown = work.batch.view.appointment(appointment_id)
    if shown is None or shown.version != version:
        raise OutOfDate(appointment_id)
    return shown


def _next_mark(start: datetime, set_at: datetime, decided: frozenset[Kind], work: _Applying) -> datetime | None:
    """When the scan must look at this slot."""
    subject = Subject(status=Status.SCHEDULED, start=start, slot_set_at=set_at, decided=decided)
    return next_mark(verdicts(subject, work.now, work.runtime.rules(work.batch.view.business)))


async def _attend(effect: Attend, work: _Applying) -> None:
    source = f"{effect.kind}:{work.batch.causes[0]}"
    row = AttentionRow(
        business_id=work.business_id,
        customer_id=work.customer_id,
        appointment_id=effect.appointment,
        kind=effect.kind,
        text=effect.text,
        source=source,
        created_at=work.now,
    )
    if await attention.attend(work.session, row):
        log.warning("staff must look", action="attend", kind=effect.kind, customer=person(row.customer_id))
