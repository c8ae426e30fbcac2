"""What is typed, and what is not text: understood by its words, in the light of what was just asked."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from types import MappingProxyType

from bot.conversation.draft import Draft, Flow
from bot.conversation.effects import Attend, Mute, Option, Remind, Say
from bot.conversation.events import Said, Unreadable
from bot.conversation.flows import answer, book, hello, mine, move, standing
from bot.conversation.flows.book import BOOK
from bot.conversation.flows.move import MOVE
from bot.conversation.replies import AskPerson, Cancel, Change, Confirm, Keep
from bot.conversation.step import Decision, FlowSteps, advance, read
from bot.conversation.view import View
from bot.core.appointment import Appointment, Status
from bot.understanding.intent import Intent, intent

LATE = timedelta(hours=3)
WINDOW = timedelta(hours=24)
MUTED_FOR = timedelta(hours=4)
APOLOGY_EVERY = timedelta(hours=1)
FLOWS: MappingProxyType[Flow, FlowSteps] = MappingProxyType({Flow.BOOK: BOOK, Flow.MOVE: MOVE})


def said(event: Said, draft: Draft, view: View) -> Decision:
    """A typed message."""
    if view.now - event.at > LATE:
        return _late(event, draft, view)
    if view.muted:
        return draft, (Attend(kind="message", text=event.text),)
    meant = intent(event.text)
    if meant in _ANYTIME:
        return _ANYTIME[meant](event, replace(draft, misses=0), view)
    if draft.flow is not None:
        flow = FLOWS[draft.flow]
        answered = read(flow, event, draft, view)
        if answered is not None:
            return advance(flow, replace(answered, misses=0), view)
    if meant in _MEANT:
        return _MEANT[meant](event, replace(draft, misses=0), view)
    return _not_understood(draft, view)


def unreadable(event: Unreadable, draft: Draft, view: View) -> Decision:
    """One honest line and the menu, at most once an hour; what is going on stays as it is."""
    last = draft.apologised_at
    if view.muted or (last is not None and view.now - last < APOLOGY_EVERY):
        return draft, (Attend(kind="unreadable", text=event.kind),) if view.muted else ()
    text = f"{view.copy('only_text')} {view.copy('menu')}"
    return replace(draft, apologised_at=view.now), (Say(text=text, key="only_text", options=standing.menu(view)),)


def person(draft: Draft, view: View, *, text: str = "") -> Decision:
    """A person takes over; the bot is quiet in this chat for a while."""
    handed = (Attend(kind="person", text=text), Mute(view.now + MUTED_FOR))
    return draft.cleared(), (*handed, Say(text=view.copy("person_soon"), key="person_soon"))


def _late(event: Said, draft: Draft, view: View) -> Decision:
    """Not acted on: words like *tomorrow* meant another day. Answered while the window by its own time is open."""
    attend = Attend(kind="late_message", text=event.text)
    if view.muted or view.now - event.at >= WINDOW:
        return draft, (attend,)
    return draft, (attend, Say(text=view.copy("late"), key="late", options=standing.menu(view)))


def _cancel(event: Said, draft: Draft, view: View) -> Decision:
    """While choosing, *cancel* drops the request only. Else it is asked back once, with the date."""
    if draft.flow is not None and event.about is None:
        return draft.cleared(), (Say(text=view.copy("dropped"), key="dropped"),)
    return _on_one(event, draft, view, Cancel, lambda found: _really(found, draft, view))


def _really(found: Appointment, draft: Draft, view: View) -> Decision:
    options = (
        Option(Cancel(found.id, found.version), view.copy("yes_cancel")),
        Option(Keep(found.id, found.version), view.copy("keep")),
    )
    key = f"really_cancel:{found.id}:{found.version}"
    return draft, (Say(text=view.about("really_cancel", found), key=key, options=options, appointment=found.id),)


def _confirm(event: Said, draft: Draft, view: View) -> Decision:
    """*Yes* to what? To the quoted one, to the question just asked, to the only one that waits, else ask."""
    asked = draft.said.split(":")
    if asked[0] == "really_cancel" and event.about is None:
        return answer.cancel(Cancel(int(asked[1]), int(asked[2])), draft, view)
    waiting = tuple(one for one in view.upcoming if one.status is Status.SCHEDULED)
    reminded = tuple(one for one in waiting if one.sent_24h or one.sent_2h)
    among = reminded or waiting or view.upcoming
    return _on_one(
        event,
        draft,
        view,
        Confirm,
        lambda found: answer.confirm(Confirm(found.id, found.version), draft, view),
        among=among,
    )


def _reschedule(event: Said, draft: Draft, view: View) -> Decision:
    return _on_one(event, draft, view, Change, lambda found: move.start(Change(found.id, found.version), draft, view))


def _on_one(
    event: Said,
    draft: Draft,
    view: View,
    reply: type[Cancel | Change | Confirm],
    do: Callable[[Appointment], Decision],
    *,
    among: tuple[Appointment, ...] | None = None,
) -> Decision:
    """To the quoted appointment, else to the only candidate, else ask which."""
    if event.about is not None:
        found = standing.check(event.about.appointment, event.about.version, draft, view)
        return do(found) if isinstance(found, Appointment) else found
    return mine.choose("which_one", reply, draft, view, one=do, among=among)


def _not_understood(draft: Draft, view: View) -> Decision:
    """First time: what is on offer, again. Second time: a person. Somebody new is simply welcomed."""
    again = replace(draft, misses=draft.misses + 1)
    if draft.misses == 0 and not view.appointments and draft.flow is None:
        started, asked = hello.greet(draft, view)
        return replace(started, misses=1), asked
    if draft.misses > 0:
        options = (Option(AskPerson(), view.copy("a_person")),)
        say = Say(text=view.copy("not_understood_again"), key=f"not_understood:{again.misses}", options=options)
        return again, (say,)
    if draft.flow is None:
        say = Say(text=view.copy("not_understood"), key="not_understood", options=standing.menu(view))
        return again, (say,)
    asking, asked = advance(FLOWS[draft.flow], again, view)
    return asking, tuple(book.prefixed(view.copy("not_understood"), one) for one in asked)


_ANYTIME: MappingProxyType[Intent, Callable[[Said, Draft, View], Decision]] = MappingProxyType(
    {
        Intent.STOP: lambda _, draft, view: (
            draft.cleared(),
            (Remind(wanted=False), Say(text=view.copy("opted_out"), key="opted_out")),
        ),
        Intent.START: lambda _, draft, view: (
            draft.cleared(),
            (Remind(wanted=True), Say(text=view.copy("opted_in"), key="opted_in")),
        ),
        Intent.HUMAN: lambda event, draft, view: person(draft, view, text=event.text),
        Intent.CANCEL: _cancel,
        Intent.RESCHEDULE: _reschedule,
        Intent.LIST: lambda _, draft, view: mine.show(draft, view),
        Intent.GREET: lambda _, draft, view: hello.greet(draft, view),
    }
)
"""Understood whatever was just asked."""

_MEANT: MappingProxyType[Intent, Callable[[Said, Draft, View], Decision]] = MappingProxyType(
    {
        Intent.BOOK: lambda _, draft, view: book.start(draft, view),
        Intent.CONFIRM: _confirm,
        Intent.THANKS: lambda _, draft, view: (
            draft,
            () if draft.said == "thanks" else (Say(text=view.copy("thanks"), key="thanks"),),
        ),
        Intent.HELP: lambda _, draft, view: (
            draft,
            (Say(text=view.copy("menu"), key="menu", options=standing.menu(view)),),
        ),
    }
)
"""Understood when the running question was not answered by it."""
