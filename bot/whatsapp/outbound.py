"""What we say → the exact JSON for `/messages`. Meta's limits are kept here and nowhere else."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.core.graphemes import cut, units
from bot.core.names import visible
from bot.whatsapp.titles import NOTHING, distinct, fitted
from bot.whatsapp.values import clean_text

Json = dict[str, object]

TEXT_LIMIT = 4096
BODY_LIMIT = 1024
BUTTONS_LIMIT = 3
BUTTON_TITLE_LIMIT = 20
BUTTON_ID_LIMIT = 256
ROWS_LIMIT = 10
ROW_ID_LIMIT = 200
SECTION_TITLE_LIMIT = 24
LIST_BUTTON_LIMIT = 20
TEMPLATE_BUTTONS_LIMIT = 10
# Meta's own number is not known (128 or 256 are in circulation): the smaller one is safe.
PAYLOAD_LIMIT = 128
DELIVERY_ID_LIMIT = 512
# Ours, so that a filled template never comes near its 1024.
PARAMETER_LIMIT = 60

LIST_BUTTON = "☰"

_TEMPLATE_NAME = re.compile(r"[a-z0-9_]{1,512}")
_TEMPLATE_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")
_BRACES = re.compile(r"(\{|\})\1+")


class Unsendable(ValueError):
    """Content that cannot be made legal: a fault of the caller's."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something to tap. A title that is too long goes on in the description."""

    id: str
    title: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a list with a heading."""

    title: str
    options: tuple[Option, ...]


def text(body: str) -> Json:
    """Plain text, without a preview of links."""
    return {"type": "text", "text": {"body": _body(body, TEXT_LIMIT), "preview_url": False}}


def buttons(body: str, options: Sequence[Option]) -> Json:
    """One to three reply buttons; descriptions are not shown."""
    _check_count("buttons", len(options), BUTTONS_LIMIT)
    _check_ids(options, BUTTON_ID_LIMIT)
    titles = distinct([_line(option.title) for option in options], BUTTON_TITLE_LIMIT)
    replies = [
        {"type": "reply", "reply": {"id": option.id, "title": title}}
        for option, title in zip(options, titles, strict=True)
    ]
    return _interactive("button", body, {"buttons": replies})


def menu(body: str, button: str, options: Sequence[Option] = (), *, sections: Sequence[Section] = ()) -> Json:
    """A list of at most ten rows, in one nameless part or in `sections` with headings."""
    parts = sections or (Section("", tuple(options)),)
    rows = [option for part in parts for option in part.options]
    _check_count("rows", len(rows), ROWS_LIMIT)
    _check_ids(rows, ROW_ID_LIMIT)
    if len(parts) > 1 and not all(_line(part.title) and part.options for part in parts):
        raise Unsendable("each of several sections needs a title and rows")
    if not _line(button):
        raise Unsendable("a list needs a label for its button")
    shown = iter(_rows(rows))
    return _interactive(
        "list",
        body,
        {
            "button": cut(_line(button), LIST_BUTTON_LIMIT),
            "sections": [_section(part, [next(shown) for _ in part.options]) for part in parts],
        },
    )


def say(body: str, options: Sequence[Option] = (), list_button: str = "") -> Json:
    """Text, buttons where they fit without loss, else a list."""
    if not options:
        return text(body)
    if len(options) <= BUTTONS_LIMIT and all(_fits_button(option) for option in options):
        return buttons(body, options)
    return menu(body, list_button if _line(list_button) else LIST_BUTTON, options)


def template(name: str, language: str, parameters: Mapping[str, str], payloads: Sequence[str] = ()) -> Json:
    """An approved template with named parameters and one payload for each of its quick replies."""
    if not _TEMPLATE_NAME.fullmatch(name) or not _TEMPLATE_LANGUAGE.fullmatch(language):
        raise Unsendable(f"not a template name and language: {name!r} {language!r}")
    if len(payloads) > TEMPLATE_BUTTONS_LIMIT:
        raise Unsendable(f"{len(payloads)} quick replies; at most {TEMPLATE_BUTTONS_LIMIT}")
    components: list[Json] = []
    if parameters:
        values = [
            {"type": "text", "parameter_name": key, "text": parameter(value)} for key, value in parameters.items()
        ]
        components.append({"type": "body", "parameters": values})
    for index, payload in enumerate(payloads):
        _check_id(payload, PAYLOAD_LIMIT)
        tap = [{"type": "payload", "payload": payload}]
        components.append({"type": "button", "sub_type": "quick_reply", "index": str(index), "parameters": tap})
    return {"type": "template", "template": {"name": name, "language": {"code": language}, "components": components}}


def parameter(value: str) -> str:
    """Text that Meta takes as a template parameter (132018): one line, never empty, nothing hidden, no `{{`."""
    return cut(_BRACES.sub(r"\1", _line(value)), PARAMETER_LIMIT) or NOTHING


def addressed(
    content: Json, *, wa_id: str | None, user_id: str | None, delivery_id: str | None, quoting: str | None = None
) -> Json:
    """The whole request. `to` whenever a phone is known, exactly as it was reported; `recipient` only without one."""
    if not wa_id and not user_id:
        raise Unsendable("neither a phone nor a user id to send to")
    whole: Json = {"messaging_product": "whatsapp", "recipient_type": "individual"}
    whole |= {"to": wa_id} if wa_id else {"recipient": user_id}
    if quoting:
        whole["context"] = {"message_id": quoting}
    if delivery_id:
        _check_id(delivery_id, DELIVERY_ID_LIMIT)
        whole["biz_opaque_callback_data"] = delivery_id
    return whole | content


def _interactive(kind: str, body: str, action: Json) -> Json:
    shown = {"text": _body(body, BODY_LIMIT)}
    return {"type": "interactive", "interactive": {"type": kind, "body": shown, "action": action}}


def _body(body: str, limit: int) -> str:
    cleaned = clean_text(body).strip()
    if not cleaned:
        raise Unsendable("a message without text")
    return cut(cleaned, limit)


def _line(value: str) -> str:
    """One line without hidden signs that turn or stretch text; empty when nothing of it can be seen."""
    line = " ".join(visible(clean_text(value)).split())
    return line if any(unicodedata.category(char)[0] not in "CMZ" for char in line) else ""


def _fits_button(option: Option) -> bool:
    return not option.description and units(_line(option.title)) <= BUTTON_TITLE_LIMIT


def _section(part: Section, rows: list[Json]) -> Json:
    title = cut(_line(part.title), SECTION_TITLE_LIMIT)
    return {"title": title, "rows": rows} if title else {"rows": rows}


def _rows(options: Sequence[Option]) -> list[Json]:
    rows: list[Json] = []
    shown = fitted([(_line(option.title), _line(option.description)) for option in options])
    for option, (title, below) in zip(options, shown, strict=True):
        row: Json = {"id": option.id, "title": title}
        rows.append(row | {"description": below} if below else row)
    return rows


def _check_count(what: str, count: int, most: int) -> None:
    if not 1 <= count <= most:
        raise Unsendable(f"{count} {what}; 1 to {most} can be sent")


def _check_ids(options: Sequence[Option], limit: int) -> None:
    for option in options:
        _check_id(option.id, limit)
    if len({option.id for option in options}) < len(options):
        raise Unsendable("two options with one id")


def _check_id(value: str, limit: int) -> None:
    if not 1 <= units(value) <= limit or value != value.strip() or value != clean_text(value):
        raise Unsendable(f"an id must have 1 to {limit} plain characters and no outer spaces")
