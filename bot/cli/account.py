"""For commands that ask Meta about the account: the client, which templates the business sends, words for a refusal."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from bot.cli import door
from bot.settings import Settings
from bot.store import businesses, listing
from bot.store import templates as stored
from bot.store.database import Session
from bot.whatsapp.account import Held, templates
from bot.whatsapp.client import AccountClient, Lost, NotSent, Refused
from bot.whatsapp.lanes import new_http
from bot.whatsapp.templates import LANGUAGES, Overrides

SECONDS = 10.0
"""How long one question may take, if SEND_TIMEOUT_SECONDS does not say less."""
NOT_TAKEN = frozenset({0, 190})
NOT_PERMITTED = frozenset({3, 10, 131005, *range(200, 300)})
NOT_SEEN = frozenset({33, 100, 803})
RIGHTS = "whatsapp_business_messaging and whatsapp_business_management"
Trouble = Refused | NotSent | Lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Sends:
    """Its language as templates have it, and the names of its own templates."""

    language: str = LANGUAGES[0]
    own: Overrides = field(default_factory=dict)


@asynccontextmanager
async def asking(settings: Settings) -> AsyncIterator[AccountClient]:
    """Nothing is asked by opening it."""
    async with new_http() as http:
        yield AccountClient(
            base_url=settings.whatsapp_graph_url,
            version=settings.whatsapp_graph_version,
            token=settings.whatsapp_access_token.get_secret_value(),
            timeout=min(SECONDS, settings.send_timeout_seconds),
            http=http,
        )


async def there(client: AccountClient, settings: Settings) -> tuple[Held, ...]:
    """The account's templates; ValueError in one line when Meta does not say."""
    match await templates(client, settings.whatsapp_business_account_id):
        case tuple() as held:
            return held
        case trouble:
            raise ValueError(said(trouble, settings))


async def sends(settings: Settings) -> Sends:
    """As the database has it; without a business, or a database, what Confirmo brings along."""
    with suppress(ValueError):
        async with door.database(settings) as db, db.read() as session:
            return await _sends(session, await listing.the_business(session, settings.whatsapp_phone_number_id))
    return Sends()


async def _sends(session: Session, business_id: int | None) -> Sends:
    if business_id is None:
        return Sends()
    spoken = (await businesses.load(session, business_id)).language
    language = next((one for one in LANGUAGES if one[:2] == spoken[:2]), LANGUAGES[0])
    return Sends(language=language, own=(await stored.choice(session, business_id)).own)


def said(answer: Trouble, settings: Settings) -> str:
    """One sentence that says what to do."""
    host = settings.whatsapp_graph_url
    match answer:
        case NotSent(why=why):
            return f"{host} cannot be reached ({why}): look at the network and at WHATSAPP_GRAPH_URL"
        case Lost(why=why):
            return f"no usable answer from {host} ({why}): try again in a minute"
        case Refused(error=error) if error.code in NOT_TAKEN:
            return f"Meta does not take the token ({error.code}): make a new one for the system user"
        case Refused(error=error) if error.code in NOT_PERMITTED:
            return f"Meta misses a permission ({error.code}): the token needs {RIGHTS}"
    words = " ".join((answer.error.details or answer.error.title).split())
    token = settings.whatsapp_access_token.get_secret_value()
    return f"Meta refuses it ({answer.error.code}): {words.replace(token, '…') if token else words}"
