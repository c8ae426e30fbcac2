"""The 24h and 2h scans: asked every second, run when REMINDER_SCAN_INTERVAL_SECONDS have passed."""

from typing import Any

from bot.core.reminders import Kind
from bot.scan import due_scan


async def scan_24h(ctx: dict[str, Any]) -> None:
    """Reminders a day ahead."""
    await due_scan(ctx["runtime"], Kind.DAY)


async def scan_2h(ctx: dict[str, Any]) -> None:
    """Reminders two hours ahead."""
    await due_scan(ctx["runtime"], Kind.HOURS)
