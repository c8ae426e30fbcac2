"""`confirmo outbox list`."""

import asyncio
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from bot.cli import door, table
from bot.settings import Settings
from bot.store import outbox
from bot.store.tables import OutboxRow

HEADER = ("ID", "CREATED (UTC)", "KIND", "CUSTOMER", "APPOINTMENT", "STATE", "ATTEMPTS", "REASON")


class State(StrEnum):
    QUEUED = "queued"
    SENDING = "sending"
    UNKNOWN = "unknown"
    ACCEPTED = "accepted"
    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"
    SKIPPED = "skipped"


def show(
    state: Annotated[State | None, typer.Option(help="Only those in this state.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One object a line: all columns; times in UTC.")] = False,
) -> None:
    """Oldest first."""
    rows = asyncio.run(_load(door.settings(), state))
    if as_json:
        table.show_json(map(table.columns, rows))
    else:
        table.show(HEADER, map(_cells, rows), empty="no messages")


async def _load(settings: Settings, state: str | None) -> Sequence[OutboxRow]:
    async with door.database(settings) as db, db.read() as session:
        return await outbox.all_of(session, state)


def _cells(row: OutboxRow) -> tuple[object, ...]:
    created = row.created_at.strftime("%Y-%m-%d %H:%M:%S")
    why = row.reason or row.error_text
    return row.id, created, row.kind, row.customer_id, row.appointment_id, row.state, row.attempts, why
