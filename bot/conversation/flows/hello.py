"""The greeting: what is most likely wanted, already with the buttons for it."""

from dataclasses import replace

from bot.conversation.draft import Draft, Flow
from bot.conversation.effects import Option, Say
from bot.conversation.flows import book, standing
from bot.conversation.replies import BookNew
from bot.conversation.step import Decision
from bot.conversation.steps.name import speakable
from bot.conversation.steps.time import NEAREST, pick
from bot.conversation.view import View
from bot.core.business import Service
from bot.core.slots import Slot


def greet(draft: Draft, view: View) -> Decision:
    """An upcoming appointment, else the last service with the three best times, else a booking's first question."""
    if view.upcoming:
        return _upcoming(draft, view)
    last = view.last_service
    slots = view.calendar.offers(last.id, NEAREST) if last is not None else ()
    if last is not None and slots:
        return _again(last, slots, draft, view)
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


def _again(service: Service, slots: tuple[Slot, ...], draft: Draft, view: View) -> Decision:
    asking = replace(draft.cleared(), flow=Flow.BOOK, service=service.id)
    options = tuple(Option(pick(slot, asking), view.short(slot.start)) for slot in slots)
    text = _called("known_offer", "known_offer_unnamed", view, service=service.name)
    return asking, (Say(text=text, key=f"known:{service.id}:{slots[0].start.isoformat()}", options=options),)


def _called(named: str, unnamed: str, view: View, **values: str) -> str:
    """The line with the customer's first name in it when there is one to say."""
    first = next((word for word in view.customer.name.split() if speakable(word)), "")
    return view.copy(named if first else unnamed, name=first, business=view.business.name, **values)
