"""Since when has a web process been up to hear receipts?"""

from datetime import datetime, timedelta

from sqlalchemy import func
from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.database import insert
from bot.store.tables import WebHeartbeatRow

SILENT = timedelta(seconds=20)
"""A process that has not been seen for so long is down."""
FORGOTTEN = timedelta(hours=1)


async def beat(session: AsyncSession, process: str, up_since: datetime, now: datetime) -> None:
    """The process was up from `up_since` to now; rows of long-gone processes are swept out."""
    query = insert(session, WebHeartbeatRow).values(id=process, up_since=up_since, seen_at=now)
    await session.exec(query.on_conflict_do_update(index_elements=["id"], set_={"seen_at": now}))
    await session.exec(delete(WebHeartbeatRow).where(col(WebHeartbeatRow.seen_at) < now - FORGOTTEN))


async def gone(session: AsyncSession, process: str) -> None:
    """The process ended in good order."""
    await session.exec(delete(WebHeartbeatRow).where(col(WebHeartbeatRow.id) == process))


async def heard_since(session: AsyncSession, now: datetime) -> datetime | None:
    """From when on somebody has listened without a break until now; None when nobody does."""
    query = select(func.min(col(WebHeartbeatRow.up_since))).where(col(WebHeartbeatRow.seen_at) > now - SILENT)
    since: datetime | None = (await session.exec(query)).one()
    return since
