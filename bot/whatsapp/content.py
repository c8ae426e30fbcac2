"""What is inside one inbound message: one reader per `type`, unknown types kept by name.

A part that is missing makes the message `Unsupported` (Meta does send such); a part of a wrong type is `Unreadable`.
"""

import json
from collections.abc import Callable, Mapping
from math import isfinite

from bot.whatsapp.events import (
    Button,
    Choice,
    Content,
    Edited,
    Form,
    IdentityChanged,
    Location,
    Media,
    NumberChanged,
    Order,
    Reaction,
    Revoked,
    SharedContacts,
    Text,
    Unsupported,
)
from bot.whatsapp.values import (
    clean_json,
    code_or_none,
    id_or_none,
    line_or_none,
    list_or_empty,
    number_or_none,
    object_or_empty,
    text_or_none,
)

Item = Mapping[str, object]

LONGEST_KIND = 64
# Longer than any id or time; Python refuses to read numbers of thousands of digits.
LONGEST_NUMBER = 30


class Unreadable(ValueError):
    """An element whose shape nobody expects; the text says what, without anybody's words in it."""


def _integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= LONGEST_NUMBER else None


def _float(digits: str) -> float | None:
    number = float(digits)
    return number if isfinite(number) else None


_DECODER = json.JSONDecoder(parse_constant=lambda _: None, parse_int=_integer, parse_float=_float)


def load_json(text: str) -> object:
    """JSON from outside: NaN, Infinity and numbers of absurd length become null; ValueError or RecursionError else."""
    return _DECODER.decode(text)


def read_content(item: Item) -> Content:
    """The content of `messages[]` item `item`. Raises Unreadable."""
    kind = (line_or_none(item.get("type")) or "missing")[:LONGEST_KIND]
    reader = _READERS.get(kind)
    content = reader(item) if reader else None
    return content or Unsupported(kind=kind, code=_code(item))


def _code(item: Item) -> int | None:
    return next((code_or_none(object_or_empty(error).get("code")) for error in list_or_empty(item.get("errors"))), None)


def _part(item: Item, key: str) -> Item | None:
    """The object `key`; None when Meta left it out."""
    value = item.get(key)
    if value is None or isinstance(value, dict):
        return value
    raise Unreadable(f"{key} is not an object")


def _words(part: Item, key: str) -> str | None:
    value = part.get(key)
    if value is None or isinstance(value, str):
        return text_or_none(value)
    raise Unreadable(f"{key} is not a string")


def _text(item: Item) -> Text | None:
    body = _words(_part(item, "text") or {}, "body")
    return None if body is None else Text(body=body)


def _button(item: Item) -> Button | None:
    part = _part(item, "button") or {}
    payload, text = id_or_none(part.get("payload")), _words(part, "text")
    return Button(payload=payload, text=text or "") if payload or text else None


def _interactive(item: Item) -> Content | None:
    part = _part(item, "interactive")
    if part is None:
        return None
    match part.get("type"):
        case "button_reply" | "list_reply" as kind:
            reply = _part(part, kind) or {}
            chosen = id_or_none(reply.get("id"))
            return Choice(id=chosen, title=_words(reply, "title") or "") if chosen else None
        case "nfm_reply":
            return _form(_part(part, "nfm_reply") or {})
        case kind:
            return Unsupported(kind=(line_or_none(kind) or "interactive")[:LONGEST_KIND], code=_code(item))


def _form(reply: Item) -> Form:
    try:
        response = clean_json(load_json(_words(reply, "response_json") or ""))
    except (ValueError, RecursionError):
        response = None
    if not isinstance(response, dict):
        return Form(response=None, token=None)
    return Form(response=response, token=id_or_none(response.get("flow_token")))


def _reaction(item: Item) -> Reaction | None:
    part = _part(item, "reaction") or {}
    target = id_or_none(part.get("message_id"))
    return Reaction(message_id=target, emoji=_words(part, "emoji") or None) if target else None


def _media(item: Item) -> Media:
    kind = str(item["type"])
    part = _part(item, kind) or {}
    return Media(kind=kind, caption=_words(part, "caption") or None, voice=part.get("voice") is True)


def _location(item: Item) -> Location:
    part = _part(item, "location") or {}
    return Location(
        latitude=number_or_none(part.get("latitude")),
        longitude=number_or_none(part.get("longitude")),
        name=line_or_none(part.get("name")),
        address=line_or_none(part.get("address")),
    )


def _contacts(item: Item) -> SharedContacts:
    cards = [object_or_empty(card) for card in list_or_empty(item.get("contacts"))]
    phones = [object_or_empty(phone) for card in cards for phone in list_or_empty(card.get("phones"))]
    numbers = (id_or_none(phone.get("wa_id")) or line_or_none(phone.get("phone")) for phone in phones)
    return SharedContacts(
        phones=tuple(number for number in numbers if number),
        requested=any(card.get("origin") == "contact_request" for card in cards),
    )


def _order(_: Item) -> Order:
    return Order()


def _system(item: Item) -> Content | None:
    part = _part(item, "system") or {}
    match part.get("type"):
        case "user_changed_number" | "customer_changed_number" | "user_changed_user_id":
            return NumberChanged(
                new_wa_id=id_or_none(part.get("wa_id")) or id_or_none(part.get("new_wa_id")),
                new_user_id=id_or_none(part.get("user_id")),
                previous_user_id=id_or_none(part.get("previous_user_id")),
                old_wa_id=id_or_none(item.get("from")),
            )
        case "customer_identity_changed":
            return IdentityChanged()
        case kind:
            return Unsupported(kind=f"system/{line_or_none(kind) or 'missing'}"[:LONGEST_KIND])


def _edit(item: Item) -> Edited | None:
    part = _part(item, "edit") or {}
    original = id_or_none(part.get("original_message_id"))
    if original is None:
        return None
    now = read_content(_part(part, "message") or {})
    text = now.body if isinstance(now, Text) else now.caption if isinstance(now, Media) else None
    return Edited(original_id=original, text=text)


def _revoke(item: Item) -> Revoked | None:
    original = id_or_none((_part(item, "revoke") or {}).get("original_message_id"))
    return Revoked(original_id=original) if original else None


def _unsupported(item: Item) -> Unsupported | None:
    kind = line_or_none((_part(item, "unsupported") or {}).get("type"))
    return Unsupported(kind=kind[:LONGEST_KIND], code=_code(item)) if kind else None


_READERS: Mapping[str, Callable[[Item], Content | None]] = {
    "text": _text,
    "button": _button,
    "interactive": _interactive,
    "reaction": _reaction,
    **dict.fromkeys(("image", "video", "audio", "document", "sticker"), _media),
    "location": _location,
    "contacts": _contacts,
    "order": _order,
    "system": _system,
    "edit": _edit,
    "revoke": _revoke,
    "unsupported": _unsupported,
}
