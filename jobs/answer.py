"""Handle what customers sent, and send what the turns wrote."""

from functools import partial
from typing import Any

from bot.outbox import deliver, seen
from bot.runtime import Runtime
from bot.turn import answer as turn
from jobs.side_by_side import side_by_side

AT_ONCE = 10


async def answer(ctx: dict[str, Any], *customer_ids: int) -> None:
    """Customers side by side, so that none waits for another's answer."""
    runtime: Runtime = ctx["runtime"]
    await side_by_side([partial(_answer, runtime, one) for one in customer_ids], AT_ONCE)


async def _answer(runtime: Runtime, customer_id: int) -> None:
    """The replies go out in order, one after the other; then the customer sees that the message was read."""
    sent = [await deliver(runtime, delivery_id) for delivery_id in await turn(runtime, customer_id)]
    answered = [row for row in sent if row is not None and row.message_id is not None]
    if answered:
        await seen(runtime, answered[-1])
