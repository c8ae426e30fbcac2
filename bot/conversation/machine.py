"""`turn`: the whole conversation as one pure function. One arm per event, one per tap; the rest is in `flows/`."""

from dataclasses import replace

from bot.conversation.draft import Draft, Flow
from bot.conversation.effects import Attend, Effect, Mark, Say, SetLanguage
from bot.conversation.events import About, Event, Reacted, Said, SlotTaken, Tapped, Unreadable
from bot.conversation.flows import answer, attendee, book, language, mine, move, resume, standing, talk
from bot.conversation.flows.person import person
from bot.conversation.flows.running import Row, answered, ask, belongs_to
from bot.conversation.lines import LONGEST
from bot.conversation.replies import (
    AskPerson,
    BookNew,
    Cancel,
    Change,
    Confirm,
    ForWhom,
    GoOn,
    Keep,
    MoreMine,
    MoreServices,
    MoreTimes,
    OtherDay,
    OtherStaff,
    PickDay,
    PickMove,
    PickService,
    PickSlot,
    PickStaff,
    Reply,
    ShowMine,
    ShowOne,
    Undo,
)
from bot.conversation.step import Decision
from bot.conversation.steps.time import nearest
from bot.conversation.view import View, Window
from bot.conversation.wording import ACTIONS
from bot.core.graphemes import cut
from bot.core.phone import language_of
from bot.understanding.intent import language as told_language

AGREES = frozenset("👍✅")


def turn(draft: Draft, event: Event, view: View) -> Decision:
    """What to remember and what to do after `event`. Same arguments, same answer; nothing is read or written.

    The view's language is the customer's own once known, else told by the words, the phone's country, the business.
    """
    spoken = _language(event, view)
    if spoken != view.wording.language:
        view = replace(view, wording=view.wording.speaking(spoken))
    learnt: tuple[Effect, ...] = () if spoken == view.customer.language else (SetLanguage(spoken),)
    after, effects = _decide(draft.at(view.now), event, view)
    told = [_short(_not_twice(effect, draft, event, view)) for effect in effects]
    messages = [effect for effect in told if isinstance(effect, Say)]
    said, echo = (messages[-1].key, messages[-1].echo) if messages else (after.said, after.echo)
    if not messages and view.muted and any(isinstance(effect, Attend) for effect in effects):
        said = ""
    after = replace(after, said=said, echo=echo, touched_at=view.now)
    return after, (*learnt, *(effect for effect in told if effect is not None))


def _not_twice(effect: Effect, draft: Draft, event: Event, view: View) -> Effect | None:
    """What we would repeat word for word: no message for a tap; asked for by typing it is shown, but not as if new."""
    if not isinstance(effect, Say) or effect.echo != draft.echo:
        return effect
    return replace(effect, text=f"{view.copy('again')}\n\n{effect.text}") if isinstance(event, Said) else None


def _short(effect: Effect | None) -> Effect | None:
    """Our lines never come near it; several long ones of a business's own might."""
    return replace(effect, text=cut(effect.text, LONGEST)) if isinstance(effect, Say) else effect


def _decide(draft: Draft, event: Event, view: View) -> Decision:
    match event:
        case Said():
            return language.said(event, draft, view)
        case Tapped():
            return _tapped(event, draft, view)
        case Reacted():
            return _reacted(event, draft, view)
        case Unreadable():
            return talk.unreadable(event, draft, view)
        case SlotTaken():  # pragma: no branch - the last of the union
            return _taken(event, draft, view)


def _tapped(event: Tapped, draft: Draft, view: View) -> Decision:  # noqa: C901, PLR0911, PLR0912 - one arm per reply
    draft = replace(draft, misses=0)
    reply = event.reply if event.reply is not None else _by_label(event.title, event.about, view)
    match reply:
        case Confirm():
            return answer.confirm(reply, draft, view)
        case Cancel():
            return answer.cancel(reply, draft, view)
        case Undo():
            return answer.undo(reply, draft, view)
        case Keep():
            return answer.keep(reply, draft, view)
        case Change():
            return move.start(reply, draft, view)
        case PickMove():
            return move.pick(reply, draft, view)
        case PickSlot():
            return book.pick(reply, draft, view)
        case BookNew():
            return book.start(draft, view)
        case GoOn():
            return resume.go_on(draft, view)
        case ShowMine():
            return mine.show(draft, view)
        case MoreMine():
            return mine.more(reply, draft, view)
        case ShowOne():
            return mine.one(reply, draft, view)
        case AskPerson():
            return person(draft, view)
        case ForWhom():
            return attendee.chosen(event, draft, view)
        case PickService() | MoreServices() | MoreTimes() | OtherDay() | OtherStaff() | PickStaff() | PickDay():
            return _chose(event, reply, draft, view)
        case None:  # pragma: no branch - the last of the union
            return standing.unknown_button(draft, view)


def _chose(event: Tapped, reply: Row, draft: Draft, view: View) -> Decision:
    """A row of a running question; from an old list it begins its request again with that answer."""
    running = belongs_to(reply, draft, view)
    if not isinstance(running, Draft):
        return running
    return answered(event, running, view) or ask(view.copy("unknown_button"), running, view)


def _by_label(title: str, about: About | None, view: View) -> Reply | None:
    """A quick reply without a payload of ours: its label, and the message that it stood under or the only candidate."""
    kind = ACTIONS.get(title.strip().casefold())
    if kind is None:
        return None
    if about is not None:
        return kind(about.appointment, about.version)
    return kind(view.upcoming[0].id, view.upcoming[0].version) if len(view.upcoming) == 1 else ShowMine()


def _reacted(event: Reacted, draft: Draft, view: View) -> Decision:
    """👍 or ✅ on a reminder confirms; it does not open the window, so outside it in silence. Others reach staff."""
    about = event.about
    if about is None or not about.reminder or not AGREES & set(event.emoji):
        return draft, (_passed(event),)
    draft, effects = answer.confirm(Confirm(about.appointment, about.version), draft, view)
    if view.window is Window.CLOSED or not any(isinstance(effect, Mark) for effect in effects):
        return draft, tuple(effect for effect in effects if not isinstance(effect, Say))
    return draft, effects


def _passed(event: Reacted) -> Effect:
    about = event.about.appointment if event.about is not None else None
    return Attend(kind="reaction", text=event.emoji, appointment=about)


def _taken(event: SlotTaken, draft: Draft, view: View) -> Decision:
    """Somebody else was quicker: the three nearest times, in one message."""
    again = replace(
        draft.cleared(),
        flow=Flow.BOOK if event.appointment is None else Flow.MOVE,
        service=event.service,
        appointment=event.appointment,
        version=event.version,
        **attendee.again(event.attendee, draft),
    )
    if not view.services:
        return standing.nothing_to_offer(draft, view)
    return again, (nearest(view.copy("slot_taken"), f"slot_taken:{event.start.isoformat()}", event.start, again, view),)


def _language(event: Event, view: View) -> str:
    known = view.customer.language
    if isinstance(event, Said):
        told = language.wished(event, view) or told_language(event.text, known)
        if told is not None:
            return told
    by_phone = language_of(view.customer.phone) if view.customer.phone else None
    return known or by_phone or view.business.language
