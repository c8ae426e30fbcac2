"""Which time does the customer want? Ranked over several days; in order of time once a day or *more* is asked for."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

from bot.conversation.draft import Draft, Flow
from bot.conversation.effects import Option, Say
from bot.conversation.events import Event, Said, Tapped
from bot.conversation.pages import ROWS
from bot.conversation.replies import AskPerson, MoreTimes, OtherDay, OtherStaff, PickMove, PickSlot, Reply
from bot.conversation.steps.turning import onward
from bot.conversation.view import View
from bot.core.slots import Bounds, Slot
from bot.understanding.intent import Wish, wish

BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
"""*After this* stands for the first page."""
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
        for line, wider in _wider(draft, view):
            slots, more = _times(wider, view)
            if slots:
                return _listed(line, slots, more, wider, view)
        return _nothing(draft, view)

    def read(self, event: Event, draft: Draft, view: View) -> Draft | None:
        match event:
            case Tapped(reply=MoreTimes(after=after)):
                on = None if after == BEGINNING else after
                return replace(draft, after=on, days_since=None, people_from=None, start=None)
            case Said(text=text) if wish(text) is Wish.MORE_TIMES:
                return _typed_more(draft, view)
            case Said(text=text) if draft.service is not None and onward(text, "more_times", view):
                return _typed_more(draft, view)
            case _:
                return None


def _typed_more(draft: Draft, view: View) -> Draft:
    """The next page of what is shown; from the last one on to other days."""
    asking = replace(draft, days_since=None, people_from=None, start=None)
    shown = draft.start is None and draft.service is not None and draft.days_since is None
    more = _times(asking, view)[1] if shown else view.now
    if more is None:
        return replace(asking, day=None, after=None, days_since=view.today)
    return replace(asking, after=more)


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
        return _nothing(draft, view)
    options = tuple(Option(pick(slot, draft), view.short(slot.start)) for slot in slots)
    return Say(text=text, key=key, options=options)


def pick(slot: Slot, draft: Draft) -> Reply:
    """What a tap on this time means in the running flow."""
    if draft.flow is Flow.MOVE and draft.appointment is not None and draft.version is not None:
        return PickMove(draft.appointment, draft.version, slot.staff, slot.start)
    return PickSlot(slot.service, slot.staff, slot.start, draft.epoch)


def _wider(draft: Draft, view: View) -> Iterator[tuple[str, Draft]]:
    """What is asked for and, as long as there is nothing, ever more, with the line that says so."""
    yield _question(draft, view), draft
    if draft.after is not None:
        draft = replace(draft, after=None)
        yield _question(draft, view), draft
    if draft.part is not None:
        draft = replace(draft, part=None)
        yield view.copy("no_times_part"), draft
    if draft.day is not None:
        draft = replace(draft, day=None, last_day=None)
        yield view.copy("no_times_day"), draft
    if draft.staff is not None:
        draft = replace(draft, staff=None)
        yield view.copy("no_times_person"), draft


def _times(draft: Draft, view: View) -> tuple[tuple[Slot, ...], datetime | None]:
    """The times to show, and the instant after which more are shown (None when these are all)."""
    room = ROWS - len(_leading(None, draft, view))
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
        slots = _others(room - 1, lambda count: view.calendar.offers(service, count, **bounds), draft, view)
        return slots, since or view.now if len(slots) == room - 1 else None
    page = _others(room + 1, lambda count: view.calendar.free(service, limit=count, **bounds), draft, view)
    return (page, None) if len(page) <= room else (page[: room - 1], page[room - 1].start)


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
    options = [Option(pick(slot, draft), view.short(slot.start), _staff(slot, view)) for slot in slots]
    key = f"times:{draft.service}:{draft.day}:{draft.part}:{draft.after}:{slots[0].start.isoformat()}"
    return Say(text=text, key=key, options=(*options, *_leading(more, draft, view)), button=view.copy("times_button"))


def _leading(more: datetime | None, draft: Draft, view: View) -> tuple[Option, ...]:
    """The rows below the times."""
    rows = []
    if more is not None:
        rows.append(Option(MoreTimes(*draft.wants, more), view.copy("more_times"), view.copy("more_times_hint")))
    rows.append(Option(OtherDay(*draft.wants, view.today), view.copy("other_day"), view.copy("other_day_hint")))
    if draft.service is not None and len(view.business.staff_for(draft.service)) > 1:
        rows.append(Option(OtherStaff(*draft.wants, 0), view.copy("other_person"), view.copy("other_person_hint")))
    if draft.after is not None:
        back = MoreTimes(*draft.wants, BEGINNING)
        rows.append(Option(back, view.copy("first_page"), view.copy("first_page_hint")))
    return tuple(rows)


def _nothing(draft: Draft, view: View) -> Say:
    service = view.business.service(_service(draft, view))
    text = view.copy("no_times", service=service.name if service else view.copy("an_appointment"))
    return Say(text=text, key="no_times", options=(Option(AskPerson(), view.copy("a_person")),))


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
