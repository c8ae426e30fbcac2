"""Blue ticks: the customer's message was read, since it was answered."""

from bot.outbox.mark import Marked
from bot.runtime import Runtime


async def seen(runtime: Runtime, answer: Marked) -> None:
    """Mark what `answer` answers as read. Best effort: nothing depends on it."""
    if answer.cause is not None:
        await runtime.graph(answer.phone_number_id).mark_read(answer.cause)
