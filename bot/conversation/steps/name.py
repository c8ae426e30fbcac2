"""What shall we call the customer? Asked only when the WhatsApp profile says nothing that one could say aloud.

Not asked either when somebody else comes whose name is known.
"""

from dataclasses import replace

from bot.conversation.draft import Draft
from bot.conversation.effects import Say
from bot.conversation.events import Event, Said
from bot.conversation.view import View
from bot.core.names import called, name_of
from bot.understanding.intent import Intent

LONGEST = 60


class GiveName:
    """Answered by typing."""

    def settle(self, draft: Draft, view: View) -> Draft:
        del view
        return draft

    def open(self, draft: Draft, view: View) -> bool:
        return not (speakable(view.customer.name) or draft.name or draft.attendee)

    def ask(self, draft: Draft, view: View) -> Say:
        del draft
        return Say(text=view.copy("what_name"), key="what_name")

    def read(self, event: Event, draft: Draft, view: View) -> Draft | None:
        match event:
            case Said(text=text) if draft.start is not None and self.open(draft, view) and a_name(event):
                return replace(draft, name=name_of(text, LONGEST))
            case _:
                return None


def a_name(said: Said) -> bool:
    """Anything that can be said aloud and is not *ok* or *thanks*."""
    return speakable(said.text) and said.meaning is not None and said.meaning.intent is Intent.UNKNOWN


def speakable(name: str) -> bool:
    """Has at least one letter of any script."""
    return bool(called(name))
