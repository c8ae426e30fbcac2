"""Answers to a reminder and to the buttons under an appointment: confirm, cancel, undo, keep."""

from dataclasses import replace

from bot.conversation.draft import Draft
from bot.conversation.effects import Mark, Option, Say
from bot.conversation.flows import standing
from bot.conversation.replies import BookNew, Cancel, Confirm, Keep, Undo
from bot.conversation.step import Decision
from bot.conversation.view import View
from bot.core.appointment import Appointment, Happening, Status


def confirm(tap: Confirm, draft: Draft, view: View) -> Decision:
    """One tap, one reply; tapped again, at most a line."""
    found = standing.check(tap.appointment, tap.version, draft, view)
    if not isinstance(found, Appointment):
        return found
    key = f"confirmed:{found.id}:{found.version}"
    if found.status is Status.CONFIRMED:
        again = Say(text=view.about("confirmed_already", found), key=key, appointment=found.id)
        return draft, () if draft.said == key else (again,)
    mark = Mark(appointment=found.id, version=found.version, happening=Happening.CONFIRM)
    return draft, (mark, Say(text=view.about("confirmed", found), key=key, appointment=found.id))


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
    say = Say(text=view.about("cancelled", found), key=key, options=options, appointment=found.id)
    return draft.finished(), (mark, say)


def undo(tap: Undo, draft: Draft, view: View) -> Decision:
    """Back to the state before, at a new version; a second tap says that it stands."""
    mine = view.appointment(tap.appointment)
    if mine is not None and mine.active and mine.start > view.now and mine.version == tap.version + 1:
        key = f"restored:{mine.id}:{mine.version}"
        again = Say(text=view.about("restored_already", mine), key=key, appointment=mine.id)
        return draft, () if draft.said == key else (again,)
    if mine is None or mine.status is not Status.CANCELLED or mine.version != tap.version or mine.start <= view.now:
        found = standing.check(tap.appointment, tap.version + 1, draft, view)
        return standing.not_found(draft, view) if isinstance(found, Appointment) else found
    version = mine.version + 1
    mark = Mark(appointment=mine.id, version=mine.version, happening=Happening.UNDO)
    say = Say(
        text=view.about("restored", mine),
        key=f"restored:{mine.id}:{version}",
        options=standing.buttons(_as(mine, version), view),
        appointment=mine.id,
    )
    return draft, (mark, say)


def keep(tap: Keep, draft: Draft, view: View) -> Decision:
    """No, do not cancel it."""
    found = standing.check(tap.appointment, tap.version, draft, view)
    if not isinstance(found, Appointment):
        return found
    key = f"kept:{found.id}:{found.version}"
    return draft, () if draft.said == key else (Say(text=view.about("kept", found), key=key, appointment=found.id),)


def _as(cancelled: Appointment, version: int) -> Appointment:
    return replace(cancelled, status=cancelled.cancelled_from or Status.SCHEDULED, version=version)
