"""Who is who: one row per person, found by business-scoped user id first and by canonical phone second."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, or_, update
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

    @property
    def named(self) -> bool:
        """Whether it has an id at all."""
        return self.user_id is not None or self.wa_id is not None

    @property
    def number(self) -> str | None:
        """The phone in the form that matches."""
        return canonical(self.wa_id) if self.wa_id else None


class Known(NamedTuple):
    """A row, as far as a message may complete it."""

    id: int
    name: str
    user_id: str | None
    parent_user_id: str | None
    username: str | None
    whatsapp_number: str | None
    canonical_number: str | None


async def recognise(session: AsyncSession, business_id: int, person: Person, now: datetime) -> CustomerRow | None:
    """The customer's row, made, completed or joined as needed; None when the message names nobody."""
    return await (await meet(session, business_id, [person], now)).recognise(person)


async def meet(session: AsyncSession, business_id: int, people: Sequence[Person], now: datetime) -> "Met":
    """All who have a row by any of their ids, and a new row for each who has none: a few statements for everybody."""
    met = Met(session, business_id, now)
    met.add(await _rows_of(session, business_id, people))
    await met.introduce([one for one in people if one.named and not met.knows(one)])
    return met


class Met:
    """Rows of customers by both their ids, for as long as the transaction that read them."""

    def __init__(self, session: AsyncSession, business_id: int, now: datetime) -> None:
        self._session = session
        self._business_id = business_id
        self._now = now
        self._by_id: dict[str, CustomerRow] = {}
        self._by_number: dict[str, CustomerRow] = {}
        self._instead: dict[int, CustomerRow] = {}

    async def introduce(self, people: Sequence[Person]) -> None:
        """New rows. Of two with an id in common the first gets one, as when it stands in the database already."""
        if not people:
            return
        values = [
            {
                "business_id": self._business_id,
                "name": "",
                "user_id": one.user_id,
                "whatsapp_number": one.wa_id,
                "canonical_number": one.number,
                "created_at": self._now,
                "updated_at": self._now,
            }
            for one in sorted(people, key=lambda one: (one.user_id or "", one.number or ""))
        ]
        connection = await self._session.connection()
        await connection.execute(insert(self._session, CustomerRow).on_conflict_do_nothing(), values)
        self.add(await _rows_of(self._session, self._business_id, people))

    def add(self, rows: Sequence[CustomerRow]) -> None:
        """Rows as they are in the database."""
        for row in rows:
            if row.user_id is not None:
                self._by_id[row.user_id] = row
            if row.canonical_number is not None:
                self._by_number[row.canonical_number] = row

    def knows(self, person: Person) -> bool:
        """Whether there is a row by either id."""
        return person.user_id in self._by_id or person.number in self._by_number

    async def recognise(self, person: Person) -> CustomerRow | None:
        """The person's row, completed, or joined from two; None for one who names no id."""
        row = await self._find(person) if person.named else None
        if row is not None:
            if person.number and row.canonical_number:
                self._by_number.pop(row.canonical_number, None)  # it may be another from here on
            for name, value in news(row, person).items():
                setattr(row, name, value)
            self._session.add(row)
            self.add([row])
        return row

    def final(self, row: CustomerRow) -> CustomerRow:
        """The row itself, or the one that it has been joined with since."""
        while row.id in self._instead:
            row = self._instead[row.id]
        return row

    async def _find(self, person: Person) -> CustomerRow | None:
        by_id = self._by_id.get(person.user_id) if person.user_id else None
        by_number = self._by_number.get(person.number) if person.number else None
        if by_number is None or by_number is by_id:
            return by_id
        if person.user_id and by_number.user_id not in (None, person.user_id):
            del self._by_number[by_number.canonical_number or ""]
            await _release(self._session, by_number)
            if by_id is None:
                await self.introduce([person])
            return self._by_id.get(person.user_id)
        if by_id is None:
            return by_number
        self._instead[by_number.id or 0] = by_id
        return await _join(self._session, by_id, by_number, self._now)


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


_ROWS = select(CustomerRow).where(
    col(CustomerRow.business_id) == bindparam("business"),
    or_(
        col(CustomerRow.user_id).in_(bindparam("ids", expanding=True)),
        col(CustomerRow.canonical_number).in_(bindparam("numbers", expanding=True)),
    ),
)


async def _rows_of(session: AsyncSession, business_id: int, people: Sequence[Person]) -> Sequence[CustomerRow]:
    ids = sorted({one.user_id for one in people if one.user_id})
    numbers = sorted({one.number for one in people if one.number})
    return (await session.exec(_ROWS, params={"business": business_id, "ids": ids, "numbers": numbers})).all()


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


def news(row: CustomerRow | Known, person: Person) -> Mapping[str, str | None]:
    """What the message tells that the row did not know; a phone is kept as WhatsApp last reported it."""
    told = {"parent_user_id": person.parent_user_id, "username": person.username, "whatsapp_number": person.wa_id}
    told["canonical_number"] = person.number
    if row.user_id is None:
        told["user_id"] = person.user_id
    if not row.name and person.name:
        told["name"] = name_of(person.name)
    return {name: value for name, value in told.items() if value and value != getattr(row, name)}
