"""What a phrase names, piece by piece, before the pieces are put together."""

from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType

from bot.understanding.items import Clock

NOON = 720
HALF_DAY = 720
DAY = 1440


@dataclass(frozen=True, slots=True)
class Days:
    """One day; several when it may be any of them; none when there is no such day."""

    dates: tuple[date, ...]


@dataclass(frozen=True, slots=True)
class Weekday:
    """0 = Monday, and no more said."""

    number: int


@dataclass(frozen=True, slots=True)
class Range:
    """From the first day to the last."""

    since: date
    until: date


@dataclass(frozen=True, slots=True)
class At:
    """A time; `half` is am, pm, or a part of the day."""

    clock: Clock
    half: str | None = None


@dataclass(frozen=True, slots=True)
class Between:
    """From one time to another; None = open."""

    since: At | None
    until: At | None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day."""

    name: str


@dataclass(frozen=True, slots=True)
class Moment:
    """So long from now."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Now:
    """*Now*: today, when a time is wanted at all."""


@dataclass(frozen=True, slots=True)
class Vague:
    """*Whenever*, *soon*: must be asked unless more is said."""


@dataclass(frozen=True, slots=True)
class Unsure:
    """Names a time that we do not read: must be asked."""

    loose: bool = False
    """*After lunch*, *late afternoon*: a clock time beside it says more."""


What = Days | Weekday | Range | At | Between | Part | Moment | Now | Vague | Unsure


@dataclass(frozen=True, slots=True)
class Piece:
    """What items `start` to `end` name."""

    what: What
    start: int
    end: int

    @property
    def is_day(self) -> bool:
        return isinstance(self.what, Days | Weekday | Range)

    @property
    def is_time(self) -> bool:
        return isinstance(self.what, At | Between | Part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The pieces, sorted by what is said of them."""

    wished: tuple[Piece, ...]
    refused: tuple[Piece, ...] = ()
    old: tuple[Piece, ...] = ()
    """Where the appointment stands now."""
    doubtful: bool = False
    """It cannot be told what belongs where."""


def is_past(what: What, today: date) -> bool:
    """*Yesterday*: it can be told of, not wished."""
    return isinstance(what, Days) and bool(what.dates) and max(what.dates) < today


SPANS = MappingProxyType(
    {
        "morning": (6 * 60, NOON),
        "afternoon": (NOON, 20 * 60),
        "evening": (18 * 60, DAY - 1),
        "dawn": (0, 6 * 60),
    }
)
"""The parts of the day as a customer means them, minutes from midnight."""
SAID_OF = MappingProxyType(
    {
        "am": (0, NOON),
        "pm": (NOON, DAY),
        "of_noon": (11 * 60, 15 * 60),
        "morning": (60, NOON),
        "afternoon": (NOON, 21 * 60),
        "evening": (17 * 60, DAY),
        "dawn": (60, 7 * 60),
    }
)
"""Which times are said with that word: 8 in the evening is 20:00, 12 in the morning is nothing sure."""
