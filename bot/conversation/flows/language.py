"""Another language, please: from now on, and what was just asked is asked again in it."""

from bot.conversation.draft import Draft
from bot.conversation.events import Said
from bot.conversation.flows import attendee, hello, mine
from bot.conversation.flows.running import FLOWS
from bot.conversation.flows.talk import LATE
from bot.conversation.flows.which import reminded
from bot.conversation.step import Decision, advance
from bot.conversation.view import View
from bot.understanding.speak import asked_language


def wished(event: Said, view: View) -> str | None:
    """The language that the customer asks for by name."""
    return asked_language(event.text, services=" ".join(one.name for one in view.business.services))


def said(event: Said, draft: Draft, view: View) -> Decision:
    """The view speaks the new language already. A person who has the chat must see the wish too."""
    if view.muted or view.now - event.at > LATE or event.about is not None or wished(event, view) is None:
        return attendee.said(event, draft, view)
    if draft.flow is not None:
        return advance(FLOWS[draft.flow], draft, view)
    return mine.show(draft, view) if reminded(view) else hello.greet(draft, view)
