"""My appointments: one is shown with its buttons, several as a list to choose from."""

from collections.abc import Callable

from bot.conversation.draft import Draft
from bot.conversation.effects import Option, Say
from bot.conversation.flows import standing
from bot.conversation.replies import BookNew, Reply, ShowOne
from bot.conversation.step import Decision
from bot.conversation.view import View
from bot.core.appointment import Appointment

ROWS = 10


def show(draft: Draft, view: View) -> Decision:
    """All that is ahead."""
    return choose("your_many", ShowOne, draft, view, one=lambda only: one(ShowOne(only.id, only.version), draft, view))


def one(tap: ShowOne, draft: Draft, view: View) -> Decision:
    """One appointment with Confirm, Change, Cancel."""
    found = standing.check(tap.appointment, tap.version, draft, view)
    if not isinstance(found, Appointment):
        return found
    status = view.copy(f"status_{found.status}")
    text = view.copy("your_one", service=view.named(found), when=view.when(found.start), status=status)
    say = Say(
        text=text,
        key=f"one:{found.id}:{found.version}:{found.status}",
        options=standing.buttons(found, view),
        appointment=found.id,
    )
    return draft.cleared(), (say,)


def choose(
    question: str,
    reply: Callable[[int, int], Reply],
    draft: Draft,
    view: View,
    *,
    one: Callable[[Appointment], Decision],
    among: tuple[Appointment, ...] | None = None,
) -> Decision:
    """Do `one` to the only candidate, else ask which; without any, offer to book."""
    candidates = view.upcoming if among is None else among
    if not candidates:
        book = Option(BookNew(), view.copy("book"))
        return draft.cleared(), (Say(text=view.copy("your_none"), key="your_none", options=(book,)),)
    if len(candidates) == 1:
        return one(candidates[0])
    options = tuple(
        Option(reply(each.id, each.version), view.short(each.start), view.named(each)) for each in candidates[:ROWS]
    )
    say = Say(
        text=view.copy(question),
        key=question,
        options=options,
        button=view.copy("appointments_button"),
    )
    return draft.cleared(), (say,)
