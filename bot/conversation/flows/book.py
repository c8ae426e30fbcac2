"""Book: service, day if asked for, time, name if unknown; then booked, with Change and Cancel under it."""

from dataclasses import replace

from bot.conversation.draft import Draft, Flow
from bot.conversation.effects import Book, Effect, Option, Say, SetName
from bot.conversation.events import Said
from bot.conversation.flows import standing
from bot.conversation.replies import NEW, Cancel, Change, PickSlot, ShowMine
from bot.conversation.sentence import services_named, told
from bot.conversation.step import Decision, FlowSteps, advance
from bot.conversation.steps.day import ChooseDay
from bot.conversation.steps.name import GiveName
from bot.conversation.steps.person import ChoosePerson
from bot.conversation.steps.service import ChooseService
from bot.conversation.steps.time import ChooseTime, nearest
from bot.conversation.steps.typed import TypedTime
from bot.conversation.steps.whom import SayWhom
from bot.conversation.view import View
from bot.core.slots import Refusal, Slot


def start(draft: Draft, view: View, *, service: int | None = None, said: Said | None = None) -> Decision:
    """Begin anew, perhaps with the service already known, or with all that a sentence names.

    Who names a time but no service means the one they had last: it is asked back by name.
    """
    if full(view):
        options = (Option(ShowMine(), view.copy("see_mine")),)
        return draft.cleared(), (Say(text=view.copy("too_many"), key="too_many", options=options),)
    if not view.services:
        return standing.nothing_to_offer(draft, view)
    begun = replace(draft.cleared(), flow=Flow.BOOK, service=service)
    if said is not None:
        begun = _told(said, replace(begun, whom=draft.whom, attendee=draft.attendee), view)
    return advance(BOOK, begun, view)


def _told(said: Said, begun: Draft, view: View) -> Draft:
    named, last = told(said, begun, view), view.last_service
    if named is None or named.service is not None or last is None or services_named(said, view):
        return named or begun
    return replace(named, service=last.id)


def pick(tap: PickSlot, draft: Draft, view: View) -> Decision:
    """A time was tapped: book it at once, unless the list that it stood in is old."""
    service = view.business.service(tap.service)
    if tap.epoch == draft.epoch and service is not None:
        base = replace(draft.cleared(), flow=Flow.BOOK, name=draft.name, whom=draft.whom, attendee=draft.attendee)
        return advance(BOOK, replace(base, service=tap.service, staff=tap.staff, start=tap.start), view)
    mine = next((one for one in view.upcoming if one.service == tap.service and one.start == tap.start), None)
    if mine is not None:
        key = _key(tap.service, tap)
        again = Say(text=view.about("booked_already", mine), key=key, appointment=mine.id)
        return draft, () if draft.said == key else (again,)
    fresh, asked = start(draft, view, service=service.id if service is not None else None)
    return fresh, tuple(prefixed(view.copy("old_offer"), one) for one in asked)


def finish(draft: Draft, view: View) -> Decision:
    """Every question is answered: book, or offer the nearest times when rules or another customer got in between."""
    service = view.business.service(draft.service) if draft.service is not None else None
    if service is None or draft.start is None or draft.staff is None or full(view):
        return start(draft, view)
    slot = Slot(service=service.id, staff=draft.staff, start=draft.start, end=draft.start + service.duration)
    refusal = view.calendar.check(slot)
    if refusal is not None:
        return refused(refusal, slot, draft, view)
    shown = f"{view.for_whom(service.name, draft.attendee)} {_with(slot, view)}"
    text = view.copy("booked", service=shown, when=view.when(slot.start), business=view.business.name)
    if service.note:
        text += "\n" + view.copy("booked_note", note=service.note)
    options = (Option(Change(NEW, 1), view.copy("change")), Option(Cancel(NEW, 1), view.copy("cancel")))
    named: tuple[Effect, ...] = (SetName(draft.name),) if draft.name is not None else ()
    booking = Book(
        service=slot.service,
        staff=slot.staff,
        start=slot.start,
        end=slot.end,
        busy_until=slot.end + service.pause,
        attendee=draft.attendee,
    )
    say = Say(text=text, key=_key(slot.service, slot), options=options, appointment=NEW)
    return draft.finished(), (*named, booking, say)


def _with(slot: Slot, view: View) -> str:
    """Whom to ask for at the door, where several people do it."""
    people = view.business.staff_for(slot.service)
    name = next((one.name for one in people if one.id == slot.staff), "")
    return view.copy("with_staff", staff=name) if len(people) > 1 else ""


def refused(refusal: Refusal, slot: Slot, draft: Draft, view: View) -> Decision:
    """The time cannot be had: say so and offer the three nearest in the same message."""
    if refusal in (Refusal.NO_SERVICE, Refusal.NO_STAFF):
        return start(draft, view)
    key = "slot_taken" if refusal is Refusal.TAKEN else "not_offered"
    again = replace(draft, start=None, staff=None)
    return again, (nearest(view.copy(key), f"{key}:{slot.start.isoformat()}", slot.start, again, view),)


def prefixed(line: str, effect: Effect) -> Effect:
    """The same message with a line before it; other effects as they are."""
    return replace(effect, text=f"{line}\n\n{effect.text}") if isinstance(effect, Say) else effect


def _key(service: int, what: Slot | PickSlot) -> str:
    return f"booked:{service}:{what.start.isoformat()}"


def full(view: View) -> bool:
    """Has this customer as many appointments ahead as the business allows?"""
    most = view.business.rules.max_active
    return most is not None and len(view.upcoming) >= most


BOOK = FlowSteps(
    (ChooseService(), ChoosePerson(), TypedTime(), ChooseDay(), ChooseTime(), SayWhom(), GiveName()), finish
)
