"""What a turn begins with, in one look: what a customer sent and nobody has handled, and who they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.spoken import LAST_KIND
from bot.store.tables import BusinessRow, CustomerRow, InboxRow


@dataclass(frozen=True, slots=True)
class Message:
    """One of the inbox, as it was kept."""

    message_id: str
    kind: str
    raw: str
    sent_at: datetime
    retry_at: datetime | None


@dataclass(frozen=True, slots=True)
class Sender:
    """The customer's row, which version of their business counts, and of what kind our last message to them was."""

    id: int
    business_id: int
    name: str
    language: str | None
    whatsapp_number: str | None
    opted_out_at: datetime | None
    muted_until: datetime | None
    last_inbound_at: datetime | None
    draft: str
    business_version: str
    last_kind: str | None


@dataclass(frozen=True, slots=True)
class Unread:
    """Messages in the order in which they were sent; at least one."""

    messages: Sequence[Message]
    sender: Sender


_MESSAGE = (InboxRow.message_id, InboxRow.kind, InboxRow.raw, InboxRow.sent_at, InboxRow.retry_at)
_SENDER = (
    CustomerRow.id,
    CustomerRow.business_id,
    CustomerRow.name,
    CustomerRow.language,
    CustomerRow.whatsapp_number,
    CustomerRow.opted_out_at,
    CustomerRow.muted_until,
    CustomerRow.last_inbound_at,
    CustomerRow.draft,
    BusinessRow.config_version,
)
# Nearly always it is one message: who sent it may as well stand beside each.
_UNREAD: Any = (
    select(*(col(one) for one in (*_MESSAGE, *_SENDER)), LAST_KIND)
    .join_from(InboxRow, CustomerRow, col(CustomerRow.id) == col(InboxRow.customer_id))
    .join(BusinessRow, col(BusinessRow.id) == col(CustomerRow.business_id))
    .where(col(InboxRow.customer_id) == bindparam("customer"), col(InboxRow.handled_at).is_(None))
    .order_by(col(InboxRow.sent_at), col(InboxRow.received_at), col(InboxRow.position))
)


async def of(session: AsyncSession, customer_id: int) -> Unread | None:
    """None when all that this customer sent is handled."""
    rows = (await (await session.connection()).execute(_UNREAD, {"customer": customer_id})).all()
    if not rows:
        return None
    several = len(_MESSAGE)
    return Unread([Message(*row[:several]) for row in rows], Sender(*rows[0][several:]))
