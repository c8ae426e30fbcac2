"""Which times can be booked: the same rules list them and check them again when booking.

A slot is half-open `[start, end)`. It lies inside one opening interval of its staff member: the service may end exactly
at closing and its buffer may overhang closing. Start to end + buffer must not overlap what is taken. It begins later
than now, no sooner than the minimum notice, no later than the horizon. Listed times stand on the wall-clock grid that
begins at the opening; a typed time may lie between, so `at` and `check` do not ask for the grid.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import TypedDict, Unpack

from bot.core.business import Business, Staff
from bot.core.grid import inside
from bot.core.spread import ranked
from bot.core.taken import Taken
from bot.core.walk import Slot, Walk, by_start

__all__ = ["Bounds", "Busy", "Calendar", "Refusal", "Slot"]


class Refusal(StrEnum):
    """Why a slot cannot be booked."""

    PAST = "PAST"
    NOTICE = "NOTICE"
    HORIZON = "HORIZON"
    CLOSED = "CLOSED"
    TAKEN = "TAKEN"
    NO_SERVICE = "NO_SERVICE"
    NO_STAFF = "NO_STAFF"


_BY_WEIGHT = (Refusal.PAST, Refusal.NOTICE, Refusal.HORIZON, Refusal.TAKEN, Refusal.CLOSED, Refusal.NO_STAFF)
"""What to say when everybody refuses: being taken says more than somebody else's being closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Busy:
    """What is taken of a staff member's time, in aware UTC; `until` includes the buffer."""

    staff: int
    start: datetime
    until: datetime
    appointment: int


class Bounds(TypedDict, total=False):
    """What narrows or widens a search: all optional.

    staff: only this one; after, before: `after <= start < before`; ignore: an appointment that blocks nothing, since it
    is the one that is being moved.
    """

    staff: int | None
    after: datetime | None
    before: datetime | None
    ignore: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """What is free at the instant `now`; `busy` holds the active appointments that end after it, in any order."""

    business: Business
    busy: tuple[Busy, ...]
    now: datetime
    _by_staff: Mapping[int, list[Busy]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_staff: dict[int, list[Busy]] = defaultdict(list)
        for span in self.busy:
            by_staff[span.staff].append(span)
        object.__setattr__(self, "_by_staff", dict(by_staff))

    def free(self, service_id: int, *, limit: int | None = None, **bounds: Unpack[Bounds]) -> tuple[Slot, ...]:
        """The free slots by start: one per start, with the first staff member in the business's order who is free."""
        walk = self._walk(service_id, **bounds)
        return tuple(islice(walk.forth(walk.first), limit)) if walk else ()

    def days(self, service_id: int, **bounds: Unpack[Bounds]) -> tuple[date, ...]:
        """The local days on which such a slot begins."""
        walk = self._walk(service_id, **bounds)
        return tuple(day for day in walk.days() if any(walk.open(day))) if walk else ()

    def offers(
        self, service_id: int, count: int, *, near: datetime | None = None, **bounds: Unpack[Bounds]
    ) -> tuple[Slot, ...]:
        """The `count` best free slots, by start: the soonest, then spread over the days and over each day.

        With `near` the nearest to that instant instead (the slot that was just taken).
        """
        walk = self._walk(service_id, **bounds)
        if walk is None or count < 1:
            return ()
        if near is None:
            chosen = ranked((walk.on(day) for day in walk.days()), count)
        else:
            around = [*islice(walk.forth(near), count), *islice(walk.back(near), count)]
            chosen = sorted(around, key=lambda slot: (abs(slot.start - near), slot.start))[:count]
        return tuple(sorted(chosen, key=by_start))

    def at(
        self, service_id: int, start: datetime, *, staff: int | None = None, ignore: int | None = None
    ) -> Slot | Refusal:
        """The slot that begins at `start`, on the grid or not, with the first staff member who is free; or why not."""
        service = self.business.service(service_id)
        if service is None:
            return Refusal.NO_SERVICE
        start = start.astimezone(UTC)
        refusals = {Refusal.NO_STAFF}
        for person in self._people(service_id, staff):
            slot = Slot(service=service_id, staff=person.id, start=start, end=start + service.duration)
            refusal = self.check(slot, ignore=ignore)
            if refusal is None:
                return slot
            refusals.add(refusal)
        return next(refusal for refusal in _BY_WEIGHT if refusal in refusals)

    def check(self, slot: Slot, *, ignore: int | None = None) -> Refusal | None:
        """The rules once more, now, just before booking; None when it can be booked."""
        service = self.business.service(slot.service)
        if service is None:
            return Refusal.NO_SERVICE
        person = next(iter(self._people(slot.service, slot.staff)), None)
        if person is None:
            return Refusal.NO_STAFF
        rules = self.business.rules
        refused = {
            Refusal.PAST: slot.start <= self.now,
            Refusal.NOTICE: slot.start < self.now + rules.notice,
            Refusal.HORIZON: slot.start > self.now + rules.horizon,
            Refusal.CLOSED: not inside(person.week, slot.start, slot.end, self.business.zone),
            Refusal.TAKEN: self._taken(person.id, ignore).hits(slot.start, slot.end + service.pause),
        }
        return next((refusal for refusal, holds in refused.items() if holds), None)

    def _people(self, service_id: int, staff: int | None) -> tuple[Staff, ...]:
        offering = self.business.staff_for(service_id)
        return offering if staff is None else tuple(person for person in offering if person.id == staff)

    def _taken(self, staff: int, ignore: int | None) -> Taken:
        spans = self._by_staff.get(staff, [])
        return Taken.of((span.start, span.until) for span in spans if span.appointment != ignore)

    def _walk(self, service_id: int, **bounds: Unpack[Bounds]) -> Walk | None:
        """None when nothing can be found: no such service, nobody who offers it, or no permitted start."""
        service, people = self.business.service(service_id), self._people(service_id, bounds.get("staff"))
        rules, tick = self.business.rules, timedelta.resolution
        first, last = self.now + max(rules.notice, tick), self.now + rules.horizon
        after, before, ignore = bounds.get("after"), bounds.get("before"), bounds.get("ignore")
        first, last = max(first, after or first), min(last, before - tick if before else last)
        if service is None or not people or first > last:
            return None
        return Walk(
            service=service,
            staff=people,
            taken={person.id: self._taken(person.id, ignore) for person in people},
            zone=self.business.zone,
            grid=rules.grid,
            first=first.astimezone(UTC),
            last=last.astimezone(UTC),
        )
