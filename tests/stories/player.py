"""What a player of stories does: one plays them through the pure machine, another through the whole stack."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from tests.stories.script import Story


@dataclass(frozen=True, slots=True)
class Choice:
    """A button or a row as the customer sees it."""

    id: str
    title: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bubble:
    """One message to a customer. `id` is the player's own handle (a wamid); `kind` text, button, list or template."""

    id: str
    kind: str
    text: str
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is stored of one customer: appointments as they were made (status, start), and what came before staff."""

    appointments: tuple[tuple[str, datetime], ...]
    attention: tuple[str, ...]
    muted: bool
    opted_out: bool


class Player(Protocol):
    """Customers are named as in the story. Every call returns when all that follows from it has been sent."""

    async def begin(self, story: Story) -> None: ...

    async def bubbles(self, who: str) -> Sequence[Bubble]:
        """All messages to that customer since the beginning, in order."""
        ...

    async def facts(self, who: str) -> Facts: ...

    async def says(self, who: str, text: str, *, quoting: Bubble | None, late: timedelta) -> None: ...

    async def taps(self, who: str, choice: Choice, bubble: Bubble | None) -> None:
        """`bubble` None: a button that we never offered."""
        ...

    async def reacts(self, who: str, emoji: str, bubble: Bubble) -> None: ...

    async def sends(self, who: str, kind: str) -> None: ...

    async def wait(self, length: timedelta) -> None: ...

    async def remind(self, who: str, kind: str) -> None:
        """Time passes until that reminder of the customer's nearest appointment is due; it goes out."""
        ...

    async def take(self, choice: Choice) -> None:
        """Somebody else books the slot that was offered so."""
        ...


def shown(content: Mapping[str, Any], handle: str) -> Bubble:
    """The bubble that WhatsApp makes of the content of a text, button or list message."""
    if content["type"] == "text":
        return Bubble(id=handle, kind="text", text=content["text"]["body"])
    interactive = content["interactive"]
    action = interactive["action"]
    if interactive["type"] == "button":
        offered = [button["reply"] for button in action["buttons"]]
    else:
        offered = [row for section in action["sections"] for row in section["rows"]]
    choices = tuple(Choice(one["id"], one["title"], one.get("description", "")) for one in offered)
    return Bubble(id=handle, kind=interactive["type"], text=interactive["body"]["text"], choices=choices)
