"""Slips of the finger: a word that nobody knows is read as the one known word next to it, or left alone."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

SHORTEST = 5
"""Shorter words have too many neighbours."""
LONG = 8
"""From this length on two slips are allowed."""


class Typos:
    """The known words by what is left of them when letters are dropped."""

    def __init__(self, words: Iterable[str]) -> None:
        index: defaultdict[str, list[str]] = defaultdict(list)
        for word in sorted(words):
            for rest in _dropped(word) if len(word) >= SHORTEST - 1 else ():
                index[rest].append(word)
        self._index = dict(index)

    def mended(self, word: str) -> str | None:
        """The only nearest known word; None when there is none, or more than one."""
        if len(word) < SHORTEST:
            return None
        near = {known for rest in _dropped(word) for known in self._index.get(rest, ())}
        far = sorted((distance(word, known), known) for known in near if _may_be(word, known))
        if not far or far[0][0] > _allowed(word) or (len(far) > 1 and far[1][0] == far[0][0]):
            return None
        return far[0][1]


def _may_be(word: str, known: str) -> bool:
    """A slip rarely hits the first letter, but for those that sound alike."""
    return word[0] == known[0] or {word[0], known[0]} in _ALIKE or word[1:2] == known[:1]


_ALIKE = tuple({*pair} for pair in ("bv", "sc", "sz", "cz", "kq", "kc", "gj", "yl", "ae"))


def _allowed(word: str) -> int:
    return 2 if len(word) >= LONG else 1


def _dropped(word: str) -> Iterator[str]:
    once = {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}
    yield from once
    if len(word) >= LONG:
        yield from {rest[:at] + rest[at + 1 :] for rest in once for at in range(len(rest))} - once


def distance(one: str, other: str) -> int:
    """Letters to add, drop, replace or swap with the next."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, mine in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, theirs in enumerate(other, 1):
            best = min(before[j] + 1, row[-1] + 1, before[j - 1] + (mine != theirs))
            swapped = i > 1 and j > 1 and mine == other[j - 2] and one[i - 2] == theirs
            row.append(min(best, last[j - 2] + 1) if swapped else best)
    return row[-1]
