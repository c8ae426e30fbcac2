"""What each of Meta's error codes means for us: the one table for HTTP answers and `failed` receipts."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.whatsapp.values import code_or_none, object_or_empty, text_or_none


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphError:
    """An error as the Graph API words it."""

    code: int
    title: str = ""
    details: str = ""
    subcode: int | None = None
    transient: bool = False
    trace: str | None = None


def read_error(value: object) -> GraphError | None:
    """An `errors[]` item of a webhook, or the `error` of an answer; None when it has no code."""
    item: Mapping[str, object] = object_or_empty(value)
    code = code_or_none(item.get("code"))
    if code is None:
        return None
    return GraphError(
        code=code,
        title=text_or_none(item.get("title")) or text_or_none(item.get("message")) or "",
        details=text_or_none(object_or_empty(item.get("error_data")).get("details")) or "",
        subcode=code_or_none(item.get("error_subcode")),
        transient=item.get("is_transient") is True,
        trace=text_or_none(item.get("fbtrace_id")),
    )


SERVER_FAULT = 500
# Somebody between us and Meta refused (a proxy, a wrong address): no code of Meta's at all.
NO_CODE = -1


class Handling(StrEnum):
    """What to do about an error."""

    RETRY = "retry"  # later, with back-off
    RETRY_THREE = "retry_three"  # the same, at most three times
    LATER_FOR_CUSTOMER = "later_for_customer"  # this customer only; everybody else goes on
    STOP_ACCOUNT = "stop_account"  # nothing will go out until a person acts
    STOP_REMINDERS = "stop_reminders"  # answers may go on, messages that we start may not
    STOP_TEMPLATES = "stop_templates"  # only free text may go on
    USE_TEMPLATE = "use_template"  # the window is closed for this customer
    PERMANENT = "permanent"  # this message never will


@dataclass(frozen=True, slots=True)
class _Rule:
    handling: Handling
    sentence: str


_R, _P, _STOP = Handling.RETRY, Handling.PERMANENT, Handling.STOP_ACCOUNT
_PERMISSION = _Rule(_STOP, "The access token lacks a permission; nothing can be sent until it is granted.")

# product.md §2 "Errors" and cloud-api.md §7. A code that stands nowhere here is permanent for its message.
TABLE: Mapping[int, _Rule] = {
    NO_CODE: _Rule(_R, "Something between here and WhatsApp refused the message; it is tried again."),
    0: _Rule(_STOP, "WhatsApp did not accept the access token; put in a new one."),
    1: _Rule(_R, "WhatsApp had a fault of its own; it is tried again."),
    2: _Rule(_R, "WhatsApp is overloaded or down; it is tried again."),
    3: _PERMISSION,
    4: _Rule(_R, "The app has made too many calls; sending goes on more slowly."),
    10: _PERMISSION,
    33: _Rule(_STOP, "The business number does not exist any more."),
    100: _Rule(_P, "WhatsApp refused the message as wrongly built; this is a fault of the program."),
    104: _Rule(_P, "The app asks for a proof that was not sent; check the app's settings at Meta."),
    190: _Rule(_STOP, "The access token has expired or was revoked; put in a new one."),
    **dict.fromkeys(range(200, 300), _PERMISSION),
    368: _Rule(_STOP, "Meta has restricted the account for breaking a policy."),
    803: _Rule(_P, "Meta does not know this number or account; check the settings."),
    80007: _Rule(_R, "The account has made too many calls; sending goes on more slowly."),
    130403: _Rule(_P, "The business has blocked this customer."),
    130429: _Rule(_R, "The number sends too fast; it is tried again more slowly."),
    130472: _Rule(_P, "Meta holds this customer back from business messages as part of an experiment."),
    130497: _Rule(_P, "Businesses may not message this customer's country from here."),
    131000: _Rule(Handling.RETRY_THREE, "WhatsApp failed without a reason; it is tried a few times."),
    131005: _PERMISSION,
    131008: _Rule(_P, "A part of the message is missing; this is a fault of the program."),
    131009: _Rule(_P, "A part of the message has a wrong value; this is a fault of the program."),
    131016: _Rule(_R, "A service of WhatsApp is down; it is tried again."),
    131021: _Rule(_P, "The business cannot message its own number."),
    131026: _Rule(_P, "The message cannot be delivered: not on WhatsApp, an old app, or the terms not accepted."),
    131030: _Rule(_P, "Test mode: this phone is not on the test number's list of allowed recipients."),
    131031: _Rule(_STOP, "Meta has locked the account, or its PIN is wrong."),
    131036: _Rule(_P, "The message expired before it could be delivered."),
    131037: _Rule(_STOP, "The display name of the business number is not approved yet."),
    131042: _Rule(_STOP, "Payment trouble: the account has no working payment method."),
    131045: _Rule(_P, "The business number is not registered; register it at Meta."),
    131047: _Rule(Handling.USE_TEMPLATE, "More than 24 hours since the customer last wrote: only a template may go."),
    131048: _Rule(Handling.STOP_REMINDERS, "Meta has restricted the number for its quality; reminders are stopped."),
    131049: _Rule(_P, "Meta held the message back to keep its users' chats healthy."),
    131050: _Rule(_P, "The customer does not want marketing messages."),
    131051: _Rule(_P, "WhatsApp does not support this kind of message."),
    131052: _Rule(_P, "The customer's file could not be loaded."),
    131053: _Rule(_P, "The file could not be uploaded."),
    131055: _Rule(_P, "This way of sending is not allowed; this is a fault of the program."),
    131056: _Rule(Handling.LATER_FOR_CUSTOMER, "Too many messages to this customer at once; tried again later."),
    131057: _Rule(_R, "The account is in maintenance; it is tried again."),
    131060: _Rule(_P, "WhatsApp could not hand over the customer's message."),
    131061: _Rule(_P, "WhatsApp refused the price given for the message."),
    131062: _Rule(_P, "This message needs the customer's phone number, which is hidden."),
    131063: _Rule(_P, "Marketing templates are switched off for this account."),
    131064: _Rule(Handling.STOP_TEMPLATES, "Meta has stopped the account's templates because of a wrong category."),
    131070: _Rule(_P, "Another app owns this chat at the moment."),
    132000: _Rule(_P, "The template takes a different number of parameters than were sent."),
    132001: _Rule(_P, "The template does not exist in this language, or is not approved."),
    132005: _Rule(_P, "The text of the filled template is too long."),
    132007: _Rule(_P, "The template's content breaks a policy."),
    132008: _Rule(_P, "A parameter of the template has a wrong value."),
    132012: _Rule(_P, "A parameter of the template has a wrong format."),
    132015: _Rule(_P, "The template is paused for low quality."),
    132016: _Rule(_P, "The template is disabled for good; it must be replaced."),
    132018: _Rule(_P, "A parameter of the template holds what WhatsApp forbids, such as a line break."),
    132068: _Rule(_P, "The form is blocked."),
    132069: _Rule(_P, "The form is used too often at the moment."),
    133010: _Rule(_P, "The business number is not registered; register it at Meta."),
    134011: _Rule(_P, "The terms for payments are not accepted."),
    135000: _Rule(_P, "WhatsApp refused the message as wrongly built; this is a fault of the program."),
    2494100: _Rule(_R, "The number is in maintenance; it is tried again."),
}


def handling(code: int, *, http_status: int | None = None, transient: bool = False) -> Handling:
    """What to do about `code`. The HTTP status only decides about codes that the table does not know."""
    rule = TABLE.get(code)
    if rule is not None and rule.handling is not Handling.PERMANENT:
        return rule.handling
    if transient:
        return Handling.RETRY
    if rule is None and http_status is not None and http_status >= SERVER_FAULT:
        return Handling.RETRY
    return Handling.PERMANENT


def sentence(code: int) -> str:
    """One plain sentence for staff."""
    rule = TABLE.get(code)
    return rule.sentence if rule else f"WhatsApp refused the message with error {code}, which is not known here."
