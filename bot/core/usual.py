"""When a customer usually comes, read from the appointments they had."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.core.appointment import Appointment, Status

HOUR = 60
LATEST = 8
"""Older habits count no more."""
TIMES = 2
"""Once is no habit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usual:
    """A weekday (0 = Monday) and minutes from local midnight."""

    weekday: int
    minutes: int

    def apart(self, local: datetime) -> int:
        """Minutes between the usual hour and that of a local time on the usual weekday."""
        return abs(local.hour * HOUR + local.minute - self.minutes)


def usual(appointments: Iterable[Appointment], zone: ZoneInfo) -> Usual | None:
    """The weekday and hour that came most often among the latest that were kept; None when there is no habit."""
    kept = [one for one in appointments if one.status not in (Status.CANCELLED, Status.NO_SHOW)]
    latest = sorted(kept, key=lambda one: one.start, reverse=True)[:LATEST]
    clocks = [one.start.astimezone(zone) for one in latest]
    hours = Counter((local.weekday(), local.hour) for local in clocks)
    if not hours:
        return None
    (weekday, hour), times = hours.most_common(1)[0]
    minutes = next(local.minute for local in clocks if (local.weekday(), local.hour) == (weekday, hour))
    return Usual(weekday=weekday, minutes=hour * HOUR + minutes) if times >= TIMES else None
