"""What was left behind: claims of a process that did not come back, and outcomes that stayed unknown."""

from datetime import datetime

from bot.outbox.failure import lost, resend
from bot.runtime import Runtime
from bot.store import outbox
from bot.store.tables import OutboxRow

BATCH = 500


async def recover(runtime: Runtime) -> int:
    """A lapsed claim becomes unknown and is listened for; a waited-out unknown goes once more. How many were moved."""
    now = runtime.clock.now()
    async with runtime.db.write() as session:
        rows = await outbox.lapsed(session, now, limit=BATCH)
        for row in rows:
            _move_on(row, now, now + runtime.unknown_wait)
        session.add_all(rows)
    return len(rows)


def _move_on(row: OutboxRow, now: datetime, until: datetime) -> None:
    if row.state == "sending":
        lost(row, "the sender did not come back", until, now)
    else:
        resend(row, now)
