"""What staff must look at, and alarms: one open alarm per kind and business."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.database import insert
from bot.store.tables import AlarmRow, AttentionRow, CustomerRow

ASKED_FOR = "person"
IN_A_MUTED_CHAT = (ASKED_FOR, "message", "unreadable")
"""What is listed of a chat that a person has taken over."""


async def attend(session: AsyncSession, row: AttentionRow) -> bool:
    """List a matter; False when the same source has listed it before."""
    added = await session.exec(
        insert(session, AttentionRow)
        .values(**row.model_dump(exclude={"id"}))
        .on_conflict_do_nothing(index_elements=["business_id", "source"])
        .returning(col(AttentionRow.id))
    )
    return added.first() is not None


async def open_matters(session: AsyncSession) -> Sequence[AttentionRow]:
    """Oldest first."""
    query = select(AttentionRow).where(col(AttentionRow.done_at).is_(None)).order_by(col(AttentionRow.created_at))
    return (await session.exec(query)).all()


async def done(session: AsyncSession, matter_id: int, now: datetime) -> AttentionRow | None:
    """Settle a matter; None when there is no open one with this id."""
    query = select(AttentionRow).where(col(AttentionRow.id) == matter_id, col(AttentionRow.done_at).is_(None))
    row = (await session.exec(query)).first()
    if row is not None:
        row.done_at = now
        session.add(row)
    return row


async def give_back(session: AsyncSession, matter: AttentionRow, now: datetime) -> bool:
    """The bot answers this customer again once a person has been with them: True when it was quiet until now.

    That is, when the wish for a person is done, or when nothing that was said meanwhile is left to be looked at.
    """
    if matter.kind not in IN_A_MUTED_CHAT:
        return False
    if matter.kind != ASKED_FOR and await _waits(session, matter):
        return False
    muted = await session.exec(
        update(CustomerRow)
        .where(col(CustomerRow.id) == matter.customer_id, col(CustomerRow.muted_until) > now)
        .values(muted_until=None, updated_at=now)
        .returning(col(CustomerRow.id))
    )
    return muted.first() is not None


async def _waits(session: AsyncSession, matter: AttentionRow) -> bool:
    """Something else of the same chat is left."""
    others = select(col(AttentionRow.id)).where(
        col(AttentionRow.customer_id) == matter.customer_id,
        col(AttentionRow.kind).in_(IN_A_MUTED_CHAT),
        col(AttentionRow.done_at).is_(None),
        col(AttentionRow.id) != matter.id,
    )
    return (await session.exec(others)).first() is not None


async def raise_alarm(
    session: AsyncSession, business_id: int, kind: str, detail: str, now: datetime, *, probe_at: datetime | None = None
) -> bool:
    """Open the alarm; False when it is open already."""
    session.info.pop(_QUIET, None)
    added = await session.exec(
        insert(session, AlarmRow)
        .values(business_id=business_id, kind=kind, detail=detail, opened_at=now, probe_at=probe_at)
        .on_conflict_do_nothing()
        .returning(col(AlarmRow.id))
    )
    return added.first() is not None


async def hold(
    session: AsyncSession, business_id: int, kinds: Sequence[str], now: datetime, *, probe_every: timedelta
) -> datetime | None:
    """Until when alarms of these kinds hold a message up. None when none is open, or when this one may probe."""
    if await _quiet(session, business_id):
        return None
    query = (
        select(AlarmRow)
        .where(
            col(AlarmRow.business_id) == business_id, col(AlarmRow.kind).in_(kinds), col(AlarmRow.closed_at).is_(None)
        )
        .with_for_update()
    )
    rows = (await session.exec(query)).all()
    waits = [row.probe_at for row in rows if row.probe_at is not None and row.probe_at > now]
    if waits:
        return max(waits)
    for row in rows:
        row.probe_at = now + probe_every
        session.add(row)
    return None


async def close_alarm(session: AsyncSession, business_id: int, kinds: Sequence[str], now: datetime) -> Sequence[str]:
    """Close the open ones of these kinds; answers which were open."""
    if await _quiet(session, business_id):
        return ()
    closed = await session.exec(
        update(AlarmRow)
        .where(
            col(AlarmRow.business_id) == business_id, col(AlarmRow.kind).in_(kinds), col(AlarmRow.closed_at).is_(None)
        )
        .values(closed_at=now)
        .returning(col(AlarmRow.kind))
    )
    return closed.scalars().all()


_QUIET = "businesses without an alarm"
_OPEN_ALARM = (
    select(col(AlarmRow.id))
    .where(col(AlarmRow.business_id) == bindparam("business"), col(AlarmRow.closed_at).is_(None))
    .limit(1)
)


async def _quiet(session: AsyncSession, business_id: int) -> bool:
    """Whether no alarm is open, as nearly always; known for the rest of the transaction, unless it raises one."""
    quiet: set[int] = session.info.setdefault(_QUIET, set())
    if business_id in quiet:
        return True
    connection = await session.connection()
    if (await connection.execute(_OPEN_ALARM, {"business": business_id})).first() is not None:
        return False
    quiet.add(business_id)
    return True


async def open_alarms(session: AsyncSession) -> Sequence[AlarmRow]:
    """Oldest first."""
    query = select(AlarmRow).where(col(AlarmRow.closed_at).is_(None)).order_by(col(AlarmRow.opened_at))
    return (await session.exec(query)).all()
