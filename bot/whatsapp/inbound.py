"""A webhook body → what it says. Dispatch is on `field` first; one bad element never costs its neighbours."""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from bot.whatsapp.content import Item, Unreadable, load_json
from bot.whatsapp.events import Event, Ignored, Problem, Reading
from bot.whatsapp.messages import account_error, message, receipt
from bot.whatsapp.nesting import shallow
from bot.whatsapp.notices import (
    IGNORED_FIELDS,
    echo,
    preference,
    template_category,
    template_quality,
    template_status,
)
from bot.whatsapp.people import People
from bot.whatsapp.values import id_or_none, line_or_none, list_or_empty, object_or_empty

# One element of a body: where it stands, and how to read it (raises for a bad one).
Part = tuple[str, Callable[[], Event]]

LONGEST_NAME = 64


def read(body: bytes) -> Reading:
    """Everything in a webhook body. Never raises, whatever the bytes; give it only what was rightly signed."""
    try:
        root = _parse(body)
    except (ValueError, RecursionError) as error:
        return Reading(problems=(Problem(why=f"not readable as JSON: {type(error).__name__}", where="body"),))
    events: list[Event] = []
    problems: list[Problem] = []
    for where, element in _body(root):
        try:
            events.append(element())
        except Unreadable as error:
            problems.append(Problem(why=str(error), where=where))
        except Exception as error:  # noqa: BLE001 -- a fault of ours in one element must not cost the others
            problems.append(Problem(why=type(error).__name__, where=where))
    return Reading(events=tuple(events), problems=tuple(problems))


def _parse(body: bytes) -> object:
    """A byte that is no UTF-8 costs its own string only: it becomes a lone surrogate, which every value drops."""
    text = body.removeprefix(BOM_UTF8).decode("utf-8", "surrogateescape")
    try:
        return load_json(text)
    except RecursionError:
        return load_json(shallow(text))


def _body(root: object) -> Iterator[Part]:
    if not isinstance(root, dict):
        yield _bad("body", "body is not an object")
    elif root.get("object") != "whatsapp_business_account":
        yield _ignored("object", "object", f"not WhatsApp but {_name(root.get('object'))}", unknown=True)
    elif not isinstance(root.get("entry"), list):
        yield _bad("entry", "entry is not an array")
    else:
        for number, entry in enumerate(root["entry"]):
            yield from _entry(f"entry[{number}]", object_or_empty(entry))


def _entry(where: str, entry: Item) -> Iterator[Part]:
    changes = entry.get("changes")
    if not isinstance(changes, list):
        yield _bad(where, "changes is not an array")
        return
    account = id_or_none(entry.get("id")) or ""
    for number, change in enumerate(changes):
        yield from _change(f"{where}.changes[{number}]", account, object_or_empty(change))


def _change(where: str, account: str, change: Item) -> Iterator[Part]:
    field, value = _name(change.get("field")), change.get("value")
    if field in IGNORED_FIELDS:
        yield _ignored(where, field, IGNORED_FIELDS[field])
    elif field not in FIELDS:
        yield _ignored(where, field, "unknown field", unknown=True)
    elif not isinstance(value, dict):
        yield _bad(where, "value is not an object")
    else:
        for path, element in FIELDS[field](account, value):
            yield f"{where}.{path}", element


def _messages(account: str, value: Item) -> Iterator[Part]:
    """Messages, statuses and errors may stand side by side; errors count alone only where nothing else stands."""
    number_id = id_or_none(object_or_empty(value.get("metadata")).get("phone_number_id"))
    people, empty = People(value), True
    for where, item in _items(value, "messages"):
        empty = False
        yield where, partial(message, account, number_id, people, value, item)
    for where, item in _items(value, "statuses"):
        empty = False
        yield where, partial(receipt, number_id, item)
    if not empty:
        return
    for where, item in _items(value, "errors"):
        empty = False
        yield where, partial(account_error, number_id, item)
    if empty:
        others = ", ".join(sorted(_name(key) for key in value.keys() - _SURROUNDINGS))[:LONGEST_NAME]
        yield _ignored("value", "messages", f"nothing used inside, only {others}" if others else "nothing inside")


_SURROUNDINGS = {"messaging_product", "metadata", "contacts"}


def _list_of(key: str, reader: Callable[[Item, Item], Event]) -> Callable[[str, Item], Iterator[Part]]:
    """A field whose elements stand in the array `key` of its value."""

    def parts(_: str, value: Item) -> Iterator[Part]:
        for where, item in _items(value, key):
            yield where, partial(reader, value, object_or_empty(item))

    return parts


def _whole(reader: Callable[[str, Item], Event]) -> Callable[[str, Item], Iterator[Part]]:
    """A field whose value is one element."""

    def parts(account: str, value: Item) -> Iterator[Part]:
        yield "value", partial(reader, account, value)

    return parts


FIELDS: Mapping[str, Callable[[str, Item], Iterable[Part]]] = {
    "messages": _messages,
    "message_echoes": _list_of("message_echoes", echo),
    "smb_message_echoes": _list_of("message_echoes", echo),
    "user_preferences": _list_of("user_preferences", preference),
    "message_template_status_update": _whole(template_status),
    "message_template_quality_update": _whole(template_quality),
    "template_category_update": _whole(template_category),
}


def _items(value: Item, key: str) -> Iterator[tuple[str, object]]:
    """The elements of the array `key`; a thing there that is no array counts as one bad element."""
    array = value.get(key)
    if array is not None and not isinstance(array, list):
        yield key, None
    for number, item in enumerate(list_or_empty(array)):
        yield f"{key}[{number}]", item


def _bad(where: str, why: str) -> Part:
    def element() -> Event:
        raise Unreadable(why)

    return where, element


def _ignored(where: str, field: str, why: str, *, unknown: bool = False) -> Part:
    return where, lambda: Ignored(field=field, why=why, unknown=unknown)


def _name(value: object) -> str:
    return (line_or_none(value) or "missing")[:LONGEST_NAME]
