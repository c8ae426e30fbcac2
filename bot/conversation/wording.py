"""How we put it: the lines of `copy/<language>.toml`, dates as a person writes them."""

import tomllib
from dataclasses import dataclass, field
from datetime import date, datetime
from importlib.resources import files
from types import MappingProxyType
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_time

from bot.conversation.replies import Cancel, Change, Confirm

LANGUAGES = ("es", "pt", "en")
_LINES = MappingProxyType(
    {one: tomllib.loads((files(__package__) / "copy" / f"{one}.toml").read_text("utf-8")) for one in LANGUAGES}
)
_LOCALES = MappingProxyType({"es": "es_MX", "pt": "pt_BR", "en": "en_US"})
_DAY = MappingProxyType({"es": "EEEE d 'de' MMMM", "pt": "EEEE, d 'de' MMMM", "en": "EEEE, MMMM d"})
_SHORT_DAY = MappingProxyType({"es": "EEE d MMM", "pt": "EEE d MMM", "en": "EEE d MMM"})
_CLOCK = MappingProxyType({"es": "HH:mm", "pt": "HH:mm", "en": "h:mm a"})
ACTIONS: MappingProxyType[str, type[Confirm | Change | Cancel]] = MappingProxyType(
    {
        str(lines[key]).casefold(): kind
        for lines in _LINES.values()
        for key, kind in (("confirm", Confirm), ("change", Change), ("cancel", Cancel))
    }
)
"""What the labels of a reminder's quick replies mean, in every language."""


@dataclass(frozen=True, slots=True)
class Wording:
    """One language's way of saying things."""

    language: str = field(default="es")

    def say(self, key: str, **values: str) -> str:
        """The line `key` with its places filled; what fills a place is never expanded again."""
        return str(_LINES[self.language][key]).format_map(values).strip()

    def day(self, day: date) -> str:
        """`miércoles 2 de diciembre`."""
        return format_date(day, _DAY[self.language], locale=_LOCALES[self.language])

    def short_day(self, day: date) -> str:
        """`mié 2 dic`: fits a button."""
        return format_date(day, _SHORT_DAY[self.language], locale=_LOCALES[self.language]).replace(".", "")

    def clock(self, local: datetime) -> str:
        """`17:00`, in English `5:00 PM`, with plain spaces."""
        text = format_time(local.timetz(), _CLOCK[self.language], locale=_LOCALES[self.language])
        return text.replace("\u202f", " ").replace("\u00a0", " ")

    def when(self, start: datetime, zone: ZoneInfo) -> str:
        """`miércoles 2 de diciembre, 17:00` in the business's local time."""
        local = start.astimezone(zone)
        return f"{self.day(local.date())}, {self.clock(local)}"

    def short(self, start: datetime, zone: ZoneInfo) -> str:
        """`mié 2 dic, 17:00`: at most 20 characters, a button's title."""
        local = start.astimezone(zone)
        return f"{self.short_day(local.date())}, {self.clock(local)}"
