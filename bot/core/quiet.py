"""The quiet hours: wall-clock hours of the business in which no reminder is sent."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from bot.core.zones import edge

FORMAT = re.compile(r"([01]\d|2[0-3]):([0-5]\d)\s*-\s*([01]\d|2[0-3]):([0-5]\d)", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quiet:
    """From `begins` to `ends`, half-open, over midnight when it begins later than it ends.

    The same time twice is refused: it could mean never or always, and always would silence every reminder.
    """

    begins: time
    ends: time

    def __post_init__(self) -> None:
        if self.begins == self.ends:
            msg = "quiet hours begin and end at different times (empty = none)"
            raise ValueError(msg)

    @classmethod
    def parse(cls, text: str) -> "Quiet | None":
        """`21:00-08:00`; empty is none; ValueError that says what it takes."""
        if not text.strip():
            return None
        found = FORMAT.fullmatch(text.strip())
        if not found:
            msg = "quiet hours are written HH:MM-HH:MM, as 21:00-08:00 (empty = none)"
            raise ValueError(msg)
        hour, minute, until_hour, until_minute = map(int, found.groups())
        return cls(begins=time(hour, minute), ends=time(until_hour, until_minute))

    def around(self, at: datetime, zone: ZoneInfo) -> tuple[datetime, datetime] | None:
        """The quiet hours that hold the instant `at`, as two instants; None outside them.

        On the days when clocks change the longer reading counts: nobody is woken in the repeated hour.
        """
        today = at.astimezone(zone).date()
        spans = (_span(self, day, zone) for day in (today - timedelta(days=1), today))
        return next(((begins, ends) for begins, ends in spans if begins <= at < ends), None)

    def exit(self, at: datetime, zone: ZoneInfo) -> datetime:
        """The first instant from `at` on that is not quiet."""
        while span := self.around(at, zone):
            at = span[1]
        return at


@lru_cache(maxsize=1024)
def _span(quiet: Quiet, day: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """The quiet hours that begin on that local day. Cached: a scan asks for the same few nights again and again."""
    last_day = day + timedelta(days=int(quiet.begins > quiet.ends))
    begins = edge(datetime.combine(day, quiet.begins, tzinfo=zone))
    return begins, edge(datetime.combine(last_day, quiet.ends, tzinfo=zone), last=True)
