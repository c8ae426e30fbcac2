"""One sentence may answer several questions: the service, the person and the time it names go into the request."""

from dataclasses import replace
from datetime import datetime, time, timedelta

from bot.conversation.draft import Draft, Flow
from bot.conversation.events import Said
from bot.conversation.view import View
from bot.core.business import Service, Staff
from bot.core.slots import Part
from bot.understanding.intent import Intent, wish
from bot.understanding.meaning import Ambiguous, Day, Instant, Span, Time, When
from bot.understanding.named import named
from bot.understanding.read import Meaning

FAR = timedelta(days=3660)
WORDS = 5
"""Of what we do not understand, a longer phrase is not just the name of a service."""
_NAMES_TIME = frozenset({Intent.BOOK, Intent.RESCHEDULE, Intent.ANSWER})


def told(said: Said, draft: Draft, view: View) -> Draft | None:
    """The request with all that the sentence names; None when it names nothing that we can use."""
    meaning = said.meaning
    if meaning is None or not (meaning.intent in _NAMES_TIME or _a_name(meaning)):
        return None
    when = meaning.when if meaning.intent in _NAMES_TIME else None
    if isinstance(when, Ambiguous) and not when.readings and wish(said.text) is not None:
        when = None
    if draft.start is not None and when is None:
        return None  # what is asked is the customer's name
    services, person = services_named(said, view), _person(meaning, view)
    service = services[0] if len(services) == 1 else None
    after = draft if service is None or draft.flow is Flow.MOVE else replace(draft, service=service.id)
    after = after if person is None else replace(after, staff=person.id, people_from=None)
    if when is not None:
        after = _on_its_day(timed(when, after, view), view)
    return None if (service, person, when) == (None, None, None) else _possible(after, view)


def services_named(said: Said, view: View) -> tuple[Service, ...]:
    """Those that the sentence names: several when they fit alike."""
    words = said.meaning.rest if said.meaning is not None else ()
    return tuple(view.services[at] for at in named(words, [service.name for service in view.services]))


def timed(when: When, draft: Draft, view: View) -> Draft:
    """The request for that time. A new day keeps the hour that was typed before, a new hour keeps the day."""
    kept = replace(draft, start=None, days_since=None, after=None, readings=())
    match when if _near(when, view) else Ambiguous():
        case Day(date=day):
            return replace(kept, day=day, last_day=None)
        case Instant(at=at):
            return replace(kept, day=at.date(), last_day=None, clock=at.time(), part=None)
        case Time(time=clock):
            return replace(kept, clock=clock, part=None)
        case Span(since=since, until=until):
            return _spanned(since, until, replace(kept, clock=None, part=None))
        case Ambiguous(readings=readings) if readings:
            return _doubtful(readings, replace(kept, clock=None))
        case Ambiguous():  # pragma: no branch - the last of the union
            today = view.now.astimezone(view.business.zone).date()
            return replace(kept.timeless(), days_since=today)


def _doubtful(readings: tuple[Day | Instant | Time, ...], draft: Draft) -> Draft:
    """To be asked which; the day or the hour that they share is known already."""
    days = {one.at.date() for one in readings if isinstance(one, Instant)}
    clocks = {one.at.time() for one in readings if isinstance(one, Instant)}
    draft = replace(draft, readings=tuple(one.text() for one in readings))
    draft = replace(draft, day=days.pop(), last_day=None) if len(days) == 1 else draft
    return replace(draft, clock=clocks.pop()) if len(clocks) == 1 else draft


def _near(when: When, view: View) -> bool:
    """Not so far off that the arithmetic of dates ends."""
    match when:
        case Day(date=day):
            last = day
        case Instant(at=at) | Span(until=datetime() as at):
            last = at.date()
        case _:
            return True
    return abs(last - view.now.date()) < FAR


def _on_its_day(draft: Draft, view: View) -> Draft:
    """Another hour for an appointment is one of the same day, as long as no day is named."""
    moving = view.appointment(draft.appointment) if draft.appointment is not None else None
    if moving is None or draft.day is not None or draft.days_since is not None or any("-" in x for x in draft.readings):
        return draft
    return replace(draft, day=moving.start.astimezone(view.business.zone).date())


def _spanned(since: datetime | time, until: datetime | time, draft: Draft) -> Draft:
    if isinstance(since, datetime) and isinstance(until, datetime):
        if since.date() != until.date():
            return replace(draft, day=since.date(), last_day=until.date())
        return replace(draft, day=since.date(), last_day=None, part=Part(since.time(), until.time()))
    part = Part(*(one.time() if isinstance(one, datetime) else one for one in (since, until)))
    return replace(draft, part=part)


def _a_name(meaning: Meaning) -> bool:
    short = meaning.intent is Intent.UNKNOWN and len(meaning.rest) <= WORDS
    return short and not meaning.asks and meaning.when is None


def _person(meaning: Meaning, view: View) -> Staff | None:
    """The one person that is named, or whom the customer had last when it is to be as always."""
    people = [person for person in view.business.staff if person.active]
    found = named(meaning.rest, [person.name for person in people]) if len(people) > 1 else ()
    if len(found) == 1:
        return people[found[0]]
    had = [one.staff for one in sorted(view.appointments, key=lambda one: one.start, reverse=True)]
    last = next((person for staff in had for person in people if person.id == staff), None)
    return last if meaning.usual else None


def _possible(draft: Draft, view: View) -> Draft:
    """Without the person where they do not do that service."""
    if draft.service is None or draft.staff is None:
        return draft
    does = any(person.id == draft.staff for person in view.business.staff_for(draft.service))
    return draft if does else replace(draft, staff=None)
