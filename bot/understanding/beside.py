"""Pieces that stand side by side: a weekday and its date are one; a number left over beside a time is asked."""

from collections.abc import Iterator, Sequence
from datetime import date

from bot.understanding.clocks import Phrase
from bot.understanding.pieces import Days, Piece, Unsure, Weekday

HOURS = 24


def one_day(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """*Terça dia 8*, *Tuesday the 8th* are one piece, refused or wished together."""
    at = 0
    while at < len(pieces):
        one, following = pieces[at], pieces[at + 1] if at + 1 < len(pieces) else None
        both = _agreed(one, following) if following is not None and one.end == following.start else ()
        yield Piece(Days(both), one.start, following.end) if both and following is not None else one
        at += 1 + bool(both)


def _agreed(one: Piece, following: Piece) -> tuple[date, ...]:
    """The days that are both that weekday and that date."""
    if isinstance(one.what, Days) and isinstance(following.what, Weekday):
        one, following = following, one
    if not isinstance(one.what, Weekday) or not isinstance(following.what, Days):
        return ()
    weekday = one.what.number
    return tuple(day for day in following.what.dates if day.weekday() == weekday)


def left_over(phrase: Phrase, pieces: Sequence[Piece]) -> Iterator[Piece]:
    """*Is 4 ok tomorrow*, *15 cuarto para las 6*: a number that counts nothing may be the time or the day."""
    no_time = any(piece.is_day for piece in pieces) and not any(piece.is_time for piece in pieces)
    taken = {at for piece in pieces for at in range(piece.start, piece.end)}
    for at, item in enumerate(phrase.items):
        free = item.code == "n" and at not in taken and item.text.isdigit() and 0 < item.value < HOURS
        beside = at + 1 in taken and phrase.asked.context in ("choosing_date", "choosing_time")
        if free and (beside or (no_time and phrase.at(at + 1) in ",vVbuN.")):
            yield Piece(Unsure(), at, at + 1)
