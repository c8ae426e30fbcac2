"""Reads a business written as TOML; its form is explained in bot/businesses/starter.toml."""

import re
import tomllib
import unicodedata
from collections import Counter
from importlib.resources import files
from itertools import chain, pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from bot.core.business import DAY, Interval, Week

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
HOURS = re.compile(r"(\d{1,2}):([0-5]\d) ?[-–] ?(\d{1,2}):([0-5]\d)")
SUBJECT = re.compile(r"^Value error, |^\w+ (?=should )")  # the key is named instead
KINDS = {"extra_forbidden": "is not a key that is known here", "missing": "is missing"}


def _one_line(value: str) -> str:
    if any(unicodedata.category(letter) == "Cc" for letter in value):
        raise ValueError("has a line break or a control character in it")
    return value


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (LookupError, ValueError, OSError):
        message = f"{value!r} is no IANA time zone; write it like America/Mexico_City"
        raise ValueError(message) from None
    return value


def _interval(value: Any) -> Interval:
    match = HOURS.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        message = f"{value!r} is no interval; write it like 09:00-14:00"
        raise ValueError(message)
    hour, minute, last_hour, last_minute = map(int, match.groups())
    opens, closes = hour * 60 + minute, last_hour * 60 + last_minute
    if opens >= DAY or closes > DAY:
        message = f"{value!r}: hours go from 00:00 to 24:00"
        raise ValueError(message)
    if opens == closes:
        message = f"{value!r} begins when it ends; the whole day is 00:00-24:00"
        raise ValueError(message)
    return Interval(opens=opens, closes=closes if closes > opens else closes + DAY)


def _sorted(intervals: list[Interval]) -> list[Interval]:
    return sorted(intervals, key=lambda interval: interval.opens)


Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60), AfterValidator(_one_line)]
Price = Annotated[str, StringConstraints(strip_whitespace=True, max_length=40), AfterValidator(_one_line)]
Note = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200), AfterValidator(_one_line)]
TemplateName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]{1,512}/[a-z]{2}(_[A-Z]{2})?$")]
Hours = Annotated[list[Annotated[Interval, BeforeValidator(_interval)]], AfterValidator(_sorted)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ServiceEntry(_Part):
    """One `[[service]]`."""

    name: Name
    minutes: Annotated[int, Field(ge=1, le=DAY)]
    buffer_minutes: Annotated[int, Field(ge=0, le=DAY)] = 0
    price: Price = ""
    note: Note = ""


class StaffEntry(_Part):
    """One `[[staff]]`; `hours` wins over `every_day` for the days that it names."""

    name: Name
    services: list[Name] = []
    every_day: Hours = []
    hours: dict[Day, Hours] = {}

    @property
    def week(self) -> Week:
        """Monday first."""
        return tuple(tuple(self.hours.get(day, self.every_day)) for day in DAYS)  # type: ignore[call-overload]

    @model_validator(mode="after")
    def _check_hours(self) -> Self:
        week = self.week
        minutes = [
            (day * DAY + interval.opens, day * DAY + interval.closes)
            for day, intervals in enumerate((*week, week[0]))  # Sunday night runs into Monday
            for interval in intervals
        ]
        if not minutes:
            raise ValueError("is never there: give every_day or hours")
        for (_, closes), (opens, _) in pairwise(minutes):
            if opens < closes:
                message = f"has hours that overlap on {DAYS[opens // DAY % 7]}"
                raise ValueError(message)
        return self


class BusinessFile(_Part):
    """A whole business as written, its own order kept."""

    name: Name
    zone: Annotated[str, AfterValidator(_zone)]
    language: Literal["es", "pt", "en"] = "es"
    notice_minutes: Annotated[int, Field(ge=0)] = 60
    horizon_days: Annotated[int, Field(ge=1, le=366)] = 30
    grid_minutes: Annotated[int, Field(ge=5, le=DAY)] = 30
    max_active: Annotated[int, Field(ge=1)] | None = None
    change_deadline_minutes: Annotated[int, Field(ge=0)] | None = None
    remind_confirmed: bool = True
    templates: dict[Literal["24h", "2h"], dict[Literal["es", "pt_BR", "en"], list[TemplateName]]] = {}
    service: Annotated[list[ServiceEntry], Field(min_length=1)]
    staff: Annotated[list[StaffEntry], Field(min_length=1)]

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        services = [service.name for service in self.service]
        for names in (services, [person.name for person in self.staff]):
            name, times = Counter(name.casefold() for name in names).most_common(1)[0]
            _require(times == 1, f"the name {name!r} is used more than once")
        offered = set(chain.from_iterable(person.services or services for person in self.staff))
        unknown, idle = offered.difference(services), set(services).difference(offered)
        _require(not unknown, f"staff offer a service that is not listed: {', '.join(sorted(unknown))}")
        _require(not idle, f"nobody offers the service {', '.join(sorted(idle))}")
        return self


def read(path: Path) -> BusinessFile:
    """ValueError (one line that names file, line where known, and key) for what cannot be used."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}"
        raise ValueError(message) from error
    return parse(text, str(path))


def starter() -> BusinessFile:
    """The business of a database that was given none."""
    return parse((files("bot.businesses") / "starter.toml").read_text(encoding="utf-8"), "starter.toml")


def parse(text: str, origin: str) -> BusinessFile:
    """Like `read`, for text that is at hand; `origin` names it in errors."""
    try:
        return BusinessFile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        message = f"{origin}: is not TOML: {error}"
        raise ValueError(message) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = tuple(part for part in first["loc"] if part != "[key]")
        line = _find(text, where)
        place = f"{origin}, line {line}" if line else origin
        said = KINDS.get(first["type"]) or SUBJECT.sub("", first["msg"])
        message = f"{place}: {_key(where)} {said}" if where else f"{place}: {said}"
        raise ValueError(message) from None


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


def _key(where: tuple[int | str, ...]) -> str:
    """`service 2, minutes`: counted as people count."""
    words = [str(part) for part in where if isinstance(part, str)]
    if len(where) > 1 and isinstance(where[1], int):
        words[0] = f"{where[0]} {where[1] + 1}"
    return ", ".join(words)


def _find(text: str, where: tuple[int | str, ...]) -> int | None:
    """The line of that key, else of the table it should stand in; None when it cannot be told."""
    lines = text.splitlines()
    tables = [number for number, line in enumerate(lines) if line.lstrip().startswith("[")]
    first, last, header = 0, min(tables, default=len(lines)), None
    if len(where) > 1 and isinstance(where[1], int):
        own = [number for number in tables if re.match(rf"\s*\[\[\s*{where[0]}\s*\]\]", lines[number])]
        if where[1] >= len(own):
            return None
        header = own[where[1]]
        first, last = header + 1, min((number for number in tables if number > header), default=len(lines))
        where = where[2:]
    wanted = re.compile(rf"\s*{re.escape(str(where[0]))}\s*[=.]" if where else "(?!)")
    line = next((number for number in range(first, last) if wanted.match(lines[number])), header)
    return None if line is None else line + 1
