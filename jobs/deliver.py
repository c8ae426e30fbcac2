"""Send one message of the outbox."""

from typing import Any

from bot import outbox


async def deliver(ctx: dict[str, Any], delivery_id: str) -> None:
    """The payload is the delivery id; everything else is in the database."""
    await outbox.deliver(ctx["runtime"], delivery_id)
