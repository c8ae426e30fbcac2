"""Words as items of the grammar of time: one letter each, with a value."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.understanding.lexicon import Lexicon

_DIGITS = re.compile(r"(\d+)([a-z]*)")
_CLOCK = re.compile(r"(\d{1,2}):(\d{1,2})(?::\d\d)?")
_DOTTED = re.compile(r"(\d{1,2}),(\d{2})")
_DATE = re.compile(r"(\d{1,2})([./-])(\d{1,2})(?:[./-](\d{4}|\d{2}))?")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_LONGEST_NUMBER = 4
_CENTURY = 2000
_FRACTIONS = frozenset("lg")
_TENS = frozenset({20, 30, 40, 50})


@dataclass(frozen=True, slots=True)
class Item:
    """`code` is a letter of lexicon.CODES, or n number, d numeric date, C clock, O ordinal; ~ is a word that looks like
    one of time, _ any other, its value True when nobody knows it."""

    code: str
    value: Any
    start: int
    """Its first word, and the word after its last."""
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Clock:
    """Hour and minute as written. `exact` is written as on a 24-hour clock: 08:00, 17h."""

    hour: int
    minute: int
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Numeric:
    """A date in figures. `year` None = not written; `sign` is what stands between."""

    first: int
    second: int
    year: int | None
    sign: str


def read_items(words: Sequence[str], lexicon: Lexicon) -> tuple[Item, ...]:
    """The items of a phrase, longest phrases first, numbers put together."""
    return tuple(_joined(list(_each(words, lexicon))))


def _each(words: Sequence[str], lexicon: Lexicon) -> Iterator[Item]:
    at, before = 0, "  "
    while at < len(words):
        fraction = lexicon.meanings.get((words[at],), ("", None))[0] in _FRACTIONS and before == "na"
        longest = 1 if fraction else lexicon.longest  # *4 y media mañana* holds no *media mañana*
        item = _phrase(words, at, lexicon, longest) or _single(words[at], at, lexicon, half=before[-1] == "n")
        yield item
        at, before = item.end, before[-1] + item.code


def _phrase(words: Sequence[str], at: int, lexicon: Lexicon, longest: int) -> Item | None:
    for size in range(min(longest, len(words) - at), 0, -1):
        found = lexicon.meanings.get(tuple(words[at : at + size]))
        if found is not None:
            return Item(found[0], found[1], at, at + size, " ".join(words[at : at + size]))
    return None


def _single(word: str, at: int, lexicon: Lexicon, *, half: bool) -> Item:
    if word == "," or word[0] == "_":
        return Item(",", None, at, at + 1, word)
    if half and word == "1/2":
        return Item("l", "half", at, at + 1, word)
    if not word[0].isdigit():
        strange = word not in lexicon.known
        slip = strange and lexicon.times.resembles(word)
        return Item("~" if slip else "_", strange, at, at + 1, word)
    code, value = _figures(word)
    return Item(code, value, at, at + 1, word)


def _figures(word: str) -> tuple[str, Any]:
    if match := _DIGITS.fullmatch(word):
        code = "O" if match[2] else "n"
        return (code, int(match[1])) if len(match[1]) <= _LONGEST_NUMBER else ("_", None)
    if match := _CLOCK.fullmatch(word):
        whole = len(match[2]) > 1  # *16:5* is no time
        return "C", Clock(int(match[1]), int(match[2]) if whole else -1, word.startswith("0"))
    numeric = _numeric(word)
    return ("_", None) if numeric is None else ("d", numeric)


def _numeric(word: str) -> Numeric | None:
    if match := _ISO.fullmatch(word):
        year, month, day = map(int, match.groups())
        return Numeric(day, month, year, "")
    if match := _DATE.fullmatch(word):
        year = int(match[4] or 0) + (_CENTURY if match[4] and len(match[4]) == 2 else 0)  # noqa: PLR2004 - two figures
        return Numeric(int(match[1]), int(match[3]), year or None, match[2])
    match = _DOTTED.fullmatch(word)
    return Numeric(int(match[1]), int(match[2]), None, ",") if match else None


def _joined(items: list[Item]) -> Iterator[Item]:
    """*Twenty one*, *treinta y uno*, *vinte e um*, *twenty-first* as one number."""
    at = 0
    while at < len(items):
        item, size = items[at], 1
        if item.code == "n" and not item.text[0].isdigit() and item.value in _TENS:
            item, size = _with_units(items, at)
        yield item
        at += size


def _with_units(items: list[Item], at: int) -> tuple[Item, int]:
    tens = items[at]
    rest = items[at + 1 : at + 3]
    size = 2
    if rest and rest[0].code == "a":
        rest, size = rest[1:], 3
    if not rest or rest[0].code not in "nO" or not 0 < rest[0].value < 10 or rest[0].text[0].isdigit():  # noqa: PLR2004
        return tens, 1
    unit = rest[0]
    return Item(unit.code, tens.value + unit.value, tens.start, unit.end, f"{tens.text} {unit.text}"), size
