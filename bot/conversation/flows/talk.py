"""What is typed, and what is not text: understood by its words, in the light of what was just asked."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from types import MappingProxyType

from bot.conversation.draft import Draft, Flow
from bot.conversation.effects import Attend, Remind, Say
from bot.conversation.events import Said, Unreadable
from bot.conversation.flows import book, hello, mine, move, resume, short, standing
from bot.conversation.flows.hearing import hear, resting
from bot.conversation.flows.person import matter, person
from bot.conversation.flows.running import answered, not_understood, on, question
from bot.conversation.flows.which import candidates, on_one, spoken
from bot.conversation.replies import Change
from bot.conversation.sentence import told
from bot.conversation.step import Decision
from bot.conversation.view import View
from bot.understanding.intent import Brief, Intent, brief, wish

LATE = timedelta(hours=3)
WINDOW = timedelta(hours=24)
APOLOGY_EVERY = timedelta(hours=1)

Answer = Callable[[Said, Draft, View], Decision]


def said(event: Said, draft: Draft, view: View) -> Decision:
    """A typed message."""
    event = hear(event, draft, view)
    meant = _intent(event)
    # A quoted yes, cancel or change means the same at any time, so it is obeyed however late it comes.
    if view.now - event.at > LATE and not (event.about is not None and meant in _TO_QUOTED):
        return _late(event, draft, view)
    if view.muted and meant not in _REMINDERS:
        return draft, (Attend(kind="message", text=event.text),)
    after, effects = (
        short.to_question(event, draft, view)
        or _whatever_was_asked(meant, event, draft, view)
        or resume.asked(event, draft, view)
        or answered(event, draft, view)
        or _MEANT.get(meant, not_understood)(event, draft, view)
    )
    return after if after.misses > draft.misses or not after.misses else replace(after, misses=0), effects


def unreadable(event: Unreadable, draft: Draft, view: View) -> Decision:
    """One honest line and the menu, at most once an hour; what is going on stays as it is."""
    last = draft.apologised_at
    if view.muted:
        return draft, (Attend(kind="unreadable", text=event.kind),)
    if last is not None and view.now - last < APOLOGY_EVERY:
        return draft, ()
    key = "still_only_text" if draft.said == "only_text" else "only_text"
    text = f"{view.copy(key)} {view.copy('menu')}"
    return replace(draft, apologised_at=view.now), (Say(text=text, key=key, options=standing.menu(view)),)


def _late(event: Said, draft: Draft, view: View) -> Decision:
    """Not acted on: *tomorrow* meant another day. Answered once, while the window by its own time is open."""
    attend = Attend(kind="late_message", text=event.text)
    if view.muted or view.now - event.at >= WINDOW or draft.said == "late":
        return draft, (attend,)
    return draft, (attend, Say(text=view.copy("late"), key="late", options=standing.menu(view)))


def _intent(event: Said) -> Intent:
    return event.meaning.intent if event.meaning is not None else Intent.UNKNOWN


def _whatever_was_asked(meant: Intent, event: Said, draft: Draft, view: View) -> Decision | None:
    """Words that mean the same at every question, but *another time* while choosing one, or *hello* after a while."""
    goes_on = resting(draft, view)
    timed = wish(event.text) is not None or (event.meaning is not None and event.meaning.when is not None)
    chooses = draft.flow is not None and not goes_on and event.about is None and meant is Intent.RESCHEDULE and timed
    if chooses or (goes_on and meant is Intent.GREET):
        return None
    answer = _BRIEF.get(brief(event.text)) or _ANYTIME.get(meant)
    return answer(event, draft, view) if answer is not None else None


def _human(event: Said, draft: Draft, view: View) -> Decision:
    if event.meaning is not None and event.meaning.matter:
        return matter(event, draft, view)
    return person(draft, view, text=event.text)


def _reschedule(event: Said, draft: Draft, view: View) -> Decision:
    """Of an appointment; without any it is about the times just shown."""
    choosing = draft.flow is Flow.MOVE or (draft.flow is not None and not view.upcoming)
    if draft.flow is not None and choosing and event.about is None and not resting(draft, view):
        return on(draft.timeless(), view)
    about = event.meaning.about if event.meaning is not None else None
    return on_one(
        event,
        spoken(event, about, candidates(draft, view), view),
        draft,
        view,
        reply=Change,
        do=lambda found: move.start(Change(found.id, found.version), draft, view, said=event),
    )


def _book(event: Said, draft: Draft, view: View) -> Decision:
    """All that one sentence names; *the same as always* is offered as to a known customer."""
    always = event.meaning is not None and event.meaning.usual and event.meaning.when is None
    return (hello.again(draft, view) if always else None) or book.start(draft, view, said=event)


def _unknown(event: Said, draft: Draft, view: View) -> Decision:
    """A service's name alone, or *the usual*, is a wish to book."""
    always = event.meaning is not None and event.meaning.usual
    if draft.flow is None and (always or told(event, replace(draft, flow=Flow.BOOK), view) is not None):
        return _book(event, draft, view)
    if event.meaning is not None and event.meaning.asks:
        return question(event, draft, view)
    return not_understood(event, draft, view)


def _remind(key: str, wanted: bool) -> Answer:
    """Once: again at most as an echo."""

    def answer(_: Said, draft: Draft, view: View) -> Decision:
        if draft.said == key:
            return draft, ()
        return draft.cleared(), (Remind(wanted=wanted), Say(text=view.copy(key), key=key))

    return answer


def _thanks(_: Said, draft: Draft, view: View) -> Decision:
    return draft, () if draft.said == "thanks" else (Say(text=view.copy("thanks"), key="thanks"),)


_BRIEF: MappingProxyType[Brief | None, Answer] = MappingProxyType({Brief.NO: short.no, Brief.UNDO: short.undo})
_REMINDERS: MappingProxyType[Intent, Answer] = MappingProxyType(
    {Intent.STOP: _remind("opted_out", wanted=False), Intent.START: _remind("opted_in", wanted=True)}
)
"""Obeyed also while a person has the chat."""
_ANYTIME: MappingProxyType[Intent, Answer] = MappingProxyType(
    {
        **_REMINDERS,
        Intent.HUMAN: _human,
        Intent.CANCEL: short.cancel,
        Intent.RESCHEDULE: _reschedule,
        Intent.LIST: lambda _, draft, view: mine.show(draft, view),
        Intent.GREET: lambda _, draft, view: hello.greet(draft, view),
    }
)
"""Understood whatever was just asked."""
_MEANT: MappingProxyType[Intent, Answer] = MappingProxyType(
    {
        Intent.BOOK: _book,
        Intent.UNKNOWN: _unknown,
        Intent.CONFIRM: short.yes,
        Intent.THANKS: _thanks,
        Intent.HELP: lambda _, draft, view: (
            draft,
            (Say(text=view.copy("menu"), key="menu", options=standing.menu(view)),),
        ),
    }
)
"""Understood when the running question was not answered by it."""
_TO_QUOTED = frozenset({Intent.CONFIRM, Intent.CANCEL, Intent.RESCHEDULE})
