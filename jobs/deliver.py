"""Send messages of the outbox."""

from functools import partial
from typing import Any

from bot import outbox
from bot.runtime import Runtime
from jobs.side_by_side import side_by_side


async def deliver(ctx: dict[str, Any], *delivery_ids: str) -> None:
    """The payload are delivery ids; everything else is in the database. The rate lets each go at its time."""
    runtime: Runtime = ctx["runtime"]
    await side_by_side([partial(outbox.deliver, runtime, one) for one in delivery_ids], len(delivery_ids))
