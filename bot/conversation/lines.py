"""The lines we say: ours from `copy/`, their variants by form of address, and what a business may say instead."""

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from importlib.resources import files
from string import Formatter
from types import MappingProxyType

from bot.core.graphemes import units

LANGUAGES = ("es", "pt", "en")
FORMS_OF_ADDRESS = ("tú", "usted", "vos")
"""Of Spanish; Portuguese says *você* and English *you* to everybody."""
VARIANTS = MappingProxyType({("es", "usted"): "es_usted", ("es", "vos"): "es_vos"})
"""Files with the lines that differ from those of the language's own file."""

LONGEST = 600
"""No message is longer: nobody reads it on a phone."""
LONGEST_LINE = 290
"""Of one line with its places filled, in UTF-16 units as everywhere: a message joins up to two."""
VALUE = 60
VALUES = MappingProxyType({"note": 200, "service": 125, "what": 115})
"""What fills a place is cut at that; names are no longer anyway, unless another program has written them. A service
may say for whom it is."""
BUTTON, ROW, HINT = 20, 24, 72

_BUTTONS = frozenset(
    (
        *("confirm", "change", "cancel", "undo", "keep", "yes_cancel", "book", "book_another", "a_person", "see_mine"),
        *("for_me", "yes_book", "yes_move", "move_instead", "yes_go_on", "begin_anew"),
    )
)
_ROWS = frozenset({"other_day", "other_person", "anybody", "first_page"})
_DATES = MappingProxyType({"when": 45, "day": 35, "count": 5})


def _read(name: str) -> Mapping[str, str]:
    text = (files("bot.conversation") / "copy" / f"{name}.toml").read_text("utf-8")
    return MappingProxyType({key: str(line) for key, line in tomllib.loads(text).items()})


OURS: Mapping[str, Mapping[str, str]] = MappingProxyType({one: _read(one) for one in LANGUAGES})
_VARIANTS = MappingProxyType({key: _read(name) for key, name in VARIANTS.items()})
_NONE: Mapping[str, str] = MappingProxyType({})


def line(key: str, language: str, form: str, own: Mapping[str, Mapping[str, str]]) -> str:
    """The business's own line, else ours in that form of address, else ours."""
    for lines in (own.get(language, _NONE), _VARIANTS.get((language, form), _NONE)):
        if key in lines:
            return lines[key]
    return OURS[language][key]


def longest(place: str) -> int:
    """How long what fills a place may be."""
    return VALUES.get(place, VALUE)


def room(key: str) -> int:
    """How long the line may be, its places filled."""
    if key in _BUTTONS or (key.endswith("_button") and key != "unknown_button"):
        return BUTTON
    if key in _ROWS or (key.startswith("more_") and not key.endswith("_hint")):
        return ROW
    return HINT if key.endswith("_hint") or key.startswith("left_") else LONGEST_LINE


def fault(language: str, key: str, text: str) -> str | None:
    """Why that text cannot stand for our line, in words that go on after its name; None when it can."""
    if key not in OURS[language]:
        near = get_close_matches(key, OURS[language], n=1)
        return "is no line that we say" + (f"; did you mean {near[0]}?" if near else "")
    if not text.strip() or not text.isprintable():
        return "is empty" if not text.strip() else "has a line break or a sign that cannot be seen in it"
    return _misplaced(text, OURS[language][key]) or _too_long(key, text)


def _misplaced(text: str, ours: str) -> str | None:
    try:
        found = [part for part in Formatter().parse(text) if part[1] is not None]
    except ValueError:
        return "has a brace that is not closed; a plain brace is written twice"
    wanted = places(ours)
    for _, name, form, conversion in found:
        if name not in wanted or form or conversion:
            known = ", ".join(f"{{{one}}}" for one in sorted(wanted)) or "no places"
            return f"has a place {{{name}}} that nothing fills; it has {known}"
    missing = sorted(wanted - {name for _, name, _, _ in found})
    return f"leaves out {', '.join(f'{{{one}}}' for one in missing)}" if missing else None


def _too_long(key: str, text: str) -> str | None:
    length = units(text.format_map({name: "x" * _DATES.get(name, longest(name)) for name in places(text)}))
    if length <= room(key):
        return None
    filled = " with its places filled" if places(text) else ""
    return f"should have at most {room(key)} characters{filled}, as WhatsApp counts them, and has {length}"


def places(text: str) -> frozenset[str]:
    """The names in braces."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)
