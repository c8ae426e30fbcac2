"""Is this the time you mean? A typed time is never booked in silence: it is asked back, the date spelled out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import zip_longest
from types import MappingProxyType

from bot.conversation.draft import Draft, Flow
from bot.conversation.effects import Option, Say
from bot.conversation.events import Event
from bot.conversation.replies import PickDay, PickMove, encode
from bot.conversation.steps.time import NEAREST, nearest, pick
from bot.conversation.view import View
from bot.core.appointment import Appointment
from bot.core.slots import Refusal, Slot

_ONE_DAY = timedelta(days=1)
_REFUSED = MappingProxyType(
    {
        Refusal.PAST: "typed_past",
        Refusal.NOTICE: "typed_soon",
        Refusal.HORIZON: "typed_far",
        Refusal.TAKEN: "typed_taken",
    }
)
"""What we say of a time that cannot be had; else that nobody is there then."""
_QUESTION = MappingProxyType(
    {
        (False, False): "is_it",
        (False, True): "is_it_with",
        (True, False): "is_it_move",
        (True, True): "is_it_move_with",
    }
)
"""By whether an appointment is moved, and whether several people do it."""


class TypedTime:
    """Answered by its button; another typed time asks anew."""

    def settle(self, draft: Draft, view: View) -> Draft:
        del view
        return draft

    def open(self, draft: Draft, view: View) -> bool:
        del view
        asked = draft.readings or draft.clock is not None
        return bool(asked) and draft.start is None and draft.days_since is None

    def ask(self, draft: Draft, view: View) -> Say:
        if draft.readings and not any("T" in one for one in draft.readings):
            return _which_day(draft, view)
        if draft.readings or draft.clock is None or draft.day is None or draft.last_day is not None:
            return _which_time(draft, view)
        return _this(_at(draft.day, draft.clock, view), draft, view)

    def read(self, event: Event, draft: Draft, view: View) -> Draft | None:
        del event, draft, view
        return None


def _which_day(draft: Draft, view: View) -> Say:
    """Two Fridays."""
    days = [date.fromisoformat(one) for one in draft.readings[:NEAREST]]
    options = tuple(Option(PickDay(*draft.wants, day), view.wording.short_day(day)) for day in days)
    return Say(text=view.copy("which_reading"), key="which_reading", options=options)


def _which_time(draft: Draft, view: View) -> Say:
    """Morning or evening, this Friday or the next; or a time without a day, then on the next days that have it free."""
    wanted = list(_wanted(draft, view))
    slots = tuple(dict.fromkeys(slot for each in wanted for slot in _free(each, draft, view)))[:NEAREST]
    if not slots:
        starts = [each[0] for each in wanted]
        return _not_free(starts[0], draft, view) if len(starts) == 1 else _none_free(starts, draft, view)
    if len(slots) == 1:
        return _is_it(slots[0], draft, view)
    options = tuple(Option(pick(slot, draft), view.short(slot.start)) for slot in slots)
    key = "which_reading" if draft.readings else "which_day_then"
    clock = view.wording.clock(slots[0].start.astimezone(view.business.zone))
    return Say(text=view.copy(key, service=_name(draft, view), clock=clock), key=key, options=options)


def _this(start: datetime, draft: Draft, view: View) -> Say:
    slot = _slot(start, draft, view)
    return _is_it(slot, draft, view) if isinstance(slot, Slot) else _not_free(start, draft, view)


def _wanted(draft: Draft, view: View) -> Iterator[tuple[datetime, ...]]:
    """For each reading the instants that it can be, soonest first."""
    for each in [_parsed(one, view) for one in draft.readings] or [draft.clock or time()]:
        yield (each,) if isinstance(each, datetime) else tuple(_at(day, each, view) for day in _days(draft, view))


def _free(starts: tuple[datetime, ...], draft: Draft, view: View) -> Iterator[Slot]:
    """Of a reading the first that can be had, of a time without a day the first three."""
    count = 0
    for start in starts:
        slot = _slot(start, draft, view)
        if isinstance(slot, Slot):
            yield slot
            count += 1
        if count == (1 if draft.readings else NEAREST):
            return


def _days(draft: Draft, view: View) -> Iterator[date]:
    today = view.now.astimezone(view.business.zone).date()
    last = draft.last_day or draft.day or (view.now + view.business.rules.horizon).astimezone(view.business.zone).date()
    day = draft.day or today
    while day <= max(last, draft.day or today):
        yield day
        day += _ONE_DAY


def _slot(start: datetime, draft: Draft, view: View) -> Slot | Refusal:
    """With the person that is wanted; an appointment that is moved may go to another, who is named then."""
    service = draft.service or 0
    found = view.calendar.at(service, start, staff=draft.staff, ignore=draft.appointment)
    if isinstance(found, Refusal) and draft.flow is Flow.MOVE:
        found = view.calendar.at(service, start, ignore=draft.appointment)
    moving = _moving(draft, view)
    return Refusal.TAKEN if moving is not None and moving.start == start else found


def _is_it(slot: Slot, draft: Draft, view: View) -> Say:
    reply, moves = pick(slot, draft), draft.flow is Flow.MOVE
    people = view.business.staff_for(slot.service)
    staff = next((one.name for one in people if one.id == slot.staff), "")
    text = view.copy(
        _QUESTION[moves, len(people) > 1],
        service=view.for_whom(_name(draft, view), draft.attendee),
        when=view.when(slot.start),
        staff=staff,
    )
    yes = Option(reply, view.copy("yes_move" if moves else "yes_book"))
    other = None if moves else _other(slot, view)
    if other is None:
        return Say(text=text, key=f"is_it:{encode(reply)}", options=(yes,))
    instead = Option(PickMove(other.id, other.version, slot.staff, slot.start), view.copy("move_instead"))
    return Say(text=f"{text} {view.about('stands', other)}", key=f"is_it:{encode(reply)}", options=(yes, instead))


def _other(slot: Slot, view: View) -> Appointment | None:
    """The only appointment ahead, for the same: perhaps it is to be moved instead."""
    mine = view.upcoming
    late = any(view.business.rules.past_deadline(one.start, view.now) for one in mine)
    same = len(mine) == 1 and mine[0].service == slot.service and mine[0].start != slot.start
    return mine[0] if same and not late else None


def _not_free(start: datetime, draft: Draft, view: View) -> Say:
    moving = _moving(draft, view)
    if moving is not None and moving.start == start:
        return nearest(view.copy("same_time"), f"same_time:{start.isoformat()}", start, draft, view)
    refusal = _slot(start, draft, view)
    key = _REFUSED.get(refusal, "typed_closed") if isinstance(refusal, Refusal) else "typed_closed"
    return nearest(view.copy(key, when=view.when(start)), f"{key}:{start.isoformat()}", start, draft, view)


def _none_free(starts: Sequence[datetime], draft: Draft, view: View) -> Say:
    """None of the readings can be had: the nearest to each."""
    text = view.copy("not_offered")
    said = [nearest(text, f"not_offered:{starts[0].isoformat()}", start, draft, view) for start in starts]
    turns = zip_longest(*(one.options for one in said))
    options = dict.fromkeys(option for turn in turns for option in turn if option is not None)
    return replace(said[0], options=tuple(options)[:NEAREST])


def _moving(draft: Draft, view: View) -> Appointment | None:
    return view.appointment(draft.appointment) if draft.appointment is not None else None


def _name(draft: Draft, view: View) -> str:
    service = view.business.service(draft.service or 0)
    return service.name if service is not None else view.copy("an_appointment")


def _at(day: date, clock: time, view: View) -> datetime:
    return datetime.combine(day, clock, view.business.zone)


def _parsed(text: str, view: View) -> datetime | time:
    """The contract's form of a time, with or without its day."""
    if text.startswith("T"):
        return time.fromisoformat(text[1:])
    return datetime.fromisoformat(text).replace(tzinfo=view.business.zone)
