"""What commands need first: the settings, and the database if it is there and up to date."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.core.business import Business
from bot.core.reminders import ReminderRules
from bot.log import configure
from bot.settings import Settings, load
from bot.store import businesses, listing
from bot.store.database import Database
from bot.store.opening import opened


def settings() -> Settings:
    """From the environment and `.env`; log lines go to stderr."""
    found = load()
    configure(found)
    return found


@asynccontextmanager
async def database(found: Settings) -> AsyncIterator[Database]:
    """ValueError in one line when it is not there, does not answer or has an older version's tables."""
    async with opened(found.database_url.get_secret_value()) as db:
        yield db


async def business(db: Database, found: Settings) -> Business | None:
    """The one that the command is about; None in a database that has none yet."""
    async with db.read() as session:
        business_id = await listing.the_business(session, found.whatsapp_phone_number_id)
        return await businesses.load(session, business_id) if business_id is not None else None


def rules(found: Settings, of: Business) -> ReminderRules:
    """The reminder rules of a business under these settings."""
    return ReminderRules(zone=of.zone, quiet=found.quiet_hours, confirmed_too=of.rules.remind_confirmed)
