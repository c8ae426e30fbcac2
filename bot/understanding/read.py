"""`understand`: what a customer's phrase means, in the light of what was just asked, of the hour, of opening hours."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from types import MappingProxyType
from zoneinfo import ZoneInfo

from bot.core.business import DAY, WEEKDAYS, Interval, Week
from bot.understanding.asked import Asked
from bot.understanding.clocks import Phrase
from bot.understanding.combine import Frame, combine
from bot.understanding.decide import decide
from bot.understanding.intent import Intent
from bot.understanding.intent import language as told_language
from bot.understanding.items import read_items
from bot.understanding.lexicon import lexicon
from bot.understanding.meaning import Ambiguous, Context, Span, When
from bot.understanding.pieces import Moment, Now, Piece, Range, Sides, Unsure, Vague, Weekday, is_past
from bot.understanding.polarity import sides
from bot.understanding.scan import phrase_of, scan
from bot.understanding.signals import Signals, core, listen
from bot.understanding.tokens import Words, read_words
from bot.understanding.words import LANGUAGES

_LEXICONS = MappingProxyType({one: lexicon(one) for one in LANGUAGES})
"""Read once, when the program starts."""
_BUTTONS = MappingProxyType({"1": Intent.CONFIRM, "2": Intent.RESCHEDULE, "3": Intent.CANCEL})
"""The answers under a reminder, by their place."""
_WANTS_TIME = frozenset({Intent.BOOK, Intent.ANSWER})
_NAMES_NONE = frozenset({Intent.UNKNOWN, Intent.HUMAN, Intent.HELP, Intent.STOP, Intent.START, Intent.LIST})
"""A time that we cannot read does not matter then, nor *in 5 minutes*."""
BRIEF = 3
"""A question of no more words rather suggests: *and with Iris?*"""
_DOUBT = 0.05
"""Taken off for each word that was mended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What was understood. `when` None = no time named; Ambiguous = a time that must be asked."""

    intent: Intent
    when: When | None
    confidence: float
    language: str
    about: When | None = None
    """Where the appointment stands that is to be moved, when the phrase says so."""
    usual: bool = False
    """*The same as always*."""
    strange: int = 0
    """Words that are not known in that language."""
    rest: tuple[str, ...] = ()
    """The words that name no time, made comparable: a service or a person may be among them (named.py)."""
    bare: str | None = None
    """It is nothing but one of these: yes, no, thanks, greet, noise."""
    keeps: bool = False
    """It says that somebody comes, or that nothing is to be cancelled."""
    matter: bool = False
    """HUMAN, yet nobody is asked for: being late, a complaint, something medical."""
    asks: bool = False
    """It wants to know something: a price, how long it takes."""


def every_day(opens: int, closes: int) -> Week:
    """Opening hours that are the same all week, in minutes from midnight; past midnight when they close earlier."""
    return ((Interval(opens=opens, closes=closes if closes > opens else closes + DAY),),) * WEEKDAYS


def understand(
    text: str,
    *,
    now: datetime,
    zone: ZoneInfo,
    hours: Week,
    context: Context = Context.IDLE,
    language: str | None = None,
) -> Meaning:
    """Reads one phrase. `language` is the customer's, as `es` or `pt-BR`; None = to be told by the words."""
    local = now.astimezone(zone)
    known = language[:2].lower() if language and language[:2].lower() in LANGUAGES else None
    order = tuple(dict.fromkeys(one for one in (known, told_language(text, known)) if one)) or LANGUAGES
    asked = [Asked(now=local, language=each, context=context) for each in order]
    readings = [_read(text, Frame(asked=each, zone=zone, hours=hours)) for each in asked]
    return min(readings, key=lambda meaning: (meaning.strange, 0 if known else -meaning.confidence))


def _read(text: str, frame: Frame) -> Meaning:
    table = _LEXICONS[frame.asked.language]
    words = read_words(text, table)
    phrase = phrase_of(read_items(words.words, table), frame.asked, table.also_months)
    heard = listen(words, table)
    pieces = scan(phrase)
    split = sides(phrase, pieces, moving=heard.any("change", "other"), asks=words.question)
    intent = _intent(words, heard, split, frame.asked)
    when = _when(intent, split, frame)
    if when is None and intent is Intent.ANSWER and heard.any("nothing", "unfit"):
        when = Ambiguous()
    return Meaning(
        intent=intent,
        when=when,
        confidence=_confidence(intent, when, words, heard),
        language=frame.asked.language,
        about=combine(split.old, frame, wants_time=False),
        usual="usual" in heard,
        strange=words.strange,
        rest=_rest(words, phrase, pieces),
        bare=heard.only,
        keeps=heard.any("keep", "stay", "present"),
        matter=intent is Intent.HUMAN and "human" not in heard,
        asks="ask" in heard or (heard.question and heard.words > BRIEF),
    )


def _intent(words: Words, heard: Signals, split: Sides, asked: Asked) -> Intent:
    context = asked.context
    line = core(words.line(), _LEXICONS[asked.language]).replace(",", "").strip()
    if not line:
        return Intent.HELP if words.question else Intent.UNKNOWN
    if line.isdigit() and context not in (Context.CHOOSING_DATE, Context.CHOOSING_TIME):
        chosen = Intent.ANSWER if context is Context.CHOOSING_SERVICE else Intent.UNKNOWN
        return _BUTTONS.get(line, chosen) if context is Context.AFTER_REMINDER else chosen
    wanted = context in (Context.CHOOSING_DATE, Context.CHOOSING_TIME)
    wished = [piece for piece in split.wished if wanted or _is_wish(piece, asked)]
    refused = split.refused if wanted else ()
    return decide(heard, context, timed=bool(wished or refused or split.doubtful))


def _is_wish(piece: Piece, asked: Asked) -> bool:
    return not isinstance(piece.what, Vague | Now) and not is_past(piece.what, asked.today)


def _when(intent: Intent, split: Sides, frame: Frame) -> When | None:
    if split.doubtful:
        return Ambiguous()
    if not split.wished:
        return _refused(intent, split.refused, frame)
    if _has_a_hole(split):
        return Ambiguous()
    if intent in _NAMES_NONE and all(isinstance(piece.what, Unsure | Moment) for piece in split.wished):
        return None
    when = combine(_to_come(split.wished, intent, frame), frame, wants_time=intent in _WANTS_TIME)
    part_only = isinstance(when, Span) and isinstance(when.since, time)
    return Ambiguous() if part_only and frame.asked.context is Context.CHOOSING_DATE else when


def _has_a_hole(split: Sides) -> bool:
    """*Any day next week but Friday*."""
    ranges = [piece.start for piece in split.wished if isinstance(piece.what, Range)]
    return any(isinstance(piece.what, Weekday) and piece.start > min(ranges) for piece in split.refused if ranges)


def _refused(intent: Intent, refused: Sequence[Piece], frame: Frame) -> When | None:
    """A day that is only refused is the appointment's, or else nothing is left of what was said."""
    loose = Vague | Now | Moment if intent in _NAMES_NONE else Vague | Now
    named = [piece for piece in refused if not isinstance(piece.what, loose)]
    if intent is Intent.CANCEL and all(isinstance(piece.what, Unsure) for piece in named):
        return None  # *no, ese no*
    if intent is Intent.ANSWER and refused:
        return Ambiguous()
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


def _rest(words: Words, phrase: Phrase, pieces: Sequence[Piece]) -> tuple[str, ...]:
    items = [item for piece in pieces for item in phrase.items[piece.start : piece.end]]
    taken = {word for item in items for word in range(item.start, item.end)}
    return tuple(word for at, word in enumerate(words.words) if at not in taken and word != ",")
