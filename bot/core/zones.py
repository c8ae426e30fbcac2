"""Wall-clock times and instants: what a local time means on the days when clocks change."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def wall(day: date, minutes: int, zone: ZoneInfo) -> datetime:
    """The wall-clock reading `minutes` after local midnight of `day` (may run into the next day)."""
    # Arithmetic on an aware datetime moves the hands of the clock, not the time that passes: here that is what we want.
    return datetime.combine(day, time(), tzinfo=zone) + timedelta(minutes=minutes)


def instant(local: datetime) -> datetime | None:
    """When the clock shows `local` (aware, in its zone), in UTC: the first time if twice, None if never."""
    at = local.replace(fold=0).astimezone(UTC)
    return at if at.astimezone(local.tzinfo) == local else None


def edge(local: datetime, *, last: bool = False) -> datetime:
    """The instant of a boundary written as wall-clock time, in UTC.

    Shown twice: the first time, or the second with `last`. Never shown: when the gap ends.
    """
    first, second = (local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    if first <= second:
        return second if last else first
    # In a gap fold 1 is read with the later offset, hence lies before the jump, and fold 0 after it.
    before, after = second, first
    while after - before > timedelta(seconds=1):
        middle = before + timedelta(seconds=(after - before) // timedelta(seconds=2))
        jumped = middle.astimezone(local.tzinfo).utcoffset() != before.astimezone(local.tzinfo).utcoffset()
        before, after = (before, middle) if jumped else (middle, after)
    return after
