"""The elements of the field `messages`: one message, one status, one error."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace

from bot.whatsapp.content import Item, Unreadable, read_content
from bot.whatsapp.errors import read_error
from bot.whatsapp.events import (
    AccountError,
    Ignored,
    Message,
    NumberChanged,
    Receipt,
    ReceiptStatus,
    Unsupported,
)
from bot.whatsapp.people import People
from bot.whatsapp.values import (
    clean_json,
    id_or_none,
    line_or_none,
    list_or_empty,
    object_or_empty,
    time_or_none,
)

_RAW = json.JSONEncoder(separators=(",", ":"))


def message(account: str, number_id: str | None, people: People, value: Item, item: object) -> Message:
    """One of `messages[]`. Raises Unreadable."""
    if not isinstance(item, dict):
        raise Unreadable("message is not an object")
    content = read_content(item)
    sender = people.sender(item)
    if not (sender.user_id or sender.wa_id or isinstance(content, NumberChanged)):
        raise Unreadable("message without a sender")
    if isinstance(content, Unsupported) and content.code is None:
        content = replace(content, code=_code_beside(value))
    context = object_or_empty(item.get("context"))
    return Message(
        wamid=id_or_none(item.get("id")) or _derived_id(item),
        account=account,
        phone_number_id=number_id,
        sender=sender,
        sent_at=time_or_none(item.get("timestamp")),
        content=content,
        context_id=id_or_none(context.get("id")),
        forwarded=context.get("forwarded") is True or context.get("frequently_forwarded") is True,
        referral=_strings(item.get("referral")),
        group_id=id_or_none(item.get("group_id")),
        raw=_RAW.encode(item),
    )


def _derived_id(item: Item) -> str:
    """The same for the same item in any envelope, so that a second delivery is still known as one."""
    return f"derived:{hashlib.sha256(json.dumps(item, sort_keys=True).encode()).hexdigest()}"


def _code_beside(value: Item) -> int | None:
    """The error that Meta puts beside a message whose content it could not build."""
    errors = (read_error(error) for error in list_or_empty(value.get("errors")))
    return next((error.code for error in errors if error), None)


def _strings(value: object) -> Mapping[str, str] | None:
    cleaned = clean_json(value)
    return {key: item for key, item in cleaned.items() if isinstance(item, str)} if isinstance(cleaned, dict) else None


def receipt(number_id: str | None, value: object) -> Receipt | Ignored:
    """One of `statuses[]`. Raises Unreadable."""
    item = object_or_empty(value)
    status, wamid = line_or_none(item.get("status")) or "missing", id_or_none(item.get("id"))
    if wamid is None:
        raise Unreadable("status without an id")
    if status not in _STATUSES:
        return Ignored(field="messages", why=f"unknown status {status[:64]}", unknown=True)
    errors = (read_error(error) for error in list_or_empty(item.get("errors")))
    return Receipt(
        wamid=wamid,
        phone_number_id=number_id,
        status=ReceiptStatus(status),
        at=time_or_none(item.get("timestamp")),
        delivery_id=id_or_none(item.get("biz_opaque_callback_data")),
        recipient=id_or_none(item.get("recipient_id")),
        recipient_user_id=id_or_none(item.get("recipient_user_id")),
        errors=tuple(error for error in errors if error),
        pricing=_scalars(item.get("pricing")),
    )


_STATUSES = frozenset(ReceiptStatus)


def _scalars(value: object) -> Mapping[str, str | int | bool] | None:
    cleaned = clean_json(value)
    if not isinstance(cleaned, dict):
        return None
    return {key: item for key, item in cleaned.items() if isinstance(item, str | int)}


def account_error(number_id: str | None, item: object) -> AccountError:
    """One of `value.errors[]` that stands alone. Raises Unreadable."""
    error = read_error(item)
    if error is None:
        raise Unreadable("error without a code")
    return AccountError(phone_number_id=number_id, code=error.code, title=error.title, details=error.details)
