"""Typed answers that mean nothing by themselves: yes, no, undo. They answer what we said last, or are not guessed."""

from dataclasses import replace
from functools import partial
from types import MappingProxyType

from bot.conversation.draft import Draft
from bot.conversation.effects import Option, Say
from bot.conversation.events import Said
from bot.conversation.flows import answer, book, mine, move, resume, standing
from bot.conversation.flows.person import person
from bot.conversation.flows.running import drop, not_understood
from bot.conversation.flows.which import (
    candidates,
    fresh,
    last_word,
    name_of,
    named,
    on_one,
    reminded,
    spoken,
    spoken_of,
    stands,
)
from bot.conversation.replies import Cancel, Confirm, Keep, PickMove, PickSlot, ShowOne, Undo, decode
from bot.conversation.step import Decision
from bot.conversation.view import View
from bot.core.appointment import Appointment, Status
from bot.understanding.intent import Brief, Intent, brief
from bot.understanding.meaning import When
from bot.understanding.words import plain

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
        "question",
        "dropped",
    ]
)
"""Said last, these ask nothing: *ok* is no answer."""
_OFFERS = frozenset(
    [
        "offer_person",
        "gone",
        "your_none",
        "known",
        "late",
        "not_found",
        "unknown_button",
        "menu",
        "only_text",
        "still_only_text",
    ]
)
"""Said last, these offer something that can be declined."""


def to_question(event: Said, draft: Draft, view: View) -> Decision | None:
    """A plain answer to a question that we have just asked; None when it is none."""
    key = "" if event.about is not None else last_word(draft, view)
    answer = _QUESTIONS.get(name_of(key))
    return answer(event, key, draft, view) if answer is not None else None


def _to_really(event: Said, key: str, draft: Draft, view: View) -> Decision | None:
    """*Shall I cancel it?* A plain yes, or *cancel it*; *I am coming* is a no; *confirmed* could be either."""
    meaning = event.meaning
    said = brief(event.text)
    shown = spoken_of(key, view)
    if meaning is None or not shown or (meaning.when is not None and not stands(shown[0], meaning.when, view)):
        return None
    if said is Brief.NO or meaning.bare == "no" or (meaning.keeps and meaning.intent is not Intent.CANCEL):
        return answer.keep(Keep(*_shown(key)), draft, view)
    if meaning.intent is Intent.CANCEL or meaning.bare == "yes" or said is Brief.NOD:
        if fresh(draft, view):
            return answer.cancel(Cancel(*_shown(key)), draft, view)
        return really(shown[0], draft, view)
    if meaning.intent is not Intent.CONFIRM or draft.misses:
        return None
    asking, asked = really(shown[0], draft, view)
    line = view.copy("not_understood")
    return replace(asking, misses=draft.misses + 1), tuple(book.prefixed(line, one) for one in asked)


def _to_is_it(event: Said, key: str, draft: Draft, view: View) -> Decision | None:
    """*Is it this time?* Yes, unless another time is named beside it."""
    meaning, reply = event.meaning, decode(key.partition(":")[2])
    if meaning is None or meaning.when is not None or not fresh(draft, view):
        return None
    titles = {plain(view.copy(key)) for key in ("yes_book", "yes_move")}
    if meaning.intent is not Intent.CONFIRM and brief(event.text) is not Brief.NOD and plain(event.text) not in titles:
        return None
    if isinstance(reply, PickSlot):
        return book.pick(reply, draft, view)
    return move.pick(reply, draft, view) if isinstance(reply, PickMove) else None


def _to_go_on(event: Said, key: str, draft: Draft, view: View) -> Decision | None:
    """*Shall we go on?* The answer to the question before may come at once."""
    del key
    plain_yes = event.meaning is not None and event.meaning.intent is Intent.CONFIRM and event.meaning.when is None
    return resume.go_on(draft, view) if plain_yes and draft.flow is not None and fresh(draft, view) else None


_QUESTIONS = MappingProxyType({"really_cancel": _to_really, "is_it": _to_is_it, "go_on": _to_go_on})


def yes(event: Said, draft: Draft, view: View) -> Decision:
    """To the quoted one, to what was offered, to a reminder; else to the only one that waits, or ask which."""
    key = "" if event.about is not None else last_word(draft, view)
    asked = name_of(key)
    if asked in _ACCEPTED:
        return _accept(asked, draft, view)
    when = event.meaning.when if event.meaning is not None else None
    about = spoken_of(key, view)
    waiting = tuple(one for one in view.upcoming if one.status is Status.SCHEDULED)
    among = about or reminded(view) or (() if asked in _DONE else waiting or view.upcoming)
    nods = brief(event.text) is Brief.NOD and asked in _DONE | {"booked", "restored", "upcoming"}
    if event.about is None and (nods or (asked in _DONE and not among)):
        return draft, ()
    if draft.flow is not None and key and not about:
        return not_understood(event, draft, view)
    do = partial(_confirm, when=when, draft=draft, view=view)
    return on_one(event, named(when, among, view), draft, view, reply=Confirm, do=do)


def no(event: Said, draft: Draft, view: View) -> Decision:
    """Never a cancellation by itself: after a reminder it is asked back."""
    key = last_word(draft, view)
    asked = name_of(key)
    if event.about is not None or (not key and reminded(view)):
        return on_one(event, reminded(view), draft, view, reply=Cancel, do=lambda found: really(found, draft, view))
    if draft.flow is not None or asked in _OFFERS:
        return drop(draft, view)
    return not_understood(event, draft, view)


def cancel(event: Said, draft: Draft, view: View) -> Decision:
    """While choosing, *cancel* drops the request only. Else it is asked back once, with the date."""
    key = last_word(draft, view)
    if event.about is None and draft.flow is not None and key:
        return drop(draft, view)
    when = event.meaning.when if event.meaning is not None else None
    among = spoken(event, when, candidates(draft, view), view)
    return on_one(event, among, draft, view, reply=Cancel, do=lambda found: really(found, draft, view))


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


def _confirm(found: Appointment, *, when: When | None, draft: Draft, view: View) -> Decision:
    """Who says yes to another time than it has is shown it instead."""
    if not stands(found, when, view):
        return mine.one(ShowOne(found.id, found.version), draft, view)
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
