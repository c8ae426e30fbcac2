"""What a phrase turned out to mean: the intent, and the time that it names."""

from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum


class Context(StrEnum):
    """What was just asked."""

    IDLE = "idle"
    AFTER_REMINDER = "after_reminder"
    CHOOSING_SERVICE = "choosing_service"
    CHOOSING_DATE = "choosing_date"
    CHOOSING_TIME = "choosing_time"
    CONFIRMING = "confirming"


@dataclass(frozen=True, slots=True)
class Day:
    """A day, no time."""

    date: date

    def text(self) -> str:
        return self.date.isoformat()


@dataclass(frozen=True, slots=True)
class Instant:
    """A day and a time, in the business's zone."""

    at: datetime

    def text(self) -> str:
        return _local(self.at)


@dataclass(frozen=True, slots=True)
class Time:
    """A time, no day."""

    time: time

    def text(self) -> str:
        return f"T{self.time:%H:%M}"


@dataclass(frozen=True, slots=True)
class Span:
    """From one to the other: instants in the business's zone, or times when no day is named."""

    since: datetime | time
    until: datetime | time

    def text(self) -> str:
        return f"{_local(self.since)}/{_local(self.until)}"


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Must be asked. The readings that are possible, as far as they can be told; often none."""

    readings: tuple["Day | Instant | Time", ...] = ()

    def text(self) -> str:
        return "ambiguous"


When = Day | Instant | Time | Span | Ambiguous


def _local(at: datetime | time) -> str:
    return f"{at:%Y-%m-%dT%H:%M}" if isinstance(at, datetime) else f"T{at:%H:%M}"
