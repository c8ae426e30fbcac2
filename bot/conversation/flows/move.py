"""Move: the old time stands until the new one is taken, both in one transaction."""

from dataclasses import replace

from bot.conversation.draft import Draft, Flow
from bot.conversation.effects import Move, Option, Say
from bot.conversation.events import Said
from bot.conversation.flows import standing
from bot.conversation.flows.book import refused
from bot.conversation.replies import NEW, Cancel, Change, PickMove
from bot.conversation.sentence import told
from bot.conversation.step import Decision, FlowSteps, advance
from bot.conversation.steps.day import ChooseDay
from bot.conversation.steps.person import ChoosePerson
from bot.conversation.steps.time import ChooseTime
from bot.conversation.steps.typed import TypedTime
from bot.conversation.view import View
from bot.core.appointment import Appointment
from bot.core.slots import Refusal, Slot


def start(tap: Change, draft: Draft, view: View, *, said: Said | None = None) -> Decision:
    """Change was tapped: show other times for the same service and person. Typed, it may name the new time."""
    found = movable(tap.appointment, tap.version, draft, view)
    if not isinstance(found, Appointment):
        return found
    fresh = begun(found, draft, view)
    named = told(said, fresh, view) if said is not None else None
    return advance(MOVE, named or fresh, view)


def pick(tap: PickMove, draft: Draft, view: View) -> Decision:
    """A new time was tapped. The row names the appointment and the version it was offered for."""
    mine = view.appointment(tap.appointment)
    if mine is not None and mine in view.upcoming and mine.start == tap.start and mine.version > tap.version:
        again = replace(standing.about("moved", mine, view), text=view.about("moved_already", mine))
        return draft, () if draft.said == again.key else (again,)
    found = movable(tap.appointment, tap.version, draft, view)
    if not isinstance(found, Appointment):
        return found
    return advance(MOVE, replace(begun(found, draft, view), staff=tap.staff, start=tap.start), view)


def movable(appointment: int, version: int, draft: Draft, view: View) -> Appointment | Decision:
    """The appointment when it stands as it was shown and the customer may still move it; else the answer to give."""
    found = standing.check(appointment, version, draft, view)
    if not isinstance(found, Appointment):
        return found
    late = standing.past_deadline(found, draft, view)
    if late is not None:
        return late
    return found if view.services else standing.nothing_to_offer(draft, view)


def begun(found: Appointment, draft: Draft, view: View) -> Draft:
    """The request to move it, with nothing chosen yet: the same service, and the same person while they have time."""
    service = _service(found, view)
    theirs = view.calendar.free(service, staff=found.staff, limit=1, ignore=found.id) if found.staff else ()
    return replace(
        draft.cleared(),
        flow=Flow.MOVE,
        service=service,
        appointment=found.id,
        version=found.version,
        staff=found.staff if theirs else None,
    )


def finish(draft: Draft, view: View) -> Decision:
    """A new time is known: move at once, or offer the nearest when it cannot be had."""
    service = view.business.service(draft.service) if draft.service is not None else None
    if service is None or draft.start is None or draft.staff is None:
        return standing.nothing_to_offer(draft, view)
    found = movable(draft.appointment or NEW, draft.version or NEW, draft, view)
    if not isinstance(found, Appointment):
        return found
    length = service.duration if service.id == found.service else found.end - found.start
    slot = Slot(service=service.id, staff=draft.staff, start=draft.start, end=draft.start + length)
    refusal = view.calendar.check(slot, ignore=found.id)
    if refusal in (Refusal.NO_SERVICE, Refusal.NO_STAFF):
        return advance(MOVE, begun(found, draft, view), view)
    if refusal is not None:
        return refused(refusal, slot, draft, view)
    version = found.version + 1
    text = view.copy("moved", service=view.named(found), when=view.when(slot.start))
    under = (
        Option(Change(found.id, version), view.copy("change")),
        Option(Cancel(found.id, version), view.copy("cancel")),
    )
    move = Move(
        appointment=found.id,
        version=found.version,
        staff=slot.staff,
        start=slot.start,
        end=slot.end,
        busy_until=slot.end + service.pause,
    )
    say = Say(text=text, key=f"moved:{found.id}:{version}", options=under, appointment=found.id)
    return draft.finished(), (move, say)


def _service(appointment: Appointment, view: View) -> int:
    """The service whose hours and people count; one that is gone or was never noted is replaced by the first."""
    offered = {one.id for one in view.services}
    wanted = appointment.service
    return wanted if wanted is not None and wanted in offered else view.services[0].id


MOVE = FlowSteps((ChoosePerson(), TypedTime(), ChooseDay(), ChooseTime()), finish)
