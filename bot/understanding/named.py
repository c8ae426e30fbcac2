"""Which of the business's services or people a customer names, whole or in part, slips allowed."""

from collections.abc import Sequence

from bot.understanding.typos import LONG, SHORTEST, distance
from bot.understanding.words import plain

SMALL = 3
"""Shorter words of a name say nothing by themselves."""


def named(words: Sequence[str], names: Sequence[str]) -> tuple[int, ...]:
    """The places of the names that fit best in `names`: none, one, or several that fit alike."""
    said = [one for word in words for one in plain(word).split()]
    fits = [_fit(plain(name).split(), said) for name in names]
    best = max(fits, default=(0, 0.0))
    return tuple(at for at, fit in enumerate(fits) if fit == best) if best[0] else ()


def _fit(name: Sequence[str], said: Sequence[str]) -> tuple[int, float]:
    """How many of its words are said, and what part of it that is."""
    telling = [word for word in name if len(word) >= SMALL] or list(name)
    hits = sum(any(_same(word, one) for one in said) for word in telling)
    return hits, hits / len(telling) if telling else 0.0


def _same(word: str, other: str) -> bool:
    if word == other or len(word) < SHORTEST:
        return word == other
    return abs(len(word) - len(other)) <= 1 and distance(word, other) <= (2 if len(word) > LONG else 1)
