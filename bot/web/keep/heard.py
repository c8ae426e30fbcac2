"""What came in, with all that the database must know of how it came."""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from bot.whatsapp.events import Event

E_co = TypeVar("E_co", bound=Event, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard(Generic[E_co]):
    """One element of a webhook: its place in it, and when the webhook came."""

    event: E_co
    position: int
    at: datetime
