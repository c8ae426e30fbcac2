"""What a business is: its services, its people and rooms, their hours and its booking rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.core.holidays import Holidays

DAY = 24 * 60
"""Minutes."""
WEEKDAYS = 7


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Open from `opens` to `closes`, minutes from local midnight; `closes` past 1440 reaches into the next day."""

    opens: int
    closes: int

    def __post_init__(self) -> None:
        _require(0 <= self.opens < DAY, "an opening interval begins between 00:00 and 23:59")
        _require(
            self.opens < self.closes <= self.opens + DAY,
            "an opening interval lasts from 1 minute to 24 hours",
        )


Hours = tuple[Interval, ...]
Week = tuple[Hours, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Special:
    """One date that differs from the week: what opens on it, nothing = closed. A night belongs to the date it opens."""

    day: date
    hours: Hours = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """Time off, `[start, until)` in aware UTC."""

    start: datetime
    until: datetime
    note: str = ""

    def __post_init__(self) -> None:
        _require(self.start < self.until, "time off ends after it begins")


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A room or a chair: while a service occupies it, no other can."""

    id: int
    name: str
    kind: str = ""
    active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What can be booked; `minutes` is what the customer gets, `buffer` minutes after it stay blocked.

    `capacity` customers share one session: the same service, person and start. It occupies one of `resources`, in this
    order of preference; None = it needs none.
    """

    id: int
    name: str
    minutes: int
    buffer: int = 0
    price: str = ""
    note: str = ""
    active: bool = True
    colour: str = ""
    capacity: int = 1
    resources: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        _require(self.capacity > 0, "a session has at least one seat")
        _require(self.minutes > 0, "a service takes at least a minute")
        _require(self.buffer >= 0, "a buffer is not negative")

    @property
    def duration(self) -> timedelta:
        return timedelta(minutes=self.minutes)

    @property
    def pause(self) -> timedelta:
        """The buffer after it."""
        return timedelta(minutes=self.buffer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """Who does it: the services they offer, their week (Monday first), their own special dates and time off."""

    id: int
    name: str
    services: frozenset[int]
    week: Week
    active: bool = True
    specials: tuple[Special, ...] = ()
    absences: tuple[Absence, ...] = ()

    def __post_init__(self) -> None:
        _require(len(self.week) == WEEKDAYS, "a week has seven days")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What limits a booking; all lengths are elapsed time, `grid` is counted on the wall clock."""

    notice: timedelta
    horizon: timedelta
    grid: timedelta
    max_active: int | None = None
    change_deadline: timedelta | None = None
    remind_confirmed: bool = True

    def __post_init__(self) -> None:
        _require(self.notice >= timedelta(0), "the minimum notice is not negative")
        _require(self.horizon > timedelta(0), "the booking horizon is longer than nothing")
        _require(self.grid >= timedelta(minutes=1), "the grid is at least a minute")

    def past_deadline(self, start: datetime, now: datetime) -> bool:
        """Whether a customer may no longer cancel or move what begins at `start`."""
        return self.change_deadline is not None and start - now < self.change_deadline


@dataclass(frozen=True, slots=True, kw_only=True)
class Business:
    """One business; the order of `services`, `staff` and `resources` is its own order of preference.

    Its special dates, holidays and absences are everybody's, unless a person has a special date of their own.
    """

    id: int
    name: str
    zone: ZoneInfo
    language: str
    services: tuple[Service, ...]
    staff: tuple[Staff, ...]
    rules: Rules
    resources: tuple[Resource, ...] = ()
    specials: tuple[Special, ...] = ()
    absences: tuple[Absence, ...] = ()
    holidays: Holidays | None = None
    form_of_address: str = "tú"
    """How Spanish speakers are spoken to: `tú`, `usted` or `vos`."""
    lines: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    """What it says in its own words, by language and the name of our line."""
    _specials: dict[tuple[int | None, date], Special] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        own = {(person.id, special.day): special for person in self.staff for special in person.specials}
        everybodys = {(None, special.day): special for special in self.specials}
        object.__setattr__(self, "_specials", {**everybodys, **own})

    def service(self, service_id: int) -> Service | None:
        """The service that can be booked now; None for an unknown or inactive one."""
        return next(
            (service for service in self.services if service.id == service_id and service.active),
            None,
        )

    def staff_for(self, service_id: int) -> tuple[Staff, ...]:
        """Who offers it, active ones only, in the business's order."""
        return tuple(person for person in self.staff if person.active and service_id in person.services)

    def hours(self, person: Staff, day: date) -> Hours:
        """What opens for them on that date: their own special date wins, then everybody's, a holiday, the week."""
        special = self._specials.get((person.id, day)) or self._specials.get((None, day))
        if special is not None:
            return special.hours
        if self.holidays is not None and self.holidays.on(day) is not None:
            return ()
        return person.week[day.weekday()]

    def closed_on(self, day: date) -> str | None:
        """Why everybody is off on that date: the note of the special date or the holiday's name; None if they are not.

        "" when no reason is noted. A person's own special hours may still open it.
        """
        special = self._specials.get((None, day))
        if special is not None:
            return special.note if not special.hours else None
        return self.holidays.on(day) if self.holidays is not None else None
