"""Which times can be booked: the same rules list them and check them again when booking.

A slot is half-open `[start, end)`. It lies inside one opening interval of its staff member: the service may end exactly
at closing and its buffer may overhang closing, likewise time off. Start to end + buffer must not overlap what is taken
of that person or of the one resource it needs; a seat in a session of the same service is free until the session is
full. It begins later than now, no sooner than the minimum notice, no later than the horizon. Listed times stand on the
wall-clock grid that begins at the opening; a typed time may lie between, so `at` and `check` do not ask for the grid.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import TypedDict, Unpack

from bot.core.board import Board, Busy, by_resource, by_staff
from bot.core.business import Business, Service, Staff
from bot.core.grid import inside
from bot.core.spread import ranked
from bot.core.taken import Taken
from bot.core.usual import Usual
from bot.core.walk import Part, Slot, Walk, by_start

__all__ = ["Bounds", "Busy", "Calendar", "Part", "Refusal", "Slot", "Usual"]

NEAR_USUAL = 60
"""Minutes: what is further from the customer's usual hour is not their usual time."""


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


class Bounds(TypedDict, total=False):
    """What narrows or widens a search: all optional.

    staff: only this one; after, before: `after <= start < before`; part: only that part of each day; minutes: another
    length than the service's; ignore: an appointment that blocks nothing, since it is the one that is being moved.
    """

    staff: int | None
    after: datetime | None
    before: datetime | None
    part: Part | None
    minutes: int | None
    ignore: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """What is free at the instant `now`; `busy` holds the active appointments that end after it, in any order."""

    business: Business
    busy: tuple[Busy, ...]
    now: datetime
    _staff: Mapping[int, list[Busy]] = field(init=False, repr=False, compare=False)
    _resources: Mapping[int, list[Busy]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_staff", by_staff(self.busy))
        object.__setattr__(self, "_resources", by_resource(self.busy) if self.business.resources else {})

    def free(self, service_id: int, *, limit: int | None = None, **bounds: Unpack[Bounds]) -> tuple[Slot, ...]:
        """The free slots by start: one per start, with the first staff member in the business's order who is free."""
        walk = self._walk(service_id, **bounds)
        return tuple(islice(walk.forth(walk.first), limit)) if walk else ()

    def days(self, service_id: int, **bounds: Unpack[Bounds]) -> tuple[date, ...]:
        """The local days on which such a slot begins."""
        walk = self._walk(service_id, **bounds)
        return tuple(day for day in walk.days() if any(walk.open(day))) if walk else ()

    def offers(
        self,
        service_id: int,
        count: int,
        *,
        near: datetime | None = None,
        usual: Usual | None = None,
        **bounds: Unpack[Bounds],
    ) -> tuple[Slot, ...]:
        """The `count` best free slots, by start: the soonest, then spread over the days, over each day and the staff.

        With `usual` the customer's next usual time comes before all of these. With `near` the nearest to that instant
        instead (the slot that was just taken).
        """
        walk = self._walk(service_id, **bounds)
        if walk is None or count < 1:
            return ()
        if near is None:
            first = _usual(walk, usual) if usual is not None else []
            best = ranked((walk.on(day) for day in walk.days()), count)
            rest = [slot for slot in best if slot not in first]
            return tuple(walk.shared(sorted([*first, *rest][:count], key=by_start)))
        around = [*islice(walk.forth(near), count), *islice(walk.back(near), count)]
        chosen = sorted(around, key=lambda slot: (abs(slot.start - near), slot.start))[:count]
        return tuple(sorted(chosen, key=by_start))

    def at(
        self,
        service_id: int,
        start: datetime,
        *,
        staff: int | None = None,
        minutes: int | None = None,
        ignore: int | None = None,
    ) -> Slot | Refusal:
        """The slot that begins at `start`, on the grid or not, with the first staff member who is free; or why not."""
        service = self.business.service(service_id)
        if service is None:
            return Refusal.NO_SERVICE
        start = start.astimezone(UTC)
        end = start + _length(service, minutes)
        refusals = {Refusal.NO_STAFF}
        for person in self._people(service_id, staff):
            slot = Slot(service=service_id, staff=person.id, start=start, end=end)
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
        place = self._board(service, ignore).place(person.id, slot.start, slot.end + service.pause)
        refused = {
            Refusal.PAST: slot.start <= self.now,
            Refusal.NOTICE: slot.start < self.now + rules.notice,
            Refusal.HORIZON: slot.start > self.now + rules.horizon,
            Refusal.CLOSED: not inside(self.business, person, slot.start, slot.end),
            Refusal.TAKEN: place is None,
        }
        return next((refusal for refusal, holds in refused.items() if holds), None)

    def _people(self, service_id: int, staff: int | None) -> tuple[Staff, ...]:
        offering = self.business.staff_for(service_id)
        return offering if staff is None else tuple(person for person in offering if person.id == staff)

    def _board(self, service: Service, ignore: int | None) -> Board:
        return Board(service=service, staff=self._staff, resources=self._resources, ignore=ignore)

    def _walk(self, service_id: int, **bounds: Unpack[Bounds]) -> Walk | None:
        """None when nothing can be found: no such service, nobody who offers it, or no permitted start."""
        service, people = self.business.service(service_id), self._people(service_id, bounds.get("staff"))
        rules, tick = self.business.rules, timedelta.resolution
        first, last = self.now + max(rules.notice, tick), self.now + rules.horizon
        after, before = bounds.get("after"), bounds.get("before")
        first, last = max(first, after or first), min(last, before - tick if before else last)
        if service is None or not people or first > last:
            return None
        return Walk(
            business=self.business,
            board=self._board(service, bounds.get("ignore")),
            staff=people,
            away={person.id: _away(self.business, person) for person in people},
            duration=_length(service, bounds.get("minutes")),
            first=first.astimezone(UTC),
            last=last.astimezone(UTC),
            part=bounds.get("part"),
        )


def _length(service: Service, minutes: int | None) -> timedelta:
    return service.duration if minutes is None else timedelta(minutes=minutes)


def _away(business: Business, person: Staff) -> Taken:
    return Taken.of((absence.start, absence.until) for absence in (*business.absences, *person.absences))


def _usual(walk: Walk, usual: Usual) -> list[Slot]:
    """The free slot nearest to the usual hour on the first usual weekday that has one near enough."""
    zone = walk.business.zone
    for day in walk.days():
        free = walk.on(day) if day.weekday() == usual.weekday else []
        apart = [(usual.apart(slot.start.astimezone(zone)), slot.start, slot) for slot in free]
        near = min(apart, default=None, key=lambda one: one[:2])
        if near is not None and near[0] <= NEAR_USUAL:
            return [near[2]]
    return []
