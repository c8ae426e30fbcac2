"""Blue ticks: the customer's message was read, since it was answered."""

from bot.runtime import Runtime
from bot.store import templates
from bot.store.tables import OutboxRow


async def seen(runtime: Runtime, answer: OutboxRow) -> None:
    """Mark what `answer` answers as read. Best effort: nothing depends on it."""
    if answer.cause is None:
        return
    async with runtime.db.read() as session:
        number = await templates.phone_number_id(session, answer.business_id)
    await runtime.graph(number).mark_read(answer.cause)
