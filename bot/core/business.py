"""What a business is: its services, its people, their hours and its booking rules."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

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


Week = tuple[tuple[Interval, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What can be booked; `minutes` is what the customer gets, `buffer` minutes after it stay blocked."""

    id: int
    name: str
    minutes: int
    buffer: int = 0
    price: str = ""
    note: str = ""
    active: bool = True

    def __post_init__(self) -> None:
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
    """Who does it: the services they offer and their week, Monday first."""

    id: int
    name: str
    services: frozenset[int]
    week: Week
    active: bool = True

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
    """One business; the order of `services` and `staff` is its own order of preference."""

    id: int
    name: str
    zone: ZoneInfo
    language: str
    services: tuple[Service, ...]
    staff: tuple[Staff, ...]
    rules: Rules

    def service(self, service_id: int) -> Service | None:
        """The service that can be booked now; None for an unknown or inactive one."""
        return next(
            (service for service in self.services if service.id == service_id and service.active),
            None,
        )

    def staff_for(self, service_id: int) -> tuple[Staff, ...]:
        """Who offers it, active ones only, in the business's order."""
        return tuple(person for person in self.staff if person.active and service_id in person.services)
