"""What can happen in a chat, already freed of the vendor's shapes."""

from dataclasses import dataclass
from datetime import datetime

from bot.conversation.replies import Reply
from bot.understanding.read import Meaning


@dataclass(frozen=True, slots=True)
class About:
    """The appointment, at the version then shown, that a quoted message or a reaction speaks of.

    `reminder` is true when that message was a reminder (and not, say, a booking answer)."""

    appointment: int
    version: int
    reminder: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The customer typed something; several messages in a row are one, joined by newlines.

    `meaning` is put in by the conversation itself, which knows what was asked."""

    text: str
    at: datetime
    about: About | None = None
    meaning: Meaning | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tapped:
    """The customer tapped a button or a row. `reply` is None for an id that is not ours: only the label is known."""

    reply: Reply | None
    title: str
    at: datetime
    about: About | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reacted:
    """The customer put an emoji on one of our messages (a withdrawn reaction is no event)."""

    emoji: str
    at: datetime
    about: About | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A voice note, a sticker, a place…: something that we do not read. `kind` is the vendor's word for it."""

    kind: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotTaken:
    """The slot that the last decision wanted went to somebody else between deciding and applying."""

    service: int | None
    start: datetime
    at: datetime
    appointment: int | None = None
    """The appointment, at `version`, that was to be moved or restored there."""
    version: int | None = None
    attendee: str | None = None
    """Whom it was to be booked for."""


Event = Said | Tapped | Reacted | Unreadable | SlotTaken
