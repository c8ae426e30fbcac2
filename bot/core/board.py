"""Who and what is taken, seen by one service: where a booking can be put. Asked when listing and when booking."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from bot.core.business import Service
from bot.core.taken import Taken


class Busy(NamedTuple):
    """What one appointment takes of a staff member's time and of a resource, in aware UTC; `until` includes the buffer.

    A tuple, since a turn reads thousands of them.
    """

    staff: int
    start: datetime
    until: datetime
    appointment: int
    service: int | None = None
    resource: int | None = None


Spans = Mapping[int, Sequence[Busy]]


@dataclass(frozen=True, slots=True)
class Place:
    """A booking can be had, in this resource; None = it needs none."""

    resource: int | None


def by_staff(busy: Iterable[Busy]) -> dict[int, list[Busy]]:
    """Everybody's spans."""
    found: dict[int, list[Busy]] = defaultdict(list)
    for span in busy:
        found[span.staff].append(span)
    return dict(found)


def by_resource(busy: Iterable[Busy]) -> dict[int, list[Busy]]:
    """Every resource's spans."""
    found: dict[int, list[Busy]] = defaultdict(list)
    for span in busy:
        if span.resource is not None:
            found[span.resource].append(span)
    return dict(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What stands in the way of one service. `ignore` is an appointment that blocks nothing: the one being moved.

    The same rule stands in the database (migration 0003): two appointments may overlap on a person or a resource only
    as seats of one session, that is with the same service, person, start and resource, and no more than its capacity.
    """

    service: Service
    staff: Spans
    resources: Spans
    ignore: int | None = None
    _staff: dict[int, Taken] = field(default_factory=dict, init=False, repr=False, compare=False)
    _resources: dict[int, Taken] = field(default_factory=dict, init=False, repr=False, compare=False)

    def place(self, person: int, start: datetime, until: datetime) -> Place | None:
        """Where `[start, until)` (buffer included) can be had with that person: None when it cannot."""
        if self.taken(person).hits(start, until):
            return self._seat(person, start, until) if self.service.capacity > 1 else None
        if self.service.resources is None:
            return Place(None)
        for resource in self.service.resources:
            taken = _kept(self._resources, resource, self.resources, self.ignore)
            if not taken.hits(start, until):
                return Place(resource)
        return None

    def taken(self, person: int) -> Taken:
        """All of that person's taken time."""
        return _kept(self._staff, person, self.staff, self.ignore)

    def _seat(self, person: int, start: datetime, until: datetime) -> Place | None:
        """A seat in the session that this service has there, if one is left and nothing else is in the way."""
        theirs = [span for span in self.staff[person] if span.appointment != self.ignore]
        session = [span for span in theirs if span.start == start and span.service == self.service.id]
        if not 0 < len(session) < self.service.capacity:
            return None
        resource = session[0].resource
        around = (*theirs, *(self.resources.get(resource, ()) if resource is not None else ()))
        others = (span for span in around if span.appointment != self.ignore and span not in session)
        free = not any(span.start < until and start < span.until for span in others)
        return Place(resource) if free else None


def _kept(memo: dict[int, Taken], key: int, spans: Spans, ignore: int | None) -> Taken:
    """Sorted once for all the times that are asked about."""
    taken = memo.get(key)
    if taken is None:
        own = spans.get(key, ())
        memo[key] = taken = Taken.of((span.start, span.until) for span in own if span.appointment != ignore)
    return taken
