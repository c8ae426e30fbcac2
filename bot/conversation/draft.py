"""What the customer has said so far in a running request. The position in a flow is computed from it, never stored."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

FRESH = timedelta(hours=1)
STALE = timedelta(days=1)


class Flow(StrEnum):
    """What the customer is doing."""

    BOOK = "book"
    MOVE = "move"


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
    name: str | None = None
    day: date | None = None
    days_since: date | None = None
    """The customer asked for another day: the days from this one on are shown."""
    after: datetime | None = None
    """The customer asked for times after this instant."""
    epoch: int = 0
    """Raised with every finished booking: what was offered before it is old."""
    said: str = ""
    """Key of our last message."""
    misses: int = 0
    """Messages in a row that were not understood."""
    apologised_at: datetime | None = None
    """When we last said that we only read text and buttons."""
    touched_at: datetime | None = None

    def cleared(self) -> "Draft":
        """The same customer with nothing going on."""
        return Draft(epoch=self.epoch, said=self.said, apologised_at=self.apologised_at, touched_at=self.touched_at)

    def finished(self) -> "Draft":
        """Nothing going on, and all earlier offers old."""
        return Draft(epoch=self.epoch + 1, said=self.said, apologised_at=self.apologised_at, touched_at=self.touched_at)

    def unsaid(self) -> "Draft":
        """Another message has come since: what we said last is not our last word any more."""
        return replace(self, said="")

    def at(self, now: datetime) -> "Draft":
        """The draft as it counts at `now`: after a day of silence a request starts clean."""
        if self.touched_at is not None and now - self.touched_at >= STALE:
            return self.cleared()
        return self


_READ: dict[object, Callable[[str], object]] = {
    datetime | None: datetime.fromisoformat,
    date | None: date.fromisoformat,
    Flow | None: Flow,
}
"""How a field is read back, by its type; all others are kept in JSON as they are."""


def dump(draft: Draft) -> str:
    """The draft as JSON for the customer's row; only what is set."""
    values = {name: value for name, value in asdict(draft).items() if value not in (None, "", False, 0)}
    return json.dumps(values, default=lambda value: value.isoformat())


def load(text: str) -> Draft:
    """The draft of a customer's row. What this version does not know or cannot read is left out."""
    try:
        stored = json.loads(text)
        known = {field.name: _READ.get(field.type, _as_it_is) for field in fields(Draft)}
        kept: dict[str, Any] = {name: known[name](value) for name, value in stored.items() if name in known}
        return Draft(**kept)
    except (ValueError, TypeError, AttributeError):
        return Draft()


def _as_it_is(value: object) -> object:
    return value
