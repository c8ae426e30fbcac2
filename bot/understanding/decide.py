"""The one intent of a phrase, from what sounds in it and what was just asked. Mixed wishes are asked, never guessed."""

from collections.abc import Callable

from bot.understanding.intent import Intent
from bot.understanding.meaning import Context
from bot.understanding.signals import Signals

CHOOSING = frozenset({Context.CHOOSING_SERVICE, Context.CHOOSING_DATE, Context.CHOOSING_TIME})
ANSWERING = frozenset({Context.AFTER_REMINDER, Context.CONFIRMING})
SERVICE_WORDS = 5
"""A longer answer is hardly a service's name."""

Rule = Callable[[Signals, Context, bool], Intent | None]
"""From the signals, the context, and whether a time is named that is wished."""


def decide(heard: Signals, context: Context, *, timed: bool) -> Intent:
    """The first rule that knows."""
    for rule in _RULES:
        intent = rule(heard, context, timed)
        if intent is not None:
            return intent
    return Intent.UNKNOWN


def _lists(heard: Signals, context: Context, timed: bool) -> Intent | None:
    """Opting out and in; then doubt, which beats every wish."""
    if "stop" in heard and not heard.any("keep"):
        return Intent.STOP
    if "start" in heard:
        return Intent.START
    torn = "torn" in heard and not timed  # *I can't, but my sister can*; with a time it is another time
    comes = heard.any("keep") and "present" in heard and "late" not in heard  # *si voy, no cancelen* lacks an accent
    iffy = "cond" in heard and not comes and not (context in CHOOSING and timed)
    return Intent.UNKNOWN if torn or iffy or heard.any("retract", "mixed") else None


def _person(heard: Signals, context: Context, timed: bool) -> Intent | None:
    acts = heard.any("cancel", "change", "keep")
    if heard.any("human", "complaint") and not ("cancel" in heard and "sick" in heard):
        return Intent.HUMAN
    answers = (context in CHOOSING and timed) or (context is Context.IDLE and (timed or "ask" in heard))
    if "late" in heard and not acts and not answers:
        return Intent.HUMAN
    return None


def _doubt(heard: Signals, context: Context, timed: bool) -> Intent | None:
    undecided = context is Context.IDLE and "book" in heard  # *I want one, I do not know yet when*
    settled = "settled" in heard and not heard.question  # *I doubt it, better cancel*
    moves = undecided or settled or (timed and (heard.any("change", "absent") or context in CHOOSING))
    return Intent.UNKNOWN if "maybe" in heard and not moves and not heard.any("list", "help") else None


def _keeps(heard: Signals, context: Context, timed: bool) -> Intent | None:
    """*Don't cancel*, and what else is said beside it."""
    del timed
    if "keep" not in heard:
        return None
    if heard.any("cancel", "absent"):
        return Intent.UNKNOWN
    if "change" in heard:
        return Intent.RESCHEDULE
    if "book" in heard and context is Context.IDLE and "present" not in heard:
        return Intent.BOOK
    sure = context is not Context.IDLE or heard.any("present", "confirm")
    return Intent.CONFIRM if sure else Intent.UNKNOWN


def _cancels(heard: Signals, context: Context, timed: bool) -> Intent | None:
    if "cancel" not in heard:
        return None
    if "ask" in heard and "absent" not in heard:
        return Intent.UNKNOWN
    if "change" in heard:
        return Intent.RESCHEDULE if timed else Intent.UNKNOWN
    mixed = heard.any("better", "but") and timed and context is not Context.IDLE
    return Intent.UNKNOWN if mixed or ("present" in heard and "absent" not in heard) else Intent.CANCEL


def _absent(heard: Signals, context: Context, timed: bool) -> Intent | None:
    if "absent" not in heard:
        return None
    if timed and context in CHOOSING:
        return Intent.ANSWER
    if "book" in heard and timed and context is Context.IDLE:
        return Intent.BOOK
    if timed or heard.any("change", "other") or ("sooner" in heard and heard.question):
        return Intent.RESCHEDULE
    if heard.any("present", "confirm") and context is not Context.CONFIRMING:
        return Intent.UNKNOWN
    return Intent.CANCEL


def _asks_own(heard: Signals, context: Context, timed: bool) -> Intent | None:
    if "help" in heard:
        return Intent.HELP
    if context is Context.CONFIRMING and timed:
        return None  # *no, mi cita es el jueves* is another time
    strong = heard.any("change", "ask") or ("other" in heard and context is not Context.IDLE)
    return Intent.LIST if "list" in heard and not strong else None


def _declines(heard: Signals, context: Context, timed: bool) -> Intent | None:
    """*No, thanks, I'll see later*."""
    other = heard.any("present", "confirm", "ask", "list", "book", "maybe", "change", "other")
    return Intent.CANCEL if "decline" in heard and context in ANSWERING and not (timed or other) else None


def _changes(heard: Signals, context: Context, timed: bool) -> Intent | None:
    if "suggest" in heard and context is not Context.IDLE:  # *y si voy mañana?*
        return Intent.RESCHEDULE
    if "change" in heard and not ("book" in heard and "ask" in heard):
        return Intent.RESCHEDULE
    if "other" in heard and not (context is Context.IDLE and "book" in heard):
        return Intent.RESCHEDULE
    if "sooner" in heard and context in ANSWERING and "list" not in heard:
        return Intent.RESCHEDULE
    better = heard.any("better") and timed and context is Context.CHOOSING_TIME
    return Intent.RESCHEDULE if better and heard.words <= 0 else None


def _sick(heard: Signals, context: Context, timed: bool) -> Intent | None:
    wants = "book" in heard and (timed or not heard.question)
    names_service = context is Context.CHOOSING_SERVICE and not heard.question
    return Intent.HUMAN if "sick" in heard and not wants and not names_service and not timed else None


def _nods(heard: Signals, context: Context, timed: bool) -> Intent | None:
    """*Ok, thanks*, *hi, all good?*, said with nothing asked before."""
    del timed
    if heard.only == "yes" and "greet" in heard and (heard.question or context is Context.IDLE):
        return Intent.GREET
    return Intent.THANKS if heard.only == "yes" and "thanks" in heard and context is Context.IDLE else None


def _says_yes(heard: Signals, context: Context, timed: bool) -> Intent | None:
    """Yes, to what is asked; with a *but* and a time it is another time."""
    said = heard.only == "yes" or heard.starts == "yes" or ("yes" in heard and context is Context.CONFIRMING)
    agrees = heard.any("confirm", "present") or (said and not heard.question)
    if context in ANSWERING and timed:
        wavers = heard.any("but", "better") or heard.starts == "no" or not agrees
        return Intent.RESCHEDULE if wavers and not ("ask" in heard and not agrees) else Intent.CONFIRM
    if context is Context.IDLE and heard.any("book", "suggest") and "confirm" not in heard and heard.only is None:
        return None
    if heard.only == "yes" or heard.any("confirm", "present"):
        return None if context in CHOOSING and timed else Intent.CONFIRM
    if heard.question or heard.any("but", "hold", "ask") or context not in ANSWERING:
        return None
    loosely = context is Context.CONFIRMING and said and not heard.any("no", "change")
    return Intent.CONFIRM if loosely or (heard.starts == "yes" and "book" not in heard) else None


def _says_no(heard: Signals, context: Context, timed: bool) -> Intent | None:
    if timed or context is Context.IDLE or ("ask" in heard and heard.question):
        return None
    if heard.any("nothing", "unfit") and context in (Context.CHOOSING_DATE, Context.CHOOSING_TIME):
        return Intent.ANSWER  # none of these: another one is wanted
    asked = context is not Context.AFTER_REMINDER
    if heard.refuses and heard.any("reason", "sick") and not (asked or heard.question):
        return Intent.CANCEL
    alone = heard.only == "no" and (asked or "present" not in heard)  # *no, I will be there*
    return Intent.CANCEL if alone or (asked and heard.any("drop", "nothing", "unfit")) else None


def _answers(heard: Signals, context: Context, timed: bool) -> Intent | None:
    """What answers the question that was asked."""
    if context not in CHOOSING:
        return None
    if timed:
        return Intent.ANSWER
    if "hold" in heard or "usual" in heard:
        return Intent.UNKNOWN
    if "pick" in heard or ("nothing" in heard and context is not Context.CHOOSING_SERVICE):
        return Intent.ANSWER
    names = context is Context.CHOOSING_SERVICE and heard.only is None and heard.words <= SERVICE_WORDS
    return Intent.ANSWER if names and not heard.question and not heard.any("ask", "greet", "maybe") else None


def _books(heard: Signals, context: Context, timed: bool) -> Intent | None:
    if "ask" in heard:
        strong = "book" in heard and timed and not heard.question
        return Intent.BOOK if strong else Intent.UNKNOWN
    if context in ANSWERING and ("hold" in heard or (heard.question and not timed)):
        return Intent.UNKNOWN
    if "book" in heard or (timed and context is Context.IDLE):
        return Intent.BOOK
    return None


def _small_talk(heard: Signals, context: Context, timed: bool) -> Intent | None:
    del context, timed
    if heard.only in ("thanks", "greet"):
        return Intent.THANKS if heard.only == "thanks" else Intent.GREET
    return None


_RULES: tuple[Rule, ...] = (
    _lists,
    _person,
    _doubt,
    _keeps,
    _cancels,
    _absent,
    _asks_own,
    _declines,
    _changes,
    _says_no,
    _sick,
    _nods,
    _says_yes,
    _answers,
    _small_talk,
    _books,
)
