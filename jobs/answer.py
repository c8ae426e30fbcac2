"""Handle what one customer sent, and send what the turn wrote."""

from typing import Any

from bot.outbox import deliver, seen
from bot.runtime import Runtime
from bot.turn import answer as turn


async def answer(ctx: dict[str, Any], customer_id: int) -> None:
    """The replies go out in order, one after the other; then the customer sees that the message was read."""
    runtime: Runtime = ctx["runtime"]
    sent = [await deliver(runtime, delivery_id) for delivery_id in await turn(runtime, customer_id)]
    answered = [row for row in sent if row is not None and row.message_id is not None]
    if answered:
        await seen(runtime, answered[-1])
