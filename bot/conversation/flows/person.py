"""Hand over: a person takes this chat, and the bot is quiet in it for a while."""

from datetime import timedelta

from bot.conversation.draft import Draft
from bot.conversation.effects import Attend, Mute, Say
from bot.conversation.step import Decision
from bot.conversation.view import View

MUTED_FOR = timedelta(hours=4)


def person(draft: Draft, view: View, *, text: str = "") -> Decision:
    """Staff are told once; asked again while they have the chat, at most the line is repeated."""
    say = Say(text=view.copy("person_soon"), key="person_soon")
    if view.muted:
        return draft, () if draft.said == say.key else (say,)
    return draft.cleared(), (Attend(kind="person", text=text), Mute(view.now + MUTED_FOR), say)
