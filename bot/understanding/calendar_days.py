"""Days by their numbers, from today on: never one that is past, and several when it may be either."""

from datetime import date, timedelta

from bot.understanding.items import Numeric

WEEK = timedelta(days=7)
SOON = timedelta(days=31)
"""A day in figures that lies further off is doubted when the other order names a nearer one."""
JUST_PAST = timedelta(days=60)
DECEMBER = 12


def make(year: int, month: int, day: int) -> date | None:
    """That day, None when there is none."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def coming(weekday: int, today: date) -> date:
    """The first one after today."""
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def named(weekday: int, today: date) -> tuple[date, ...]:
    """A weekday alone; on that same weekday it may be today."""
    after = coming(weekday, today)
    return (today, after) if weekday == today.weekday() else (after,)


def following(weekday: int, today: date) -> tuple[date, ...]:
    """*Next* Friday is this week's or next week's; *next* Monday on a Tuesday can only be one."""
    after = coming(weekday, today)
    return (after, after + WEEK) if weekday > today.weekday() else (after,)


def monday(day: date) -> date:
    """The Monday of its week."""
    return day - timedelta(days=day.weekday())


def of_month(day: int, today: date) -> tuple[date, ...]:
    """*The 15th*, of this month or else of the next."""
    this = make(today.year, today.month, day)
    year, month = (today.year + 1, 1) if today.month == DECEMBER else (today.year, today.month + 1)
    following_one = make(year, month, day)
    if day > today.day:
        return (this,) if this else ()
    both = (this, following_one) if day == today.day else (following_one,)
    return tuple(one for one in both if one is not None)


def of_year(day: int, month: int, today: date) -> date | None:
    """*15 December*: the next one; None when there is none, or it went by so lately that a slip is likelier."""
    this = make(today.year, month, day)
    if this is not None and (this >= today or today - this <= JUST_PAST):
        return this if this >= today else None
    return make(today.year + 1, month, day)


def in_figures(written: Numeric, today: date, *, day_first: bool) -> tuple[date, ...]:
    """12/05: day first, or asked; the only order that names a day at all."""
    direct = _dated(written.first, written.second, written.year, today)
    swapped = _dated(written.second, written.first, written.year, today)
    found = tuple(dict.fromkeys(one for one in (direct, swapped) if one is not None))
    if written.sign == "" or direct is None or not day_first:
        return found[:1] if written.sign == "" else found
    doubtful = written.year is None and swapped is not None and direct - today > SOON >= swapped - today
    return found if doubtful else (direct,)


def _dated(day: int, month: int, year: int | None, today: date) -> date | None:
    if year is None:
        return of_year(day, month, today)
    written = make(year, month, day)
    return written if written is not None and written >= today else None


def months_on(count: int, today: date) -> tuple[date, ...]:
    """The same day so many months later."""
    month = today.month - 1 + count
    found = make(today.year + month // 12, month % 12 + 1, today.day)
    return () if found is None else (found,)


def whole_month(month: int, today: date) -> tuple[date, date]:
    """Its days from today on, this year or next."""
    year = today.year + (month < today.month)
    first = date(year, month, 1)
    last = (first + SOON).replace(day=1) - timedelta(days=1)
    return max(first, today), last
