"""A reminder as it lies in the chat: the template's text with its three quick replies."""

from bot.conversation.replies import Cancel, Change, Confirm, encode
from bot.conversation.view import View
from bot.conversation.wording import Wording
from bot.core.appointment import Appointment
from bot.whatsapp import templates
from tests.stories.player import Bubble, Choice


def reminder(view: View, appointment: Appointment, kind: str, handle: str) -> Bubble:
    """In the customer's language, else in the business's."""
    language = view.customer.language or view.business.language
    template = templates.pick(kind, (language,))
    assert template is not None
    words = Wording(language)
    text = templates.render(
        template,
        {
            "name": appointment.attendee or view.customer.name or words.say("dear_customer"),
            "service": view.named(appointment),
            "when": words.when(appointment.start, view.business.zone),
            "business": view.business.name,
        },
    )
    replies = (kind(appointment.id, appointment.version) for kind in (Confirm, Change, Cancel))
    choices = tuple(Choice(encode(reply), label) for reply, label in zip(replies, template.buttons, strict=True))
    return Bubble(id=handle, kind="template", text=text, choices=choices)
