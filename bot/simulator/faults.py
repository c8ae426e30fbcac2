"""The faults that the stand-in can be told to show, for the next calls or for one customer."""

from dataclasses import dataclass, field
from enum import StrEnum

from bot.simulator.people import Person, digits_of, same_phone


class Kind(StrEnum):
    """What goes wrong."""

    LOSE = "lose"  # the message is taken, then the connection breaks
    DELAY = "delay"  # the message is taken, the answer comes late
    REFUSE = "refuse"  # an error answer with `code`; the message is not taken
    GARBLE = "garble"  # an answer with `status` and `text` instead of JSON; `taken` tells whether the message was
    FAIL = "fail"  # the answer is good, but a `failed` receipt with `code` follows


@dataclass(slots=True, kw_only=True)
class Fault:
    """One fault. `to` is a phone or a user id (None = anybody), `times` counts down (None = until removed)."""

    kind: Kind
    to: str | None = None
    times: int | None = 1
    seconds: float = 0.0
    code: int = 131000
    status: int = 503
    text: str = "<html>Service Unavailable</html>"
    taken: bool = True

    def concerns(self, person: Person) -> bool:
        if self.to is None or self.to == person.user_id:
            return True
        return person.wa_id is not None and same_phone(person.wa_id) == same_phone(digits_of(self.to))


@dataclass(slots=True)
class Faults:
    """The faults in force, in the order they were ordered."""

    waiting: list[Fault] = field(default_factory=list)

    def add(self, fault: Fault) -> None:
        self.waiting.append(fault)

    def remove(self, kind: Kind) -> None:
        self.waiting = [one for one in self.waiting if one.kind is not kind]

    def has(self, kind: Kind) -> bool:
        return any(one.kind is kind for one in self.waiting)

    def take(self, person: Person) -> dict[Kind, Fault]:
        """What befalls this call: at most one fault of each kind, counted down."""
        struck: dict[Kind, Fault] = {}
        for fault in self.waiting:
            if fault.kind not in struck and fault.concerns(person):
                struck[fault.kind] = fault
        for fault in struck.values():
            if fault.times is not None:
                fault.times -= 1
        self.waiting = [one for one in self.waiting if one.times is None or one.times > 0]
        return struck
