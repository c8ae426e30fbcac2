"""What is typed, and what is not text: understood by its words, in the light of what was just asked."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from types import MappingProxyType

from bot.conversation.draft import Draft
from bot.conversation.effects import Attend, Remind, Say
from bot.conversation.events import Said, Unreadable
from bot.conversation.flows import book, hello, mine, move, short, standing
from bot.conversation.flows.person import person
from bot.conversation.flows.running import answered, not_understood
from bot.conversation.flows.which import candidates, on_one
from bot.conversation.replies import Change
from bot.conversation.step import Decision
from bot.conversation.view import View
from bot.understanding.intent import Brief, Intent, brief, intent, wish

LATE = timedelta(hours=3)
WINDOW = timedelta(hours=24)
APOLOGY_EVERY = timedelta(hours=1)

Answer = Callable[[Said, Draft, View], Decision]


def said(event: Said, draft: Draft, view: View) -> Decision:
    """A typed message."""
    meant = intent(event.text)
    # A quoted yes, cancel or change means the same at any time, so it is obeyed however late it comes.
    if view.now - event.at > LATE and not (event.about is not None and meant in _TO_QUOTED):
        return _late(event, draft, view)
    if view.muted and meant not in _REMINDERS:
        return draft, (Attend(kind="message", text=event.text),)
    after, effects = (
        _whatever_was_asked(meant, event, draft, view)
        or answered(event, draft, view)
        or _MEANT.get(meant, not_understood)(event, draft, view)
    )
    return after if after.misses > draft.misses else replace(after, misses=0), effects


def unreadable(event: Unreadable, draft: Draft, view: View) -> Decision:
    """One honest line and the menu, at most once an hour; what is going on stays as it is."""
    last = draft.apologised_at
    if view.muted:
        return draft, (Attend(kind="unreadable", text=event.kind),)
    if last is not None and view.now - last < APOLOGY_EVERY:
        return draft, ()
    text = f"{view.copy('only_text')} {view.copy('menu')}"
    return replace(draft, apologised_at=view.now), (Say(text=text, key="only_text", options=standing.menu(view)),)


def _late(event: Said, draft: Draft, view: View) -> Decision:
    """Not acted on: *tomorrow* meant another day. Answered once, while the window by its own time is open."""
    attend = Attend(kind="late_message", text=event.text)
    if view.muted or view.now - event.at >= WINDOW or draft.said == "late":
        return draft, (attend,)
    return draft, (attend, Say(text=view.copy("late"), key="late", options=standing.menu(view)))


def _whatever_was_asked(meant: Intent, event: Said, draft: Draft, view: View) -> Decision | None:
    """Words that mean the same at every question, but *another time* while choosing one."""
    chooses = draft.flow is not None and meant is Intent.RESCHEDULE and wish(event.text) is not None
    answer = _BRIEF.get(brief(event.text)) or (None if chooses else _ANYTIME.get(meant))
    return answer(event, draft, view) if answer is not None else None


def _reschedule(event: Said, draft: Draft, view: View) -> Decision:
    return on_one(
        event,
        candidates(draft, view),
        draft,
        view,
        reply=Change,
        do=lambda found: move.start(Change(found.id, found.version), draft, view),
    )


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
        Intent.HUMAN: lambda event, draft, view: person(draft, view, text=event.text),
        Intent.CANCEL: short.cancel,
        Intent.RESCHEDULE: _reschedule,
        Intent.LIST: lambda _, draft, view: mine.show(draft, view),
        Intent.GREET: lambda _, draft, view: hello.greet(draft, view),
    }
)
"""Understood whatever was just asked."""
_MEANT: MappingProxyType[Intent, Answer] = MappingProxyType(
    {
        Intent.BOOK: lambda _, draft, view: book.start(draft, view),
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
