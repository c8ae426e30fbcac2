"""Which time does the customer want? Ranked over several days; in order of time once a day or *more* is asked for."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time, timedelta

from bot.conversation.draft import Draft, Flow
from bot.conversation.effects import Option, Say
from bot.conversation.events import Event, Said, Tapped
from bot.conversation.replies import AskPerson, MoreTimes, OtherDay, PickMove, PickSlot, Reply
from bot.conversation.view import View
from bot.core.slots import Bounds, Slot
from bot.understanding.intent import Wish, wish

ROWS = 8
"""Times in one list; the two rows that are left lead to more times and to another day."""
NEAREST = 3


class ChooseTime:
    """Answered by a row or a button with a time."""

    def settle(self, draft: Draft, view: View) -> Draft:
        del view
        return draft

    def open(self, draft: Draft, view: View) -> bool:
        del view
        return draft.start is None

    def ask(self, draft: Draft, view: View) -> Say:
        slots, more = _times(draft, view)
        if slots or (draft.day is None and draft.part is None):
            return _listed(_question(draft, view), slots, more, draft, view)
        if draft.day is not None and draft.part is not None:
            slots, more = _times(replace(draft, part=None), view)
            if slots:
                return _listed(view.copy("no_times_part"), slots, more, draft, view)
        slots, more = _times(replace(draft, day=None, last_day=None, part=None), view)
        line = "no_times_day" if draft.day is not None else "no_times_part"
        return _listed(view.copy(line), slots, more, draft, view)

    def read(self, event: Event, draft: Draft, view: View) -> Draft | None:
        match event:
            case Tapped(reply=MoreTimes(after=after)):
                return replace(draft, after=after, days_since=None, start=None)
            case Said(text=text) if wish(text) is Wish.MORE_TIMES:
                return replace(draft, after=view.now, days_since=None, start=None)
            case _:
                return None


def nearest(text: str, key: str, near: datetime, draft: Draft, view: View) -> Say:
    """The three free times nearest to `near`, as buttons."""
    service = _service(draft, view)

    def near_it(staff: int | None) -> tuple[Slot, ...]:
        return _others(
            NEAREST,
            lambda count: view.calendar.offers(service, count, near=near, staff=staff, ignore=draft.appointment),
            draft,
            view,
        )

    slots = near_it(draft.staff) or near_it(None)
    if not slots:
        return _listed(text, (), None, draft, view)
    options = tuple(Option(pick(slot, draft), view.short(slot.start)) for slot in slots)
    return Say(text=text, key=key, options=options)


def pick(slot: Slot, draft: Draft) -> Reply:
    """What a tap on this time means in the running flow."""
    if draft.flow is Flow.MOVE and draft.appointment is not None and draft.version is not None:
        return PickMove(draft.appointment, draft.version, slot.staff, slot.start)
    return PickSlot(slot.service, slot.staff, slot.start, draft.epoch)


def _times(draft: Draft, view: View) -> tuple[tuple[Slot, ...], datetime | None]:
    """The times to show, and the instant after which more are shown (None when these are all)."""
    service = _service(draft, view)
    since, until = _bounds(draft, view)
    bounds: Bounds = {
        "staff": draft.staff,
        "after": since,
        "before": until,
        "part": draft.part,
        "ignore": draft.appointment,
    }
    if draft.after is None and (draft.day is None or draft.last_day is not None):
        slots = _others(ROWS, lambda count: view.calendar.offers(service, count, **bounds), draft, view)
        return slots, since or view.now if len(slots) == ROWS else None
    page = _others(ROWS + 1, lambda count: view.calendar.free(service, limit=count, **bounds), draft, view)
    return page[:ROWS], page[ROWS].start if len(page) > ROWS else None


def _others(count: int, find: Callable[[int], tuple[Slot, ...]], draft: Draft, view: View) -> tuple[Slot, ...]:
    """So many slots, without the time that the appointment to be moved has already."""
    slots = find(count)
    moving = view.appointment(draft.appointment) if draft.appointment is not None else None
    if moving is None or all(slot.start != moving.start for slot in slots):
        return slots
    return tuple(slot for slot in find(count + 1) if slot.start != moving.start)[:count]


def _bounds(draft: Draft, view: View) -> tuple[datetime | None, datetime | None]:
    if draft.day is None:
        return draft.after, None
    zone = view.business.zone
    midnight = datetime.combine(draft.day, time(), zone)
    following = datetime.combine((draft.last_day or draft.day) + timedelta(days=1), time(), zone)
    return max(midnight, draft.after or midnight), following


def _listed(text: str, slots: tuple[Slot, ...], more: datetime | None, draft: Draft, view: View) -> Say:
    if not slots:
        service = view.business.service(_service(draft, view))
        text = view.copy("no_times", service=service.name if service else view.copy("an_appointment"))
        return Say(text=text, key="no_times", options=(Option(AskPerson(), view.copy("a_person")),))
    options = [Option(pick(slot, draft), view.short(slot.start), _staff(slot, view)) for slot in slots]
    if more is not None:
        options.append(Option(MoreTimes(*draft.wants, more), view.copy("more_times"), view.copy("more_times_hint")))
    today = view.now.astimezone(view.business.zone).date()
    options.append(Option(OtherDay(*draft.wants, today), view.copy("other_day"), view.copy("other_day_hint")))
    key = f"times:{draft.service}:{draft.day}:{draft.part}:{draft.after}:{slots[0].start.isoformat()}"
    return Say(text=text, key=key, options=tuple(options), button=view.copy("times_button"))


def _question(draft: Draft, view: View) -> str:
    moving = view.appointment(draft.appointment) if draft.appointment is not None else None
    service = view.business.service(_service(draft, view))
    name = service.name if service is not None else view.copy("an_appointment")
    stands = f"{view.about('stands', moving)}\n\n" if moving is not None else ""
    if draft.day is not None and draft.last_day is not None:
        days = {"since": view.wording.day(draft.day), "until": view.wording.day(draft.last_day)}
        return stands + view.copy("which_time_days", service=name, **days)
    if draft.day is not None:
        return stands + view.copy("which_time_day", service=name, day=view.wording.day(draft.day))
    if moving is not None:
        return view.copy("which_time_move", when=view.when(moving.start))
    return view.copy("which_time", service=name)


def _staff(slot: Slot, view: View) -> str:
    who = view.business.staff_for(slot.service)
    if len(who) == 1:
        return ""
    return view.copy("with_staff", staff=next(one.name for one in who if one.id == slot.staff))


def _service(draft: Draft, view: View) -> int:
    """The service whose length and people count; an imported appointment may name none: then the first one."""
    return draft.service if draft.service is not None else view.services[0].id
