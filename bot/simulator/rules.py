"""What Meta would refuse of a message, and in which words: limits, templates, the 24 h window."""

import re
from collections.abc import Callable, Collection, Mapping

from bot.simulator.refusals import GraphRefusal, RefusedError, a_text, an_object
from bot.simulator.rules_interactive import check_interactive
from bot.simulator.rules_template import check_template
from bot.simulator.templates import ApprovedTemplate

_PHONE = re.compile(r"\+?[0-9][0-9 ()-]{5,24}")
_BSUID = re.compile(r"[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}")
_LONGEST_CALLBACK_DATA = 512


def refusal(body: object, *, window_open: bool, templates: Collection[ApprovedTemplate]) -> GraphRefusal | None:
    """Why Meta would not take this body of `POST /{number}/messages`; None = it would.

    `window_open`: has this customer written in the last 24 hours?
    """
    try:
        _check(body, window_open, templates)
    except RefusedError as error:
        return error.refusal
    return None


def _check(value: object, window_open: bool, templates: Collection[ApprovedTemplate]) -> None:
    if not isinstance(value, dict):
        raise RefusedError(100, "The body must be a JSON object.")
    _check_envelope(value)
    kind = value.get("type", "text")
    if kind == "template":
        check_template(an_object(value.get("template"), "template"), templates)
        return
    if not isinstance(kind, str) or kind not in _KINDS:
        raise RefusedError(100, f"Param type must be one of {', '.join([*_KINDS, 'template'])}.")
    _KINDS[kind](an_object(value.get(kind), kind))
    if not window_open:
        raise RefusedError(131047, "More than 24 hours have passed since the customer last replied to this number.")


def _check_envelope(body: Mapping[str, object]) -> None:
    if body.get("messaging_product") != "whatsapp":
        raise RefusedError(100, "The parameter messaging_product is required and must be 'whatsapp'.")
    if body.get("recipient_type", "individual") != "individual":
        raise RefusedError(131009, "recipient_type must be 'individual'.")
    _check_recipient(body)
    data = body.get("biz_opaque_callback_data")
    if data is not None:
        a_text(data, "biz_opaque_callback_data", most=_LONGEST_CALLBACK_DATA, code=100)
    if "context" in body:
        a_text(an_object(body["context"], "context").get("message_id"), "context.message_id", most=512)


def _check_recipient(body: Mapping[str, object]) -> None:
    to, recipient = body.get("to"), body.get("recipient")
    if to is None and recipient is None:
        raise RefusedError(131008, "The parameter to (or recipient) is required.")
    if to is not None and not (isinstance(to, str) and _PHONE.fullmatch(to)):
        raise RefusedError(131009, "to is not a valid phone number.")
    if to is None and not (isinstance(recipient, str) and _BSUID.fullmatch(recipient)):
        raise RefusedError(131009, "recipient is not a valid user id.")


def _check_text(text: Mapping[str, object]) -> None:
    a_text(text.get("body"), "text.body", most=4096, code=100)


def _check_reaction(reaction: Mapping[str, object]) -> None:
    a_text(reaction.get("message_id"), "reaction.message_id", most=512)
    if not isinstance(reaction.get("emoji"), str):
        raise RefusedError(131008, "The parameter reaction.emoji is required.")


# The kinds that a booking bot sends. Media are left out: nothing here could show them.
_KINDS: Mapping[str, Callable[[Mapping[str, object]], None]] = {
    "text": _check_text,
    "reaction": _check_reaction,
    "interactive": check_interactive,
}
