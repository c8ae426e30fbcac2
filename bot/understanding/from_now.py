"""Days and hours counted from now: in three days, a week from Friday, in half an hour."""

from collections.abc import Sequence
from datetime import timedelta

from bot.understanding.asked import Asked
from bot.understanding.calendar_days import coming
from bot.understanding.calendar_days import months_on as same_day_later
from bot.understanding.day_ranges import one, value
from bot.understanding.items import Item
from bot.understanding.pieces import Days, Moment, Unsure, What

FORTNIGHTS = frozenset({8, 15})
"""*En ocho días*, *em 15 dias* are a week and a fortnight, or are counted out: asked."""


def weeks_after(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    """*A week from Friday*, *two weeks today*, *Friday week*."""
    weekday, days = value(items, "w"), value(items, "r", 0)
    base = asked.today + timedelta(days=days) if weekday is None else coming(weekday, asked.today)
    if weekday == asked.today.weekday():
        return (Unsure(),)
    return one(base + timedelta(minutes=value(items, "n", 1) * value(items, "k")))


def days_on(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    count, unit = value(items, "n", 1), value(items, "Uk", 1440)
    if asked.language != "en" and count in FORTNIGHTS and items[-1].code == "U":
        return (Unsure(),)
    return one(asked.today + timedelta(minutes=count * unit))


def time_on(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    codes = {item.code for item in items}
    whole = 0 if "l" in codes and "a" not in codes else value(items, "n", 1)
    count = whole + 0.5 * ("l" in codes)
    return (Moment(asked.now + timedelta(minutes=count * value(items, "HI"))),)


def months_on(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    return (Days(same_day_later(value(items, "n", 1), asked.today)),)
