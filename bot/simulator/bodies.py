"""The bodies that Meta posts to a webhook, in its exact shapes, for what an invented customer does."""

import base64
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.simulator.people import Person

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The business's number at the stand-in, and the server that its webhooks go to."""

    webhook_url: str
    app_secret: str
    token: str
    phone_number_id: str
    waba_id: str
    display_phone_number: str = "15550001234"


def new_wamid() -> str:
    """A message id as WhatsApp makes them: opaque, never twice."""
    return "wamid." + base64.b64encode(secrets.token_bytes(21)).decode()


def text(body: str) -> Json:
    return {"type": "text", "text": {"body": body}}


def template_tap(payload: str, label: str) -> Json:
    """A tap on a template's quick reply."""
    return {"type": "button", "button": {"payload": payload, "text": label}}


def button_tap(button_id: str, title: str) -> Json:
    reply = {"type": "button_reply", "button_reply": {"id": button_id, "title": title}}
    return {"type": "interactive", "interactive": reply}


def row_tap(row_id: str, title: str, description: str | None = None) -> Json:
    row = {"id": row_id, "title": title} | ({"description": description} if description else {})
    return {"type": "interactive", "interactive": {"type": "list_reply", "list_reply": row}}


def reaction(wamid: str, emoji: str | None) -> Json:
    """`emoji` None = withdrawn: the key is absent."""
    content = {"message_id": wamid} | ({"emoji": emoji} if emoji else {})
    return {"type": "reaction", "reaction": content}


def media(kind: str) -> Json:
    """`sticker`, `image`, `document` or `voice` (which Meta calls `audio` with `voice: true`)."""
    mime = {"sticker": "image/webp", "image": "image/jpeg", "document": "application/pdf"}
    common = {"id": str(secrets.randbelow(10**15)), "sha256": base64.b64encode(secrets.token_bytes(32)).decode()}
    if kind == "voice":
        return {"type": "audio", "audio": common | {"mime_type": "audio/ogg; codecs=opus", "voice": True}}
    return {"type": kind, kind: common | {"mime_type": mime[kind]}}


def location() -> Json:
    place = {"latitude": 19.4, "longitude": -99.1, "name": "Parque Inventado", "address": "Calle Ficticia 12"}
    return {"type": "location", "location": place}


def message(line: Line, person: Person, wamid: str, at: datetime, content: Json) -> Json:
    """The webhook body for one message of `person`; `content` from above, with `context` where it quotes."""
    sender = {"from_user_id": person.user_id} | ({"from": person.wa_id} if person.wa_id else {})
    item = {**sender, "id": wamid, "timestamp": seconds(at), **content}
    return envelope(line, {"contacts": [contact(person)], "messages": [item]})


def context(line: Line, wamid: str) -> Json:
    """What a tap or a quoted answer points at: one of the business's messages."""
    return {"context": {"from": line.display_phone_number, "id": wamid}}


def contact(person: Person) -> Json:
    profile = {"name": person.name} | ({"username": person.username} if person.username else {})
    return {"profile": profile, "user_id": person.user_id} | ({"wa_id": person.wa_id} if person.wa_id else {})


def envelope(line: Line, value: Mapping[str, Any]) -> Json:
    metadata = {"display_phone_number": line.display_phone_number, "phone_number_id": line.phone_number_id}
    change = {"value": {"messaging_product": "whatsapp", "metadata": metadata, **value}, "field": "messages"}
    return {"object": "whatsapp_business_account", "entry": [{"id": line.waba_id, "changes": [change]}]}


def seconds(at: datetime) -> str:
    return str(int(at.timestamp()))
