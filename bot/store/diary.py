"""A customer's appointments with the life of each reminder: what was sent, skipped and why, or when it will be due."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.phone import canonical
from bot.store.outbox import FLAGS
from bot.store.tables import AppointmentRow, CustomerRow, OutboxRow, ServiceRow, StaffRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One appointment with the names that belong to it, and its reminders' outbox rows, oldest first."""

    appointment: AppointmentRow
    service: str
    staff: str
    reminders: Sequence[OutboxRow]


async def of_person(session: AsyncSession, wa_id: str | None, user_id: str | None) -> Sequence[Entry]:
    """By phone in any form or by user id, latest start last."""
    query = (
        select(AppointmentRow, ServiceRow.name, StaffRow.name)
        .join(CustomerRow, col(CustomerRow.id) == col(AppointmentRow.customer_id))
        .outerjoin(ServiceRow, col(ServiceRow.id) == col(AppointmentRow.service_id))
        .outerjoin(StaffRow, col(StaffRow.id) == col(AppointmentRow.staff_id))
        .where(
            or_(
                col(CustomerRow.user_id) == (user_id or ""),
                col(CustomerRow.canonical_number) == canonical(wa_id or ""),
            )
        )
        .order_by(col(AppointmentRow.scheduled_at))
    )
    found = (await session.exec(query)).all()
    sent = await _reminders(session, [one.id for one, _, _ in found if one.id is not None])
    return [
        Entry(
            appointment=one,
            service=service or "",
            staff=staff or "",
            reminders=[row for row in sent if row.appointment_id == one.id],
        )
        for one, service, staff in found
    ]


async def _reminders(session: AsyncSession, appointment_ids: Sequence[int]) -> Sequence[OutboxRow]:
    query = (
        select(OutboxRow)
        .where(col(OutboxRow.appointment_id).in_(appointment_ids), col(OutboxRow.kind).in_(tuple(FLAGS)))
        .order_by(col(OutboxRow.created_at), col(OutboxRow.id))
    )
    return (await session.exec(query)).all()


def life(entry: Entry, kind: str, due_at: datetime) -> dict[str, object]:
    """One line of a reminder's life for its present slot: the latest attempt, or *due* at `due_at`."""
    since = entry.appointment.slot_version
    present = [row for row in entry.reminders if row.kind == kind and (row.appointment_version or 0) >= since]
    if not present:
        return {"kind": kind, "state": "due", "reason": None, "due_at": due_at.isoformat()}
    state = "answered" if present[-1].answered_at is not None else present[-1].state
    return {"kind": kind, "state": state, "reason": present[-1].reason, "due_at": due_at.isoformat()}
