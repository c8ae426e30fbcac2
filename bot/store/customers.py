"""Who is who: one row per person, found by business-scoped user id first and by canonical phone second."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import update
from sqlmodel import SQLModel, col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.names import name_of
from bot.core.phone import canonical
from bot.store.database import insert
from bot.store.tables import AppointmentRow, AttentionRow, CustomerRow, InboxRow, OutboxRow

_OWNED: tuple[type[SQLModel], ...] = (AppointmentRow, InboxRow, OutboxRow, AttentionRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """What a message says of its sender; ids exactly as reported, any of them may be missing."""

    user_id: str | None = None
    parent_user_id: str | None = None
    wa_id: str | None = None
    name: str | None = None
    username: str | None = None


async def recognise(session: AsyncSession, business_id: int, person: Person, now: datetime) -> CustomerRow | None:
    """The customer's row, made, completed or joined as needed; None when the message names nobody."""
    if person.user_id is None and person.wa_id is None:
        return None
    row = await _find(session, business_id, person, now)
    if row is None:
        await session.exec(
            insert(session, CustomerRow)
            .values(
                business_id=business_id,
                user_id=person.user_id,
                whatsapp_number=person.wa_id,
                canonical_number=canonical(person.wa_id) if person.wa_id else None,
                created_at=now,
                updated_at=now,
            )
            .on_conflict_do_nothing()
        )
        row = await _find(session, business_id, person, now)
    if row is not None:
        _complete(row, person)
        session.add(row)
    return row


async def get(session: AsyncSession, customer_id: int) -> CustomerRow:
    """One row; NoResultFound for an unknown id."""
    return (await session.exec(select(CustomerRow).where(col(CustomerRow.id) == customer_id))).one()


async def by_phone(session: AsyncSession, business_id: int, phone: str) -> CustomerRow | None:
    """The customer with this phone in any of its forms."""
    query = select(CustomerRow).where(
        col(CustomerRow.business_id) == business_id, col(CustomerRow.canonical_number) == canonical(phone)
    )
    return (await session.exec(query)).first()


async def by_user_id(session: AsyncSession, business_id: int, user_id: str) -> CustomerRow | None:
    """The customer with this business-scoped user id."""
    query = select(CustomerRow).where(col(CustomerRow.business_id) == business_id, col(CustomerRow.user_id) == user_id)
    return (await session.exec(query)).first()


async def renumber(session: AsyncSession, row: CustomerRow, *, wa_id: str | None, user_id: str | None) -> bool:
    """Give the customer a new number or id; False, and nothing changed, when another customer already has it.

    WhatsApp gives a new id with a new number: without being told which, the old one is forgotten, not believed.
    """
    if await owner(session, row, wa_id=wa_id, user_id=user_id) is not None:
        return False
    if wa_id and canonical(wa_id) != row.canonical_number:
        row.user_id = None
    if wa_id:
        row.whatsapp_number, row.canonical_number = wa_id, canonical(wa_id)
    row.user_id = user_id or row.user_id
    session.add(row)
    return True


async def owner(
    session: AsyncSession, row: CustomerRow, *, wa_id: str | None, user_id: str | None
) -> CustomerRow | None:
    """The other customer who has that number or id already."""
    by_number = await by_phone(session, row.business_id, wa_id) if wa_id else None
    by_id = await by_user_id(session, row.business_id, user_id) if user_id else None
    return next((one for one in (by_number, by_id) if one is not None and one.id != row.id), None)


async def _find(session: AsyncSession, business_id: int, person: Person, now: datetime) -> CustomerRow | None:
    by_id = await by_user_id(session, business_id, person.user_id) if person.user_id else None
    by_number = await by_phone(session, business_id, person.wa_id) if person.wa_id else None
    if by_number is None or (by_id is not None and by_id.id == by_number.id):
        return by_id
    if person.user_id and by_number.user_id not in (None, person.user_id):
        await _release(session, by_number)
        return by_id
    return by_number if by_id is None else await _join(session, by_id, by_number, now)


async def _release(session: AsyncSession, row: CustomerRow) -> None:
    """The number has passed to somebody with another id: the former owner keeps everything else."""
    row.whatsapp_number = row.canonical_number = None
    session.add(row)
    await session.flush()


async def _join(session: AsyncSession, kept: CustomerRow, gone: CustomerRow, now: datetime) -> CustomerRow:
    """Two rows turned out to be one person: everything moves to the one with the user id."""
    # Locked first: a turn that books for the row on its way out must be through, or find it gone.
    await session.exec(select(col(CustomerRow.id)).where(col(CustomerRow.id) == gone.id).with_for_update())
    for table in _OWNED:
        await session.exec(
            update(table).where(table.__table__.c.customer_id == gone.id).values(customer_id=kept.id)  # type: ignore[attr-defined]
        )
    known = gone.model_copy()
    await session.exec(delete(CustomerRow).where(col(CustomerRow.id) == gone.id))
    session.expunge(gone)
    _inherit(kept, known)
    kept.updated_at = now
    return kept


def _inherit(kept: CustomerRow, gone: CustomerRow) -> None:
    """What only the other row knew, the phone, and the conversation of whichever row was talked with last."""
    if kept.last_inbound_at is None or (gone.last_inbound_at or kept.last_inbound_at) > kept.last_inbound_at:
        kept.draft = gone.draft
    kept.whatsapp_number, kept.canonical_number = gone.whatsapp_number, gone.canonical_number
    for field in ("name", "language", "opted_out_at", "referral", "parent_user_id", "username"):
        setattr(kept, field, getattr(kept, field) or getattr(gone, field))
    for field in ("last_inbound_at", "muted_until"):
        setattr(kept, field, max(filter(None, (getattr(kept, field), getattr(gone, field))), default=None))
    kept.created_at = min(kept.created_at, gone.created_at)


def _complete(row: CustomerRow, person: Person) -> None:
    """What the message tells that the row did not know; a phone is kept as WhatsApp last reported it."""
    row.user_id = row.user_id or person.user_id
    row.parent_user_id = person.parent_user_id or row.parent_user_id
    row.username = person.username or row.username
    if person.wa_id:
        row.whatsapp_number, row.canonical_number = person.wa_id, canonical(person.wa_id)
    if not row.name and person.name:
        row.name = name_of(person.name)
