"""The receipts (status webhooks) of what the business sent: which, how fast, and their exact shape."""

from dataclasses import dataclass
from datetime import datetime

from bot.simulator.bodies import Json, Line, contact, envelope, seconds
from bot.simulator.messages import Accepted
from bot.simulator.refusals import GraphRefusal


@dataclass(slots=True, kw_only=True)
class ReceiptPlan:
    """What becomes of accepted messages; change the fields at any time.

    `before_answer` posts them before the HTTP answer goes out: a race that Meta allows.
    """

    statuses: tuple[str, ...] = ("sent", "delivered")
    pause: float = 0.15
    before_answer: bool = False


def receipt(line: Line, message: Accepted, status: str, at: datetime, error: GraphRefusal | None = None) -> Json:
    """The webhook body of one receipt. As with Meta, `failed` has no contacts and may name no user id."""
    person = message.person
    item: Json = {"id": message.wamid, "status": status, "timestamp": seconds(at)}
    if person.wa_id:
        item["recipient_id"] = person.wa_id
    if message.delivery_id is not None:
        item["biz_opaque_callback_data"] = message.delivery_id
    if error is not None:
        return envelope(line, {"statuses": [{**item, "errors": [error.receipt_error()]}]})
    item["recipient_user_id"] = person.user_id
    if status == "sent" and message.kind != "reaction":
        item["pricing"] = _pricing(message.kind)
    return envelope(line, {"contacts": [contact(person)], "statuses": [item]})


def _pricing(kind: str) -> Json:
    """Since October 2026: templates are billed, service messages only beyond the month's free ones."""
    if kind == "template":
        return {"billable": True, "pricing_model": "PMP", "type": "regular", "category": "utility"}
    return {"billable": False, "pricing_model": "PMP", "type": "free_customer_service", "category": "service"}
