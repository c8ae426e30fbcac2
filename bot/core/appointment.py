"""What an appointment may become, by whom and when: every rule of its status stands in one table."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from types import EllipsisType


class Status(StrEnum):
    SCHEDULED = "SCHEDULED"
    CONFIRMED = "CONFIRMED"
    CANCELLED = "CANCELLED"
    COMPLETED = "COMPLETED"
    NO_SHOW = "NO_SHOW"


class Happening(StrEnum):
    CONFIRM = "CONFIRM"
    CANCEL = "CANCEL"
    MOVE = "MOVE"
    COMPLETE = "COMPLETE"
    MISS = "MISS"
    UNDO = "UNDO"


class Actor(StrEnum):
    CUSTOMER = "CUSTOMER"
    STAFF = "STAFF"
    SYSTEM = "SYSTEM"


class Span(StrEnum):
    """When an actor may, seen from the start of the appointment; the start itself is already after."""

    ANY = "any time"
    BEFORE = "before the start"
    AFTER = "after the start"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """Where it leads and who may, when. Several targets: the state before the cancellation decides."""

    to: tuple[Status, ...]
    by: Mapping[Actor, Span]


ACTIVE = frozenset({Status.SCHEDULED, Status.CONFIRMED})

_BOTH = {Actor.CUSTOMER: Span.BEFORE, Actor.STAFF: Span.ANY}
_RESULT = {Actor.STAFF: Span.AFTER}

_CONFIRM = Transition(to=(Status.CONFIRMED,), by=_BOTH)
_CANCEL = Transition(to=(Status.CANCELLED,), by=_BOTH)
_MOVE = Transition(to=(Status.SCHEDULED,), by=_BOTH)
_COMPLETE = Transition(to=(Status.COMPLETED,), by=_RESULT)
_MISS = Transition(to=(Status.NO_SHOW,), by=_RESULT)
_UNDO = Transition(
    to=(Status.SCHEDULED, Status.CONFIRMED),
    by={Actor.CUSTOMER: Span.BEFORE, Actor.STAFF: Span.BEFORE},
)

TRANSITIONS: dict[Status, dict[Happening, Transition]] = {
    Status.SCHEDULED: {
        Happening.CONFIRM: _CONFIRM,
        Happening.CANCEL: _CANCEL,
        Happening.MOVE: _MOVE,
        Happening.COMPLETE: _COMPLETE,
        Happening.MISS: _MISS,
    },
    Status.CONFIRMED: {
        Happening.CANCEL: _CANCEL,
        Happening.MOVE: _MOVE,
        Happening.COMPLETE: _COMPLETE,
        Happening.MISS: _MISS,
    },
    Status.CANCELLED: {Happening.UNDO: _UNDO},
    Status.COMPLETED: {Happening.MISS: _MISS},
    Status.NO_SHOW: {Happening.COMPLETE: _COMPLETE},
}
"""An absent entry is an IllegalTransition. The system itself (imports, jobs) changes no status."""


class IllegalTransition(ValueError):
    """The table does not allow it: to this status, by this actor or at this instant. Nothing was changed."""


def after(status: Status, happening: Happening) -> Transition:
    """The entry of the table; IllegalTransition when there is none."""
    transition = TRANSITIONS[status].get(happening)
    if transition is None:
        msg = f"{happening} is not possible from {status}"
        raise IllegalTransition(msg)
    return transition


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """One appointment: `[start, end)` in aware UTC, the buffer excluded."""

    id: int
    customer: int
    service: int | None
    staff: int | None
    start: datetime
    end: datetime
    status: Status = Status.SCHEDULED
    version: int = 1
    slot_set_at: datetime
    cancelled_from: Status | None = None
    attendee: str | None = None
    sent_24h: bool = False
    sent_2h: bool = False

    def __post_init__(self) -> None:
        if self.start.tzinfo is None or self.end.tzinfo is None or self.slot_set_at.tzinfo is None:
            msg = "an appointment needs aware instants"
            raise ValueError(msg)
        if self.end <= self.start:
            msg = "an appointment ends after it starts"
            raise ValueError(msg)

    @property
    def active(self) -> bool:
        return self.status in ACTIVE

    def may(self, happening: Happening, *, by: Actor, now: datetime) -> bool:
        """Whether `after` would accept it."""
        try:
            self._target(happening, by, now)
        except IllegalTransition:
            return False
        return True

    def after(
        self,
        happening: Happening,
        *,
        by: Actor,
        now: datetime,
        start: datetime | None = None,
        end: datetime | None = None,
        staff: int | EllipsisType | None = ...,
    ) -> "Appointment":
        """The appointment once this has happened; IllegalTransition if it may not.

        MOVE needs `start` and `end`; without `staff` it stays with the same one. Whether the new slot (for UNDO the old
        one) is free is not asked here: the calendar says so and the database guards it.
        """
        target = self._target(happening, by, now)
        match happening:
            case Happening.MOVE:
                return self._moved(
                    now,
                    start,
                    end,
                    self.staff if isinstance(staff, EllipsisType) else staff,
                )
            case Happening.CANCEL:
                return replace(self, status=target, cancelled_from=self.status)
            case Happening.UNDO:
                return replace(self, status=target, version=self.version + 1, cancelled_from=None)
            case _:
                return replace(self, status=target)

    def _target(self, happening: Happening, by: Actor, now: datetime) -> Status:
        transition = after(self.status, happening)
        span = transition.by.get(by)
        started = now >= self.start
        if span is None or (span is Span.BEFORE and started) or (span is Span.AFTER and not started):
            msg = f"{happening} is not for {by} {'after' if started else 'before'} the start"
            raise IllegalTransition(msg)
        target = self.cancelled_from if happening is Happening.UNDO else transition.to[0]
        if target not in transition.to:
            msg = "the state before the cancellation is not known"
            raise IllegalTransition(msg)
        return target

    def _moved(
        self,
        now: datetime,
        start: datetime | None,
        end: datetime | None,
        staff: int | None,
    ) -> "Appointment":
        if start is None or end is None:
            msg = "a move needs the new start and end"
            raise ValueError(msg)
        return replace(
            self,
            start=start,
            end=end,
            staff=staff,
            status=Status.SCHEDULED,
            version=self.version + 1,
            slot_set_at=now,
            sent_24h=False,
            sent_2h=False,
        )


def mermaid() -> str:
    """The table as a Mermaid state diagram, as it stands in the README."""
    lines = ["stateDiagram-v2", f"    [*] --> {Status.SCHEDULED}: booked"]
    for status, happenings in TRANSITIONS.items():
        for happening, transition in happenings.items():
            who = ", ".join(
                actor.lower() if span is Span.ANY else f"{actor.lower()} {span}"
                for actor, span in transition.by.items()
            )
            lines += [f"    {status} --> {target}: {happening.lower()} ({who})" for target in transition.to]
    return "\n".join(lines) + "\n"
