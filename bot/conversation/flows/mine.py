"""My appointments: one is shown with its buttons, several as a list to choose from."""

from collections.abc import Callable

from bot.conversation.draft import Draft
from bot.conversation.effects import Option, Say
from bot.conversation.flows import standing
from bot.conversation.pages import page
from bot.conversation.replies import PURPOSES, BookNew, Cancel, Change, Confirm, MoreMine, ShowOne
from bot.conversation.step import Decision
from bot.conversation.steps.turning import onward, turning
from bot.conversation.view import View
from bot.core.appointment import Appointment

Purpose = type[ShowOne | Confirm | Change | Cancel]
_QUESTIONS = ("your_many", "which_one")


def show(draft: Draft, view: View) -> Decision:
    """All that is ahead."""
    return choose("your_many", ShowOne, draft, view, one=lambda only: one(ShowOne(only.id, only.version), draft, view))


def more(tap: MoreMine, draft: Draft, view: View) -> Decision:
    """Another page of a list of appointments; the only one that is left is shown."""
    return choose(
        "your_many" if tap.purpose == "one" else "which_one",
        PURPOSES[tap.purpose],
        draft,
        view,
        one=lambda only: one(ShowOne(only.id, only.version), draft, view),
        first=tap.first,
    )


def typed(text: str, draft: Draft, view: View) -> Decision | None:
    """*More* after such a list, typed; None for anything else."""
    question, _, rest = draft.said.partition(":")
    purpose, _, following = rest.partition(":")
    if question in _QUESTIONS and following and onward(text, "more_mine", view):
        return more(MoreMine(purpose, int(following)), draft, view)
    return None


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
    purpose: Purpose,
    draft: Draft,
    view: View,
    *,
    one: Callable[[Appointment], Decision],
    among: tuple[Appointment, ...] | None = None,
    first: int = 0,
) -> Decision:
    """Do `one` to the only candidate, else ask which; without any, offer to book."""
    candidates = view.upcoming if among is None else among
    if not candidates:
        book = Option(BookNew(), view.copy("book"))
        return draft.cleared(), (Say(text=view.copy("your_none"), key="your_none", options=(book,)),)
    if len(candidates) == 1:
        return one(candidates[0])
    shown = page(candidates, first)
    options = [Option(purpose(each.id, each.version), view.short(each.start), view.named(each)) for each in shown.shown]
    name = next(name for name, kind in PURPOSES.items() if kind is purpose)

    def to(place: int) -> MoreMine:
        return MoreMine(name, view.upcoming.index(candidates[place]) if place else 0)

    say = Say(
        text=view.copy(question),
        key=question if shown.following is None else f"{question}:{name}:{to(shown.following).first}",
        options=(*options, *turning(shown, to, "more_mine", view)),
        button=view.copy("appointments_button"),
    )
    return draft.cleared(), (say,)
