"""Answers to a reminder and to the buttons under an appointment: confirm, cancel, undo, keep."""

from dataclasses import replace

from bot.conversation.draft import Draft
from bot.conversation.effects import Mark, Option, Say
from bot.conversation.flows import book, standing
from bot.conversation.replies import BookNew, Cancel, Confirm, Keep, Undo
from bot.conversation.step import Decision
from bot.conversation.view import View
from bot.core.appointment import Appointment, Happening, Status


def confirm(tap: Confirm, draft: Draft, view: View) -> Decision:
    """One tap, one reply; tapped again, at most a line."""
    found = standing.check(tap.appointment, tap.version, draft, view)
    if not isinstance(found, Appointment):
        return found
    say = standing.about("confirmed", found, view)
    if found.status is Status.CONFIRMED:
        return draft, _unless_said(say, draft, text=view.about("confirmed_already", found))
    return draft, (Mark(appointment=found.id, version=found.version, happening=Happening.CONFIRM), say)


def cancel(tap: Cancel, draft: Draft, view: View) -> Decision:
    """Done at once, with an undo button; the offer to undo stands until the start, while the slot is free."""
    mine = view.appointment(tap.appointment)
    key = f"cancelled:{tap.appointment}:{tap.version}"
    if mine is not None and mine.status is Status.CANCELLED and mine.version == tap.version and draft.said == key:
        return draft, ()
    found = standing.check(tap.appointment, tap.version, draft, view)
    if not isinstance(found, Appointment):
        return found
    late = standing.past_deadline(found, draft, view)
    if late is not None:
        return late
    mark = Mark(appointment=found.id, version=found.version, happening=Happening.CANCEL)
    options = (Option(Undo(found.id, found.version), view.copy("undo")), Option(BookNew(), view.copy("book_another")))
    return draft.finished(), (mark, standing.about("cancelled", found, view, buttons=options))


def undo(tap: Undo, draft: Draft, view: View) -> Decision:
    """Back to the state before, at a new version; a second tap says that it stands."""
    mine = view.appointment(tap.appointment)
    if mine is None or mine.status is not Status.CANCELLED or mine.version != tap.version or mine.start <= view.now:
        found = standing.check(tap.appointment, tap.version + 1, draft, view)
        if not isinstance(found, Appointment):
            return found
        return draft, _unless_said(standing.about("restored", found, view), draft, text=view.about("stands", found))
    if book.full(view):
        return book.start(draft, view)
    mark = Mark(appointment=mine.id, version=mine.version, happening=Happening.UNDO)
    restored = replace(mine, status=mine.cancelled_from or Status.SCHEDULED, version=mine.version + 1)
    return draft, (mark, standing.about("restored", restored, view, buttons=standing.buttons(restored, view)))


def keep(tap: Keep, draft: Draft, view: View) -> Decision:
    """No, do not cancel it, nor move it."""
    found = standing.check(tap.appointment, tap.version, draft, view)
    if not isinstance(found, Appointment):
        return found
    moving = draft.appointment == found.id
    return draft.cleared() if moving else draft, _unless_said(standing.about("kept", found, view), draft)


def _unless_said(say: Say, draft: Draft, *, text: str | None = None) -> tuple[Say, ...]:
    """One line, perhaps put in other words the second time; nothing if it still is our last word."""
    return () if draft.said == say.key else (replace(say, text=text or say.text),)
