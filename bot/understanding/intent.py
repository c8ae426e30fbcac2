"""The intents of the contract; and what fixed words alone tell: short answers, wishes while choosing, the language."""

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


_WISHES = MappingProxyType({one: collect("contains", one) for one in Wish})
_ANOTHER = collect("contains", "another")
_BRIEF = MappingProxyType({one: collect("whole", one) for one in Brief})
_PLACES = tuple((at, collect("whole", one)) for one, at in (("first", 0), ("second", 1), ("third", 2), ("last", -1)))
_MARKS = MappingProxyType(per_language("language", "marks"))
_LEAD = 2
"""So many more words of another language change a known one."""


def _holds(phrase: str, words: frozenset[str]) -> bool:
    spaced = f" {phrase} "
    return any(f" {word} " in spaced for word in words)


def brief(text: str) -> Brief | None:
    """Such a short answer, when the phrase is nothing else."""
    phrase = plain(text)
    return next((one for one, words in _BRIEF.items() if phrase in words), None)


def wish(text: str) -> Wish | None:
    """Another day, another service, more times: typed while choosing."""
    phrase = plain(text)
    return next((one for one, words in _WISHES.items() if _holds(phrase, words)), None)


def place(text: str) -> int | None:
    """*The second one*: which of those shown, counted from 0; -1 is the last."""
    phrase = plain(text)
    return next((at for at, words in _PLACES if phrase in words), None)


def another(text: str) -> bool:
    """Says in so many words that a further appointment is wanted, not another time for one there is."""
    return _holds(plain(text), _ANOTHER)


def language(text: str, known: str | None = None) -> str | None:
    """The language of a phrase when its words tell, else `known`; a single common word never flips a known one."""
    words = plain(text).split()
    score = {one: sum(word in marks for word in words) for one, marks in _MARKS.items()}
    best = max(score, key=lambda one: score[one])
    if list(score.values()).count(score[best]) > 1:
        return known
    return best if known is None or score[best] - score[known] >= _LEAD else known
