"""`confirmo reminders scan`."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

import typer

from bot.app import open_runtime
from bot.cli import door, table, times
from bot.clock import Clock
from bot.core.business import Business
from bot.core.reminders import Decision, Kind, verdicts
from bot.queue import Queue
from bot.scan import ScanResult, subject
from bot.scan import scan as scan_for
from bot.settings import Settings
from bot.store import businesses, reminders
from bot.store.database import Session
from bot.store.opening import opened
from bot.store.reminders import Due, Key

HEADER = ("APPOINTMENT", "START", "CUSTOMER", "REMINDER", "VERDICT", "REASON", "DUE")
FAR = datetime(9999, 1, 1, tzinfo=UTC)
"""All that are undecided have their next mark before it."""
NOWHERE = "unix:///dev/null"


class NoQueue(Queue):
    """Without Redis there is nobody to wake: the sweep of a running server finds the rows."""

    async def deliver(self, delivery_ids: Sequence[str], *, after: float = 0, apart: float = 0) -> None:
        """Nothing."""


def scan(
    now: Annotated[
        str | None,
        typer.Option(help="As if it were this time: ISO 8601, without an offset the business's local time."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show the verdicts; nothing is written.")] = False,
) -> None:
    """Verdicts on all reminders of active appointments that are not decided yet."""
    lines, results = asyncio.run(_scan(door.settings(), now, dry_run=dry_run))
    table.show(HEADER, lines, empty="no reminder is open")
    for kind, result in results.items():
        typer.echo(f"{kind}: {len(result.created)} to be sent, {result.skipped} skipped")


async def _scan(
    settings: Settings, at: str | None, *, dry_run: bool
) -> tuple[Sequence[Sequence[object]], dict[Kind, ScanResult]]:
    redis_url = settings.redis_url.get_secret_value()
    async with opened(settings.database_url.get_secret_value()) as db:
        business = await door.business(db, settings)
        if business is None:
            return (), {}
        now = Clock().now() if at is None else times.read(at, business.zone)
        async with db.read() as session:
            lines = await _lines(session, settings, now)
    if dry_run:
        return lines, {}
    async with open_runtime(settings, Clock(), redis_url or NOWHERE) as runtime:
        awake = runtime if redis_url else replace(runtime, queue=NoQueue(runtime.queue.redis))
        return lines, {kind: await scan_for(awake, kind, now) for kind in Kind}


async def _lines(session: Session, settings: Settings, now: datetime) -> list[Sequence[object]]:
    lines: list[Sequence[object]] = []
    known: dict[int, Business] = {}
    after: Key | None = None
    while True:
        page, after = await reminders.due(session, FAR, after)
        for due in page:
            business_id = due.appointment.business_id
            known[business_id] = business = known.get(business_id) or await businesses.load(session, business_id)
            lines += _verdicts(due, business, settings, now)
        if after is None:
            return sorted(lines, key=str)


def _verdicts(due: Due, business: Business, settings: Settings, now: datetime) -> list[Sequence[object]]:
    row = due.appointment
    found = verdicts(subject(due), now, door.rules(settings, business))
    return [
        (
            row.id,
            times.local(row.scheduled_at, business.zone),
            row.attendee or due.customer.name,
            verdict.kind,
            verdict.decision,
            verdict.reason,
            times.local(verdict.again_at or verdict.mark, business.zone),
        )
        for verdict in found
        if verdict.decision is not Decision.DECIDED
    ]
