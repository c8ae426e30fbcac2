"""The grammar of days: rules over the letters of items (lexicon.CODES), tried in order at each place."""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta

from bot.understanding.asked import Asked
from bot.understanding.calendar_days import (
    WEEK,
    coming,
    following,
    in_figures,
    make,
    of_month,
    of_year,
)
from bot.understanding.day_ranges import (
    from_day_to_day,
    month,
    next_month,
    next_week,
    one,
    this_month,
    this_week,
    value,
    week_of,
    weekend,
)
from bot.understanding.from_now import days_on, months_on, time_on, weeks_after
from bot.understanding.items import Item, Numeric
from bot.understanding.meaning import Context
from bot.understanding.pieces import Days, Part, Unsure, Weekday, What
from bot.understanding.weekday_numbers import (
    the_weekday_number_part,
    weekday_number,
    weekday_number_hour,
    weekday_number_part,
)

ROWS = 10
"""*El 2* of a list that may be so long."""


Rule = Callable[[Sequence[Item], Asked], tuple[What, ...] | None]


def _unsure(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    del items, asked
    return (Unsure(),)


def _unsure_where(context: Context) -> Rule:
    """It names a time there, and may mean something else elsewhere."""

    def rule(items: Sequence[Item], asked: Asked) -> tuple[What, ...] | None:
        return _unsure(items, asked) if asked.context is context else None

    return rule


def _with_month(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    day, month, year = (value(items, codes) for codes in ("nO", "ms", "@"))
    if year is None:
        return one(of_year(day, month, asked.today))
    found = make(year, month, day)
    return one(found if found is not None and found >= asked.today else None)


def _month_first(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    if items[0].code == "s" and asked.language != "en":
        return (Unsure(),)  # *mar 5* is a Tuesday or March
    return _with_month(items, asked)


def _of_month(items: Sequence[Item], asked: Asked) -> tuple[What, ...] | None:
    day = items[-1]
    if asked.language == "en" and items[0].code == "e" and day.code == "n":
        return None
    if asked.context == "choosing_service" and day.value <= ROWS:
        return None
    if _may_be_a_row(day):
        return (Unsure(),) if asked.context == "choosing_date" else None
    return (Days(of_month(day.value, asked.today)),)


def _may_be_a_row(day: Item) -> bool:
    """*The first*, *the second* of what was shown."""
    return day.code == "O" and day.value <= 3 and not day.text[0].isdigit()  # noqa: PLR2004


def _ordinal(items: Sequence[Item], asked: Asked) -> tuple[What, ...] | None:
    day = items[0]
    if _may_be_a_row(day):
        return None
    return (Days(of_month(day.value, asked.today)),)


def _next(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    return (Days(following(value(items, "w"), asked.today)),)


def _other(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    first = coming(value(items, "w"), asked.today)
    return (Days((first, first + WEEK)),)


def _coming(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    return one(coming(value(items, "w"), asked.today))


def _weekday(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    del asked
    return (Weekday(value(items, "w")),)


def _day_morning(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    """*El jueves de mañana*, *mañana de mañana*."""
    if items[-1].text != "manana":
        return (Unsure(),)
    day = _weekday(items, asked) if items[0].code == "w" else _relative(items, asked)
    return (*day, Part("morning"))


def _in_the_morning(items: Sequence[Item], asked: Asked) -> tuple[What, ...] | None:
    """*De mañana*, with nothing before: tomorrow's, or in the morning."""
    if asked.language != "es" or items[-1].text != "manana":
        return None
    return (Part("morning"),) if asked.context == "choosing_time" else (Unsure(),)


def _relative(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    return one(asked.today + timedelta(days=value(items, "r")))


def _see_you(items: Sequence[Item], asked: Asked) -> tuple[What, ...] | None:
    """*Hasta el jueves*, *até quinta*: after a reminder it is a good-bye."""
    if asked.context is not Context.AFTER_REMINDER or items[0].text not in ("hasta", "ate"):
        return None
    return _weekday(items, asked) if items[-1].code == "w" else _relative(items, asked)


def _last(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    """*El lunes pasado*; as an answer it cannot be meant."""
    if asked.context in ("choosing_date", "choosing_time"):
        return (Unsure(),)
    return one(coming(value(items, "w"), asked.today) - WEEK)


def _some(items: Sequence[Item], asked: Asked) -> tuple[What, ...] | None:
    """*Un sábado*: any of them."""
    del asked
    return (Unsure(),) if items[0].code == "1" or items[0].text in ("un", "um") else None


def _since(items: Sequence[Item], asked: Asked) -> tuple[What, ...] | None:
    """*Desde ayer* tells, it wishes nothing."""
    return _relative(items, asked) if items[-1].value < 0 else None


def _after_tomorrow(items: Sequence[Item], asked: Asked) -> tuple[What, ...] | None:
    """*Pasado* alone, in Spanish."""
    return one(asked.today + timedelta(days=2)) if asked.language == "es" and items[0].text == "pasado" else None


def _this_part(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    return (*one(asked.today), Part(items[0].value))


def figures(written: Numeric, asked: Asked) -> Days:
    """A date in figures."""
    return Days(in_figures(written, asked.today, day_first=asked.language != "en"))


NEXT_WEEK = "(?:[x3]k|kx|k3)"
NOT_A_CLOCK = "(?![4=qoHlIUkY]|g(?!I?[TtBfS])|a[lg])"

RULES: tuple[tuple[re.Pattern[str], Rule], ...] = tuple(
    (re.compile(pattern), rule)
    for pattern, rule in (
        ("[L7][2e]?[wKkrmP]|7D|[XO]U|[FB]e[nO]", _unsure),
        ("Df[2e]?[_~]", _unsure_where(Context.CHOOSING_DATE)),
        ("Fr", _since),
        ("B[2e]?[wr]$", _see_you),
        ("G[e2]?[wrO]2$", _unsure),
        ("[FBE][2eDzx3]{0,2}(?:[wrkKmdyO]|n[fms]|n$)", _unsure),
        ("[wr],?J|[De]{1,2}[nO](?:f?[ms])?,?J|[nO]f?[ms],?J", _unsure),
        ("O[wKDY]|[wkKY]F[x3]", _unsure),
        ("[1nl]1?[HIUk][FB](?=[2eA]*[ncCD])", _unsure),
        ("[1nl]1?[HI](?:al)?[FB](?![a-zA-Z])|Hal[FB](?![a-zA-Z])", _unsure_where(Context.CHOOSING_TIME)),
        ("[f2]?[rw]8|i?8", _unsure),
        ("f?e?[rw]i[1n]k", weeks_after),
        ("^fr", _in_the_morning),
        ("N[2eD]?z(?![wkKYp])|e3(?![wkKYU_])", _unsure),
        ("(?<![AT])[De]{0,2}[nO]f?[ms](?:f?@)?", _with_month),
        ("[ms]e?[nO]@?" + NOT_A_CLOCK, _month_first),
        ("k?[fG]?[eD]{1,2}[nO](?:f?[ms])?[t2][eD2]{1,2}[nO](?:f?[ms])?", from_day_to_day),
        ("kf[De2]?[nO](?:f?[ms])?|kf[ms]e?[nO]", week_of),
        ("e[nO]f[_~]", _unsure),
        ("D[nO]", _of_month),
        ("e[nO]" + NOT_A_CLOCK, _of_month),
        ("O(?![_~4=HIUk])", _ordinal),
        (f"w[f2e]{{0,2}}{NEXT_WEEK}|{NEXT_WEEK}[,2e]{{0,2}}w", next_week),
        ("w[f2e]{0,2}zk|zk[,2e]{0,2}w", this_week),
        ("[1n]k[Gf]?2?[rw]|k2?r|wk", weeks_after),
        (NEXT_WEEK, next_week),
        ("zk", this_week),
        ("[kKY]X|X[kKY]", _unsure),
        ("i[1n][UDk]|[1n][UDk]G", days_on),
        ("i[1n]?Hal|i[1n][HI]|il1?H|[1n][HI]G", time_on),
        ("i[1n]Y|[1n]YG", months_on),
        ("[ze]?(?:[x3]K|K[x3])", _unsure),
        ("[n1]w", _some),
        ("[ze]?K", weekend),
        ("[x3]Y|Y[x3]", next_month),
        ("zY", this_month),
        ("i[ms](?!e?[nO])|(?<=[Rz])m|^m$", month),
        ("m", _unsure),
        ("wX|Xw", _last),
        ("[zx]?wn(?=n[qoHp])", weekday_number_hour),
        ("[zx]?wn(?!g?I?T)(?![qoHlgpPjMS]|a[lgn]|n|f?[ms])|[zx]?wn(?=gI?T)", weekday_number),
        ("(?<=[e2])wn[pP]", the_weekday_number_part),
        ("wn[pP]", weekday_number_part),
        ("zxw", _coming),
        ("xw|wx", _next),
        ("3w|w3", _other),
        ("[wr]fr", _day_morning),
        ("z?w", _weekday),
        ("y", _this_part),
        ("r", _relative),
        ("X", _after_tomorrow),
    )
)
