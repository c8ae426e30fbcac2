"""What a typed message means here: in the light of what we said last, of opening hours, at its own time."""

from dataclasses import replace

from bot.conversation.draft import Draft, Flow
from bot.conversation.events import Said
from bot.conversation.flows.which import candidates, fresh, last_word, name_of, reminded
from bot.conversation.sentence import services_named
from bot.conversation.view import View
from bot.core.business import WEEKDAYS, Week
from bot.understanding.intent import Intent, another
from bot.understanding.meaning import Context
from bot.understanding.read import Meaning, understand

_ABOUT_ONE = frozenset(
    ["really_cancel", "one", "booked", "moved", "moved_already", "restored", "kept", "confirmed", "upcoming", "stands"]
)
"""Said last, what is answered concerns the appointment that was shown: a time that is named is another one for it."""


def hear(event: Said, draft: Draft, view: View) -> Said:
    """The same message with its meaning."""
    context = context_of(event, draft, view)
    meaning = _read(event, context, view.wording.language, view)
    if meaning.strange and view.customer.language is None:
        # Nobody has told us their language yet: words that are strange in ours may be plain in another.
        other = _read(event, context, None, view)
        meaning = other if other.strange < meaning.strange else meaning
    heard = replace(event, meaning=meaning)
    further = another(event.text) or _other_service(heard, draft, view)
    if meaning.intent is Intent.RESCHEDULE and context is Context.AFTER_REMINDER and further:
        return replace(heard, meaning=replace(meaning, intent=Intent.BOOK))
    return heard


def _other_service(heard: Said, draft: Draft, view: View) -> bool:
    """Whether one is named that no appointment spoken of is for."""
    named = {service.id for service in services_named(heard, view)}
    return bool(named) and named.isdisjoint(one.service for one in candidates(draft, view))


def _read(event: Said, context: Context, language: str | None, view: View) -> Meaning:
    zone = view.business.zone
    return understand(event.text, now=event.at, zone=zone, hours=hours(view), context=context, language=language)


def hours(view: View) -> Week:
    """When somebody is there, weekday by weekday."""
    weeks = [person.week for person in view.business.staff if person.active]
    return tuple(tuple(interval for week in weeks for interval in week[day]) for day in range(WEEKDAYS))


def context_of(event: Said, draft: Draft, view: View) -> Context:
    """What was asked last, as far as it changes what words mean."""
    key = last_word(draft, view)
    if event.about is not None or (not key and reminded(view)) or (name_of(key) in _ABOUT_ONE and fresh(draft, view)):
        return Context.AFTER_REMINDER
    if draft.flow is None or resting(draft, view) or draft.start is not None:
        return Context.IDLE
    if name_of(key) == "is_it":
        return Context.CONFIRMING
    if draft.flow is Flow.BOOK and draft.service is None and len(view.services) > 1:
        return Context.CHOOSING_SERVICE
    return Context.CHOOSING_DATE if draft.days_since is not None else Context.CHOOSING_TIME


def resting(draft: Draft, view: View) -> bool:
    """A request was left lying for so long that it is asked whether to go on."""
    return draft.flow is not None and draft.touched_at is not None and not fresh(draft, view)
