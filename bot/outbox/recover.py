"""What was left behind: claims of a process that did not come back, and outcomes that stayed unknown."""

from datetime import datetime, timedelta

from bot.outbox.failure import lost, resend
from bot.runtime import Runtime
from bot.store import heartbeats, outbox
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
        for row in rows:
            _move_on(row, now, now + LOOK_AGAIN if since is None else since + wait, now + wait)
        session.add_all(rows)
    return len(rows)


def _move_on(row: OutboxRow, now: datetime, listened_until: datetime, until: datetime) -> None:
    if row.state == "sending":
        lost(row, "the sender did not come back", until, now)
    elif listened_until > now:
        row.lease_until, row.updated_at = listened_until, now
    else:
        resend(row, now)
