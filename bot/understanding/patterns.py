"""The little language in which `words/say_*.toml` says how a wish sounds, made into regular expressions.

A pattern is words with spaces between. In a word's place may stand: `a|b` one of them, `a|b?` or none, `a~` what begins
so, `@name` one of a class, `!a|b` anything but these (takes no place), `*` up to three words, `**` up to eight with
commas, `^` and `$` the ends, `,` a break. As one of several, `$` and `,` are only looked at.
"""

import re
from collections.abc import Iterable, Mapping

ANY_WORDS = r"(?:[^\s,]+ ){0,3}?"
ANYTHING = r"(?:\S+ ){0,8}?"
_SIGNS = frozenset("^$,*")


def compile_all(lines: Iterable[str], classes: Mapping[str, Iterable[str]]) -> re.Pattern[str]:
    """One expression that finds any of the patterns in words that have a space after each."""
    return re.compile("(?:^|(?<= ))(?:" + "|".join(_line(line, classes) for line in lines) + ")")


def words_of(lines: Iterable[str]) -> frozenset[str]:
    """The whole words that patterns are made of."""
    slots = (slot for line in lines for slot in line.split())
    parts = (part for slot in slots for part in slot.lstrip("!").rstrip("?").split("|"))
    return frozenset(part for part in parts if part.isalpha())


def _line(line: str, classes: Mapping[str, Iterable[str]]) -> str:
    return "".join(_slot(slot, classes) for slot in line.split())


def _slot(slot: str, classes: Mapping[str, Iterable[str]]) -> str:
    match slot:
        case "^" | "$":
            return slot
        case "*":
            return ANY_WORDS
        case "**":
            return ANYTHING
    optional = slot.endswith("?")
    refused = slot.startswith("!")
    parts = slot.removesuffix("?").removeprefix("!").split("|")
    choice = "|".join(_part(part, classes, alone=len(parts) == 1) for part in parts if part)
    if refused:
        return f"(?!{choice})"
    return f"(?:{choice})?" if optional else f"(?:{choice})"


def _part(part: str, classes: Mapping[str, Iterable[str]], *, alone: bool) -> str:
    if part.startswith("@"):
        return "|".join(re.escape(one) + " " for one in sorted(classes[part[1:]], key=len, reverse=True))
    if part in _SIGNS and not alone:
        return "(?=, )" if part == "," else "$"
    return re.escape(part.removesuffix("~")) + (r"\S* " if part.endswith("~") else " ")
