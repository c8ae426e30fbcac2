"""The running request: which questions it goes through, asked again when not understood, or dropped."""

from dataclasses import replace
from types import MappingProxyType

from bot.conversation.draft import Draft, Flow
from bot.conversation.effects import Attend, Option, Say
from bot.conversation.events import Event, Said, Tapped
from bot.conversation.flows import book, hello, mine, move, standing
from bot.conversation.flows.book import BOOK
from bot.conversation.flows.move import MOVE
from bot.conversation.flows.place import at_place
from bot.conversation.flows.which import last_word, name_of, reminded
from bot.conversation.replies import (
    NEW,
    AskPerson,
    MoreServices,
    MoreTimes,
    OtherDay,
    OtherStaff,
    PickDay,
    PickService,
    PickStaff,
)
from bot.conversation.sentence import told
from bot.conversation.step import Decision, FlowSteps, advance, read
from bot.conversation.view import View
from bot.core.appointment import Appointment
from bot.understanding.intent import Brief, Wish, brief, wish

FLOWS: MappingProxyType[Flow, FlowSteps] = MappingProxyType({Flow.BOOK: BOOK, Flow.MOVE: MOVE})


Row = PickService | MoreServices | MoreTimes | OtherDay | OtherStaff | PickStaff | PickDay
"""What lists of a running question hold besides the times themselves."""


_LEADING = ("more_services", "more_days", "more_people", "more_times", "other_person", "anybody")


def answered(event: Event, draft: Draft, view: View) -> Decision | None:
    """The running request with the answer that the event holds; None when it holds none."""
    if draft.flow is None:
        return mine.typed(event.text, draft, view) if isinstance(event, Said) else None
    picked = _picked(event, draft, view) if isinstance(event, Said) else None
    if picked is not None:
        return on(picked, view)
    named = told(event, draft, view) if isinstance(event, Said) and not _leads(event.text, view) else None
    answer = named or read(FLOWS[draft.flow], event, _loosened(event, draft), view)
    return on(answer, view) if answer is not None else None


def _picked(event: Said, draft: Draft, view: View) -> Draft | None:
    """What was shown last is made again, for nothing is kept of it but its name."""
    greeted = name_of(draft.said) == "known"
    again = hello.again(draft, view) if greeted else advance(FLOWS[draft.flow or Flow.BOOK], draft, view)
    says = [one for one in again[1] if isinstance(one, Say)] if again is not None else []
    return at_place(event, says[0], draft, view) if says else None


def on(draft: Draft, view: View) -> Decision:
    """On with the request, unless what it moves has changed meanwhile."""
    if draft.flow is Flow.MOVE:
        found = move.movable(draft.appointment or NEW, draft.version or NEW, draft, view)
        if not isinstance(found, Appointment):
            return found[0].cleared(), found[1]
    return advance(FLOWS[draft.flow or Flow.BOOK], draft, view)


def _leads(text: str, view: View) -> bool:
    """Whether a list's last rows are typed: no name of a service or person, whatever words are in those."""
    return brief(text) is Brief.MORE or view.wording.means(text, *_LEADING)


def _loosened(event: Event, draft: Draft) -> Draft:
    """Whoever asks for other times or another day does not insist on the hour that they typed before."""
    match event:
        case Tapped(reply=MoreTimes()):
            return replace(draft, clock=None, readings=())
        case Tapped(reply=OtherDay() | PickDay()):
            return replace(draft, clock=None, readings=(), last_day=None)
        case Said(text=text) if wish(text) in (Wish.MORE_TIMES, Wish.OTHER_DAY):
            return replace(draft, clock=None, readings=(), last_day=None)
        case _:
            return draft


def ask(line: str, draft: Draft, view: View) -> Decision:
    """What the running request asks, after a line of explanation."""
    asking, asked = on(draft, view)
    return asking, tuple(book.prefixed(line, one) for one in asked)


def belongs_to(reply: Row, draft: Draft, view: View) -> Draft | Decision:
    """The request that the tapped row was about: the running one, or begun again since its list is an old one."""
    if not isinstance(reply, PickService | MoreServices) and reply.appointment != NEW:
        found = move.movable(reply.appointment, reply.version, draft, view)
        if not isinstance(found, Appointment):
            return found
        return draft if draft.wants == _wanted(reply) else move.begun(found, draft, view)
    if draft.flow is Flow.BOOK and (isinstance(reply, PickService | MoreServices) or draft.wants == _wanted(reply)):
        return draft
    wanted = view.business.service(reply.service) if not isinstance(reply, MoreServices) else None
    begun = book.start(draft, view, service=wanted.id if wanted is not None else None)
    return begun[0] if begun[0].flow is not None else begun


def _wanted(reply: MoreTimes | OtherDay | OtherStaff | PickStaff | PickDay) -> tuple[int, int, int]:
    return reply.service, reply.appointment, reply.version


def not_understood(event: Said, draft: Draft, view: View) -> Decision:
    """First time: what is on offer, again. Second time: a person. Then it is passed on, and said so once."""
    again = replace(draft, misses=draft.misses + 1)
    if draft.misses == 0:
        return _ask_again(again, view)
    if draft.misses == 1:
        options = (Option(AskPerson(), view.copy("a_person")),)
        return again, (Say(text=view.copy("not_understood_again"), key="offer_person", options=options),)
    attend = Attend(kind="not_understood", text=event.text)
    say = Say(text=view.copy("passed_on"), key="passed_on")
    return again, (attend,) if draft.said == say.key else (attend, say)


def question(event: Said, draft: Draft, view: View) -> Decision:
    """Where it is, whether cards are taken: staff know. One line, and on with what waits for an answer."""
    attend = Attend(kind="question", text=event.text)
    waiting = _waits(view.copy("question"), draft, view)
    if waiting is not None:
        asking, asked = waiting
        again = any(isinstance(one, Say) and one.echo == draft.echo for one in asked)
        return asking, (attend,) if again else (attend, *asked)
    say = Say(text=view.copy("question"), key="question", options=standing.menu(view))
    return draft, (attend,) if draft.said == say.key else (attend, say)


def _waits(line: str, draft: Draft, view: View) -> Decision | None:
    """What waits for an answer, after that line: the running question, or the appointment of a reminder."""
    if draft.flow is not None:
        return ask(line, draft, view)
    if not reminded(view) or last_word(draft, view):
        return None
    shown, told_of = mine.show(draft, view)
    return replace(shown, misses=draft.misses), tuple(book.prefixed(line, one) for one in told_of)


def _ask_again(draft: Draft, view: View) -> Decision:
    waiting = _waits(view.copy("not_understood"), draft, view)
    if waiting is not None:
        return waiting
    if not view.appointments:
        # Somebody new is simply welcomed.
        started, asked = hello.greet(draft, view)
        return replace(started, misses=draft.misses), asked
    say = Say(text=view.copy("not_understood"), key="not_understood", options=standing.menu(view))
    return draft, (say,)


def drop(draft: Draft, view: View) -> Decision:
    """The request is dropped. What was to be moved stands, and the customer is told so, with its buttons."""
    if draft.flow is Flow.MOVE and draft.appointment is not None and draft.version is not None:
        found = standing.check(draft.appointment, draft.version, draft.cleared(), view)
        if not isinstance(found, Appointment):
            return found
        say = standing.about("kept", found, view, buttons=standing.buttons(found, view))
        return draft.cleared(), (say,)
    return draft.cleared(), (Say(text=view.copy("dropped"), key="dropped"),)
