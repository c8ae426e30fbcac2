"""What a phrase is read against."""

from dataclasses import dataclass
from datetime import date, datetime

from bot.understanding.meaning import Context


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Local time, language, and what was just asked."""

    now: datetime
    language: str
    context: Context

    @property
    def today(self) -> date:
        return self.now.date()
