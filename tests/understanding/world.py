"""What the phrases of the fixtures are read against: a Tuesday morning in Mexico City, open from nine to seven."""

from datetime import datetime
from zoneinfo import ZoneInfo

from bot.understanding.meaning import Context
from bot.understanding.read import Meaning, every_day, understand

ZONE = ZoneInfo("America/Mexico_City")
NOW = datetime(2026, 12, 1, 10, tzinfo=ZONE)
HOURS = every_day(9 * 60, 19 * 60)


def read(text: str, language: str | None = "es", context: Context | str = Context.IDLE) -> Meaning:
    return understand(text, now=NOW, zone=ZONE, hours=HOURS, context=Context(context), language=language)


def when(text: str, language: str | None = "es", context: Context | str = Context.IDLE) -> str | None:
    """The time as the contract writes it."""
    found = read(text, language, context).when
    return found.text() if found is not None else None
