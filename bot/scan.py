"""One scan for one kind of reminder: find what is due by index, decide purely, write the outbox rows; send nothing."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.core.appointment import Status
from bot.core.business import Business
from bot.core.reminders import Decision, Kind, ReminderRules, Subject, Verdict, next_mark, verdicts
from bot.runtime import Runtime
from bot.store import businesses, reminders
from bot.store.database import Session
from bot.store.outbox import reminder_id
from bot.store.reminders import Due, Key
from bot.store.tables import OutboxRow

log = structlog.get_logger(__name__)

LONGEST = 20.0
"""Seconds after which a scan leaves the rest to the next tick."""
NOT_BEFORE = 0.1
"""Seconds by which a wake-up is later than the row's own time, for clocks that differ a little."""


@dataclass(frozen=True, slots=True)
class Pace:
    """When the next message of a scan may go: spread at the sending rate, so that chat replies pass between."""

    apart: float
    before: int

    def at(self, number: int, now: datetime) -> datetime:
        return now + timedelta(seconds=(self.before + number) * self.apart)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanResult:
    """The delivery ids of the reminders that are to be sent, and how many were skipped with a reason."""

    created: tuple[str, ...] = ()
    skipped: int = 0


async def due_scan(runtime: Runtime, kind: Kind) -> ScanResult | None:
    """A scan if it is time for one, however many workers ask at once; None if it is not."""
    now = runtime.clock.now()
    interval = timedelta(seconds=runtime.settings.reminder_scan_interval_seconds)
    async with runtime.db.write() as session:
        if not await reminders.start_scan(session, kind, now, interval):
            return None
    result = await scan(runtime, kind, now)
    async with runtime.db.write() as session:
        await reminders.finish_scan(session, kind, runtime.clock.now())
    return result


async def scan(runtime: Runtime, kind: Kind, now: datetime) -> ScanResult:
    """Every appointment whose mark has come by `now`, page by page, each page in one commit."""
    clock = asyncio.get_running_loop().time
    end = clock() + LONGEST
    apart = runtime.limits.apart
    created: list[str] = []
    skipped, after = 0, None
    while True:
        rows, after = await _page(runtime, kind, now, after, Pace(apart, len(created)))
        queued = [row.id for row in rows if row.state == "queued"]
        skipped += len(rows) - len(queued)
        await runtime.queue.deliver(queued, after=len(created) * apart + NOT_BEFORE, apart=apart)
        created += queued
        if after is None or clock() > end:
            break
    if created or skipped:
        log.info("scanned", action="scan", kind=kind.value, created=len(created), skipped=skipped)
    return ScanResult(created=tuple(created), skipped=skipped)


async def _page(
    runtime: Runtime, kind: Kind, now: datetime, after: Key | None, pace: Pace
) -> tuple[Sequence[OutboxRow], Key | None]:
    async with runtime.db.write() as session:
        found, following = await reminders.due(session, now, after)
        rules = await _rules(session, runtime, found)
        rows: list[OutboxRow] = []
        marks: list[tuple[int, int, datetime | None]] = []
        for due in found:
            decided, mark = decide(due, kind, now, rules[due.appointment.business_id])
            rows += [decided] if decided is not None else []
            marks.append((due.appointment.id or 0, due.appointment.version, mark))
        rows.sort(key=lambda row: row.order_at)
        for number, row in enumerate(row for row in rows if row.state == "queued"):
            row.due_at = pace.at(number, now)
        added = await reminders.record(session, rows, marks)
    return [row for row in rows if row.id in added], following


async def _rules(session: Session, runtime: Runtime, found: Sequence[Due]) -> dict[int, ReminderRules]:
    loaded: dict[int, Business] = {}
    for business_id in {due.appointment.business_id for due in found}:
        loaded[business_id] = await businesses.load(session, business_id)
    return {business_id: runtime.rules(business) for business_id, business in loaded.items()}


def subject(due: Due) -> Subject:
    """What the rules look at."""
    appointment, customer = due.appointment, due.customer
    return Subject(
        status=Status(appointment.status),
        start=appointment.scheduled_at,
        slot_set_at=appointment.slot_set_at,
        decided=due.decided,
        opted_out=customer.opted_out_at is not None,
        reachable=customer.whatsapp_number is not None or customer.user_id is not None,
    )


def decide(due: Due, kind: Kind, now: datetime, rules: ReminderRules) -> tuple[OutboxRow | None, datetime | None]:
    """The diary row when this kind is sent or skipped now, and when the appointment must be looked at next."""
    about = subject(due)
    found = {verdict.kind: verdict for verdict in verdicts(about, now, rules)}
    mine = found[kind]
    if mine.decision not in (Decision.SEND, Decision.SKIP):
        return None, next_mark(found.values())
    rest = [verdict for verdict in found.values() if verdict.kind is not kind]
    return _row(due, mine, now), next_mark(rest)


def _row(due: Due, verdict: Verdict, now: datetime) -> OutboxRow:
    appointment = due.appointment
    return OutboxRow(
        id=reminder_id(appointment.id or 0, verdict.kind, appointment.version),
        business_id=appointment.business_id,
        kind=verdict.kind.value,
        customer_id=appointment.customer_id,
        appointment_id=appointment.id,
        appointment_version=appointment.version,
        state="queued" if verdict.decision is Decision.SEND else "skipped",
        reason=verdict.reason.value if verdict.reason is not None else None,
        rank=1,
        order_at=appointment.scheduled_at,
        due_at=now,
        expires_at=appointment.scheduled_at,
        created_at=now,
        updated_at=now,
    )
