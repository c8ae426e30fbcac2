"""How we put it: the lines with their places filled, dates, lengths and numbers as a person writes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from functools import lru_cache
from types import MappingProxyType
from typing import Self
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_time
from babel.units import format_unit

from bot.conversation.lines import LANGUAGES, OURS, line, longest
from bot.conversation.replies import Cancel, Change, Confirm
from bot.core.business import Business
from bot.core.graphemes import cut
from bot.core.names import visible
from bot.understanding.words import plain

__all__ = ["ACTIONS", "LANGUAGES", "Wording"]

_LOCALES = MappingProxyType({"es": "es_MX", "pt": "pt_BR", "en": "en_US"})
_DAY = MappingProxyType({"es": "EEEE d 'de' MMMM", "pt": "EEEE, d 'de' MMMM", "en": "EEEE, MMMM d"})
_SHORT_DAY = MappingProxyType({"es": "EEE d MMM", "pt": "EEE d MMM", "en": "EEE MMM d"})
_CLOCK = MappingProxyType({"es": "HH:mm", "pt": "HH:mm", "en": "h:mm a"})
HOUR = 60
ACTIONS: MappingProxyType[str, type[Confirm | Change | Cancel]] = MappingProxyType(
    {
        lines[key].casefold(): kind
        for lines in OURS.values()
        for key, kind in (("confirm", Confirm), ("change", Change), ("cancel", Cancel))
    }
)
"""What the labels of a reminder's quick replies mean, in every language."""


@dataclass(frozen=True, slots=True)
class Wording:
    """One language's way of saying things, in a business's own words where it has some."""

    language: str = field(default="es")
    form: str = field(default="tú")
    """Of address; only Spanish has several."""
    own: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, business: Business, language: str) -> Self:
        """As this business talks."""
        return cls(language, business.form_of_address, business.lines)

    def speaking(self, language: str) -> "Wording":
        """The same in another language."""
        return replace(self, language=language)

    def say(self, key: str, **values: str) -> str:
        """The line `key` with its places filled; what fills a place is one line, not endless, never expanded again."""
        shown = {name: _value(value, longest(name)) for name, value in values.items()}
        return line(key, self.language, self.form, self.own).format_map(shown).strip()

    def counted(self, key: str, count: int) -> str:
        """The line for so many: `key_one`, `key_other`, by the language's own rule."""
        kind = Locale.parse(_LOCALES[self.language]).plural_form(count)
        return self.say(f"{key}_one" if kind == "one" else f"{key}_other", count=str(count))

    def means(self, text: str, *keys: str) -> bool:
        """Whether somebody has typed what stands on one of these buttons or rows."""
        return plain(text) in {plain(self.say(key)) for key in keys}

    def length(self, minutes: int) -> str:
        """`45 min`, `1 h 30 min`."""
        hours, rest = divmod(minutes, HOUR)
        parts = [(hours, "duration-hour"), (rest, "duration-minute")]
        said = [format_unit(n, unit, "short", locale=_LOCALES[self.language]) for n, unit in parts if n]
        return _spaced(" ".join(said))

    def day(self, day: date) -> str:
        """`miércoles 2 de diciembre`."""
        return _day(day, _DAY[self.language], _LOCALES[self.language])

    def short_day(self, day: date) -> str:
        """`mié 2 dic`: fits a button."""
        return _day(day, _SHORT_DAY[self.language], _LOCALES[self.language]).replace(".", "")

    def clock(self, local: datetime | time) -> str:
        """`17:00`, in English `5:00 PM`, with plain spaces."""
        return _clock(time(local.hour, local.minute), _CLOCK[self.language], _LOCALES[self.language])

    def when(self, start: datetime, zone: ZoneInfo) -> str:
        """`miércoles 2 de diciembre, 17:00` in the business's local time."""
        local = start.astimezone(zone)
        return f"{self.day(local.date())}, {self.clock(local)}"

    def short(self, start: datetime, zone: ZoneInfo) -> str:
        """`mié 2 dic, 17:00`: at most 20 characters, a button's title."""
        local = start.astimezone(zone)
        return f"{self.short_day(local.date())}, {self.clock(local)}"


# The same few days and hours are named all day long.
@lru_cache(maxsize=1024)
def _day(day: date, form: str, locale: str) -> str:
    return format_date(day, form, locale=locale)


@lru_cache(maxsize=4096)
def _clock(local: time, form: str, locale: str) -> str:
    return _spaced(format_time(local, form, locale=locale))


def _value(value: str, limit: int) -> str:
    return cut(" ".join(visible(value).split()), limit)


def _spaced(text: str) -> str:
    return text.replace("\u202f", " ").replace("\u00a0", " ")
