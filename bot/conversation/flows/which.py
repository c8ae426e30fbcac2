"""Which appointment do words without a button speak of? The quoted one, the one just spoken of, else it is asked."""

from collections.abc import Callable
from datetime import datetime, time

from bot.conversation.draft import FRESH, STALE, Draft
from bot.conversation.events import Said
from bot.conversation.flows import mine, standing
from bot.conversation.replies import Cancel, Change, Confirm
from bot.conversation.step import Decision
from bot.conversation.view import View
from bot.core.appointment import Appointment, Status
from bot.understanding.meaning import Ambiguous, Day, Instant, Span, Time, When
from bot.understanding.named import named as fitting


def last_word(draft: Draft, view: View) -> str:
    """Key of our last message: empty when something else (a reminder) came after it, or when it is a day old."""
    old = draft.touched_at is None or view.now - draft.touched_at >= STALE
    return "" if old else draft.said


def fresh(draft: Draft, view: View) -> bool:
    """Whether the customer still has before their eyes what we said last."""
    return draft.touched_at is not None and view.now - draft.touched_at < FRESH


def name_of(key: str) -> str:
    """What kind of message it was."""
    return key.split(":", maxsplit=1)[0]


def spoken_of(key: str, view: View) -> tuple[Appointment, ...]:
    """The appointment that the message with this key was about, if it still is ahead and as it was shown."""
    parts = key.split(":")[1:3]
    return tuple(one for one in view.upcoming if [str(one.id), str(one.version)] == parts)


def reminded(view: View) -> tuple[Appointment, ...]:
    """Those whose reminder waits for an answer."""
    return tuple(one for one in view.upcoming if one.status is Status.SCHEDULED and (one.sent_24h or one.sent_2h))


def candidates(draft: Draft, view: View) -> tuple[Appointment, ...]:
    """What *cancel* or *change* can mean: the one on the screen, else those reminded of, else all."""
    key = last_word(draft, view)
    return spoken_of(key, view) or (reminded(view) if not key else ()) or view.upcoming


def named(when: When | None, among: tuple[Appointment, ...], view: View) -> tuple[Appointment, ...]:
    """Those that stand at the time that was said, also of the others; these when none does, or none was said."""
    found = (tuple(one for one in each if stands(one, when, view)) for each in (among, view.upcoming))
    return next((each for each in found if each), among)


def spoken(said: Said, when: When | None, among: tuple[Appointment, ...], view: View) -> tuple[Appointment, ...]:
    """The same, narrowed to those for whoever is named: *cancel the one for Mateo*."""
    words = said.meaning.rest if said.meaning is not None else ()
    timed = named(when, among, view)
    pools = (timed, view.upcoming) if when is None else (timed,)
    found = (tuple(pool[at] for at in fitting(words, [one.attendee or "" for one in pool])) for pool in pools)
    return next((each for each in found if each), timed)


def stands(appointment: Appointment, when: When | None, view: View) -> bool:
    """Whether the appointment is at that time, as far as one was said."""
    local = appointment.start.astimezone(view.business.zone)
    match when:
        case Day(date=day):
            return local.date() == day
        case Instant(at=at):
            return local == at
        case Time(time=clock):
            return local.time() == clock
        case Span(since=since, until=until):
            return _within(local, since, until)
        case Ambiguous(readings=readings):
            return any(stands(appointment, one, view) for one in readings)
        case None:  # pragma: no branch - the last of the union
            return True


def _within(local: datetime, since: datetime | time, until: datetime | time) -> bool:
    if isinstance(since, datetime) and isinstance(until, datetime):
        return since <= local <= until
    return isinstance(since, time) and isinstance(until, time) and since <= local.time() <= until


def on_one(
    event: Said,
    among: tuple[Appointment, ...],
    draft: Draft,
    view: View,
    *,
    reply: type[Cancel | Change | Confirm],
    do: Callable[[Appointment], Decision],
) -> Decision:
    """Do it to the quoted appointment, else to the only candidate, else ask which."""
    if event.about is not None:
        found = standing.check(event.about.appointment, event.about.version, draft, view)
        return do(found) if isinstance(found, Appointment) else found
    return mine.choose("which_one", reply, draft, view, one=do, among=among)
