"""National holidays as closures, by country and region, each switchable. The only user of the `holidays` package."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

YEARS = range(2020, 2041)
"""Where the names are looked for: some holidays come only every few years."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holidays:
    """The holidays of a country (ISO 3166 code) and of a region of it ("" = the whole country's only).

    `working` are the names of those that are ordinary days here.
    """

    country: str
    region: str = ""
    working: frozenset[str] = frozenset()

    def on(self, day: date) -> str | None:
        """The name of the holiday that closes this date."""
        name = national(self.country, self.region, day.year).get(day)
        return None if name in self.working else name


@lru_cache(maxsize=256)
def national(country: str, region: str, year: int) -> Mapping[date, str]:
    """The public holidays of a year by date, named in the country's own language; ValueError for unknown codes."""
    library = _library()
    try:
        own = library.country_holidays(country).default_language
        found = library.country_holidays(country, subdiv=region or None, years=year, language=own)
    except NotImplementedError:
        raise ValueError(_unknown(country, region)) from None
    return MappingProxyType(dict(found.items()))


@lru_cache(maxsize=64)
def names(country: str, region: str) -> frozenset[str]:
    """All names that occur there."""
    return frozenset(name for year in YEARS for name in national(country, region, year).values())


def _unknown(country: str, region: str) -> str:
    regions = _library().list_supported_countries().get(country)
    if regions is None:
        return f"no holidays are known for the country {country!r}; write its two letters, like MX"
    known = f"known are {', '.join(regions)}" if regions else "there they are the same everywhere"
    return f"no holidays are known for the region {region!r} of {country}; {known}"


@lru_cache(maxsize=1)
def _library() -> Any:
    # It takes half a second to load, and most businesses and commands do without it.
    return import_module("holidays")
