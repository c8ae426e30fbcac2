"""A business written as TOML; its form is explained in bot/businesses/starter.toml."""

import tomllib
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, model_validator

from bot.core import holidays
from bot.core.business import DAY, Week
from bot.store.file_fields import (
    DAYS,
    Colour,
    Day,
    Kind,
    Minutes,
    Moment,
    Name,
    Note,
    OneDay,
    OpenHours,
    Part,
    Price,
    TemplateName,
    Zone,
    units,
)
from bot.store.file_places import Misplaced, told

ROW_TITLE, ROW_TEXT = 24, 72
"""What WhatsApp shows of an option in a list: a title and a line below it."""


class ResourceEntry(Part):
    """One `[[resource]]`."""

    name: Name
    kind: Kind = ""
    active: bool = True


class ServiceEntry(Part):
    """One `[[service]]`."""

    name: Name
    minutes: Annotated[int, Field(ge=1, le=DAY)]
    buffer_minutes: Minutes = 0
    price: Price = ""
    note: Note = ""
    colour: Colour = ""
    capacity: Annotated[int, Field(ge=1, le=1000)] = 1
    resources: list[Name] = Field(default_factory=list)
    resource_kind: Kind = ""
    active: bool = True

    @model_validator(mode="after")
    def _check_row(self) -> Self:
        """WhatsApp's row: what does not fit the title goes on below it, before length and price."""
        below = f"{self.minutes} min" + (f" · {self.price}" if self.price else "")
        rest = ""
        if units(self.name) > ROW_TITLE:
            head = self.name[: ROW_TITLE - 1]
            rest = "…" + self.name[len(head.rpartition(" ")[0]) or len(head) :].strip() + " · "
        if units(rest + below) > ROW_TEXT:
            message = f"with the name does not fit WhatsApp's list: shorten it by {units(rest + below) - ROW_TEXT}"
            raise Misplaced(("price",), message)
        return self


class StaffEntry(Part):
    """One `[[staff]]`; `hours` wins over `every_day` for the days that it names. Without `services` they offer all."""

    name: Name
    services: list[Name] | None = None
    every_day: OpenHours = Field(default_factory=list)
    hours: dict[Day, OpenHours] = Field(default_factory=dict)
    active: bool = True

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
        if not {"every_day", "hours"} & self.model_fields_set:
            raise ValueError("is never there: give every_day or hours")
        for (_, closes), (opens, _) in pairwise(minutes):
            if opens < closes:
                message = f"has hours that overlap on {DAYS[opens // DAY % 7]}"
                raise ValueError(message)
        return self


class SpecialDayEntry(Part):
    """One `[[special_day]]`: what opens on that date, [] = closed; without `staff` it is everybody's."""

    day: OneDay
    hours: OpenHours
    staff: Name | None = None
    note: Note = ""

    @model_validator(mode="after")
    def _check_hours(self) -> Self:
        if any(first.closes > second.opens for first, second in pairwise(self.hours)):
            raise Misplaced(("hours",), "overlap")
        return self


class TimeOffEntry(Part):
    """One `[[time_off]]`: a date at the end counts whole; without `staff` it is everybody's."""

    start: Annotated[Moment, Field(alias="from")]
    until: Annotated[Moment, Field(alias="to")]
    staff: Name | None = None
    note: Note = ""

    @property
    def span(self) -> tuple[datetime, datetime]:
        """Wall-clock readings, the second excluded."""
        days = timedelta(0 if isinstance(self.until, datetime) else 1)
        return _reading(self.start), _reading(self.until) + days

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        start, until = self.span
        if start >= until:
            raise Misplaced(("to",), "is not after from")
        return self


class HolidaysEntry(Part):
    """`[holidays]`: those of the country and region are closed, but for the names in `working`."""

    country: str
    region: str = ""
    working: list[str] = Field(default_factory=list)

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        _known(self.country, "", "country")
        _known(self.country, self.region, "region")
        known = holidays.names(self.country, self.region)
        for name in self.working:
            if name not in known:
                message = f"names no holiday of theirs: {name!r}; there are {', '.join(sorted(known))}"
                raise Misplaced(("working",), message)
        return self


class BusinessFile(Part):
    """A whole business as written, its own order kept."""

    name: Name
    zone: Zone
    language: Literal["es", "pt", "en"] = "es"
    notice_minutes: Annotated[int, Field(ge=0, le=366 * DAY)] = 60
    horizon_days: Annotated[int, Field(ge=1, le=366)] = 30
    grid_minutes: Annotated[int, Field(ge=5, le=DAY)] = 30
    max_active: Annotated[int, Field(ge=1, le=1000)] | None = None
    change_deadline_minutes: Annotated[int, Field(ge=0, le=366 * DAY)] | None = None
    remind_confirmed: bool = True
    templates: dict[Literal["24h", "2h"], dict[Literal["es", "pt_BR", "en"], list[TemplateName]]] = Field(
        default_factory=dict
    )
    holidays: HolidaysEntry | None = None
    resource: list[ResourceEntry] = Field(default_factory=list)
    service: Annotated[list[ServiceEntry], Field(min_length=1)]
    staff: Annotated[list[StaffEntry], Field(min_length=1)]
    special_day: list[SpecialDayEntry] = Field(default_factory=list)
    time_off: list[TimeOffEntry] = Field(default_factory=list)

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        for table in ("resource", "service", "staff"):
            _once(table, [entry.name for entry in getattr(self, table)])
        self._check_services()
        staff = {entry.name for entry in self.staff}
        for table in ("special_day", "time_off"):
            for number, entry in enumerate(getattr(self, table)):
                unknown = entry.staff is not None and entry.staff not in staff
                _require(not unknown, (table, number, "staff"), f"is nobody who is listed: {entry.staff}")
        _once("special_day", [f"{entry.staff or ''} {entry.day}".strip() for entry in self.special_day])
        return self

    def _check_services(self) -> None:
        services, resources = {entry.name for entry in self.service}, {entry.name for entry in self.resource}
        for number, person in enumerate(self.staff):
            unknown = sorted({*(person.services or ())} - services)
            where = ("staff", number, "services")
            _require(not unknown, where, f"name a service that is not listed: {', '.join(unknown)}")
        kinds = {entry.kind for entry in self.resource}
        for number, service in enumerate(self.service):
            unknown = sorted({*service.resources} - resources)
            where = ("service", number, "resources")
            _require(not unknown, where, f"name a resource that is not listed: {', '.join(unknown)}")
            where = ("service", number, "resource_kind")
            _require(not service.resource_kind or service.resource_kind in kinds, where, "is no resource's kind")
            offering = (person for person in self.staff if person.active)
            idle = not any(person.services is None or service.name in person.services for person in offering)
            _require(not (idle and service.active), ("service", number), f"is offered by nobody: {service.name}")


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
        raise ValueError(told(error, text, origin)) from None


def checked(business: BusinessFile | dict[str, object]) -> BusinessFile:
    """With every rule asked (`model_copy` asks none). ValueError in one line, without a place in a file."""
    try:
        return BusinessFile.model_validate(business, by_alias=True, by_name=True)
    except ValidationError as error:
        raise ValueError(told(error, "", "")) from None


def _known(country: str, region: str, key: str) -> None:
    try:
        holidays.names(country, region)
    except ValueError as error:
        raise Misplaced((key,), f"cannot be used: {error}") from None


def _require(condition: bool, where: tuple[int | str, ...], message: str) -> None:
    if not condition:
        raise Misplaced(where, message)


def _once(table: str, names: Sequence[str]) -> None:
    seen: set[str] = set()
    for number, name in enumerate(names):
        _require(name.casefold() not in seen, (table, number), f"is there already: {name}")
        seen.add(name.casefold())


def _reading(moment: date | datetime) -> datetime:
    return moment if isinstance(moment, datetime) else datetime.combine(moment, time())
