"""Which few of many times to offer: the soonest, then spread over the days and over each day."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

MOST_DAYS = 4
"""A list shows at most so many days as long as they hold enough."""


def ranked(days: Iterable[Sequence[T]], count: int) -> list[T]:
    """`count` of the days' items, best first; `days` in order, read no further than needed.

    The days take turns, so the first one shows the most; half as many days as items keep more than one time for each.
    """
    wanted = min(MOST_DAYS, (count + 1) // 2)
    chosen: list[Sequence[T]] = []
    held = 0
    for day in days:
        if day:
            chosen.append(day)
            held += len(day)
        if len(chosen) >= wanted and held >= count:
            break
    turns = [spread(day) for day in chosen]
    picked: list[T] = []
    while turns and len(picked) < count:
        turn = turns.pop(0)
        item = next(turn, None)
        if item is not None:
            picked.append(item)
            turns.append(turn)
    return picked


def spread(items: Sequence[T]) -> Iterator[T]:
    """All of them: the first, then at ever smaller powers of two, so any beginning is spread out, on round hours."""
    yield from items[:1]
    step = 1 << len(items).bit_length()
    while step > 1:
        yield from items[step // 2 :: step]
        step //= 2
