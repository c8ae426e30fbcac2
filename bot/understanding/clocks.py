"""The grammar of clock times: rules over the letters of items, and spans made of two times."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bot.understanding.asked import Asked
from bot.understanding.items import Clock, Item, Numeric
from bot.understanding.pieces import At, Unsure

MINUTES_TO = frozenset({5, 10, 15, 20, 25})
HOURS = 24
SIXTY = 60
_FRACTIONS = MappingProxyType({"l": 30, "g": 15})


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """The items and their letters in one string."""

    items: Sequence[Item]
    codes: str
    asked: Asked

    def at(self, index: int) -> str:
        """The letter there, or a break behind the end."""
        return self.codes[index] if 0 <= index < len(self.codes) else ","

    def before(self, index: int, small: str) -> int:
        """The item before that one, small words left out; -1 when there is none."""
        index -= 1
        while index >= 0 and self.codes[index] in small:
            index -= 1
        return index


Reader = Callable[[Sequence[Item], Asked], Clock | None]


def _small(item: Item) -> int:
    return _FRACTIONS.get(item.code) or int(item.value)


def _before(minutes: int, hour: int) -> Clock:
    good = 0 < minutes < SIXTY and minutes % 5 == 0
    return Clock((hour - 1) % HOURS or 12, SIXTY - minutes) if good else Clock(hour, -1)


def _half_past(items: Sequence[Item], asked: Asked) -> Clock:
    del asked
    return Clock(items[0].value, _small(items[-1]))


def _minus(items: Sequence[Item], asked: Asked) -> Clock:
    del asked
    return _before(_small(items[-1]), items[0].value)


def _to(items: Sequence[Item], asked: Asked) -> Clock | None:
    del asked
    quarter = next((item for item in items if item.code == "g"), None)
    if quarter is not None and items[0].code == "n" and items[0].value != 1:
        return None  # *el 15 cuarto para las 6*: the 15th
    return _before(_small(quarter or items[0]), items[-1].value)


def _english_to(items: Sequence[Item], asked: Asked) -> Clock | None:
    """*Ten to five*; *2 to 4* is a span."""
    first = items[0]
    if asked.language != "en" or (first.code == "n" and first.value not in MINUTES_TO):
        return None
    if first.code == "n" and first.text[0].isdigit() and "I" not in {item.code for item in items}:
        return None
    return _to(items, asked)


def _past(items: Sequence[Item], asked: Asked) -> Clock:
    del asked
    hour = items[-1].value // SIXTY if items[-1].code == "c" else items[-1].value
    return Clock(hour, _small(items[0]))


def _half(items: Sequence[Item], asked: Asked) -> Clock | None:
    return Clock(items[-1].value, 30) if asked.language == "en" else None


def _pair(items: Sequence[Item], asked: Asked) -> Clock | None:
    del asked
    hour, minute = items
    both = minute.text[0].isdigit() == hour.text[0].isdigit()
    good = both and minute.value % 5 == 0 and minute.value < SIXTY and (minute.value > 9 or minute.text == "00")  # noqa: PLR2004
    return Clock(hour.value, minute.value) if good and hour.value < HOURS else None


def _and(items: Sequence[Item]) -> Clock | None:
    minute = items[-1].value
    hour = items[0].value // SIXTY if items[0].code == "c" else items[0].value
    return Clock(hour, minute) if minute % 5 == 0 and 0 < minute < SIXTY else None


def _written(items: Sequence[Item], asked: Asked) -> Clock:
    del asked
    clock: Clock = items[0].value
    return clock


def _noon(items: Sequence[Item], asked: Asked) -> Clock:
    del asked
    minutes = items[0].value + (_FRACTIONS[items[-1].code] if len(items) > 1 else 0)
    return Clock(minutes // SIXTY, minutes % SIXTY, exact=True)


CLOCKS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(pattern), reader)
    for pattern, reader in (
        ("C", _written),
        ("ca[lg]", _noon),
        ("c", _noon),
        ("na[lg]", _half_past),
        ("nl", _half_past),
        ("nj[ng]", _minus),
        ("n?gI?Tn", _to),
        ("nI?Tn", _to),
        ("[gn]I?[tBf]n", _english_to),
        ("[gln]I?S[nc]", _past),
        ("ln", _half),
        ("nn(?![4HIUk])", _pair),
    )
)
NAMING = frozenset({"con", "com", "with", "dr", "dra"})
"""A name stands behind these."""
JOINED = re.compile("[nc]an(?![4HIUk])")
"""*Five and twenty* — but not behind *between*."""


def clock_at(phrase: Phrase, start: int, *, marked: bool, joined: bool = True) -> tuple[At | Unsure, int] | None:
    """The time that begins there; `marked` = it stands behind *at* or the like, so that a mere number is one."""
    match = JOINED.match(phrase.codes, start) if joined else None
    clock = _and(phrase.items[start : match.end()]) if match else None
    if match and clock is not None:
        return _with_half(phrase, clock, match.end())
    for pattern, reader in CLOCKS:
        match = pattern.match(phrase.codes, start)
        clock = reader(phrase.items[start : match.end()], phrase.asked) if match else None
        if match and clock is not None:
            return _with_half(phrase, clock, match.end())
    return _number(phrase, start, marked=marked)


def _number(phrase: Phrase, start: int, *, marked: bool) -> tuple[At | Unsure, int] | None:
    item = phrase.items[start] if start < len(phrase.items) else None
    if item is None or item.code not in "nd":
        return None
    if item.code == "d":
        return _dotted(phrase, item.value, start, marked=marked)
    clock = four_figures(item)
    after = phrase.at(start + 1)
    if phrase.codes.startswith("5", start + 1):
        return Unsure(), start + 2
    if after in "qop" or phrase.codes.startswith(("fD", "Hq", "Hp"), start + 1):
        return _with_half(phrase, clock, start + 1)
    if after == "H" and (marked or _is_hour(phrase, start)):
        return _with_half(phrase, clock, start + 1)
    return _with_half(phrase, clock, start + 1) if marked and after not in "4HIUkY" else None


def _is_hour(phrase: Phrase, start: int) -> bool:
    """*17h* and *16 horas* are times, *2 horas* is a length."""
    number, unit = phrase.items[start : start + 2]
    alone = len(phrase.items) == 2  # noqa: PLR2004 - these two
    return unit.text in ("h", "hs") or number.value > 12 or (alone and phrase.asked.context == "choosing_time")  # noqa: PLR2004


def four_figures(item: Item) -> Clock:
    """*1430*; fewer are an hour, and *100* rather counts something."""
    if len(item.text) == 3 and item.text.endswith("00"):  # noqa: PLR2004
        return Clock(item.value, -1)
    if len(item.text) > 2 and item.text.isdigit():  # noqa: PLR2004
        return Clock(item.value // 100, item.value % 100, exact=item.text.startswith("0"))
    return Clock(item.value, 0, exact=len(item.text) > 1 and item.text.startswith("0"))


def _dotted(phrase: Phrase, written: Numeric, start: int, *, marked: bool) -> tuple[At | Unsure, int] | None:
    """*17.30* is a time, *10.12* may be a date."""
    if written.year is not None or written.sign not in (".", ","):
        return None
    asked = phrase.asked
    clear = marked or asked.context == "choosing_time" or phrase.at(start + 1) in "qHp"
    clear = clear or (written.sign == "." and (written.second > 12 or written.second == 0))  # noqa: PLR2004
    if not clear:
        return (Unsure(), start + 1) if written.sign == "," else None
    return _with_half(phrase, Clock(written.first, written.second), start + 1)


def _and_strange(phrase: Phrase, at: int) -> bool:
    """*Las 5 y piquín*: more than five, and nobody knows how much; *a las 5 con Iris* is five."""
    ends = phrase.at(at) == "a" and phrase.at(at + 1) in "_~" and phrase.at(at + 2) == ","
    return ends and phrase.items[at].text not in NAMING and bool(phrase.items[at + 1].value)


def _with_half(phrase: Phrase, clock: Clock, end: int) -> tuple[At | Unsure, int]:
    """With what follows: o'clock, hours, am, pm, *in the afternoon*."""
    while phrase.at(end) in "oH":
        end += 1
    if phrase.at(end) == "5":
        return Unsure(), end + 1
    if _and_strange(phrase, end):
        return Unsure(), end + 2
    half = None
    if phrase.codes.startswith("fD", end) and phrase.at(end + 2) not in "nO":
        half, end = "of_noon", end + 2  # *las 12 del día*
    elif phrase.at(end) in "qp":
        half, end = phrase.items[end].value, end + 1
    return At(clock, half), end
