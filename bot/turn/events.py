"""The vendor's message → the conversation's event."""

from dataclasses import dataclass
from datetime import datetime

from bot.conversation.events import About, Event, Reacted, Said, Tapped, Unreadable
from bot.conversation.replies import decode
from bot.whatsapp.events import (
    Button,
    Choice,
    Content,
    Edited,
    Form,
    IdentityChanged,
    Location,
    Media,
    NumberChanged,
    Order,
    Reaction,
    Revoked,
    SharedContacts,
    Text,
    Unsupported,
)

LONGEST = 4096
"""What fits into one message, and into one turn: to understand more would keep everybody else waiting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One message of the inbox; `event` None = nothing to answer."""

    message_id: str
    at: datetime
    event: Event | None
    answers: str | None = None
    """The delivery id of our message that it quotes, taps or reacts to."""
    changes: str | None = None
    """The wamid of an earlier message of theirs, which now reads `text`; None = deleted, or text no more."""
    text: str | None = None


def changed(content: Content) -> tuple[str | None, str | None]:
    """Which earlier message this one edits or deletes, and how that reads now."""
    match content:
        case Edited(original_id=original, text=text):
            return original, text
        case Revoked(original_id=original):
            return original, None
        case _:
            return None, None


def hear(content: Content, at: datetime, about: About | None) -> Event | None:  # noqa: PLR0911 - one arm per content
    """What a message means to the conversation. A caption is text; deletion, edit, withdrawn reaction say nothing
    by themselves, nor does news of the vendor's."""
    match content:
        case Text(body=text) | Media(caption=str(text)):
            return Said(text=text[:LONGEST], at=at, about=about)
        case Button(payload=payload, text=title):
            return Tapped(reply=decode(payload or ""), title=title[:LONGEST], at=at, about=about)
        case Choice(id=id, title=title):
            return Tapped(reply=decode(id), title=title[:LONGEST], at=at, about=about)
        case Reaction(emoji=str(emoji)):
            return Reacted(emoji=emoji[:LONGEST], at=at, about=about)
        case Reaction() | Edited() | Revoked() | IdentityChanged() | NumberChanged():
            return None
        case SharedContacts(requested=True):
            return None
        case Unsupported() if content.is_news:
            return None
        case Media(kind=kind) | Unsupported(kind=kind):
            return Unreadable(kind=kind, at=at)
        case Location() | SharedContacts() | Order() | Form():
            return Unreadable(kind=type(content).__name__.lower(), at=at)
