"""Where an appointment stands and where it is to go, when both are said."""

from collections.abc import Sequence
from dataclasses import replace

from bot.understanding.clocks import Phrase
from bot.understanding.pieces import At, Between, Days, Part, Piece, Range, Sides, What

_MAY_BE = ("chance", "posib", "possib")
"""*Any chance of Thursday*: there it is to go."""
_MINE = frozenset({"my", "mi", "meu", "minha"})


def without_old(phrase: Phrase, found: Sides) -> Sides:
    """*Del jueves para el lunes*, *my Thursday appointment to Friday*."""
    found = _moved_from_to(phrase, _without_told(phrase, found))
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


def _without_told(phrase: Phrase, found: Sides) -> Sides:
    """*I have an appointment on Thursday at 5*, *la cita de las 5*: that is where it stands."""
    old: list[Piece] = []
    for piece in found.wished:
        told = piece.is_day or isinstance(piece.what, At | Part)
        if told and (_is_told(phrase, piece, old) or (not piece.is_day and _is_hour_of(phrase, piece))):
            old.append(piece)
    return replace(found, wished=tuple(one for one in found.wished if one not in old), old=(*found.old, *old))


def _is_told(phrase: Phrase, piece: Piece, before: Sequence[Piece]) -> bool:
    """Right behind *my appointment is*, or behind a piece that is."""
    chained = phrase.before(piece.start, "e2ADzfG")
    said = phrase.before(piece.start, "e2ADzfGTRt")
    return phrase.codes[said : said + 1] == "&" or any(one.end == chained + 1 for one in before)


def _is_hour_of(phrase: Phrase, piece: Piece) -> bool:
    """*La cita de las 5*, *my 3 pm appointment*, *my 3 pm*; *para la de las 5* is where it is to go."""
    of = piece.start if phrase.codes[piece.start] == "f" else piece.start - 1
    if of >= 1 and phrase.codes[of] == "f":
        noun = phrase.before(of, "e2")
        return phrase.codes[noun] not in "RTnCdqp" and phrase.at(noun - (phrase.codes[noun] in "_H")) != "R"
    lead = phrase.before(piece.start, "e2z1")
    mine = lead >= 0 and phrase.items[lead].text in _MINE
    return mine or (phrase.at(piece.end) == "=" and phrase.at(lead) not in "Rt")


def _moved_from_to(phrase: Phrase, found: Sides) -> Sides:
    """*De las 3 a las 5*, *del 10 al 11* are no span when an appointment is moved; *to Friday from 3 to 5* is one."""
    days = [piece for piece in found.wished if piece.is_day]
    span = next((piece for piece in found.wished if phrase.codes[piece.start] in "fG"), None)
    ends = _ends(span.what) if span else None
    if span is None or ends is None or any(_is_aim(phrase, day) for day in days):
        return found
    if not all(_is_old(phrase, day) or day is span for day in days):
        return replace(found, doubtful=True)
    others = tuple(one for one in found.wished if one is not span)
    old, new = (Piece(end, span.start, span.end) for end in ends)
    return replace(found, wished=(*others, new), old=(*found.old, old))


def _ends(what: What) -> tuple[What, What] | None:
    """Both ends of a span."""
    if isinstance(what, Range):
        return Days((what.since,)), Days((what.until,))
    if not isinstance(what, Between) or what.since is None or what.until is None:
        return None
    return what.since, what.until


def _aims(phrase: Phrase, days: Sequence[Piece]) -> list[Piece]:
    """The days it is to be moved to; *to Monday or Tuesday* are both."""
    aims: list[Piece] = []
    for piece in days:
        beside = bool(aims) and set(phrase.codes[aims[-1].end : piece.start]) <= set("ve2D,")
        if beside or _is_aim(phrase, piece):
            aims.append(piece)
    return aims


def _is_aim(phrase: Phrase, piece: Piece) -> bool:
    at = phrase.before(piece.start, "e2Dz")
    return at >= 0 and phrase.at(at) in "RtT"


def _is_aim_time(phrase: Phrase, piece: Piece) -> bool:
    """*Para las 6*."""
    return phrase.codes[piece.start] == "T" or phrase.at(piece.start - 1) == "R"


def _is_old(phrase: Phrase, piece: Piece) -> bool:
    at = phrase.before(piece.start, "e2D")
    introduced = at > 0 and phrase.at(at) in "fG" and phrase.at(at - 1) not in "nCdqp"
    introduced = introduced and not phrase.items[at - 1].text.startswith(_MAY_BE)
    return introduced or phrase.at(piece.end) == "="  # *my Thursday appointment*
