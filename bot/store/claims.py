"""Taking messages of the outbox up for sending, many at once: looked at, claimed, loaded, written."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, bindparam, exists, or_, update
from sqlalchemy.orm import aliased
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.outbox import REPLY
from bot.store.tables import AppointmentRow, BusinessRow, CustomerRow, OutboxRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A message that is ours to send until the lease ends, with the rows that it speaks of."""

    row: OutboxRow
    customer: CustomerRow
    appointment: AppointmentRow | None
    phone_number_id: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A queued message, as far as the rate must know it."""

    kind: str
    customer_id: int
    phone_number_id: str


# Statements are put together once: that takes longer than the database takes to do them.
_THESE = col(OutboxRow.id).in_(bindparam("deliveries", expanding=True))
_DUE = (_THESE, col(OutboxRow.state) == "queued", col(OutboxRow.due_at) <= bindparam("at"))
_PEEK = (
    select(col(OutboxRow.id), col(OutboxRow.kind), col(OutboxRow.customer_id), col(BusinessRow.phone_number_id))
    .join(BusinessRow, col(BusinessRow.id) == col(OutboxRow.business_id))
    .where(*_DUE)
)


async def peek(session: AsyncSession, delivery_ids: Collection[str], now: datetime) -> Mapping[str, Waiting]:
    """A look before the claim, without locking anything, at those that are queued and due."""
    connection = await session.connection()
    found = await connection.execute(_PEEK, {"deliveries": list(delivery_ids), "at": now})
    return {delivery_id: Waiting(kind, customer_id, number) for delivery_id, kind, customer_id, number in found}


_EARLIER = aliased(OutboxRow)
_OVERTAKES = exists().where(
    col(OutboxRow.kind) == REPLY,
    col(_EARLIER.customer_id) == col(OutboxRow.customer_id),
    col(_EARLIER.kind) == REPLY,
    col(_EARLIER.state).in_(("queued", "sending")),
    or_(
        col(_EARLIER.created_at) < col(OutboxRow.created_at),
        and_(col(_EARLIER.created_at) == col(OutboxRow.created_at), col(_EARLIER.position) < col(OutboxRow.position)),
    ),
)
_CLAIM = (
    update(OutboxRow)
    .where(*_DUE, ~_OVERTAKES)
    .values(state="sending", lease=bindparam("token"), lease_until=bindparam("until"), updated_at=bindparam("at"))
    .returning(col(OutboxRow.id))
)


async def claim(
    session: AsyncSession, delivery_ids: Collection[str], token: str, now: datetime, until: datetime
) -> Sequence[Claimed]:
    """Make ours, once, what is queued and due and has no earlier answer to the same customer still on its way."""
    connection = await session.connection()
    wanted = {"deliveries": sorted(delivery_ids), "token": token, "at": now, "until": until}
    return await load(session, (await connection.execute(_CLAIM, wanted)).scalars().all())


_LOAD = (
    select(OutboxRow, CustomerRow, AppointmentRow, col(BusinessRow.phone_number_id))
    .join(CustomerRow, col(CustomerRow.id) == col(OutboxRow.customer_id))
    .join(BusinessRow, col(BusinessRow.id) == col(OutboxRow.business_id))
    .outerjoin(AppointmentRow, col(AppointmentRow.id) == col(OutboxRow.appointment_id))
    .where(_THESE)
    .execution_options(populate_existing=True)
)


async def load(session: AsyncSession, delivery_ids: Sequence[str]) -> Sequence[Claimed]:
    """The messages with their customers and appointments."""
    if not delivery_ids:
        return ()
    return [
        Claimed(row=row, customer=customer, appointment=appointment, phone_number_id=number)
        for row, customer, appointment, number in await session.exec(_LOAD, params={"deliveries": delivery_ids})
    ]


_GOES_OUT = (
    update(OutboxRow)
    .where(col(OutboxRow.id) == bindparam("delivery"))
    .values(body=bindparam("request"), appointment_version=bindparam("version"))
)


async def go_out(session: AsyncSession, requests: Sequence[tuple[str, str, int | None]]) -> None:
    """Keep what is sent: delivery id, request, and the appointment's version that it tells."""
    if requests:
        connection = await session.connection()
        await connection.execute(
            _GOES_OUT, [{"delivery": id_, "request": body, "version": version} for id_, body, version in requests]
        )
