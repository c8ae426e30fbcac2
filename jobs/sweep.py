"""Find what was left behind, whatever happened to the queue: the database knows, the queue is only woken again."""

from datetime import timedelta
from typing import Any

from bot.outbox import recover
from bot.runtime import Runtime
from bot.store import inbox, outbox

LOST_AFTER = timedelta(seconds=5)
"""A wake-up that has not been followed for so long is taken as lost; a second one does no harm."""
BATCH = 500
EVERY_SECONDS = 5


async def sweep(ctx: dict[str, Any]) -> None:
    """Lapsed claims, unknown outcomes, messages nobody answered, rows nobody sent."""
    runtime: Runtime = ctx["runtime"]
    await recover(runtime)
    now = runtime.clock.now()
    rate = runtime.settings.send_rate_per_second
    async with runtime.db.read() as session:
        customers = await inbox.waiting(session, now, older_than=LOST_AFTER, limit=BATCH)
        deliveries = await outbox.due(session, now, queued_for=LOST_AFTER, limit=max(BATCH, EVERY_SECONDS * rate))
    await runtime.queue.answer(customers)
    await runtime.queue.deliver(deliveries, apart=1 / rate)
