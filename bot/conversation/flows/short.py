"""Typed answers that mean nothing by themselves: yes, no, undo. They answer what we said last, or are not guessed."""

from types import MappingProxyType

from bot.conversation.draft import Draft
from bot.conversation.effects import Option, Say
from bot.conversation.events import Said
from bot.conversation.flows import answer, book, standing
from bot.conversation.flows.person import person
from bot.conversation.flows.running import drop, not_understood
from bot.conversation.flows.which import candidates, last_word, name_of, on_one, reminded, spoken_of
from bot.conversation.replies import Cancel, Confirm, Keep, Undo
from bot.conversation.step import Decision
from bot.conversation.view import View
from bot.core.appointment import Appointment, Status
from bot.understanding.intent import Brief, brief

_DONE = frozenset(
    [
        "moved",
        "confirmed",
        "cancelled",
        "kept",
        "thanks",
        "opted_out",
        "opted_in",
        "person_soon",
        "passed_on",
        "dropped",
    ]
)
"""Said last, these ask nothing: *ok* is no answer."""
_OFFERS = frozenset(
    ["offer_person", "gone", "your_none", "known", "late", "not_found", "unknown_button", "menu", "only_text"]
)
"""Said last, these offer something that can be declined."""


def yes(event: Said, draft: Draft, view: View) -> Decision:
    """To the quoted one, to the question just asked, to a reminder; else to the only one that waits, or ask which."""
    key = "" if event.about is not None else last_word(draft, view)
    asked = name_of(key)
    if asked == "really_cancel":
        return answer.cancel(Cancel(*_shown(key)), draft, view)
    if asked in _ACCEPTED:
        return _accept(asked, draft, view)
    about = spoken_of(key, view)
    waiting = tuple(one for one in view.upcoming if one.status is Status.SCHEDULED)
    among = about or reminded(view) or (() if asked in _DONE else waiting or view.upcoming)
    nods = brief(event.text) is Brief.NOD and asked in _DONE | {"booked", "restored", "upcoming"}
    if event.about is None and (nods or (asked in _DONE and not among)):
        return draft, ()
    if draft.flow is not None and key and not about:
        return not_understood(event, draft, view)
    return on_one(event, among, draft, view, reply=Confirm, do=lambda found: _confirm(found, draft, view))


def no(event: Said, draft: Draft, view: View) -> Decision:
    """Never a cancellation by itself: after a reminder it is asked back."""
    key = last_word(draft, view)
    asked = name_of(key)
    if event.about is not None or (not key and reminded(view)):
        return on_one(event, reminded(view), draft, view, reply=Cancel, do=lambda found: really(found, draft, view))
    if asked == "really_cancel":
        return answer.keep(Keep(*_shown(key)), draft, view)
    if draft.flow is not None or asked in _OFFERS:
        return drop(draft, view)
    return not_understood(event, draft, view)


def cancel(event: Said, draft: Draft, view: View) -> Decision:
    """While choosing, *cancel* drops the request only. Else it is asked back once, with the date."""
    key = last_word(draft, view)
    if event.about is None and draft.flow is not None and key:
        return drop(draft, view)
    if event.about is None and name_of(key) == "really_cancel":
        return answer.cancel(Cancel(*_shown(key)), draft, view)
    return on_one(
        event, candidates(draft, view), draft, view, reply=Cancel, do=lambda found: really(found, draft, view)
    )


def undo(event: Said, draft: Draft, view: View) -> Decision:
    """Takes back the cancellation that we have just spoken of."""
    key = last_word(draft, view)
    if name_of(key) == "cancelled":
        return answer.undo(Undo(*_shown(key)), draft, view)
    return not_understood(event, draft, view)


def really(found: Appointment, draft: Draft, view: View) -> Decision:
    """Ask back before a cancellation that was typed."""
    late = standing.past_deadline(found, draft, view)
    if late is not None:
        return late
    options = (
        Option(Cancel(found.id, found.version), view.copy("yes_cancel")),
        Option(Keep(found.id, found.version), view.copy("keep")),
    )
    return draft.cleared(), (standing.about("really_cancel", found, view, buttons=options),)


def _confirm(found: Appointment, draft: Draft, view: View) -> Decision:
    return answer.confirm(Confirm(found.id, found.version), draft, view)


def _shown(key: str) -> tuple[int, int]:
    appointment, version = key.split(":")[1:3]
    return int(appointment), int(version)


def _accept(asked: str, draft: Draft, view: View) -> Decision:
    """Yes to what we offered."""
    match _ACCEPTED[asked]:
        case "person":
            return person(draft, view)
        case "book":
            return book.start(draft, view, service=draft.service)
        case _:
            say = Say(text=view.copy("menu"), key="menu", options=standing.menu(view))
            return draft.cleared(), (say,)


_ACCEPTED = MappingProxyType(
    {
        "offer_person": "person",
        "gone": "book",
        "your_none": "book",
        "known": "book",
        "late": "menu",
        "not_found": "menu",
        "unknown_button": "menu",
    }
)
