"""What the command line shows: appointments with the names that belong to them, and whose they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.tables import AppointmentRow, BusinessRow, CustomerRow, ServiceRow, StaffRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One appointment; `name` is who comes, `phone` the digits as WhatsApp reports them, "" for a customer without."""

    appointment: AppointmentRow
    name: str
    phone: str
    service: str
    staff: str
    zone: ZoneInfo


async def appointments(session: AsyncSession, business_id: int | None = None) -> Sequence[Listed]:
    """Every appointment (of one business), by start."""
    query = (
        select(AppointmentRow, CustomerRow, ServiceRow.name, StaffRow.name)
        .join(CustomerRow, col(CustomerRow.id) == col(AppointmentRow.customer_id))
        .outerjoin(ServiceRow, col(ServiceRow.id) == col(AppointmentRow.service_id))
        .outerjoin(StaffRow, col(StaffRow.id) == col(AppointmentRow.staff_id))
        .order_by(col(AppointmentRow.scheduled_at), col(AppointmentRow.id))
    )
    if business_id is not None:
        query = query.where(col(AppointmentRow.business_id) == business_id)
    zones = await _zones(session)
    return [
        Listed(
            appointment=row,
            name=row.attendee or customer.name,
            phone=customer.whatsapp_number or "",
            service=service or "",
            staff=staff or "",
            zone=zones[row.business_id],
        )
        for row, customer, service, staff in await session.exec(query)
    ]


async def the_business(session: AsyncSession, phone_number_id: str) -> int | None:
    """The only business, or of several the one on that number (else ValueError); None in an empty database."""
    rows = (await session.exec(select(BusinessRow.id, BusinessRow.phone_number_id))).all()
    if len(rows) <= 1:
        return rows[0][0] if rows else None
    for business_id, number in rows:
        if number == phone_number_id:
            return business_id
    raise ValueError("WHATSAPP_PHONE_NUMBER_ID names none of the businesses in the database")


async def _zones(session: AsyncSession) -> dict[int, ZoneInfo]:
    rows = await session.exec(select(BusinessRow.id, BusinessRow.zone))
    return {business_id or 0: ZoneInfo(zone) for business_id, zone in rows}
