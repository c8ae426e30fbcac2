"""What a running process has in its hands: made once by the composition root, passed to whoever acts."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from bot.clock import Clock
from bot.core.business import Business
from bot.core.reminders import ReminderRules
from bot.limits import Limits
from bot.meter import Meter
from bot.queue import Queue
from bot.settings import Settings
from bot.store.database import Database
from bot.whatsapp.client import GraphClient


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """Settings, clock, database, queue, rate, and a Graph client per business number."""

    settings: Settings
    clock: Clock
    db: Database
    queue: Queue
    limits: Limits
    meter: Meter
    graph: Callable[[str], GraphClient]

    @property
    def send_timeout(self) -> timedelta:
        """How long one call of the Graph API may take."""
        return timedelta(seconds=self.settings.send_timeout_seconds)

    @property
    def unknown_wait(self) -> timedelta:
        """How long a lost answer waits for a receipt."""
        return timedelta(seconds=self.settings.unknown_outcome_wait_seconds)

    def rules(self, business: Business) -> ReminderRules:
        """The reminder rules of a business under these settings."""
        return ReminderRules(
            zone=business.zone, quiet=self.settings.quiet_hours, confirmed_too=business.rules.remind_confirmed
        )
