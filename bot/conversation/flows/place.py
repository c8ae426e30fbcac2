"""*The first one*, *the last*: a row of the list that was just shown, picked by its place in it."""

from dataclasses import replace

from bot.conversation.draft import Draft
from bot.conversation.effects import Say
from bot.conversation.events import Said
from bot.conversation.flows.which import fresh, last_word
from bot.conversation.replies import PickMove, PickService, PickSlot
from bot.conversation.view import View
from bot.understanding.intent import place
from bot.understanding.words import plain

_ROWS = PickService | PickSlot | PickMove


def at_place(event: Said, shown: Say, draft: Draft, view: View) -> Draft | None:
    """The request with that row in it; a time is asked back, as all that are typed. None when it picks none."""
    if last_word(draft, view) != shown.key or not fresh(draft, view):
        return None
    rows = [option.reply for option in shown.options if isinstance(option.reply, _ROWS)]
    at = _place(event.text, figures=draft.service is None)
    if at is None or not rows or at >= len(rows):
        return None
    row = rows[at]
    if isinstance(row, PickService):
        return replace(draft, service=row.service, people_from=None)
    local = row.start.astimezone(view.business.zone)
    asked = replace(draft, clock=local.time(), part=None, readings=(), staff=row.staff)
    return replace(asked, day=local.date(), last_day=None, days_since=None)


def _place(text: str, *, figures: bool) -> int | None:
    """Where a service is chosen, *2* is the second; where a time is, it could be an hour."""
    number = plain(text)
    if figures and number.isdecimal() and len(number) == 1:
        return int(number) - 1 if int(number) else None
    return place(text)
