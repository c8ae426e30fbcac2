"""Times as people write and read them on the command line."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bot.core.zones import instant

# fromisoformat also takes a date alone, and drops what is finer than a microsecond.
_WITH_TIME = re.compile(r"[\dW-]+[T ][\d:]+([.,]\d{1,6})?(Z|[+-][\d:]+)?", re.ASCII | re.IGNORECASE)
LAST_YEAR = 2999
"""Later ones are slips of the finger, and leave no room for a time zone."""


def read(text: str, zone: ZoneInfo) -> datetime:
    """An instant in UTC from ISO 8601; without an offset it is `zone`'s wall clock, a repeated time being the first."""
    try:
        at = datetime.fromisoformat(text) if _WITH_TIME.fullmatch(text) else None
    except ValueError:
        at = None
    if at is None or not 1 < at.year <= LAST_YEAR:
        message = f"{text!r} is no time; write it like 2026-12-04T16:00 or 2026-12-04T16:00-06:00"
        raise ValueError(message)
    if at.tzinfo is not None:
        return at.astimezone(UTC)
    found = instant(at.replace(tzinfo=zone))
    if found is None:
        message = f"{text!r} does not exist in {zone.key}: the clocks jump over it"
        raise ValueError(message)
    return found


def local(at: datetime, zone: ZoneInfo) -> str:
    """`2026-12-04 Fri 16:00`: sorts as time, and says the weekday."""
    return at.astimezone(zone).strftime("%Y-%m-%d %a %H:%M")
