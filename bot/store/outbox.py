"""Outgoing messages: added once by delivery id, claimed by one sender, settled by the answer or by a receipt."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from sqlalchemy import and_, exists, or_, update
from sqlalchemy.orm import aliased
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.database import insert
from bot.store.tables import AppointmentRow, BusinessRow, CustomerRow, OutboxMessageRow, OutboxRow

NAMESPACE = uuid5(NAMESPACE_URL, "confirmo:delivery")
REPLY = "reply"
FLAGS = {
    "24h": (AppointmentRow.reminder_24h_sent, AppointmentRow.reminder_24h_message_id),
    "2h": (AppointmentRow.reminder_2h_sent, AppointmentRow.reminder_2h_message_id),
}
PENDING = ("queued", "sending", "unknown")
UNKNOWN = "outcome_unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A message that is ours to send until the lease ends, with the rows that it speaks of."""

    row: OutboxRow
    customer: CustomerRow
    appointment: AppointmentRow | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A queued message, as far as the rate must know it."""

    kind: str
    customer_id: int
    phone_number_id: str


def reminder_id(appointment_id: int, kind: str, version: int, n: int = 0) -> str:
    """The delivery id of a reminder: the same from every scan; `n` counts re-sends ordered by a person."""
    return str(uuid5(NAMESPACE, f"{appointment_id}:{kind}:{version}:{n}"))


def reply_id(message_id: str, position: int) -> str:
    """The delivery id of the answer number `position` to an inbound message."""
    return str(uuid5(NAMESPACE, f"reply:{message_id}:{position}"))


async def add(session: AsyncSession, row: OutboxRow) -> bool:
    """Store it; False when its delivery id is stored already."""
    added = await session.exec(
        insert(session, OutboxRow)
        .values(**row.model_dump())
        .on_conflict_do_nothing(index_elements=["id"])
        .returning(col(OutboxRow.id))
    )
    return added.first() is not None


async def peek(session: AsyncSession, delivery_id: str, now: datetime) -> Waiting | None:
    """A look before the claim, without locking anything: None when it is not queued or not due."""
    query = (
        select(col(OutboxRow.kind), col(OutboxRow.customer_id), col(BusinessRow.phone_number_id))
        .join(BusinessRow, col(BusinessRow.id) == col(OutboxRow.business_id))
        .where(col(OutboxRow.id) == delivery_id, col(OutboxRow.state) == "queued", col(OutboxRow.due_at) <= now)
    )
    found = (await session.exec(query)).first()
    return Waiting(*found) if found is not None else None


async def claim(session: AsyncSession, delivery_id: str, token: str, now: datetime, until: datetime) -> Claimed | None:
    """Make it ours, once: queued, due, no earlier answer to the same customer still on its way. Else None."""
    earlier = aliased(OutboxRow)
    overtakes = exists().where(
        col(OutboxRow.kind) == REPLY,
        col(earlier.customer_id) == col(OutboxRow.customer_id),
        col(earlier.kind) == REPLY,
        col(earlier.state).in_(("queued", "sending")),
        or_(
            col(earlier.created_at) < col(OutboxRow.created_at),
            and_(col(earlier.created_at) == col(OutboxRow.created_at), col(earlier.position) < col(OutboxRow.position)),
        ),
    )
    claimed = await session.exec(
        update(OutboxRow)
        .where(
            col(OutboxRow.id) == delivery_id,
            col(OutboxRow.state) == "queued",
            col(OutboxRow.due_at) <= now,
            ~overtakes,
        )
        .values(state="sending", lease=token, lease_until=until, updated_at=now)
        .execution_options(synchronize_session=False)
        .returning(col(OutboxRow.id))
    )
    return await load(session, delivery_id) if claimed.first() is not None else None


async def load(session: AsyncSession, delivery_id: str) -> Claimed:
    """The message with its customer and appointment; NoResultFound for an unknown id."""
    query = (
        select(OutboxRow, CustomerRow, AppointmentRow)
        .join(CustomerRow, col(CustomerRow.id) == col(OutboxRow.customer_id))
        .outerjoin(AppointmentRow, col(AppointmentRow.id) == col(OutboxRow.appointment_id))
        .where(col(OutboxRow.id) == delivery_id)
        .execution_options(populate_existing=True)
    )
    row, customer, appointment = (await session.exec(query)).one()
    return Claimed(row=row, customer=customer, appointment=appointment)


async def locked(session: AsyncSession, delivery_id: str) -> OutboxRow:
    """The row as it is now, locked; NoResultFound for an unknown id."""
    query = select(OutboxRow).where(col(OutboxRow.id) == delivery_id).with_for_update()
    return (await session.exec(query)).one()


async def accept(
    session: AsyncSession, row: OutboxRow, message_id: str, now: datetime, *, told_at: datetime | None = None
) -> None:
    """Meta took it: wamid kept, flag and message id on the appointment, all in this transaction.

    `told_at` is a receipt's time, None = the answer itself says so. A wamid that is known already changes nothing:
    what a receipt has made of it meanwhile stays.
    """
    taken_at = now if told_at is None else min(told_at, now)
    added = await session.exec(
        insert(session, OutboxMessageRow)
        .values(message_id=message_id, outbox_id=row.id, accepted_at=taken_at)
        .on_conflict_do_nothing()
        .returning(col(OutboxMessageRow.message_id))
    )
    if added.first() is None:
        return
    latest = told_at is None or row.state in PENDING or taken_at >= await _last_taken_at(session, row, taken_at)
    if row.state in PENDING or row.reason == UNKNOWN:
        row.state, row.reason, row.error_code, row.error_text = "accepted", None, None, None
        row.lease = row.lease_until = None
    row.sent_at = row.sent_at or now
    row.updated_at = now
    session.add(row)
    if latest:
        row.message_id = message_id
        await _flag(session, row, message_id, now)


async def _last_taken_at(session: AsyncSession, row: OutboxRow, default: datetime) -> datetime:
    """When the message that `row.message_id` names was taken: a late receipt may speak of an earlier send."""
    query = select(col(OutboxMessageRow.accepted_at)).where(col(OutboxMessageRow.message_id) == row.message_id)
    return (await session.exec(query)).first() or default


async def _flag(session: AsyncSession, row: OutboxRow, message_id: str, now: datetime) -> None:
    if row.kind in FLAGS and row.appointment_id is not None:
        sent, wamid = FLAGS[row.kind]
        await session.exec(
            update(AppointmentRow)
            .where(
                col(AppointmentRow.id) == row.appointment_id,
                # A move has cleared the flags: then this is the old slot's reminder. (An undo keeps slot and flags.)
                col(AppointmentRow.slot_version) <= (row.appointment_version or 0),
            )
            .values({col(sent): True, col(wamid): message_id, col(AppointmentRow.updated_at): now})
            .execution_options(synchronize_session=False)
        )


async def due(session: AsyncSession, now: datetime, *, queued_for: timedelta, limit: int) -> Sequence[str]:
    """Queued ones whose wake-up seems lost: replies first, then reminders by nearest start."""
    query = (
        select(col(OutboxRow.id))
        .where(col(OutboxRow.state) == "queued", col(OutboxRow.due_at) <= now - queued_for)
        .order_by(col(OutboxRow.rank), col(OutboxRow.order_at), col(OutboxRow.position))
        .limit(limit)
    )
    return (await session.exec(query)).all()


async def lapsed(session: AsyncSession, now: datetime, *, limit: int) -> Sequence[OutboxRow]:
    """Claimed by a process that did not come back, or unknown and waited out."""
    query = (
        select(OutboxRow)
        .where(col(OutboxRow.state).in_(("sending", "unknown")), col(OutboxRow.lease_until) <= now)
        .order_by(col(OutboxRow.lease_until))
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return (await session.exec(query)).all()


async def next_reply(session: AsyncSession, customer_id: int) -> str | None:
    """The customer's next answer in line."""
    query = (
        select(col(OutboxRow.id))
        .where(
            col(OutboxRow.customer_id) == customer_id, col(OutboxRow.kind) == REPLY, col(OutboxRow.state) == "queued"
        )
        .order_by(col(OutboxRow.created_at), col(OutboxRow.position))
        .limit(1)
    )
    return (await session.exec(query)).first()


async def find(
    session: AsyncSession, *, message_id: str, delivery_id: str | None = None, lock: bool = True
) -> OutboxRow | None:
    """The row that a receipt or a quote speaks of: by any of its wamids, else by the echoed delivery id."""
    by_wamid = select(OutboxMessageRow.outbox_id).where(col(OutboxMessageRow.message_id) == message_id)
    known = (await session.exec(by_wamid)).first() or delivery_id
    if known is None:
        return None
    query = select(OutboxRow).where(col(OutboxRow.id) == known)
    return (await session.exec(query.with_for_update() if lock else query)).first()


async def spoken_of(
    session: AsyncSession, customer_id: int | None, message_ids: Collection[str]
) -> Mapping[str, OutboxRow]:
    """Those of these wamids that are messages of ours to this customer."""
    if not message_ids:
        return {}
    query = (
        select(OutboxMessageRow.message_id, OutboxRow)
        .join(OutboxRow, col(OutboxRow.id) == col(OutboxMessageRow.outbox_id))
        .where(col(OutboxMessageRow.message_id).in_(message_ids), col(OutboxRow.customer_id) == customer_id)
    )
    return dict((await session.exec(query)).all())


async def answered(session: AsyncSession, delivery_ids: Sequence[str], now: datetime) -> None:
    """The customer answered these messages; the first time counts."""
    query = update(OutboxRow).where(col(OutboxRow.id).in_(delivery_ids), col(OutboxRow.answered_at).is_(None))
    await session.exec(query.values(answered_at=now).execution_options(synchronize_session=False))


async def last_kind(session: AsyncSession, customer_id: int) -> str | None:
    """What we sent this customer last: a reply or a reminder."""
    query = (
        select(col(OutboxRow.kind))
        .where(col(OutboxRow.customer_id) == customer_id, col(OutboxRow.state) != "skipped")
        .order_by(col(OutboxRow.created_at).desc(), col(OutboxRow.position).desc())
        .limit(1)
    )
    return (await session.exec(query)).first()


def dump(body: Mapping[str, object]) -> str:
    """A request as it is kept and sent."""
    return json.dumps(body, ensure_ascii=False)


async def all_of(session: AsyncSession, state: str | None) -> Sequence[OutboxRow]:
    """Oldest first."""
    query = select(OutboxRow).order_by(col(OutboxRow.created_at), col(OutboxRow.position))
    if state is not None:
        query = query.where(col(OutboxRow.state) == state)
    return (await session.exec(query)).all()
