"""What was left behind: claims of a process that did not come back, and outcomes that stayed unknown."""

from datetime import datetime, timedelta

from bot.outbox.failure import lost, resend
from bot.outbox.receive import catch_up
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
        heard = await heartbeats.heard(session, now) if rows else None
        written = await inbox.last_written(session, [row.customer_id for row in rows])
        for row in rows:
            await _move_on(session, row, heard, wait, now=now, written_at=written.get(row.customer_id))
    await runtime.queue.deliver([row.id for row in rows if row.state == "queued"])
    return len(rows)


async def _move_on(
    session: Session,
    row: OutboxRow,
    heard: tuple[datetime, datetime] | None,
    wait: timedelta,
    *,
    now: datetime,
    written_at: datetime | None,
) -> None:
    """An unknown one goes once more if somebody has surely listened all the time; else it is listened for on."""
    since, until = heard or (now, now)
    enough_at = max(since + wait, row.lease_until or now)
    if row.state == "sending":
        lost(row, "the sender did not come back", now + wait, now)
        await catch_up(session, row, now)
    elif heard is None:
        row.lease_until = now + LOOK_AGAIN
    elif enough_at > until:
        row.lease_until = enough_at
    else:
        await resend(session, row, now, written_at)
    session.add(row)
