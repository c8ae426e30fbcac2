"""Which day suits the customer? Asked only when they want to see other days."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from bot.conversation.draft import Draft
from bot.conversation.effects import Option, Say
from bot.conversation.events import Event, Said, Tapped
from bot.conversation.pages import Page, page
from bot.conversation.replies import OtherDay, PickDay
from bot.conversation.steps.turning import onward, turning
from bot.conversation.view import View
from bot.understanding.intent import Wish, wish


class ChooseDay:
    """Answered by a row with a day that has free times."""

    def settle(self, draft: Draft, view: View) -> Draft:
        del view
        return draft

    def open(self, draft: Draft, view: View) -> bool:
        return draft.days_since is not None and draft.day is None and bool(_days(draft, view))

    def ask(self, draft: Draft, view: View) -> Say:
        days = _days(draft, view)
        shown = _page(days, draft)
        options = [Option(PickDay(*draft.wants, day), view.wording.short_day(day)) for day in shown.shown]
        leading = turning(shown, lambda place: OtherDay(*draft.wants, days[place]), "more_days", view)
        return Say(
            text=view.copy("which_day"),
            key="which_day",
            options=(*options, *leading),
            button=view.copy("days_button"),
        )

    def read(self, event: Event, draft: Draft, view: View) -> Draft | None:
        match event:
            case Tapped(reply=OtherDay(since=since)):
                return _asked(since, draft)
            case Tapped(reply=PickDay(day=day)):
                return replace(draft, day=day, days_since=None, people_from=None, after=None, start=None)
            case Said(text=text) if wish(text) is Wish.OTHER_DAY:
                return _asked(view.now.astimezone(view.business.zone).date(), draft)
            case Said(text=text) if self.open(draft, view) and onward(text, "more_days", view):
                days = _days(draft, view)
                following = _page(days, draft).following
                return _asked(days[following], draft) if following is not None else None
            case _:
                return None


def _asked(since: date, draft: Draft) -> Draft:
    return replace(draft, days_since=since, day=None, people_from=None, after=None, start=None)


def _page(days: Sequence[date], draft: Draft) -> Page[date]:
    since = draft.days_since
    return page(days, sum(day < since for day in days) if since is not None else 0)


def _days(draft: Draft, view: View) -> tuple[date, ...]:
    if draft.service is None:
        return ()
    return view.calendar.days(draft.service, staff=draft.staff, ignore=draft.appointment, part=draft.part)
