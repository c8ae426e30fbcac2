"""Walking over what is free, one local day after the other and no further than asked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import repeat
from typing import NamedTuple

from bot.core.board import Board
from bot.core.business import Business, Interval, Staff
from bot.core.grid import ONE_DAY, hours, starts
from bot.core.taken import Taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A time that could be booked, `[start, end)` in aware UTC; `end` excludes the buffer."""

    service: int
    staff: int
    start: datetime
    end: datetime


class Part(NamedTuple):
    """Part of every day: starts in `[since, until)` of the wall clock."""

    since: time
    until: time


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """One service, those who may do it in order of preference, and the first and last permitted start (aware UTC).

    `duration` may differ from the service's own. `away` is time off, the business's and each person's. `part` = only
    starts in that part of the day.
    """

    business: Business
    board: Board
    staff: tuple[Staff, ...]
    away: dict[int, Taken]
    duration: timedelta
    first: datetime
    last: datetime
    part: Part | None = None

    def days(self) -> Iterator[date]:
        """The local days between the bounds, free or not."""
        zone = self.business.zone
        day, last = self.first.astimezone(zone).date(), self.last.astimezone(zone).date()
        while day <= last:
            yield day
            day += ONE_DAY

    def open(self, day: date) -> Iterator[Slot]:
        """The free slots that begin on that local day, each start once, staff member by staff member."""
        seen: set[datetime] = set()
        for person, start in self._starts(day):
            if start not in seen and self._wanted(start) and self.fits(person, start):
                seen.add(start)
                yield self.slot(person, start)

    def _wanted(self, start: datetime) -> bool:
        if not self.first <= start <= self.last:
            return False
        return self.part is None or self.part.since <= start.astimezone(self.business.zone).time() < self.part.until

    def fits(self, person: int, start: datetime) -> bool:
        """Whether that person is there and has the time, and a room for it; opening hours are not asked."""
        end = start + self.duration
        if self.away[person].hits(start, end):
            return False
        return self.board.place(person, start, end + self.board.service.pause) is not None

    def slot(self, person: int, start: datetime) -> Slot:
        return Slot(service=self.board.service.id, staff=person, start=start, end=start + self.duration)

    def shared(self, slots: Sequence[Slot]) -> list[Slot]:
        """The same starts, each with whoever has been named least of those who are free, in order of preference."""
        times = {person.id: 0 for person in self.staff}
        found: list[Slot] = []
        for slot in slots:
            turns = sorted(self.staff, key=lambda person: times[person.id])
            chosen = next(person.id for person in turns if self._has(person, slot.start))
            times[chosen] += 1
            found.append(self.slot(chosen, slot.start))
        return found

    def _has(self, person: Staff, start: datetime) -> bool:
        """Whether that start is on the person's grid, and free."""
        day = start.astimezone(self.business.zone).date()
        return any(start in self._grid(opened, day) for opened in hours(self.business, person, day)) and self.fits(
            person.id, start
        )

    def _grid(self, opened: tuple[date, Interval], day: date) -> tuple[datetime, ...]:
        return starts(self.business.zone, opened, day, grid=self.business.rules.grid, duration=self.duration)

    def on(self, day: date) -> list[Slot]:
        """The same by start."""
        return sorted(self.open(day), key=by_start)

    def forth(self, since: datetime) -> Iterator[Slot]:
        """The free slots from `since` on, soonest first."""
        first = since.astimezone(self.business.zone).date()
        for day in self.days():
            if day >= first:
                yield from (slot for slot in self.on(day) if slot.start >= since)

    def back(self, until: datetime) -> Iterator[Slot]:
        """The free slots before `until`, latest first."""
        last = until.astimezone(self.business.zone).date()
        for day in reversed(tuple(self.days())):
            if day <= last:
                yield from (slot for slot in reversed(self.on(day)) if slot.start < until)

    def _starts(self, day: date) -> Iterator[tuple[int, datetime]]:
        """The grid of everybody's opening hours, taken or not: staff id and start."""
        for person in self.staff:
            for opened in hours(self.business, person, day):
                yield from zip(repeat(person.id), self._grid(opened, day))


def by_start(slot: Slot) -> datetime:
    """The order in which slots are offered."""
    return slot.start
