"""A phrase's pieces of time, from left to right."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from bot.understanding.asked import Asked
from bot.understanding.beside import HOURS, left_over, one_day
from bot.understanding.calendar_days import of_month
from bot.understanding.clocks import NAMING, Phrase, clock_at, four_figures
from bot.understanding.days import RULES, figures
from bot.understanding.items import Clock, Item, Numeric
from bot.understanding.pieces import At, Between, Days, Now, Part, Piece, Unsure, Vague, What
from bot.understanding.spans import span_at

ROWS = 3
"""A number so small may be a row of the list that was shown."""
Found = tuple[tuple[What, ...], int]
"""What is named, and the item after it."""
_PLAIN = MappingProxyType[str, What]({"Z": Vague(), "Q": Unsure(), "W": Now(), "daypart": Unsure(loose=True)})
_TIMES = "nCdwrmpPcyKkxqoHlgs"
_GLUE = "e2fDAazG"
_ANY_DAY = ("dia", "day")
_ASKS = frozenset({"possible", "available", "free", "open", "doable"})
"""*Is 6 possible?*"""
_LEADS_DAY = re.compile("[f2e]{1,2}[wrO]")
"""*Arvo on Friday*, *tarde del viernes*."""
_CLOCK_FIRST = "CcATFBEGM"


def phrase_of(items: Sequence[Item], asked: Asked, also_months: Mapping[str, int]) -> Phrase:
    """The items with their letters; a year behind a month gets a letter of its own."""
    letters, values = [item.code for item in items], [item.value for item in items]
    for at, item in enumerate(items):
        if item.text in also_months and _behind_a_number(items, at):
            letters[at], values[at] = "s", also_months[item.text]
        year = item.code == "n" and len(item.text) == 4 and item.text.isdigit()  # noqa: PLR2004 - *ocho* is none
        if year and set("ms") & set(letters[max(0, at - 3) : at]):
            letters[at] = "@"
        if _counted(item, letters, at):
            letters[at] = "4"
    told = zip(letters, values, items, strict=True)
    named = tuple(Item(code, value, item.start, item.end, item.text) for code, value, item in told)
    return Phrase(items=named, codes="".join(letters), asked=asked)


def _counted(item: Item, letters: Sequence[str], at: int) -> bool:
    """*Somos 4*, *calle 5 de mayo*, *the 2nd one*: no time, whatever it counts."""
    last = letters[at - 1] if at else ""
    if item.text == "one" and last == "O":
        return True
    if item.code == "n" and last == "#":
        return letters[at + 1 : at + 2] not in (["q"], ["H"], ["o"])
    street = at > 2 and letters[at - 3] == "#" and letters[at - 1] == "f"  # noqa: PLR2004 - street, number, of
    return street and item.code in "ms"


def _behind_a_number(items: Sequence[Item], at: int) -> bool:
    """*10 dez*, *10 de dez*."""
    before = at - 2 if at and items[at - 1].code == "f" else at - 1
    return before >= 0 and items[before].text.isdigit()


def scan(phrase: Phrase) -> tuple[Piece, ...]:
    """All pieces. Numbers that stand alone count only where a day or a time was asked for."""
    pieces: list[Piece] = []
    at = 0
    while at < len(phrase.items):
        found = _piece_at(phrase, at, pieces)
        if found is None:
            at += 1
            continue
        whats, end = found
        pieces += (Piece(what, at, end) for what in whats)
        at = end
    pieces = [*one_day(pieces), *left_over(phrase, pieces)]
    return tuple(pieces) or tuple(_alone(phrase))


def _piece_at(phrase: Phrase, at: int, before: Sequence[Piece]) -> Found | None:
    code = phrase.codes[at]
    if code in "ZQWpPvd~" or (code == "_" and phrase.items[at].value):
        return _simple(phrase, at, before)
    if code in _CLOCK_FIRST:
        return _time(phrase, at, before) or _day(phrase, at)
    return _day(phrase, at) or _time(phrase, at, before)


def _day(phrase: Phrase, at: int) -> Found | None:
    for pattern, rule in RULES:
        match = pattern.match(phrase.codes, at)
        whats = rule(phrase.items[at : match.end()], phrase.asked) if match else None
        if match and whats is not None:
            return whats, match.end()
    return None


def _time(phrase: Phrase, at: int, before: Sequence[Piece]) -> Found | None:
    found = span_at(phrase, at)
    if found is not None:
        return (found[0],), found[1]
    if phrase.codes[at] != "n":
        return None
    if phrase.at(at - 1) == "R" and phrase.at(at + 1) in "rw":
        return (Unsure(),), at + 1  # *para 2 mañana*: two people, or two o'clock
    what = _bare_hour(phrase, at, before)
    return None if what is None else ((what,), at + 1)


def _bare_hour(phrase: Phrase, at: int, before: Sequence[Piece]) -> What | None:
    """*Tomorrow 5*, *5 tomorrow*, *make it 6*; a number before a noun counts something else."""
    item, last, after = phrase.items[at], phrase.at(at - 1), phrase.at(at + 1)
    fits = 0 < item.value < HOURS or len(item.text) > 2  # noqa: PLR2004 - *1430*
    counts = not item.text[0].isdigit() and item.value == 1
    if not fits or counts or last == "R" or len(phrase.items) == 1:
        return None
    follows_day = bool(before) and before[-1].is_day and before[-1].end == at
    leads_day = after == "r" or (after == "w" and phrase.asked.language == "en")
    ends = last not in "_~" and after in ",vuN6V.PbFBZJ9"
    to_hour = last == "t" and phrase.asked.language == "en"  # *push it to 6*
    if after == "b" or leads_day or _is_it(phrase, at) or (ends and (last in "bN9" or follows_day or to_hour)):
        return At(four_figures(item))
    if not ends or phrase.asked.context not in ("choosing_time", "confirming"):
        return None
    return Unsure() if item.value <= ROWS else At(four_figures(item))


def _is_it(phrase: Phrase, at: int) -> bool:
    words = [phrase.items[one].text if 0 <= one < len(phrase.items) else "" for one in (at - 1, at + 1)]
    return phrase.asked.language == "en" and words[0] == "is" and words[1] in _ASKS


def _simple(phrase: Phrase, at: int, before: Sequence[Piece]) -> Found | None:
    item = phrase.items[at]
    if item.code in _PLAIN:
        return (_PLAIN.get(item.value, _PLAIN[item.code]),), at + 1
    if item.code == "p":
        return (Part(item.value),), at + 1
    return _NEEDS_MORE[item.code](phrase, at, before)


def _bare_part(phrase: Phrase, at: int, before: Sequence[Piece]) -> Found | None:
    """*Friday night*; alone only as the whole answer."""
    joined = bool(before) and before[-1].end == at and (before[-1].is_day or isinstance(before[-1].what, At | Part))
    joined = joined or bool(_LEADS_DAY.match(phrase.codes, at + 1)) or _arvo_tomorrow(phrase, at)
    alone = not set(phrase.codes) - set("P2e,.zV?")
    return ((Part(phrase.items[at].value),), at + 1) if joined or alone else None


def _arvo_tomorrow(phrase: Phrase, at: int) -> bool:
    return phrase.asked.language == "en" and phrase.at(at + 1) in "rw"


def _or(phrase: Phrase, at: int, before: Sequence[Piece]) -> Found | None:
    """*5 or 6*: the number behind the *or* is a time or a day as the one before it."""
    after = at + 1
    while phrase.at(after) in "AT2eD":
        after += 1
    number = (phrase.at(after) == "n" and phrase.at(after + 1) not in "4HIUk") or _another(phrase, after)
    asked_for = phrase.asked.context in ("choosing_time", "choosing_date")
    hour = clock_at(phrase, after, marked=True) if number and phrase.at(after) == "n" and _is_at(before, at) else None
    if hour is not None:
        return (hour[0],), hour[1]
    first = bool(before) or (phrase.at(at - 1) == "n" and asked_for)
    unread = asked_for and phrase.at(after) in "_~"
    return ((Unsure(),), after + 1) if first and (number or unread) else None


def _is_at(before: Sequence[Piece], at: int) -> bool:
    return bool(before) and before[-1].end == at and isinstance(before[-1].what, At)


def _another(phrase: Phrase, at: int) -> bool:
    """*This Saturday or the next*, *tomorrow or another day*, *Friday or before*."""
    earlier = phrase.at(at) == "B" and span_at(phrase, at) is None
    alone = earlier or (phrase.at(at) in "x3" and phrase.at(at + 1) not in "wkKYpP")
    return alone or (phrase.at(at) == "." and phrase.items[at].text.endswith(_ANY_DAY))


def _slip(phrase: Phrase, at: int, before: Sequence[Piece]) -> Found | None:
    """*A las 5 y mdia*: beside a time, a word that looks like one is not passed over."""
    del before
    left, right = at - 1, at + 1
    while phrase.at(left) in _GLUE and left >= 0:
        left -= 1
    while phrase.at(right) in _GLUE:
        right += 1
    asked_for = phrase.asked.context in ("choosing_date", "choosing_time")
    beside = (left >= 0 and phrase.at(left) in _TIMES) or phrase.at(right) in _TIMES
    return ((Unsure(),), at + 1) if beside or asked_for else None


def _stranger(phrase: Phrase, at: int, before: Sequence[Piece]) -> Found | None:
    """*El otor viernes*: who answers with a time says little else, so an unknown word right beside it may change it."""
    del before
    asked_for = phrase.asked.context in ("choosing_date", "choosing_time")
    beside = (at > 0 and phrase.at(at - 1) in _TIMES) or phrase.at(at + 1) in _TIMES
    hour = phrase.at(at - 1) in "AT" and phrase.at(at + 1) in "pq" and at > 0
    named = at > 0 and phrase.items[at - 1].text in NAMING
    return ((Unsure(),), at + 1) if hour or (asked_for and beside and not named) else None


def _figured(phrase: Phrase, at: int, before: Sequence[Piece]) -> Found | None:
    written: Numeric = phrase.items[at].value
    if phrase.at(at + 1) in "HIUk4" and written.sign == "-":
        return (Vague(),), at + 2  # *5-10 minutes*
    if written.year is not None:
        return (figures(written, phrase.asked),), at + 1
    as_time = span_at(phrase, at)
    if as_time is not None:
        return (as_time[0],), as_time[1]
    between_times = (
        phrase.at(at + 1) == "q" or phrase.asked.context == "choosing_time" or any(one.is_day for one in before)
    )
    if written.sign == "-" and between_times:
        return _hours(phrase, written, at)
    doubtful = phrase.asked.context == "choosing_time" or (
        written.sign == "." and phrase.asked.context != "choosing_date" and phrase.at(at - 1) not in "eDR"
    )
    return (Unsure() if doubtful else figures(written, phrase.asked),), at + 1


def _hours(phrase: Phrase, written: Numeric, at: int) -> Found:
    """*4-6 pm*."""
    marked = phrase.at(at + 1) == "q"
    half = phrase.items[at + 1].value if marked else None
    until = At(Clock(written.second, 0), half)
    return (Between(At(Clock(written.first, 0)), until),), at + 1 + marked


def _alone(phrase: Phrase) -> Iterator[Piece]:
    """The whole answer is a number: a day or an hour, as it was asked for."""
    numbers = [at for at, code in enumerate(phrase.codes) if code == "n"]
    if len(numbers) != 1 or set(phrase.codes) - set("n,2e.bVAoN"):
        return
    at = numbers[0]
    item = phrase.items[at]
    if phrase.asked.context == "choosing_date" and item.value > 0:
        yield Piece(_whole_day(item, phrase.asked), at, at + 1)
    if phrase.asked.context in ("choosing_time", "confirming"):
        row = item.value <= ROWS and item.text != "una"
        yield Piece(Unsure() if row else At(four_figures(item)), at, at + 1)


def _whole_day(item: Item, asked: Asked) -> What:
    return Unsure() if item.value <= ROWS else Days(of_month(item.value, asked.today))


_NEEDS_MORE = MappingProxyType({"~": _slip, "_": _stranger, "P": _bare_part, "v": _or, "d": _figured})
"""Items that mean something only in their place."""
