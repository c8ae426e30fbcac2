"""Which pieces are wished, which refused, and which only say what the appointment was: negation, second thoughts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.understanding.clocks import Phrase
from bot.understanding.pieces import Between, Piece, Vague

_LEADING = "e2ADzfTRG"
"""May stand between a word and the piece that it belongs to."""
Told = tuple[Piece, bool | None]
"""A piece and whether it is refused."""
_THAN = frozenset({"que", "than"})
_IF = frozenset({"si", "se", "if"})
_CLAUSE_ENDS = ",b6u"
_THINKS_AGAIN = re.compile(",N,[^vN]*$")
"""*Tomorrow, no, Friday*."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The pieces, sorted by what is said of them."""

    wished: tuple[Piece, ...]
    refused: tuple[Piece, ...] = ()
    old: tuple[Piece, ...] = ()
    """Where the appointment stands now."""
    doubtful: bool = False
    """It cannot be told what belongs where."""


def sides(phrase: Phrase, pieces: Sequence[Piece], *, moving: bool, asks: bool) -> Sides:
    """`asks`: it is a question. `moving`: it asks for another time, so that two days may be the old and the new one."""
    kept = _corrected(phrase, pieces)
    told = _refused(phrase, kept, asks=asks)
    wished = tuple(piece for piece, refused in zip(kept, told, strict=True) if refused is False)
    found = Sides(
        wished=wished,
        refused=tuple(piece for piece, refused in zip(kept, told, strict=True) if refused),
        doubtful=None in told,
    )
    return _without_old(phrase, found) if moving else found


def _kind(piece: Piece) -> str:
    return "day" if piece.is_day else "time" if piece.is_time else "other"


def _lead(phrase: Phrase, piece: Piece) -> int:
    """The item before the piece, small words left out."""
    at = piece.start - 1
    while at >= 0 and phrase.codes[at] in _LEADING:
        at -= 1
    return at


def _corrected(phrase: Phrase, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """*Thursday, sorry, Friday*; *el jueves mejor el viernes*: the later one of a kind counts."""
    kept = list(pieces)
    for piece in pieces:
        lead = _lead(phrase, piece)
        between = phrase.codes[max((one.end for one in kept if one.end <= piece.start), default=0) : piece.start]
        if "6" in between or _lifts(phrase, lead) or _THINKS_AGAIN.search(between):
            kept = [one for one in kept if one.start >= piece.start or _kind(one) != _kind(piece)]
    return tuple(kept)


def _lifts(phrase: Phrase, lead: int) -> bool:
    """*No el 4 sino el 5*; where nothing is refused, *sino* is another way to write *si no*."""
    return phrase.at(lead) == "b" and (phrase.items[lead].text != "sino" or "N" in phrase.codes[:lead])


def _refused(phrase: Phrase, pieces: Sequence[Piece], *, asks: bool) -> list[bool | None]:
    """True refused, False wished, None nobody can tell."""
    told: list[bool | None] = []
    for at, piece in enumerate(pieces):
        following = pieces[at + 1] if at + 1 < len(pieces) else None
        wavers = not asks and phrase.at(_lead(phrase, piece)) == "%"  # *no puede ser el jueves*, asked or told
        told.append(None if wavers else _one(phrase, piece, following, list(zip(pieces, told, strict=False))))
    return _spread(pieces, told)


def _one(phrase: Phrase, piece: Piece, following: Piece | None, before: Sequence[Told]) -> bool | None:
    after = phrase.at(piece.end)
    if after in "N0" or (after == "," and phrase.at(piece.end + 1) == "0" and following is None and not before):
        if after == "N" and following is not None and _touches(phrase, piece.end + 1, following):
            return None if phrase.asked.language != "en" else False
        return True
    lead = _lead(phrase, piece)
    if _is_worse(phrase, lead):
        return True
    if lead > 0 and phrase.at(lead) == "N" and phrase.items[lead - 1].text in _IF:
        return None  # *el 4, si no el 5*
    if phrase.at(lead) in "N9" and lead >= 0:
        return None if _answers_no(phrase, lead) and not isinstance(piece.what, Vague) else True
    return _in_clause_of_cannot(phrase, piece, before)


def _is_worse(phrase: Phrase, lead: int) -> bool:
    """*Rather Thursday than Friday*, *mejor a las 4 que a las 5*."""
    return lead > 0 and phrase.items[lead].text in _THAN and "b" in phrase.codes[:lead]


def _answers_no(phrase: Phrase, lead: int) -> bool:
    """*No a las 6*: not at six, or no: at six."""
    return lead == 0 and phrase.asked.context == "confirming" and phrase.asked.language != "en"


def _touches(phrase: Phrase, at: int, piece: Piece) -> bool:
    return all(code in _LEADING for code in phrase.codes[at : piece.start])


def _in_clause_of_cannot(phrase: Phrase, piece: Piece, before: Sequence[Told]) -> bool | None:
    """*I can't do Thursday*, up to a comma, a *but*, or the next piece of the same kind; after more words in doubt."""
    lead = phrase.codes[: piece.start]
    at = lead.rfind("0")
    if at < 0 or any(code in _CLAUSE_ENDS for code in lead[at:]):
        return False
    if any(one.start > at and refused is False for one, refused in before):
        return False
    same = [one for one, _ in before if one.end >= at and _kind(one) == _kind(piece)]
    if same:
        joined = all(code in "av" + _LEADING for code in lead[same[-1].end :])
        return joined and phrase.at(piece.end) != "V"
    last = max((one.end for one, _ in before if one.start > at), default=piece.start)
    return None if set("_~") & set(lead[last:]) else True


def _spread(pieces: Sequence[Piece], told: list[bool | None]) -> list[bool | None]:
    """*El jueves a las 5 no puedo*: a day and a time side by side are refused together."""
    for at in range(len(pieces) - 2, -1, -1):
        one, following = pieces[at], pieces[at + 1]
        together = one.end == following.start and _kind(one) != _kind(following)
        if together and told[at + 1] and told[at] is False and not _only_time_refused(pieces, told, at):
            told[at] = True
    return told


def _only_time_refused(pieces: Sequence[Piece], told: Sequence[bool | None], at: int) -> bool:
    """*Mañana a las 5 no, a las 6*: the day stands when only another time follows."""
    later = {_kind(piece) for piece, refused in zip(pieces[at + 2 :], told[at + 2 :], strict=True) if not refused}
    return pieces[at].is_day and later == {"time"}


def _without_old(phrase: Phrase, found: Sides) -> Sides:
    """*Del jueves para el lunes*, *my Thursday appointment to Friday*."""
    found = _moved_hours(phrase, found)
    days = [piece for piece in found.wished if piece.is_day]
    aims = _aims(phrase, days)
    old = [piece for piece in days if piece not in aims and (aims or _is_old(phrase, piece))]
    if not old or (aims and len(old) == len(days)):
        return found
    wished = tuple(piece for piece in found.wished if piece not in old)
    loose = any(piece.is_time and not piece.start >= max(day.end for day in days) for piece in wished)
    unclear = not aims and any(piece.is_time and not _is_aim_time(phrase, piece) for piece in wished)
    still = [piece for piece in wished if not (loose and aims and piece.is_time and piece.start < aims[0].start)]
    return replace(found, wished=tuple(still), old=(*found.old, *old), doubtful=found.doubtful or unclear)


def _moved_hours(phrase: Phrase, found: Sides) -> Sides:
    """*De las 3 a las 5* is no span when an appointment is moved; *to Friday from 3 to 5* is one."""
    days = [piece for piece in found.wished if piece.is_day]
    span = next((piece for piece in found.wished if phrase.codes[piece.start] in "fG"), None)
    hours = span.what if span else None
    if span is None or not isinstance(hours, Between) or any(_is_aim(phrase, day) for day in days):
        return found
    if hours.since is None or hours.until is None:
        return found
    if not all(_is_old(phrase, day) for day in days):
        return replace(found, doubtful=True)
    others = tuple(one for one in found.wished if one is not span)
    old, new = (Piece(hour, span.start, span.end) for hour in (hours.since, hours.until))
    return replace(found, wished=(*others, new), old=(*found.old, old))


def _aims(phrase: Phrase, days: Sequence[Piece]) -> list[Piece]:
    """The days it is to be moved to; *Wednesday the 9th* is said in two pieces."""
    aims: list[Piece] = []
    for piece in days:
        beside = bool(aims) and set(phrase.codes[aims[-1].end : piece.start]) <= set("e2D,")
        if beside or _is_aim(phrase, piece):
            aims.append(piece)
    return aims


def _is_aim(phrase: Phrase, piece: Piece) -> bool:
    at = piece.start - 1
    while phrase.at(at) in "e2Dz" and at >= 0:
        at -= 1
    return at >= 0 and phrase.at(at) in "RtT"


def _is_aim_time(phrase: Phrase, piece: Piece) -> bool:
    """*Para las 6*."""
    return phrase.codes[piece.start] == "T" or phrase.at(piece.start - 1) == "R"


def _is_old(phrase: Phrase, piece: Piece) -> bool:
    at = piece.start - 1
    while phrase.at(at) in "e2D" and at >= 0:
        at -= 1
    introduced = at > 0 and phrase.at(at) in "fG" and phrase.at(at - 1) not in "nCdqp"
    return introduced or phrase.at(piece.end) == "="  # *my Thursday appointment*
