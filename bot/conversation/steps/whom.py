"""Who comes? Asked of whoever books for several people, once the time is chosen; and of *my son* the name."""

from collections.abc import Iterator
from dataclasses import replace

from bot.conversation.draft import Draft, Whom
from bot.conversation.effects import Option, Say
from bot.conversation.events import Event, Said, Tapped
from bot.conversation.replies import NEW, ForWhom
from bot.conversation.steps.name import LONGEST, a_name
from bot.conversation.view import View
from bot.core.appointment import Appointment
from bot.core.names import name_of, sayable
from bot.understanding.attendee import Attendee, attendee, is_me
from bot.understanding.words import plain

BUTTONS, ROWS = 3, 10


class SayWhom:
    """Answered by a tap or by typing a name."""

    def settle(self, draft: Draft, view: View) -> Draft:
        del view
        return draft

    def open(self, draft: Draft, view: View) -> bool:
        if draft.whom is Whom.ANOTHER:
            return draft.attendee is None
        return draft.whom is None and next(others(view), None) is not None

    def ask(self, draft: Draft, view: View) -> Say:
        options = [Option(ForWhom(one.id), sayable(one.attendee or "")) for one in others(view)]
        if draft.whom is None:
            options.insert(0, Option(ForWhom(NEW), view.copy("for_me")))
        if not options:
            return Say(text=view.copy("what_name"), key="what_name:whom")
        button = view.copy("names_button") if len(options) > BUTTONS else ""
        return Say(text=view.copy("for_whom"), key="for_whom", options=tuple(options[:ROWS]), button=button)

    def read(self, event: Event, draft: Draft, view: View) -> Draft | None:
        match event:
            case Tapped(reply=ForWhom(appointment=number)):
                return _of(number, draft, view)
            case Said() if draft.start is not None and self.open(draft, view):
                return _typed(event, draft, view)
            case _:
                return None


def others(view: View) -> Iterator[Appointment]:
    """The latest appointment of each other person that this customer booked for."""
    own, seen = _words(view.customer.name), set[str]()
    for one in sorted(view.appointments, key=lambda each: each.slot_set_at, reverse=True):
        name = plain(one.attendee or "")
        # A customer who is listed elsewhere by a longer name is no other person.
        if name and name not in seen and not own & _words(one.attendee or ""):
            seen.add(name)
            yield one


def heard(text: str, view: View) -> Attendee | None:
    """Whom a text speaks of, in the light of this business and of whom the customer booked for."""
    taken = [*(one.name for one in view.business.services), *(one.name for one in view.business.staff)]
    return attendee(text, taken=taken, known=[one.attendee or "" for one in others(view)])


def noted(found: Attendee, draft: Draft) -> Draft:
    """The request with that in it."""
    name = name_of(found.name or "", LONGEST) or None
    return replace(draft, whom=Whom.ME if found.me else Whom.ANOTHER, attendee=name)


def _of(number: int, draft: Draft, view: View) -> Draft | None:
    if number == NEW:
        return replace(draft, whom=Whom.ME, attendee=None)
    known = view.appointment(number)
    return replace(draft, whom=Whom.ANOTHER, attendee=known.attendee) if known and known.attendee else None


def _typed(said: Said, draft: Draft, view: View) -> Draft | None:
    found = heard(said.text, view)
    if found is not None:
        return noted(found, draft)
    if is_me(said.text):
        return replace(draft, whom=Whom.ME, attendee=None)
    return noted(Attendee(name=said.text), draft) if a_name(said) else None


def _words(name: str) -> set[str]:
    return set(plain(name).split())
