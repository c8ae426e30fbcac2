"""Handle what customers sent, and send what the turns wrote."""

import asyncio
from typing import Any

from bot.outbox import deliver, seen
from bot.runtime import Runtime
from bot.turn import answer as turn

AT_ONCE = 10


async def answer(ctx: dict[str, Any], *customer_ids: int) -> None:
    """Customers side by side, so that none waits for another's; the first failure is told when all are through."""
    runtime: Runtime = ctx["runtime"]
    gate = asyncio.Semaphore(AT_ONCE)
    failures: list[Exception] = []

    async def one(customer_id: int) -> None:
        async with gate:
            try:
                await _answer(runtime, customer_id)
            except Exception as error:  # noqa: BLE001 - told below; one customer's trouble is not the others'
                failures.append(error)

    async with asyncio.TaskGroup() as group:
        for customer_id in customer_ids:
            group.create_task(one(customer_id))
    if failures:
        raise failures[0]


async def _answer(runtime: Runtime, customer_id: int) -> None:
    """The replies go out in order, one after the other; then the customer sees that the message was read."""
    sent = [await deliver(runtime, delivery_id) for delivery_id in await turn(runtime, customer_id)]
    answered = [row for row in sent if row is not None and row.message_id is not None]
    if answered:
        await seen(runtime, answered[-1])
