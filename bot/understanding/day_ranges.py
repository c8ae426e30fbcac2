"""Days side by side: this week and the next, the weekend, a month."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from bot.understanding.asked import Asked
from bot.understanding.calendar_days import WEEK, monday, of_month, of_year, whole_month
from bot.understanding.items import Item
from bot.understanding.pieces import Days, Range, Unsure, What


def value(items: Sequence[Item], codes: str, default: Any = None) -> Any:
    """What the first item with one of these letters means."""
    return next((item.value for item in items if item.code in codes), default)


def one(day: date | None) -> tuple[What, ...]:
    """That day; None = there is no such day."""
    return (Days(() if day is None else (day,)),)


def next_week(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    """*Next week*, or a weekday of it."""
    start = monday(asked.today) + WEEK
    weekday = value(items, "w")
    if weekday is None:
        return (Range(start, start + WEEK - timedelta(days=1)),)
    return one(start + timedelta(days=weekday))


def this_week(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    """*This week* from today on, or a weekday of it that is to come."""
    start = monday(asked.today)
    weekday = value(items, "w")
    if weekday is None:
        return (Range(asked.today, start + WEEK - timedelta(days=1)),)
    return one(start + timedelta(days=weekday)) if weekday > asked.today.weekday() else (Unsure(),)


def week_of(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    """*The week of the 14th*."""
    day, named = value(items, "nO"), value(items, "ms")
    dated = of_year(day, named, asked.today) if named is not None else None
    dates = of_month(day, asked.today) if named is None else (dated,) if dated else ()
    if len(dates) != 1:
        return (Unsure(),)
    start = monday(dates[0])
    return (Range(max(start, asked.today), start + WEEK - timedelta(days=1)),)


def from_day_to_day(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    """*From the 7th to the 11th*."""
    first, last = (item.value for item in items if item.code in "nO")
    month_named = value(items, "ms")
    if month_named is None:
        since, until = of_month(first, asked.today), of_month(last, asked.today)
    else:
        since, until = (tuple(filter(None, [of_year(day, month_named, asked.today)])) for day in (first, last))
    sure = len(since) == len(until) == 1 and since < until
    return (Range(since[0], until[0]),) if sure else (Unsure(),)


def weekend(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    """*This weekend*."""
    del items
    saturday = monday(asked.today) + timedelta(days=5)
    return (Range(max(saturday, asked.today), saturday + timedelta(days=1)),)


def month(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    """*In January*."""
    return (Range(*whole_month(value(items, "ms"), asked.today)),)


def next_month(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    """*Next month*."""
    del items
    return (Range(*whole_month(asked.today.month % 12 + 1, asked.today)),)


def this_month(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    """*This month*, from today on."""
    del items
    return (Range(*whole_month(asked.today.month, asked.today)),)
