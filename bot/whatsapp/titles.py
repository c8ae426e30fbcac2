"""Titles of buttons and rows within Meta's limits, no two alike; what a row's title leaves out stands below it."""

from collections import Counter
from collections.abc import Sequence

from bot.core.graphemes import cut, split_at, units

ROW_TITLE_LIMIT = 24
ROW_TEXT_LIMIT = 72
NOTHING = "—"

Row = tuple[str, str]
"""Title and description, each on one line."""


def fitted(rows: Sequence[Row]) -> list[Row]:
    """All rows of one list."""
    begun = [_begun(*row) for row in rows]
    alike = Counter(title.casefold() for title, _ in begun)
    shown = [
        (begun[at] if alike[begun[at][0].casefold()] == 1 else _told_apart(*row)) or begun[at]
        for at, row in enumerate(rows)
    ]
    titles = distinct([title for title, _ in shown], ROW_TITLE_LIMIT)
    return [(title, cut(description, ROW_TEXT_LIMIT)) for title, (_, description) in zip(titles, shown, strict=True)]


def distinct(titles: Sequence[str], limit: int) -> list[str]:
    """Titles cut to `limit`; one that was there before gets a number, as Meta refuses equal ones."""
    done: list[str] = []
    for title in titles:
        shown, number = cut(title or NOTHING, limit), 1
        while shown.casefold() in (other.casefold() for other in done):
            number += 1
            mark = f" ({number})"
            shown = cut(title or NOTHING, limit - units(mark)) + mark
        done.append(shown)
    return done


def _begun(title: str, description: str) -> Row:
    """What does not fit the title opens the description."""
    if units(title) <= ROW_TITLE_LIMIT:
        return title, description
    head, rest = split_at(title, ROW_TITLE_LIMIT - 1)
    words, _, half = head.rpartition(" ")
    if words and half and not rest.startswith(" "):
        head, rest = words, half + rest
    return head.rstrip() + "…", " · ".join(part for part in (f"…{rest.strip()}", description) if part)


def _told_apart(title: str, description: str) -> Row | None:
    """`Corte… tijera y barba`, for one that begins like another; None when the whole name has no room below it."""
    if units(title) <= ROW_TITLE_LIMIT:
        return None
    below, end = " · ".join(part for part in (title, description) if part), ""
    first, *words = title.split()
    while words and units(f"{first}… {words[-1]} {end}".rstrip()) <= ROW_TITLE_LIMIT:
        end = f"{words.pop()} {end}".rstrip()
    return (f"{first}… {end}", below) if end and words and units(below) <= ROW_TEXT_LIMIT else None
