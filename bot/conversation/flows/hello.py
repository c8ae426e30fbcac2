"""The greeting: what is most likely wanted, already with the buttons for it."""

from dataclasses import replace

from bot.conversation.draft import Draft, Flow
from bot.conversation.effects import Option, Say
from bot.conversation.flows import book, standing
from bot.conversation.replies import BookNew
from bot.conversation.step import Decision
from bot.conversation.steps.time import NEAREST, pick
from bot.conversation.view import View
from bot.core.names import called
from bot.core.usual import usual


def greet(draft: Draft, view: View) -> Decision:
    """An upcoming appointment, else the last service with the three best times, else a booking's first question."""
    if view.upcoming:
        return _upcoming(draft, view)
    offered = again(draft, view)
    if offered is not None:
        return offered
    asking, asked = book.start(draft, view)
    return asking, tuple(book.prefixed(_called("greet_new", "greet_unnamed", view), one) for one in asked)


def _upcoming(draft: Draft, view: View) -> Decision:
    nearest = view.upcoming[0]
    text = _called(
        "upcoming_one", "upcoming_one_unnamed", view, service=view.named(nearest), when=view.when(nearest.start)
    )
    change_and_cancel = standing.buttons(nearest, view)[-2:]
    options = (*change_and_cancel, Option(BookNew(), view.copy("book_another")))
    key = f"upcoming:{nearest.id}:{nearest.version}"
    return draft.cleared(), (Say(text=text, key=key, options=options, appointment=nearest.id),)


def again(draft: Draft, view: View) -> Decision | None:
    """The last service at the three best times, the usual one first; None for whoever had none."""
    service, habit = view.last_service, usual(view.appointments, view.business.zone)
    slots = view.calendar.offers(service.id, NEAREST, usual=habit) if service is not None else ()
    if service is None or not slots or book.full(view):
        return None
    asking = replace(draft.cleared(), flow=Flow.BOOK, service=service.id)
    options = tuple(Option(pick(slot, asking), view.short(slot.start)) for slot in slots)
    text = _called("known_offer", "known_offer_unnamed", view, service=service.name)
    return asking, (Say(text=text, key=f"known:{service.id}:{slots[0].start.isoformat()}", options=options),)


def _called(named: str, unnamed: str, view: View, **values: str) -> str:
    """The line with the customer's first name in it when there is one to say."""
    first = called(view.customer.name)
    return view.copy(named if first else unnamed, name=first, business=view.business.name, **values)
