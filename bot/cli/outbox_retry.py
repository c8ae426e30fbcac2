"""`confirmo outbox retry`."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import typer

from bot.cli import door
from bot.clock import utc_now
from bot.core.appointment import Status
from bot.core.reminders import Decision, Kind, ReminderRules, Subject, at_claim
from bot.settings import Settings
from bot.store import businesses, retries
from bot.store.claims import Claimed
from bot.store.database import Session
from bot.store.outbox import FLAGS
from bot.store.tables import AppointmentRow
from bot.turn.load import WINDOW


def retry(ids: Annotated[list[str], typer.Argument(metavar="ID...", help="As `outbox list` shows them.")]) -> None:
    """Prints the new ids. A running server sends them; the old rows stay as they are."""
    for new_id in asyncio.run(_retry(door.settings(), list(dict.fromkeys(ids)))):
        typer.echo(new_id)


async def _retry(settings: Settings, ids: Sequence[str]) -> list[str]:
    now = utc_now()
    async with door.database(settings) as db, db.write() as session:
        return [await _again(session, settings, delivery_id, now) for delivery_id in ids]


async def _again(session: Session, settings: Settings, delivery_id: str, now: datetime) -> str:
    old = await retries.find(session, delivery_id)
    if old.customer.whatsapp_number is None and old.customer.user_id is None:
        raise _cannot(delivery_id, "the customer has neither phone nor user id (unreachable)")
    if old.row.kind in FLAGS and old.appointment is not None:
        business = await businesses.load(session, old.row.business_id)
        expires_at = _until_start(old, old.appointment, door.rules(settings, business), now)
    else:
        expires_at = _until_window_closes(old, now)
    return await retries.again(session, old, expires_at=expires_at, now=now)


def _until_start(old: Claimed, appointment: AppointmentRow, rules: ReminderRules, now: datetime) -> datetime:
    """The same look as before sending, so that nothing is queued that would only be skipped."""
    subject = Subject(
        status=Status(appointment.status),
        start=appointment.scheduled_at,
        slot_set_at=appointment.slot_set_at,
        opted_out=old.customer.opted_out_at is not None,
    )
    same_slot = (old.row.appointment_version or 0) >= appointment.slot_version
    verdict = at_claim(Kind(old.row.kind), subject, now, rules, version_matches=same_slot)
    if verdict.decision is Decision.SKIP:
        raise _cannot(old.row.id, f"it would be skipped: {verdict.reason}")
    return appointment.scheduled_at


def _until_window_closes(old: Claimed, now: datetime) -> datetime:
    heard = old.customer.last_inbound_at
    if heard is None or now >= heard + WINDOW:
        raise _cannot(old.row.id, "the customer wrote more than 24 h ago (window_closed)")
    return heard + WINDOW


def _cannot(delivery_id: str, why: str) -> ValueError:
    return ValueError(f"{delivery_id} cannot be sent again: {why}")
