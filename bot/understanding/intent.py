"""What the customer wants, from the words they typed. Mixed or negated wishes are UNKNOWN: asked, never guessed."""

from enum import StrEnum
from types import MappingProxyType

from bot.understanding.words import collect, per_language, plain


class Intent(StrEnum):
    """The closed list of the contract."""

    BOOK = "book"
    CONFIRM = "confirm"
    CANCEL = "cancel"
    RESCHEDULE = "reschedule"
    LIST = "list"
    HELP = "help"
    HUMAN = "human"
    STOP = "stop"
    START = "start"
    GREET = "greet"
    THANKS = "thanks"
    ANSWER = "answer"
    UNKNOWN = "unknown"


class Wish(StrEnum):
    """What may be typed instead of tapping a row while choosing."""

    OTHER_DAY = "other_day"
    OTHER_SERVICE = "other_service"
    MORE_TIMES = "more_times"


class Brief(StrEnum):
    """Short answers that mean something only after what was just said."""

    NOD = "nod"
    """Says *heard* more than *yes*."""
    NO = "no"
    UNDO = "undo"
    MORE = "more"
    """What else is there?"""


_WHOLE = MappingProxyType(
    {
        phrase: intent
        for intent in (
            Intent.GREET,
            Intent.CONFIRM,
            Intent.THANKS,
            Intent.STOP,
            Intent.START,
            Intent.HELP,
            Intent.CANCEL,
            Intent.HUMAN,
        )
        for phrase in (*collect("whole", intent), *(collect("whole", "nod") if intent is Intent.CONFIRM else ()))
    }
)
_CONTAINS = MappingProxyType(
    {
        intent: collect("contains", intent)
        for intent in (Intent.HUMAN, Intent.CANCEL, Intent.RESCHEDULE, Intent.LIST, Intent.BOOK)
    }
)
_NEGATION = collect("contains", "negation")
_WISHES = MappingProxyType({one: collect("contains", one) for one in Wish})
_BRIEF = MappingProxyType({one: collect("whole", one) for one in Brief})
_MARKS = MappingProxyType(per_language("language", "marks"))
_LEAD = 2
"""So many more words of another language change a known one."""
_ASKS_TO_ACT = frozenset({Intent.CANCEL, Intent.RESCHEDULE})


def _holds(phrase: str, words: frozenset[str]) -> bool:
    return any(f" {word} " in f" {phrase} " for word in words)


def _strip(phrase: str, words: frozenset[str]) -> str:
    for word in sorted(words, key=len, reverse=True):
        phrase = f" {phrase} ".replace(f" {word} ", " ").strip()
    return phrase


def intent(text: str) -> Intent:
    """The one intent of a phrase."""
    phrase = plain(text)
    if phrase in _WHOLE:
        return _WHOLE[phrase]
    found = [one for one, words in _CONTAINS.items() if _holds(phrase, words)]
    acts = [one for one in found if one in _ASKS_TO_ACT]
    if Intent.HUMAN in found:
        return Intent.HUMAN
    if len(acts) > 1 or (acts and _holds(_strip(phrase, _CONTAINS[acts[0]]), _NEGATION)):
        return Intent.UNKNOWN
    if acts:
        return acts[0]
    return found[0] if found else Intent.UNKNOWN


def brief(text: str) -> Brief | None:
    """Such a short answer, when the phrase is nothing else."""
    phrase = plain(text)
    return next((one for one, words in _BRIEF.items() if phrase in words), None)


def wish(text: str) -> Wish | None:
    """Another day, another service, more times: typed while choosing."""
    phrase = plain(text)
    return next((one for one, words in _WISHES.items() if _holds(phrase, words)), None)


def language(text: str, known: str | None = None) -> str | None:
    """The language of a phrase when its words tell, else `known`; a single common word never flips a known one."""
    words = plain(text).split()
    score = {one: sum(word in marks for word in words) for one, marks in _MARKS.items()}
    best = max(score, key=lambda one: score[one])
    if list(score.values()).count(score[best]) > 1:
        return known
    return best if known is None or score[best] - score[known] >= _LEAD else known
