"""The opening hours as instants, and the wall-clock grid of starts inside them."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from bot.core.business import DAY, Business, Interval, Staff
from bot.core.zones import edge, instant, wall

ONE_DAY = timedelta(days=1)


def hours(business: Business, person: Staff, day: date) -> Iterator[tuple[date, Interval]]:
    """The intervals that are open at some time of that local day, each with the day on which it opens."""
    yesterday = day - ONE_DAY
    yield from ((yesterday, interval) for interval in business.hours(person, yesterday) if interval.closes > DAY)
    yield from ((day, interval) for interval in business.hours(person, day))


def inside(business: Business, person: Staff, start: datetime, end: datetime) -> bool:
    """Whether `[start, end)` lies in one opening interval, and in nobody's time off."""
    zone = business.zone
    day = start.astimezone(zone).date()
    if not any(
        edge(wall(opening, interval.opens, zone)) <= start and end <= edge(wall(opening, interval.closes, zone))
        for opening, interval in hours(business, person, day)
    ):
        return False
    away = (*business.absences, *person.absences)
    return not any(absence.start < end and start < absence.until for absence in away)


@lru_cache(maxsize=4096)
def starts(
    zone: ZoneInfo, opened: tuple[date, Interval], day: date, *, grid: timedelta, duration: timedelta
) -> tuple[datetime, ...]:
    """Where on the local day `day` something that long can begin in that opening (from `hours`), in UTC.

    The grid counts on the wall clock from the opening; a reading that never comes is left out, one that comes twice is
    the first. Cached: the staff of a business mostly share their hours.
    """
    opening, interval = opened
    local, closing = wall(opening, interval.opens, zone), wall(opening, interval.closes, zone)
    last = edge(closing) - duration
    found: list[datetime] = []
    while local < closing:
        start = instant(local) if local.date() == day else None
        if start is not None and start <= last:
            found.append(start)
        local += grid
    return tuple(found)
