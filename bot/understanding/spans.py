"""A time, or two that make a span: after 4, from 4 to 6, before noon."""

from bot.understanding.clocks import Phrase, clock_at
from bot.understanding.pieces import At, Between, Unsure

_OF_AN_HOUR = frozenset({"de las", "das"})
_OF_A_DAY = (" do", " o", " el")
Found = tuple[At | Between | Unsure, int]
"""What it names and the item after it."""


def span_at(phrase: Phrase, start: int) -> Found | None:
    """A time or a span of times that begins there."""
    code = phrase.at(start)
    if code in "FB":
        return _bound(phrase, start)
    if code == "E":
        return _between(phrase, start + 1, "aAtTBv")
    if code in "fG":
        both = _between(phrase, start + 1, "tATB") or _from_on(phrase, start)
        of_hour = phrase.items[start].text in _OF_AN_HOUR and phrase.at(start - 1) in "e2T_="
        return _marked(phrase, start) if both is None and of_hour else both
    if code in "ATM":
        return _marked(phrase, start)
    return _unmarked(phrase, start)


def _skip(phrase: Phrase, start: int) -> int:
    while phrase.at(start) in "2eA":
        start += 1
    return start


def _bound(phrase: Phrase, start: int) -> Found | None:
    if phrase.at(start) == "F" and (both := _between(phrase, start + 1, "BtA")):
        return both
    dated = phrase.codes.startswith("en", start + 1)  # *después del 15*
    found = None if dated else clock_at(phrase, _skip(phrase, start + 1), marked=True)
    if found is None:
        return None
    at, end = found
    if isinstance(at, Unsure) or phrase.at(start - 1) == "N" or _dates(phrase, start):
        return Unsure(), end
    return (Between(at, None) if phrase.at(start) == "F" else Between(None, at)), end


def _lasts(phrase: Phrase, end: int) -> bool:
    """*De 2 a 3 horas*, *2 to 3 hours*: rather how long it takes."""
    return phrase.asked.language != "pt" and phrase.items[end - 1].text in ("horas", "hours")


def _dates(phrase: Phrase, start: int) -> bool:
    """*Después del 15*, *depois do 15*: of hours another article is said."""
    return phrase.at(start + 1) == "n" and phrase.items[start].text.endswith(_OF_A_DAY)


def _between(phrase: Phrase, start: int, middle: str) -> Found | None:
    first = clock_at(phrase, _skip(phrase, start), marked=True, joined="a" not in middle)
    if first is None or phrase.at(first[1]) not in middle:
        return None
    second = clock_at(phrase, _skip(phrase, first[1] + 1), marked=True)
    if second is None:
        return None
    if isinstance(first[0], Unsure) or isinstance(second[0], Unsure) or _lasts(phrase, second[1]):
        return Unsure(), second[1]
    return Between(first[0], second[0]), second[1]


def _from_on(phrase: Phrase, start: int) -> Found | None:
    """*De las 3 en adelante*; *of the 3* alone is no time."""
    found = clock_at(phrase, _skip(phrase, start + 1), marked=True)
    return _onwards(phrase, *found) if found is not None and phrase.at(found[1]) == "J" else None


def _marked(phrase: Phrase, start: int) -> Found | None:
    found = clock_at(phrase, _skip(phrase, start + 1), marked=True)
    return None if found is None else _onwards(phrase, *found)


def _unmarked(phrase: Phrase, start: int) -> Found | None:
    found = clock_at(phrase, start, marked=phrase.at(start + 1) == "J")
    if found is not None and phrase.at(found[1]) not in "tA":
        return _onwards(phrase, *found)
    both = _between(phrase, start, "tA") if phrase.at(start) in "nCc" else None
    return both or found


def _onwards(phrase: Phrase, at: At | Unsure, end: int) -> Found:
    if phrase.at(end) != "J":
        return at, end
    return (Between(at, None) if isinstance(at, At) else at), end + 1
