"""For somebody else: who comes is heard in any sentence, kept with the request, and asked where it is not clear."""

from dataclasses import replace
from typing import Any

from bot.conversation.draft import Draft, Flow, Whom
from bot.conversation.effects import Attend, Effect
from bot.conversation.events import Said, Tapped
from bot.conversation.flows import book, standing, talk
from bot.conversation.flows.book import BOOK
from bot.conversation.flows.running import answered, ask
from bot.conversation.flows.which import last_word, name_of
from bot.conversation.step import Decision, advance
from bot.conversation.steps.whom import SayWhom, heard, noted
from bot.conversation.view import View
from bot.understanding.attendee import Attendee


def said(event: Said, draft: Draft, view: View) -> Decision:
    """What is typed, without the words that say who comes; those are kept for the booking that it leads to."""
    found = None if view.muted or view.now - event.at > talk.LATE or _asked(draft, view) else heard(event.text, view)
    if found is None:
        return talk.said(event, draft, view)
    if not found.rest:
        return _only(found, draft, view)
    after, effects = talk.said(replace(event, text=found.rest), noted(found, draft), view)
    if after.misses > draft.misses and draft.flow is None:
        return _only(found, draft, view)  # *and another for my daughter*: who comes is all that is clear, and enough
    if after.flow is Flow.BOOK and after.whom is None:
        after = noted(found, after)
    return after, tuple(_whole(effect, found.rest, event.text) for effect in effects)


def chosen(event: Tapped, draft: Draft, view: View) -> Decision:
    """A name was tapped; again, after the booking, it says nothing new."""
    if draft.flow is Flow.BOOK:
        return answered(event, draft, view) or standing.unknown_button(draft, view)
    booked = name_of(last_word(draft, view)) == "booked"
    return (draft, ()) if booked else standing.unknown_button(draft, view)


def again(name: str | None, draft: Draft) -> dict[str, Any]:
    """What is known of who comes when the time has gone to another."""
    return {"whom": Whom.ANOTHER, "attendee": name} if name else {"whom": draft.whom, "attendee": draft.attendee}


def _asked(draft: Draft, view: View) -> bool:
    """It is the question: the step reads the answer whole."""
    return draft.flow is Flow.BOOK and draft.start is not None and SayWhom().open(draft, view)


def _only(found: Attendee, draft: Draft, view: View) -> Decision:
    """Nothing else was said: the running booking goes on for that person, or one begins."""
    if draft.flow is not Flow.BOOK:
        begun, effects = book.start(draft, view)
        if begun.flow is not Flow.BOOK or found.name is None:
            return (noted(found, begun) if begun.flow is Flow.BOOK else begun), effects
        begun = noted(found, begun)
        return begun, tuple(book.prefixed(_noted(begun, view), effect) for effect in effects)
    draft = noted(found, draft)
    if draft.attendee is None:
        return advance(BOOK, draft, view)
    return ask(_noted(draft, view), draft, view)


def _noted(draft: Draft, view: View) -> str:
    return view.copy("noted_whom", attendee=draft.attendee or "")


def _whole(effect: Effect, rest: str, text: str) -> Effect:
    """Staff read all that was written."""
    return replace(effect, text=text) if isinstance(effect, Attend) and effect.text == rest else effect
