"""Whether a span of time meets what is already taken."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """One staff member's taken time as sorted, disjoint, half-open spans."""

    starts: tuple[datetime, ...]
    untils: tuple[datetime, ...]

    @classmethod
    def of(cls, spans: Iterable[tuple[datetime, datetime]]) -> "Taken":
        """In any order; overlapping ones (staff may have agreed to them) are joined."""
        starts: list[datetime] = []
        untils: list[datetime] = []
        for start, until in sorted(spans):
            if untils and start <= untils[-1]:
                untils[-1] = max(untils[-1], until)
            else:
                starts.append(start)
                untils.append(until)
        return cls(starts=tuple(starts), untils=tuple(untils))

    def hits(self, start: datetime, until: datetime) -> bool:
        """Whether `[start, until)` overlaps; touching does not."""
        before = bisect_left(self.starts, until)
        return before > 0 and self.untils[before - 1] > start
