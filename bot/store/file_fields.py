"""What the values in a business's file look like, and the words for one that cannot be used."""

import re
import unicodedata
from datetime import date, datetime, time
from functools import lru_cache
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from bot.core.business import DAY, Hours, Interval
from bot.core.graphemes import units

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
HOURS = re.compile(r"(\d{1,2}):([0-5]\d) ?[-–] ?(\d{1,2}):([0-5]\d)")
HOUR = 60
LONGEST_NIGHT, MORNING = 12 * HOUR, 6 * HOUR
UNSEEN = {"Cc", "Cs", "Zl", "Zp"}
TURNING = {*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}
"""What makes a name read from right to left. (Joiners are allowed: emoji need them.)"""
NAME_LIMIT, PRICE_LIMIT, NOTE_LIMIT = 60, 40, 200
"""In UTF-16 units, as WhatsApp counts. A name goes into a template's parameter, which takes 60 of ours."""


class Part(BaseModel):
    """Keys that are not known are refused: a slip of the pen must not be silent."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, revalidate_instances="always")


def _at_most(limit: int) -> Any:
    def check(value: str) -> str:
        if units(value) > limit:
            message = f"should have at most {limit} characters, as WhatsApp counts them, and has {units(value)}"
            raise ValueError(message)
        return value

    return AfterValidator(check)


def _one_line(value: str) -> str:
    if any(unicodedata.category(letter) in UNSEEN or letter in TURNING for letter in value):
        raise ValueError("has a line break or a control character in it")
    if value and all(unicodedata.category(letter) == "Cf" for letter in value):
        raise ValueError("has nothing in it that can be seen")
    return unicodedata.normalize("NFC", value)


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    """All names but those that mean this machine's own zone or none; leap-second ones are not among them."""
    return frozenset(available_timezones() - {"localtime", "Factory"})


def _zone(value: str) -> str:
    if value not in _zones():
        message = f"{value!r} is no IANA time zone; write it like America/Mexico_City"
        raise ValueError(message)
    return value


def interval(value: Any) -> Interval:
    """`09:00-14:00`; an end that is not after the beginning is on the next day."""
    match = HOURS.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        message = f"{value!r} is no interval; write it like 09:00-14:00"
        raise ValueError(message)
    hour, minute, last_hour, last_minute = map(int, match.groups())
    opens, closes = hour * HOUR + minute, last_hour * HOUR + last_minute
    if opens >= DAY or closes > DAY:
        message = f"{value!r}: hours go from 00:00 to 24:00"
        raise ValueError(message)
    if opens == closes:
        message = f"{value!r} begins when it ends; the whole day is 00:00-24:00"
        raise ValueError(message)
    return Interval(opens=opens, closes=closes if closes > opens else closes + DAY)


def _not_reversed(value: Interval) -> Interval:
    """`14:00-09:00` would be a night of 19 hours: more likely the ends are the wrong way round."""
    if value.closes >= DAY + MORNING and value.closes - value.opens > LONGEST_NIGHT:
        opens, closes = shown((value,))[0].split("-")
        message = f"'{opens}-{closes}' is reversed: write {closes}-{opens} (a night ends by 06:00 or lasts 12 hours)"
        raise ValueError(message)
    return value


def shown(hours: Hours) -> list[str]:
    """The intervals as they are written."""
    return [f"{_clock(each.opens)}-{_clock(each.closes)}" for each in hours]


def _clock(minutes: int) -> str:
    """24:00 is the end of a day; later it is the next day's clock."""
    minutes -= DAY if minutes > DAY else 0
    return f"{minutes // HOUR:02}:{minutes % HOUR:02}"


def _interval(value: Any) -> Interval:
    return value if isinstance(value, Interval) else interval(value)


def _sorted(intervals: list[Interval]) -> list[Interval]:
    return sorted(intervals, key=lambda each: each.opens)


def _written(value: Any) -> str:
    """As it stands in the file."""
    return value.isoformat() if isinstance(value, date | time) else repr(value)


def _like(pattern: str, what: str) -> Any:
    """A text of that form; `what` says which and shows one."""

    def check(value: str) -> str:
        if not re.fullmatch(pattern, value):
            message = f"{value!r} is no {what}"
            raise ValueError(message)
        return value

    return AfterValidator(check)


def _moment(value: Any) -> Any:
    """TOML's local date or date-time; with an offset it would not be the business's wall clock."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        raise ValueError("is the business's local time: write it without an offset")
    if not isinstance(value, date):
        message = f"{_written(value)} is no time; write it like 2026-12-24 or 2026-12-24T14:00:00, without quotes"
        raise ValueError(message)  # noqa: TRY004 - pydantic takes ValueError
    return value


def _day(value: Any) -> Any:
    if isinstance(value, datetime) or not isinstance(value, date):
        message = f"{_written(value)} is no date; write it like 2026-12-25, without quotes"
        raise ValueError(message)  # noqa: TRY004 - pydantic takes ValueError
    return value


Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_one_line), _at_most(NAME_LIMIT)
]
Price = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_one_line), _at_most(PRICE_LIMIT)]
Note = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_one_line), _at_most(NOTE_LIMIT)]
Line = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_one_line)]
Kind = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_one_line), _at_most(NAME_LIMIT)]
Colour = Annotated[str, _like(r"(#[0-9a-fA-F]{6})?", "colour; write it like #2f855a")]
Zone = Annotated[str, AfterValidator(_zone)]
TemplateName = Annotated[
    str, _like(r"[a-z0-9_]{1,512}/[a-z]{2}(_[A-Z]{2})?", "template; write it like appointment_reminder/es_MX")
]
OpenHours = Annotated[
    list[Annotated[Interval, BeforeValidator(_interval), AfterValidator(_not_reversed)]], AfterValidator(_sorted)
]
Moment = Annotated[date | datetime, BeforeValidator(_moment)]
OneDay = Annotated[date, BeforeValidator(_day)]
Minutes = Annotated[int, Field(ge=0, le=DAY)]
