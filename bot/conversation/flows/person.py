"""Hand over: a person takes this chat and the bot is quiet in it for a while, or staff are only told."""

from datetime import timedelta

from bot.conversation.draft import Draft
from bot.conversation.effects import Attend, Mute, Say
from bot.conversation.events import Said
from bot.conversation.flows.which import reminded
from bot.conversation.step import Decision
from bot.conversation.view import View

MUTED_FOR = timedelta(hours=4)


def person(draft: Draft, view: View, *, text: str = "") -> Decision:
    """Staff are told once; asked again while they have the chat, at most the line is repeated."""
    say = Say(text=view.copy("person_soon"), key="person_soon")
    if view.muted:
        return draft, () if draft.said == say.key else (say,)
    return draft.cleared(), (Attend(kind="person", text=text), Mute(view.now + MUTED_FOR), say)


def matter(event: Said, draft: Draft, view: View) -> Decision:
    """What only staff can use (being late, a complaint): passed on, one line, and we go on talking."""
    nearest = [one.id for one in (*reminded(view), *view.upcoming)]
    about = event.about.appointment if event.about is not None else next(iter(nearest), None)
    attend = Attend(kind="matter", text=event.text, appointment=about)
    say = Say(text=view.copy("passed_on"), key="passed_on")
    return draft, (attend,) if draft.said == say.key else (attend, say)
