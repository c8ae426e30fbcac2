"""A request was left lying for an hour or more: is it still wanted? After a day nobody asks, it is gone."""

from bot.conversation.draft import Draft, Flow
from bot.conversation.effects import Option, Say
from bot.conversation.events import Said
from bot.conversation.flows import standing
from bot.conversation.flows.hearing import resting
from bot.conversation.flows.running import on
from bot.conversation.replies import BookNew, GoOn, Keep, Reply
from bot.conversation.sentence import services_named, told
from bot.conversation.step import Decision
from bot.conversation.view import View
from bot.understanding.intent import Intent

_GOES_ON = frozenset({Intent.GREET, Intent.BOOK, Intent.CONFIRM, Intent.ANSWER, Intent.UNKNOWN})
"""Everything else is a wish of its own."""


def asked(event: Said, draft: Draft, view: View) -> Decision | None:
    """Ask, with what the message adds already noted; None where there is nothing to ask."""
    meaning = event.meaning
    if meaning is None or meaning.intent not in _GOES_ON or not resting(draft, view):
        return None
    named = told(event, draft, view)
    if meaning.intent is Intent.BOOK and meaning.when is not None and services_named(event, view):
        return None  # a whole wish: it needs nothing of the old one
    draft = named or draft
    return draft, (_question(draft, view),)


def go_on(draft: Draft, view: View) -> Decision:
    """On with it: the question that is open."""
    if draft.flow is None:
        return standing.unknown_button(draft, view)
    return on(draft, view)


def _question(draft: Draft, view: View) -> Say:
    service = view.business.service(draft.service) if draft.service is not None else None
    name = service.name if service is not None else ""
    anew: Reply = BookNew()
    key = "go_on_service" if name else "go_on"
    if draft.flow is Flow.MOVE:
        key, anew = "go_on_move", Keep(draft.appointment or 0, draft.version or 0)
    no = Option(anew, view.copy("keep" if draft.flow is Flow.MOVE else "begin_anew"))
    return Say(text=view.copy(key, service=name), key="go_on", options=(Option(GoOn(), view.copy("yes_go_on")), no))
