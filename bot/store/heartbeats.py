"""From when to when has a web process been up to hear receipts?"""

from datetime import datetime, timedelta

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


async def heard(session: AsyncSession, now: datetime) -> tuple[datetime, datetime] | None:
    """The span, without a break, in which somebody has surely listened, up to the last beat; None when nobody does.

    A process that was killed has listened until its last beat, whoever came up after it.
    """
    query = select(col(WebHeartbeatRow.up_since), col(WebHeartbeatRow.seen_at))
    spans = (await session.exec(query.order_by(col(WebHeartbeatRow.seen_at).desc()))).all()
    if not spans or spans[0][1] <= now - SILENT:
        return None
    since, until = spans[0]
    for began, ended in spans:
        since = min(since, began) if ended >= since else since
    return since, until
