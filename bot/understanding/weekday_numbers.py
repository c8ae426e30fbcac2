"""A weekday with a number behind it: *martes 8* is a date, *monday 10* a time; what may be both is asked."""

from collections.abc import Sequence

from bot.understanding.asked import Asked
from bot.understanding.calendar_days import of_month
from bot.understanding.day_ranges import value
from bot.understanding.items import Clock, Item
from bot.understanding.pieces import SAID_OF, At, Days, Part, Unsure, Weekday, What


def weekday_number(items: Sequence[Item], asked: Asked) -> tuple[What, ...]:
    """*Martes 8* is a date; *monday 10* in English a time. Whatever may be both is asked."""
    weekday, number = value(items, "w"), items[-1].value
    dates = tuple(one for one in of_month(number, asked.today) if one.weekday() == weekday)
    if asked.language == "en" and not dates:
        return Weekday(weekday), At(Clock(number, 0))
    return (Days(dates),) if dates and asked.language != "en" else (Unsure(),)


def weekday_number_hour(items: Sequence[Item], asked: Asked) -> tuple[What, ...] | None:
    """*Viernes 11 4 pm*; *friday 5 30 pm* is one time."""
    weekday, number = value(items, "w"), items[-1].value
    dates = tuple(one for one in of_month(number, asked.today) if one.weekday() == weekday)
    return (Days(dates),) if dates else None


def weekday_number_part(items: Sequence[Item], asked: Asked) -> tuple[What, ...] | None:
    """*Miércoles 9 por la tarde* is a date, 9 in the afternoon being no hour; *viernes 4 por la tarde* may be both."""
    weekday, number, part = items
    is_hour = any(
        SAID_OF[part.value][0] <= hour * 60 < SAID_OF[part.value][1] for hour in (number.value, number.value + 12)
    )
    dates = tuple(one for one in of_month(number.value, asked.today) if one.weekday() == weekday.value)
    if dates and not is_hour:
        return Days(dates), Part(part.value)
    return (Unsure(),) if dates else None


def the_weekday_number_part(items: Sequence[Item], asked: Asked) -> tuple[What, ...] | None:
    """*El viernes 4 por la tarde* is a date; *de la tarde* would be said of an hour."""
    weekday, number, part = items
    dates = tuple(one for one in of_month(number.value, asked.today) if one.weekday() == weekday.value)
    apart = asked.language != "en" and part.text[:2] not in ("de", "da")
    return (Days(dates), Part(part.value)) if dates and apart else None
