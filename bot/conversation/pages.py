"""A list of any length in messages of at most ten rows: nothing is cut in silence, the last rows lead on and back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

ROWS = 10
"""What WhatsApp shows in one list, all sections together."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[T]):
    """`shown` stand on it; `following` is the place at which the next page begins, None after the last."""

    shown: tuple[T, ...]
    first: int
    following: int | None
    total: int

    @property
    def left(self) -> int:
        """How many come after it."""
        return self.total - self.first - len(self.shown)


def page(things: Sequence[T], first: int = 0, *, room: int = ROWS) -> Page[T]:
    """The page that begins at `first`, in `room` rows with those that lead on and back counted in.

    A place that is not there any more is the beginning.
    """
    first = first if 0 < first < len(things) else 0
    room -= first > 0
    room -= len(things) - first > room
    shown = tuple(things[first : first + room])
    end = first + len(shown)
    return Page(shown=shown, first=first, following=end if end < len(things) else None, total=len(things))
