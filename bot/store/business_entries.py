"""The tables of a business's file: one service, one person, one room, one date."""

from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Annotated, Self

from pydantic import Field, model_validator

from bot.conversation.wording import LANGUAGES, Wording
from bot.core import holidays
from bot.core.business import DAY, Week
from bot.core.graphemes import units
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
)
from bot.store.file_places import Misplaced

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
        length = max((Wording(one).length(self.minutes) for one in LANGUAGES), key=units)
        below = length + (f" · {self.price}" if self.price else "")
        rest = ""
        if units(self.name) > ROW_TITLE:
            head = self.name[: ROW_TITLE - 1]
            rest = "…" + self.name[len(head.rpartition(" ")[0]) or len(head) :].strip() + " · "
        if units(rest + below) > ROW_TEXT:
            message = f"with the name does not fit WhatsApp's list: shorten it by {units(rest + below) - ROW_TEXT}"
            raise Misplaced((("price",), message))
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
        if not {"every_day", "hours"} & self.model_fields_set:
            raise ValueError("is never there: give every_day or hours")
        week = self.week
        minutes = [
            (day * DAY + interval.opens, day * DAY + interval.closes)
            for day, intervals in enumerate((*week, week[0]))  # Sunday night runs into Monday
            for interval in intervals
        ]
        meet = [DAYS[opens // DAY % 7] for (_, closes), (opens, _) in pairwise(minutes) if opens < closes]
        if meet:
            places = dict.fromkeys(("hours", day) if day in self.hours else ("every_day",) for day in meet)
            raise Misplaced(*((place, "overlap with each other or the night before") for place in places))
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
            raise Misplaced((("hours",), "overlap"))
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
            raise Misplaced((("to",), "is not after from"))
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
        for number, name in enumerate(self.working):
            if name not in known:
                message = f"names no holiday of theirs: {name!r}; there are {', '.join(sorted(known))}"
                raise Misplaced((("working", number), message))
        return self


def _known(country: str, region: str, key: str) -> None:
    try:
        holidays.names(country, region)
    except ValueError as error:
        raise Misplaced(((key,), f"cannot be used: {error}")) from None


def _reading(moment: date | datetime) -> datetime:
    return moment if isinstance(moment, datetime) else datetime.combine(moment, time())
