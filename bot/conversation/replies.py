"""The typed ids behind every button and row: what is offered is encoded, what is tapped is decoded or refused.

An id carries all that a tap needs (appointment and version, service, staff, start), so a tap means what was shown,
survives restarts, and is validated before it is believed. Longest id: under 64 characters (Meta takes 200 in a row).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime

NEW = 0
"""Stands for the appointment that this very turn books (the shell puts its id in once it is known), or for none yet."""


@dataclass(frozen=True, slots=True)
class PickService:
    """This service, please."""

    service: int


@dataclass(frozen=True, slots=True)
class MoreServices:
    """The services from this place on (0: the first page)."""

    first: int


@dataclass(frozen=True, slots=True)
class PickSlot:
    """Book this service with this person at this time. `epoch` tells lists of a finished booking from current ones."""

    service: int
    staff: int
    start: datetime
    epoch: int


@dataclass(frozen=True, slots=True)
class PickMove:
    """Move that appointment, as it was at `version`, to this time."""

    appointment: int
    version: int
    staff: int
    start: datetime


@dataclass(frozen=True, slots=True)
class MoreTimes:
    """Times from this instant on.

    Like the two below it names what the times are for, since the list may be an old one: the service, and the
    appointment that was to be moved, as it was at `version` (both NEW for a booking).
    """

    service: int
    appointment: int
    version: int
    after: datetime


@dataclass(frozen=True, slots=True)
class OtherDay:
    """Show the local days from this one on."""

    service: int
    appointment: int
    version: int
    since: date


@dataclass(frozen=True, slots=True)
class OtherStaff:
    """Show the people who do it, from this place on."""

    service: int
    appointment: int
    version: int
    first: int


@dataclass(frozen=True, slots=True)
class PickStaff:
    """Only times of this person; 0 = whoever is free."""

    service: int
    appointment: int
    version: int
    staff: int


@dataclass(frozen=True, slots=True)
class PickDay:
    """Show the times of this local day."""

    service: int
    appointment: int
    version: int
    day: date


@dataclass(frozen=True, slots=True)
class Confirm:
    """I will be there."""

    appointment: int
    version: int


@dataclass(frozen=True, slots=True)
class Change:
    """I want another time."""

    appointment: int
    version: int


@dataclass(frozen=True, slots=True)
class Cancel:
    """I will not come."""

    appointment: int
    version: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the cancellation back."""

    appointment: int
    version: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Leave the appointment as it is."""

    appointment: int
    version: int


@dataclass(frozen=True, slots=True)
class ForWhom:
    """The person whom that earlier appointment was for; NEW = the customer."""

    appointment: int


@dataclass(frozen=True, slots=True)
class BookNew:
    """Start a booking."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """Go on with the request that was left lying."""


@dataclass(frozen=True, slots=True)
class ShowMine:
    """Show my appointments."""


@dataclass(frozen=True, slots=True)
class MoreMine:
    """My appointments from this place on, to do with the chosen one what `purpose` names (a name of NAMES)."""

    purpose: str
    first: int


@dataclass(frozen=True, slots=True)
class ShowOne:
    """Show one of my appointments with its buttons."""

    appointment: int
    version: int


@dataclass(frozen=True, slots=True)
class AskPerson:
    """Let me talk to a person."""


Reply = (
    PickService
    | MoreServices
    | PickSlot
    | PickMove
    | MoreTimes
    | OtherDay
    | OtherStaff
    | PickStaff
    | PickDay
    | Confirm
    | Change
    | Cancel
    | Undo
    | Keep
    | ForWhom
    | BookNew
    | GoOn
    | ShowMine
    | MoreMine
    | ShowOne
    | AskPerson
)

NAMES: dict[str, type[Reply]] = {
    "service": PickService,
    "services": MoreServices,
    "slot": PickSlot,
    "move": PickMove,
    "more": MoreTimes,
    "days": OtherDay,
    "day": PickDay,
    "people": OtherStaff,
    "with": PickStaff,
    "confirm": Confirm,
    "change": Change,
    "cancel": Cancel,
    "undo": Undo,
    "keep": Keep,
    "whom": ForWhom,
    "book": BookNew,
    "go_on": GoOn,
    "mine": ShowMine,
    "mine_from": MoreMine,
    "one": ShowOne,
    "person": AskPerson,
}
PURPOSES: dict[str, type[ShowOne | Confirm | Change | Cancel]] = {
    "one": ShowOne,
    "confirm": Confirm,
    "change": Change,
    "cancel": Cancel,
}
"""What an appointment can be chosen for."""
_INSTANT = "%Y%m%dT%H%M"
_LARGEST = 2**53
_YEARS = range(2000, 2200)
"""Outside of them the arithmetic of dates may overflow, and nobody books."""


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) > _LARGEST:
        raise ValueError(text)
    return int(text)


def _instant(text: str) -> datetime:
    return datetime.strptime(text, _INSTANT).replace(tzinfo=UTC)


def _purpose(text: str) -> str:
    if text not in PURPOSES:
        raise ValueError(text)
    return text


_READ: dict[object, Callable[[str], object]] = {
    int: _number,
    datetime: _instant,
    date: date.fromisoformat,
    str: _purpose,
}


def _write(value: object) -> str:
    match value:
        case datetime():
            return value.astimezone(UTC).strftime(_INSTANT)
        case date():
            return value.isoformat()
        case _:
            return str(value)


def resolve(reply: Reply, booked: int) -> Reply:
    """The same reply with the id of the appointment that was just booked in the place of NEW."""
    match reply:
        case Change(appointment=0, version=version):
            return Change(booked, version)
        case Cancel(appointment=0, version=version):
            return Cancel(booked, version)
        case _:
            return reply


def encode(reply: Reply) -> str:
    """The id to send: `name:field:field…`, instants in UTC to the minute."""
    name = next(name for name, kind in NAMES.items() if isinstance(reply, kind))
    return ":".join([name, *(_write(getattr(reply, field)) for field in reply.__dataclass_fields__)])


def decode(text: str) -> Reply | None:
    """What was tapped, or None for anything that we never sent."""
    name, *parts = text.split(":")
    kind = NAMES.get(name)
    if kind is None or len(parts) != len(kind.__dataclass_fields__):
        return None
    fields = zip(kind.__dataclass_fields__.values(), parts, strict=True)
    try:
        values = [_READ[field.type](part) for field, part in fields]
    except ValueError:
        return None
    if any(isinstance(value, date) and value.year not in _YEARS for value in values):
        return None
    reply: Reply = kind(*values)  # type: ignore[arg-type]
    return reply if encode(reply) == text else None
