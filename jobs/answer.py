"""Handle what one customer sent, and send what the turn wrote."""

from typing import Any

from bot.outbox import deliver
from bot.runtime import Runtime
from bot.turn import answer as turn


async def answer(ctx: dict[str, Any], customer_id: int) -> None:
    """The replies go out in order, one after the other."""
    runtime: Runtime = ctx["runtime"]
    for delivery_id in await turn(runtime, customer_id):
        await deliver(runtime, delivery_id)
