"""Messages of people whom we know, on SQLite by its driver: what `customers.meet` and `inbox.keep` do when there is
nothing to complete, at a tenth of their cost. (Simple and fast disagree here: this is a second way to the same rows.)
"""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache, partial

from bot.store.customers import Known, Person, news
from bot.store.database import SQLITE, Database

_NUMBERS = "SELECT phone_number_id, id FROM businesses"
_KNOWN = f"SELECT {', '.join(Known._fields)} FROM customers WHERE business_id = ? AND "  # noqa: S608 - our own names
_BY_ID, _BY_NUMBER = f"{_KNOWN} user_id = ?", f"{_KNOWN} canonical_number = ?"
_KEEP = """
INSERT INTO inbox (message_id, business_id, customer_id, kind, raw, sent_at, position, received_at, attempts)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT (message_id) DO NOTHING
"""
_WROTE = """
UPDATE customers SET last_inbound_at = ?1 WHERE id = ?2 AND (last_inbound_at IS NULL OR last_inbound_at < ?1)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A message with words or a tap in it, and nothing that changes what we know of its sender."""

    phone_number_id: str | None
    sender: Person
    message_id: str
    kind: str
    raw: str
    sent_at: datetime
    position: int
    received_at: datetime


class _NotPlain(Exception):
    """A number that is not ours, or somebody of whom there is something to note."""


async def keep(db: Database, messages: Sequence[Plain]) -> Sequence[tuple[Plain, int]] | None:
    """Those that were not stored already, with their customers. None and nothing done when they are not plain to the
    last one, or the database is another one or does not take them: then they go the way of all others."""
    if db.dialect != SQLITE:
        return None
    with suppress(_NotPlain, sqlite3.Error):
        async with db.driver() as connection:
            return await connection.run(partial(_keep_all, messages))
    return None


def _keep_all(messages: Sequence[Plain], connection: sqlite3.Connection) -> Sequence[tuple[Plain, int]]:
    businesses = dict(connection.execute(_NUMBERS).fetchall())
    added = []
    for one in messages:
        business_id = businesses.get(one.phone_number_id)
        if business_id is None:
            raise _NotPlain
        customer_id = _known(connection, business_id, one.sender)
        if _keep(connection, business_id, customer_id, one):
            added.append((one, customer_id))
            connection.execute(_WROTE, (_stored(one.sent_at), customer_id))
    return added


def _known(connection: sqlite3.Connection, business_id: int, sender: Person) -> int:
    query, key = (_BY_ID, sender.user_id) if sender.user_id else (_BY_NUMBER, sender.number)
    found = connection.execute(query, (business_id, key)).fetchone()
    if found is None or news(known := Known(*found), sender):
        raise _NotPlain
    return known.id


def _keep(connection: sqlite3.Connection, business_id: int, customer_id: int, one: Plain) -> bool:
    sent_at, received_at = _stored(one.sent_at), _stored(one.received_at)
    values = (one.message_id, business_id, customer_id, one.kind, one.raw, sent_at, one.position, received_at)
    return connection.execute(_KEEP, values).rowcount == 1


@lru_cache(maxsize=256)  # a second brings many
def _stored(at: datetime) -> str:
    """As SQLAlchemy writes it."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")
