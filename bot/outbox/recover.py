"""What was left behind: claims of a process that did not come back, and outcomes that stayed unknown."""

from datetime import datetime, timedelta

from bot.outbox.failure import lost, resend
from bot.runtime import Runtime
from bot.store import heartbeats, inbox, outbox
from bot.store.database import Session
from bot.store.tables import OutboxRow

BATCH = 500
LOOK_AGAIN = timedelta(seconds=10)
"""While no web process is up to hear a receipt, the waiting does not even begin."""


async def recover(runtime: Runtime) -> int:
    """A lapsed claim becomes unknown and is listened for; a waited-out unknown goes once more. How many were moved."""
    now, wait = runtime.clock.now(), runtime.unknown_wait
    async with runtime.db.write() as session:
        rows = await outbox.lapsed(session, now, limit=BATCH)
        since = await heartbeats.heard_since(session, now) if rows else None
        written = await inbox.last_written(session, [row.customer_id for row in rows])
        heard_enough_at = now + LOOK_AGAIN if since is None else since + wait
        for row in rows:
            await _move_on(session, row, now, heard_enough_at, written_at=written.get(row.customer_id), wait=wait)
    return len(rows)


async def _move_on(
    session: Session,
    row: OutboxRow,
    now: datetime,
    heard_enough_at: datetime,
    *,
    written_at: datetime | None,
    wait: timedelta,
) -> None:
    if row.state == "sending":
        lost(row, "the sender did not come back", now + wait, now)
    elif heard_enough_at > now:
        row.lease_until, row.updated_at = heard_enough_at, now
    else:
        await resend(session, row, now, written_at)
    session.add(row)
