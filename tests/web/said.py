"""Webhook bodies to vary, in the shape of fixtures/webhooks."""

from collections.abc import Sequence
from typing import Any

from tests.stack.world import ACCOUNT, NUMBER

Json = dict[str, Any]
PHONE = "5215550001601"
AT = "1796140800"
"""The tests' NOW."""


def text(wamid: str = "wamid.1", words: str = "hola", **more: object) -> Json:
    return {"from": PHONE, "id": wamid, "timestamp": AT, "type": "text", "text": {"body": words}, **more}


def contact(name: object = "Ana Prueba", phone: str = PHONE) -> Json:
    return {"profile": {"name": name}, "wa_id": phone}


def value(*messages: object, contacts: object = None, number: str = NUMBER, **more: object) -> Json:
    given = [contact()] if contacts is None else contacts
    metadata = {"display_phone_number": "15550001234", "phone_number_id": number}
    return {"messaging_product": "whatsapp", "metadata": metadata, "contacts": given, "messages": [*messages], **more}


def body(*values: object, field: str = "messages", account: str = ACCOUNT) -> Json:
    changes = [{"field": field, "value": one} for one in values]
    return {"object": "whatsapp_business_account", "entry": [{"id": account, "changes": changes}]}


def receipt(wamid: str, status: str = "delivered", **more: object) -> Json:
    return {"id": wamid, "status": status, "timestamp": AT, "recipient_id": PHONE, **more}


def receipts(*statuses: Json) -> Json:
    metadata = {"display_phone_number": "15550001234", "phone_number_id": NUMBER}
    return body({"messaging_product": "whatsapp", "metadata": metadata, "statuses": [*statuses]})


def entries(*bodies: Json) -> Json:
    """One body with the entries of all."""
    every: Sequence[Json] = [entry for one in bodies for entry in one["entry"]]
    return {"object": "whatsapp_business_account", "entry": every}
