"""Which day suits the customer? Asked only when they want to see other days."""

from dataclasses import replace
from datetime import date

from bot.conversation.draft import Draft
from bot.conversation.effects import Option, Say
from bot.conversation.events import Event, Said, Tapped
from bot.conversation.replies import OtherDay, PickDay
from bot.conversation.view import View
from bot.understanding.intent import Wish, wish

ROWS = 10


class ChooseDay:
    """Answered by a row with a day that has free times."""

    def settle(self, draft: Draft, view: View) -> Draft:
        del view
        return draft

    def open(self, draft: Draft, view: View) -> bool:
        return draft.days_since is not None and draft.day is None and bool(_days(draft, view))

    def ask(self, draft: Draft, view: View) -> Say:
        days = _days(draft, view)
        shown = days if len(days) <= ROWS else days[: ROWS - 1]
        options = [Option(PickDay(*draft.wants, day), view.wording.short_day(day)) for day in shown]
        if len(days) > len(shown):
            options.append(
                Option(OtherDay(*draft.wants, days[len(shown)]), view.copy("other_day"), view.copy("more_times_hint"))
            )
        return Say(
            text=view.copy("which_day"), key="which_day", options=tuple(options), button=view.copy("days_button")
        )

    def read(self, event: Event, draft: Draft, view: View) -> Draft | None:
        match event:
            case Tapped(reply=OtherDay(since=since)):
                return replace(draft, days_since=since, day=None, after=None, start=None)
            case Tapped(reply=PickDay(day=day)):
                return replace(draft, day=day, days_since=None, after=None, start=None)
            case Said(text=text) if wish(text) is Wish.OTHER_DAY:
                today = view.now.astimezone(view.business.zone).date()
                return replace(draft, days_since=today, day=None, after=None, start=None)
            case _:
                return None


def _days(draft: Draft, view: View) -> tuple[date, ...]:
    if draft.service is None or draft.days_since is None:
        return ()
    days = view.calendar.days(draft.service, staff=draft.staff, ignore=draft.appointment, part=draft.part)
    return tuple(day for day in days if day >= draft.days_since)
