"""Which pieces are wished and which refused: negation, second thoughts, the better of two."""

import re
from collections.abc import Sequence

from bot.understanding.clocks import Phrase
from bot.understanding.moves import without_old
from bot.understanding.pieces import Piece, Sides, Vague

_LEADING = "e2ADzfTRG"
"""May stand between a word and the piece that it belongs to."""
Told = tuple[Piece, bool | None]
"""A piece and whether it is refused."""
_THAN = frozenset({"que", "than"})
_IF = frozenset({"si", "se", "if"})
_CLAUSE_ENDS = ",b6u"
_THINKS_AGAIN = re.compile(",N,[^vN]*$")
"""*Tomorrow, no, Friday*."""


def sides(phrase: Phrase, pieces: Sequence[Piece], *, moving: bool, asks: bool) -> Sides:
    """`asks`: it is a question. `moving`: it asks for another time, so that two days may be the old and the new one."""
    past = [piece for piece in pieces if _is_told(phrase, piece)]
    kept = _corrected(phrase, [piece for piece in pieces if piece not in past])
    told = _refused(phrase, kept, asks=asks)
    wished = tuple(piece for piece, refused in zip(kept, told, strict=True) if refused is False)
    found = Sides(
        wished=wished,
        refused=tuple(piece for piece, refused in zip(kept, told, strict=True) if refused),
        old=tuple(past),
        doubtful=None in told,
    )
    return without_old(phrase, found) if moving else found


def _is_told(phrase: Phrase, piece: Piece) -> bool:
    """*Fui el lunes*, *el lunes ya fui*, *i paid 50 on the 20th*: what is over is not wished."""
    at = phrase.before(piece.start, _LEADING + "n4")
    return piece.is_day and ((at >= 0 and phrase.codes[at] == "'") or phrase.at(piece.end) == "'")


def _kind(piece: Piece) -> str:
    return "day" if piece.is_day else "time" if piece.is_time else "other"


def _lead(phrase: Phrase, piece: Piece) -> int:
    """The item before the piece, small words left out."""
    return phrase.before(piece.start, _LEADING)


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
            firm = phrase.asked.language == "en" and phrase.items[piece.end].text != "no"  # *4 not 5*
            return False if firm else None
        return True
    lead = _lead(phrase, piece)
    if _is_worse(phrase, lead):
        return True
    if lead > 0 and phrase.at(lead) == "N" and phrase.items[lead - 1].text in _IF:
        return None  # *el 4, si no el 5*
    if phrase.at(lead) in "N9" and lead >= 0:
        return _beside_no(phrase, lead) if not isinstance(piece.what, Vague) else True
    return _in_clause_of_cannot(phrase, piece, before)


def _is_worse(phrase: Phrase, lead: int) -> bool:
    """*Rather Thursday than Friday*, *mejor a las 4 que a las 5*."""
    return lead > 0 and phrase.items[lead].text in _THAN and "b" in phrase.codes[:lead]


def _beside_no(phrase: Phrase, lead: int) -> bool | None:
    """*No a las 6*, to what was proposed: not at six, or no: at six; *no 5 pm* is no, *not 5 pm* not."""
    if lead > 0 or phrase.asked.context != "confirming":
        return True
    if phrase.asked.language == "en":
        return phrase.items[lead].text != "no"
    return None


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
