"""What the customer has said so far in a running request. The position in a flow is computed from it, never stored."""

import json
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Any

from bot.core.slots import Part

FRESH = timedelta(hours=1)
"""So long the customer still has before their eyes what we said last."""
STALE = timedelta(days=1)


class Flow(StrEnum):
    """What the customer is doing."""

    BOOK = "book"
    MOVE = "move"


class Whom(StrEnum):
    """Who comes."""

    ME = "me"
    ANOTHER = "another"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A request in the making; all empty when nothing is going on."""

    flow: Flow | None = None
    service: int | None = None
    appointment: int | None = None
    """The appointment that is being moved, at `version`."""
    version: int | None = None
    staff: int | None = None
    start: datetime | None = None
    services_from: int = 0
    """The customer pages through the services: the place of the first one shown."""
    people_from: int | None = None
    """The customer asked for another person: those from this place on are shown."""
    name: str | None = None
    whom: Whom | None = None
    """For whom the appointment is; None = nobody has said."""
    attendee: str | None = None
    """The other person's name."""
    day: date | None = None
    days_since: date | None = None
    """The customer asked for another day: the days from this one on are shown."""
    after: datetime | None = None
    """The customer asked for times after this instant."""
    last_day: date | None = None
    """With `day`: it is the first of several days, and this the last."""
    part: Part | None = None
    """Only this part of a day is wanted."""
    clock: time | None = None
    """A time of day was typed: with `day` it is asked back, without it the day is asked."""
    readings: tuple[str, ...] = ()
    """What was typed can be read in these ways, in the contract's form: it is asked which."""
    epoch: int = 0
    """Raised with every finished booking: what was offered before it is old."""
    said: str = ""
    """Key of our last message."""
    echo: int = 0
    """What our last message looked like, as a number: the same is not said twice in a row."""
    misses: int = 0
    """Messages in a row that were not understood."""
    apologised_at: datetime | None = None
    """When we last said that we only read text and buttons."""
    touched_at: datetime | None = None

    @property
    def wants(self) -> tuple[int, int, int]:
        """What times are looked for: the service, and the appointment and version to move; 0 for none."""
        return self.service or 0, self.appointment or 0, self.version or 0

    def cleared(self) -> "Draft":
        """The same customer with nothing going on."""
        return Draft(**{name: getattr(self, name) for name in _KEPT})

    def finished(self) -> "Draft":
        """Nothing going on, and all earlier offers old."""
        return replace(self.cleared(), epoch=self.epoch + 1)

    def timeless(self) -> "Draft":
        """The same request, nothing known of its time."""
        return replace(
            self,
            start=None,
            day=None,
            days_since=None,
            after=None,
            last_day=None,
            part=None,
            clock=None,
            readings=(),
        )

    def unsaid(self) -> "Draft":
        """Another message has come since: what we said last is not our last word any more."""
        return replace(self, said="", echo=0)

    def at(self, now: datetime) -> "Draft":
        """The draft as it counts at `now`: after a day of silence a request starts clean."""
        if self.touched_at is not None and now - self.touched_at >= STALE:
            return self.cleared()
        return self


_KEPT = ("epoch", "said", "echo", "apologised_at", "touched_at")
"""What outlives a request."""


_EMPTY = {field.name: field.default for field in fields(Draft)}


def dump(draft: Draft) -> str:
    """The draft as JSON for the customer's row; only what is set."""
    values = {name: value for name, empty in _EMPTY.items() if (value := getattr(draft, name)) != empty}
    return json.dumps(values, default=lambda value: value.isoformat())


def load(text: str) -> Draft:
    """The draft of a customer's row. What this version does not know or cannot read is left out."""
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError):
        return Draft()
    if not isinstance(stored, dict):
        return Draft()
    read = {field.name: _read(field.type, stored[field.name]) for field in fields(Draft) if field.name in stored}
    draft = Draft(**{name: value for name, value in read.items() if value is not None})
    half = draft.flow is Flow.MOVE and None in (draft.service, draft.appointment, draft.version)
    return draft.cleared() if half else draft


def _instant(value: str) -> datetime:
    at = datetime.fromisoformat(value)
    if at.tzinfo is None:
        raise ValueError(value)
    return at


def _part(value: Any) -> Part:
    since, until = value
    return Part(time.fromisoformat(since), time.fromisoformat(until))


def _readings(value: Any) -> tuple[str, ...]:
    """Days, times, or both, in the contract's form."""
    for one in value:
        (time if one.startswith("T") else datetime).fromisoformat(one.removeprefix("T"))
    return tuple(value)


_READ: dict[object, Callable[[Any], object]] = {
    datetime | None: _instant,
    date | None: date.fromisoformat,
    time | None: time.fromisoformat,
    Part | None: _part,
    tuple[str, ...]: _readings,
    Flow | None: Flow,
    Whom | None: Whom,
}
"""How a field is read back, by its type; numbers and words stand in JSON as they are."""


def _read(kind: Any, value: object) -> Any:
    """The value of a field of that type, None when it is no such thing."""
    if kind not in _READ:
        return value if isinstance(value, kind) and not isinstance(value, bool) else None
    try:
        return _READ[kind](value)
    except (ValueError, TypeError, AttributeError):
        return None
