"""With whom? Asked only when the customer wants to see other people's times."""

from dataclasses import replace

from bot.conversation.draft import Draft
from bot.conversation.effects import Option, Say
from bot.conversation.events import Event, Said, Tapped
from bot.conversation.pages import ROWS, Page, page
from bot.conversation.replies import OtherStaff, PickStaff
from bot.conversation.steps.turning import onward, turning
from bot.conversation.view import View
from bot.core.business import Staff

ANYBODY = 0
"""Stands for whoever is free."""


class ChoosePerson:
    """Answered by a row, or by typing a name. A day that was chosen stays chosen."""

    def settle(self, draft: Draft, view: View) -> Draft:
        del view
        return draft

    def open(self, draft: Draft, view: View) -> bool:
        return draft.people_from is not None and bool(_people(draft, view))

    def ask(self, draft: Draft, view: View) -> Say:
        shown = _page(draft, view)
        options = [Option(PickStaff(*draft.wants, one.id), one.name) for one in shown.shown]
        anybody = Option(PickStaff(*draft.wants, ANYBODY), view.copy("anybody"), view.copy("anybody_hint"))
        leading = turning(shown, lambda place: OtherStaff(*draft.wants, place), "more_people", view)
        return Say(
            text=view.copy("with_whom"),
            key="with_whom",
            options=(*options, anybody, *leading),
            button=view.copy("people_button"),
        )

    def read(self, event: Event, draft: Draft, view: View) -> Draft | None:
        match event:
            case Tapped(reply=OtherStaff(first=first)):
                return _asked(first, draft)
            case Tapped(reply=PickStaff(staff=staff)):
                return _with(staff, draft)
            case Said(text=text) if self.open(draft, view):
                return _typed(text, draft, view)
            case Said(text=text) if draft.service is not None and view.wording.means(text, "other_person"):
                return _asked(0, draft)
            case _:
                return None


def _typed(text: str, draft: Draft, view: View) -> Draft | None:
    said = " ".join(text.split()).casefold()
    named = [one.id for one in _people(draft, view) if " ".join(one.name.split()).casefold() == said]
    if named or view.wording.means(text, "anybody"):
        return _with(named[0] if named else ANYBODY, draft)
    following = _page(draft, view).following
    if following is not None and onward(text, "more_people", view):
        return _asked(following, draft)
    return None


def _asked(first: int, draft: Draft) -> Draft:
    return replace(draft, people_from=first, days_since=None, after=None, start=None)


def _with(staff: int, draft: Draft) -> Draft:
    return replace(draft, staff=staff or None, people_from=None, after=None, start=None)


def _page(draft: Draft, view: View) -> Page[Staff]:
    return page(_people(draft, view), draft.people_from or 0, room=ROWS - 1)


def _people(draft: Draft, view: View) -> tuple[Staff, ...]:
    """Who does it; nobody to choose from where only one does."""
    people = view.business.staff_for(draft.service) if draft.service is not None else ()
    return people if len(people) > 1 else ()
