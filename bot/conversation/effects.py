"""What a turn wants done. The shell (`bot.turn`) applies all effects of a turn in one commit, or none."""

from dataclasses import dataclass
from datetime import datetime
from zlib import crc32

from bot.conversation.replies import Reply
from bot.core.appointment import Happening


@dataclass(frozen=True, slots=True)
class Option:
    """One button or row."""

    reply: Reply
    title: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """One message to the customer. With `button` the options are a list that opens, else buttons (at most three).

    `key` names what was said, so that the same thing is not said twice in a row."""

    text: str
    key: str
    options: tuple[Option, ...] = ()
    button: str = ""
    appointment: int | None = None
    """The appointment that the message is about, so that a quoted answer or a reaction to it is understood."""

    @property
    def echo(self) -> int:
        """By which the same message is known again."""
        return crc32(repr((self.text, self.options)).encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """Insert an appointment; the database refuses it when the slot has gone."""

    service: int
    staff: int
    start: datetime
    end: datetime
    busy_until: datetime
    attendee: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Give the appointment, if still at `version`, another time; the old slot is kept until this commits."""

    appointment: int
    version: int
    staff: int | None
    start: datetime
    end: datetime
    busy_until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Confirm, cancel or restore the appointment, if still at `version`."""

    appointment: int
    version: int
    happening: Happening


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """Answer this customer in this language from now on."""

    language: str


@dataclass(frozen=True, slots=True)
class SetName:
    """The customer said what to call them."""

    name: str


@dataclass(frozen=True, slots=True)
class Mute:
    """A person takes over until then; None gives the chat back to the bot."""

    until: datetime | None


@dataclass(frozen=True, slots=True)
class Remind:
    """Whether the customer wants reminders."""

    wanted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Attend:
    """Staff must look at this."""

    kind: str
    text: str
    appointment: int | None = None


Effect = Say | Book | Move | Mark | SetLanguage | SetName | Mute | Remind | Attend
