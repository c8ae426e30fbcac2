"""How a story is written: `fixtures/conversations/<story>.toml`, read strictly so that a slip of the pen is an error.

A story begins with `title`, `business` (a name of fixtures/businesses, or `starter`), `now` (the business's wall clock,
`2026-12-01 10:00`), and who writes:

    [[customer]]                  the first one acts where a turn does not say `who`
    name = "Ana"                  the profile's name; "" = none
    phone = "5215500000001"       or user_id = "MX.…", or both
    language = "es"               when it is known already

    [[appointment]]               what there is before: service, at (wall clock), and, where it matters,
    service = "Corte"             staff, customer, status, attendee, set_at (when it was booked; default: a week
    at = "2026-12-02 17:00"       before `now`)

    [budget]                      asserted at the end
    touches = 3                   at most: a button = 1, a row of a list = 3 (open, look, tap); typing, reacting = 0
    messages = 2                  at most, of the bot; the reminder template itself is not counted

Then the turns. Each does one thing:

    says = "hola"                 types; with `quotes = 2` quoting the second message of the chat ("last" = the newest);
                                  with `late = "4h"` sent so long ago and only arriving now
    taps = "Corte"                the title as it was offered; `from` says in which message: "last" (default: the newest
                                  that offers anything), "first" (the oldest that offers this title), or its number.
                                  `of = "Beto"`: a button that was offered to somebody else
    presses = { id = "x", title = "Confirmar" }     a button that we never offered
    reacts = "👍"                 on the newest message, or `on = 2`
    sends = "sticker"             audio, image, location, …
    wait = "25h"                  time passes (m, h, d)
    reminder = "24h"              time passes until that reminder of the nearest appointment is due, and it goes out
    other_takes = "mié 2 dic, 09:00"   another customer books the slot that was offered under this title

and says what must come of it:

    bot = ["Hola, Ana", "…"]      one entry for each new message in this chat, in order: a part of its text
    silent = true                 no message
    offers = ["Corte"]            titles that the last message offers; `offers_exactly` = these and no others
    status = ["CONFIRMED 2026-12-02 17:00"]   all the customer's appointments as they were made, with or without time
    staff_see = ["person"]        what came before staff in this turn
    muted = true, opted_out = true
"""

import re
import tomllib
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from tests.conftest import FIXTURES

STORIES = FIXTURES / "conversations"
ACTIONS = ("says", "taps", "presses", "reacts", "sends", "wait", "reminder", "other_takes")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def _length(value: Any) -> Any:
    parts = re.fullmatch(r"(\d+)([mhd])", value) if isinstance(value, str) else None
    if parts is None:
        message = f"{value!r} is no length of time; write it like 25h"
        raise ValueError(message)
    return timedelta(**{_UNITS[parts[2]]: int(parts[1])})


def _clock(value: Any) -> Any:
    return datetime.strptime(value, "%Y-%m-%d %H:%M") if isinstance(value, str) else value  # noqa: DTZ007 - wall clock


Length = Annotated[timedelta, BeforeValidator(_length)]
WallClock = Annotated[datetime, BeforeValidator(_clock)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Person(_Part):
    """Who writes."""

    name: str
    phone: str | None = None
    user_id: str | None = None
    language: Literal["es", "pt", "en"] | None = None

    @property
    def key(self) -> str:
        """What `who`, `of` and `customer` call them: the name, else the phone or the user id."""
        return self.name or self.phone or self.user_id or ""


class Booked(_Part):
    """An appointment that there is before the story begins."""

    service: str
    at: WallClock
    staff: str | None = None
    customer: str | None = None
    status: str = "SCHEDULED"
    set_at: WallClock | None = None
    attendee: str | None = None


class Budget(_Part):
    """What the story may cost at most."""

    touches: int
    messages: int


class Foreign(_Part):
    """A button that we never offered."""

    id: str
    title: str


class Turn(_Part):
    """One thing that happens, and what must come of it."""

    who: str | None = None
    says: str | None = None
    quotes: int | Literal["last"] | None = None
    late: Length | None = None
    taps: str | None = None
    place: int | Literal["last", "first"] = Field("last", alias="from")
    of: str | None = None
    presses: Foreign | None = None
    reacts: str | None = None
    on: int | Literal["last"] = "last"
    sends: str | None = None
    wait: Length | None = None
    reminder: Literal["24h", "2h"] | None = None
    other_takes: str | None = None

    bot: list[str] = []
    silent: bool = False
    offers: list[str] = []
    offers_exactly: list[str] | None = None
    status: list[str] | None = None
    staff_see: list[str] = []
    muted: bool | None = None
    opted_out: bool | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        done = [name for name in ACTIONS if getattr(self, name) is not None]
        if len(done) != 1:
            message = f"a turn does one thing, this one {done or 'nothing'}"
            raise ValueError(message)
        if done[0] not in ("wait", "other_takes") and self.silent == bool(self.bot):
            raise ValueError("a turn says what the bot answers, or that it is silent")
        return self


class Story(_Part):
    """A whole dialogue."""

    title: str
    business: str
    now: WallClock
    customer: list[Person] = Field(min_length=1)
    appointment: list[Booked] = []
    budget: Budget | None = None
    turn: list[Turn] = Field(min_length=1)


def names() -> list[str]:
    """All stories."""
    return sorted(path.stem for path in STORIES.glob("*.toml"))


def story(name: str) -> Story:
    """One of them."""
    return read(STORIES / f"{name}.toml")


def read(path: Path) -> Story:
    """ValueError for what is no story."""
    return Story.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
