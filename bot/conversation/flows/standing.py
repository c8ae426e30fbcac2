"""Does the appointment that a button speaks of still stand as the customer saw it? If not, what do we say?"""

from bot.conversation.draft import Draft
from bot.conversation.effects import Attend, Option, Say
from bot.conversation.replies import AskPerson, BookNew, Cancel, Change, Confirm, ShowMine
from bot.conversation.step import Decision
from bot.conversation.view import View
from bot.core.appointment import Appointment, Status


def check(id: int, version: int, draft: Draft, view: View) -> Appointment | Decision:  # noqa: A002 - the column's name
    """The appointment when it is the customer's, active, ahead, and as it was shown; else the answer to give."""
    found = view.appointment(id)
    if found is None:
        return not_found(draft, view)
    if found.start <= view.now:
        return draft, (Say(text=view.copy("started"), key=f"started:{id}", options=menu(view)),)
    if found.status is Status.CANCELLED:
        options = (Option(BookNew(), view.copy("book")),)
        return draft, (Say(text=view.copy("cancelled_already"), key=f"gone:{id}", options=options),)
    if not found.active:
        return not_found(draft, view)
    if found.version != version:
        return draft, (about("out_of_date", found, view, buttons=buttons(found, view)),)
    return found


def buttons(appointment: Appointment, view: View) -> tuple[Option, ...]:
    """Confirm (unless done), Change, Cancel, for the appointment as it is now."""
    id, version = appointment.id, appointment.version  # noqa: A001 - the column's name
    confirm = (Option(Confirm(id, version), view.copy("confirm")),)
    rest = (Option(Change(id, version), view.copy("change")), Option(Cancel(id, version), view.copy("cancel")))
    return (*confirm, *rest) if appointment.status is Status.SCHEDULED else rest


def about(key: str, appointment: Appointment, view: View, *, buttons: tuple[Option, ...] = ()) -> Say:
    """A line about this appointment as it is now."""
    named = f"{key}:{appointment.id}:{appointment.version}"
    return Say(text=view.about(key, appointment), key=named, options=buttons, appointment=appointment.id)


def menu(view: View) -> tuple[Option, ...]:
    """What can always be done."""
    return (
        Option(BookNew(), view.copy("book")),
        Option(ShowMine(), view.copy("see_mine")),
        Option(AskPerson(), view.copy("a_person")),
    )


def not_found(draft: Draft, view: View) -> Decision:
    """Nothing of this customer's goes by that button."""
    return draft, (Say(text=view.copy("not_found"), key="not_found", options=menu(view)),)


def unknown_button(draft: Draft, view: View) -> Decision:
    """A button that is not ours, or no longer."""
    return draft, (Say(text=view.copy("unknown_button"), key="unknown_button", options=menu(view)),)


def nothing_to_offer(draft: Draft, view: View) -> Decision:
    """Nobody can be booked at all."""
    text = view.copy("no_times", service=view.copy("an_appointment"))
    options = (Option(AskPerson(), view.copy("a_person")),)
    return draft.cleared(), (Say(text=text, key="no_times", options=options),)


def past_deadline(appointment: Appointment, draft: Draft, view: View) -> Decision | None:
    """Too late for the customer to cancel or move it: nothing changes, staff are told, the customer hears so."""
    if not view.business.rules.past_deadline(appointment.start, view.now):
        return None
    say = about("past_deadline", appointment, view)
    text = f"{view.named(appointment)}, {view.when(appointment.start)}"
    attend = Attend(kind="past_deadline", text=text, appointment=appointment.id)
    return draft, (say,) if draft.said == say.key else (attend, say)
