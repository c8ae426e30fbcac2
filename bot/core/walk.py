"""Walking over what is free, one local day after the other and no further than asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.core.business import Service, Staff
from bot.core.grid import ONE_DAY, hours, starts
from bot.core.taken import Taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A time that could be booked, `[start, end)` in aware UTC; `end` excludes the buffer."""

    service: int
    staff: int
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """One service, those who may do it in order of preference, and the first and last permitted start (aware UTC)."""

    service: Service
    staff: tuple[Staff, ...]
    taken: Mapping[int, Taken]
    zone: ZoneInfo
    grid: timedelta
    first: datetime
    last: datetime

    def days(self) -> Iterator[date]:
        """The local days between the bounds, free or not."""
        day, last = self.first.astimezone(self.zone).date(), self.last.astimezone(self.zone).date()
        while day <= last:
            yield day
            day += ONE_DAY

    def open(self, day: date) -> Iterator[Slot]:
        """The free slots that begin on that local day, each start once, staff member by staff member."""
        duration, pause = self.service.duration, self.service.pause
        seen: set[datetime] = set()
        for person, start in self._starts(day):
            end = start + duration
            if start in seen or not self.first <= start <= self.last:
                continue
            if not self.taken[person].hits(start, end + pause):
                seen.add(start)
                yield Slot(service=self.service.id, staff=person, start=start, end=end)

    def on(self, day: date) -> list[Slot]:
        """The same by start."""
        return sorted(self.open(day), key=by_start)

    def forth(self, since: datetime) -> Iterator[Slot]:
        """The free slots from `since` on, soonest first."""
        first = since.astimezone(self.zone).date()
        for day in self.days():
            if day >= first:
                yield from (slot for slot in self.on(day) if slot.start >= since)

    def back(self, until: datetime) -> Iterator[Slot]:
        """The free slots before `until`, latest first."""
        last = until.astimezone(self.zone).date()
        for day in reversed(tuple(self.days())):
            if day <= last:
                yield from (slot for slot in reversed(self.on(day)) if slot.start < until)

    def _starts(self, day: date) -> Iterator[tuple[int, datetime]]:
        """The grid of everybody's opening hours, taken or not: staff id and start."""
        for person, opened in ((each, opened) for each in self.staff for opened in hours(each.week, day)):
            for start in starts(self.zone, opened, day, grid=self.grid, duration=self.service.duration):
                yield person.id, start


def by_start(slot: Slot) -> datetime:
    """The order in which slots are offered."""
    return slot.start
