"""What shall we call the customer? Asked only when the WhatsApp profile says nothing that one could say aloud."""

from dataclasses import replace

from bot.conversation.draft import Draft
from bot.conversation.effects import Say
from bot.conversation.events import Event, Said
from bot.conversation.view import View
from bot.core.graphemes import split_at
from bot.understanding.intent import Intent, intent

LONGEST = 60


class GiveName:
    """Answered by typing."""

    def settle(self, draft: Draft, view: View) -> Draft:
        del view
        return draft

    def open(self, draft: Draft, view: View) -> bool:
        return not speakable(view.customer.name) and draft.name is None

    def ask(self, draft: Draft, view: View) -> Say:
        del draft
        return Say(text=view.copy("what_name"), key="what_name")

    def read(self, event: Event, draft: Draft, view: View) -> Draft | None:
        match event:
            case Said(text=text) if draft.start is not None and self.open(draft, view) and _a_name(text):
                return replace(draft, name=split_at(" ".join(text.split()), LONGEST)[0])
            case _:
                return None


def _a_name(text: str) -> bool:
    """Anything that can be said aloud and is not *ok* or *thanks*."""
    return speakable(text) and intent(text) is Intent.UNKNOWN


def speakable(name: str) -> bool:
    """Has at least one letter of any script."""
    return any(letter.isalpha() for letter in name)
