"""`understand`: what a customer's phrase means, in the light of what was just asked, of the hour and of opening hours."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from zoneinfo import ZoneInfo

from bot.core.business import DAY, WEEKDAYS, Interval, Week
from bot.understanding.clocks import Phrase
from bot.understanding.combine import Frame, combine
from bot.understanding.days import Asked
from bot.understanding.decide import CHOOSING, decide
from bot.understanding.intent import Intent, language as told_language
from bot.understanding.items import read_items
from bot.understanding.lexicon import Lexicon, lexicon
from bot.understanding.meaning import Ambiguous, Context, When
from bot.understanding.pieces import Now, Piece, Unsure, Vague, is_past
from bot.understanding.polarity import Sides, sides
from bot.understanding.scan import phrase_of, scan
from bot.understanding.signals import Signals, listen
from bot.understanding.tokens import Words, read_words
from bot.understanding.words import LANGUAGES

_BUTTONS = MappingProxyType({"1": Intent.CONFIRM, "2": Intent.RESCHEDULE, "3": Intent.CANCEL})
"""The answers under a reminder, by their place."""
_NAMES_NONE = frozenset({Intent.UNKNOWN, Intent.HUMAN, Intent.HELP, Intent.STOP, Intent.START})
"""What we could not read of a time does not matter then."""
_WANTS_TIME = frozenset({Intent.BOOK, Intent.ANSWER})
_DOUBT = 0.05
"""Taken off for each word that was mended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What was understood. `when` None = no time named; Ambiguous = a time that must be asked."""

    intent: Intent
    when: When | None
    confidence: float
    language: str | None
    about: When | None = None
    """Where the appointment stands that is to be moved, when the phrase says so."""
    usual: bool = False
    """*The same as always*."""
    hints: tuple[str, ...] = ()
    """Words that name no time: a service or a person may be among them."""


def every_day(opens: int, closes: int) -> Week:
    """Opening hours that are the same all week, in minutes from midnight; past midnight when they close earlier."""
    interval = Interval(opens=opens, closes=closes if closes > opens else closes + DAY)
    return ((interval,),) * WEEKDAYS


def understand(
    text: str,
    *,
    now: datetime,
    zone: ZoneInfo,
    hours: Week,
    context: Context = Context.IDLE,
    language: str | None = None,
) -> Meaning:
    """Reads one phrase. `language` is the customer's, as `es` or `pt-BR`; None = to be found out from the words."""
    known = language[:2].lower() if language and language[:2].lower() in LANGUAGES else None
    local = now.astimezone(zone)
    told = told_language(text, known)
    order = tuple(dict.fromkeys(one for one in (known, told) if one)) or LANGUAGES
    readings = [_read(text, each, local, zone, hours, context) for each in order]
    best = readings[0]
    for other in readings[1:]:
        best = other if _says_more(other, best) else best
    return best


def _says_more(other: Meaning, best: Meaning) -> bool:
    """A reading in another language counts only where the first one found nothing."""
    if best.when is None and other.when is not None:
        return other.intent is not Intent.UNKNOWN
    return best.intent is Intent.UNKNOWN and best.when is None and other.confidence > best.confidence


def _read(text: str, language: str, local: datetime, zone: ZoneInfo, hours: Week, context: Context) -> Meaning:
    table = lexicon(language)
    words = read_words(text, table)
    asked = Asked(now=local, language=language, context=context)
    phrase = phrase_of(read_items(words.words, table), asked, table.also_months)
    heard = listen(words, table)
    pieces = scan(phrase)
    split = sides(phrase, pieces, moving=heard.any("change", "other"))
    intent = _intent(words, heard, split, asked)
    frame = Frame(asked=asked, zone=zone, hours=hours)
    when = _when(intent, split, frame, heard)
    return Meaning(
        intent=intent,
        when=when,
        confidence=_confidence(intent, when, words, heard),
        language=language,
        about=combine(split.old, frame, wants_time=False) if split.old else None,
        usual="usual" in heard,
        hints=_hints(words, phrase, pieces, table),
    )


def _intent(words: Words, heard: Signals, split: Sides, asked: Asked) -> Intent:
    context, today = Context(asked.context), asked.today
    line = words.line().replace(",", "").strip()
    if not line.strip("_"):
        return Intent.HELP if words.question else Intent.UNKNOWN
    if line.isdigit() and context is not Context.CHOOSING_DATE and context is not Context.CHOOSING_TIME:
        chosen = Intent.ANSWER if context is Context.CHOOSING_SERVICE else Intent.UNKNOWN
        return _BUTTONS.get(line, chosen) if context is Context.AFTER_REMINDER else chosen
    loose = context in CHOOSING
    wished = [
        piece
        for piece in split.wished
        if loose or not (isinstance(piece.what, Vague | Now) or is_past(piece.what, today))
    ]
    wished += [piece for piece in split.refused if context in CHOOSING]
    return decide(heard, context, timed=bool(wished) or split.doubtful)


def _when(intent: Intent, split: Sides, frame: Frame, heard: Signals) -> When | None:
    context = frame.asked.context
    wants = intent in _WANTS_TIME
    if split.doubtful:
        return Ambiguous()
    if not split.wished:
        if intent is Intent.ANSWER and split.refused:
            return Ambiguous()
        return _refused(intent, [piece for piece in split.refused if not isinstance(piece.what, Vague | Now)], frame)
    when = combine(_to_come(split.wished, intent, frame), frame, wants_time=wants)
    if intent in _NAMES_NONE and all(isinstance(piece.what, Unsure) for piece in split.wished):
        return None
    lone_part = context == Context.CHOOSING_DATE and when is not None and when.text().startswith("T") and "/" in when.text()
    del heard
    return Ambiguous() if lone_part and intent is Intent.ANSWER else when


def _refused(intent: Intent, named: Sequence[Piece], frame: Frame) -> When | None:
    """A day that is only refused is the appointment's, or else nothing is left of what was said."""
    if intent in (Intent.CANCEL, Intent.UNKNOWN) or not named:
        return combine(named, frame, wants_time=False)
    return Ambiguous()


def _to_come(pieces: Sequence[Piece], intent: Intent, frame: Frame) -> Sequence[Piece]:
    """Nobody wishes a day that is past: *I could not come yesterday, can I have another?*"""
    if intent not in (Intent.BOOK, Intent.RESCHEDULE):
        return pieces
    return [piece for piece in pieces if not is_past(piece.what, frame.asked.today)]


def _confidence(intent: Intent, when: When | None, words: Words, heard: Signals) -> float:
    if intent is Intent.UNKNOWN:
        return 0.3 if when else 0.2
    sure = 0.97 if heard.only or when is not None else 0.9
    sure -= 0.3 if isinstance(when, Ambiguous) else 0
    return round(max(sure - _DOUBT * words.mended, 0.1), 2)


def _hints(words: Words, phrase: Phrase, pieces: Sequence[Piece], table: Lexicon) -> tuple[str, ...]:
    taken = {at for piece in pieces for at in range(piece.start, piece.end)}
    return tuple(
        item.text
        for at, item in enumerate(phrase.items)
        if item.code == "_" and at not in taken and len(item.text) > 2  # noqa: PLR2004
    )
