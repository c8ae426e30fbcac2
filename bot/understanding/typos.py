"""Slips of the finger: a word that nobody knows is read as the one known word next to it, or left alone."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

SHORTEST = 5
"""Shorter words have too many neighbours."""
LONG = 8
"""From this length on two slips are allowed."""
MOST_SLIPS = 2


class Typos:
    """The known words by what is left of them when letters are dropped."""

    def __init__(self, words: Iterable[str], *, shortest: int = SHORTEST, long: int = LONG) -> None:
        self._shortest, self._long = shortest, long
        index: defaultdict[str, list[str]] = defaultdict(list)
        known = sorted(words)
        self._longest = max(map(len, known), default=0) + MOST_SLIPS
        for word in known:
            for rest in self._dropped(word) if len(word) >= shortest - 1 else ():
                index[rest].append(word)
        self._index = dict(index)

    def mended(self, word: str) -> str | None:
        """The only nearest known word; None when there is none, or more than one that is not its short form."""
        near = self._near(word)
        best = [known for slips, known in near if slips == near[0][0]]
        longest = max(best, key=len, default=None)
        return longest if longest and all(longest.startswith(known) for known in best) else None

    def resembles(self, word: str) -> bool:
        """Is there any so near?"""
        return bool(self._near(word))

    def _near(self, word: str) -> list[tuple[int, str]]:
        if not self._shortest <= len(word) <= self._longest:
            return []
        found = {known for rest in self._dropped(word) for known in self._index.get(rest, ())}
        allowed = MOST_SLIPS if len(word) >= self._long else 1
        slips = sorted((distance(word, known), known) for known in found if _may_be(word, known))
        return [slip for slip in slips if slip[0] <= allowed]

    def _dropped(self, word: str) -> Iterator[str]:
        once = {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}
        yield from once
        if len(word) >= self._long - 1:
            yield from {rest[:at] + rest[at + 1 :] for rest in once for at in range(len(rest))} - once


def _may_be(word: str, known: str) -> bool:
    """A slip rarely hits the first letter, but for those that sound alike."""
    return word[0] == known[0] or {word[0], known[0]} in _ALIKE or word[1:2] == known[:1]


_ALIKE = tuple({*pair} for pair in ("bv", "sc", "sz", "cz", "kq", "kc", "gj", "yl", "ae"))


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
