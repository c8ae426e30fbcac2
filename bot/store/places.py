"""Which room or chair a booking occupies: chosen just before it is written, while nobody else can write."""

from datetime import datetime

from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.core.board import Board, Place, by_resource, by_staff
from bot.core.business import Service
from bot.store import businesses
from bot.store.calendar import load_around
from bot.store.database import POSTGRESQL

TURN = 0x636F6E67
"""The number of the lock that migration 0003's guard takes on PostgreSQL, together with the business's id."""


async def take_turn(session: AsyncSession, business_id: int) -> None:
    """From here to the end of this transaction no other one writes this business's appointments.

    The guard takes the same turn at the first row. Whoever changes a row takes it before: else one could hold the row
    and wait for the turn, the other the reverse. SQLite's writers take turns anyway.
    """
    if session.get_bind().dialect.name == POSTGRESQL:
        connection = await session.connection()
        turn = text("SELECT pg_advisory_xact_lock(:turn, :business)")
        await connection.execute(turn, {"turn": TURN, "business": business_id})


async def place(
    session: AsyncSession,
    business_id: int,
    *,
    service: int | None,
    staff: int | None,
    start: datetime,
    until: datetime,
    appointment: int | None = None,
) -> Place | None:
    """Where it can be had, `until` including the buffer; None when it cannot. `appointment` is the one being moved.

    Only asked of services that need a resource or have several seats: of the others the guard alone decides.
    """
    await take_turn(session, business_id)
    business = await businesses.load(session, business_id)
    wanted = next((one for one in business.services if one.id == service), None)
    if wanted is None or staff is None or plain(wanted):
        return Place(None)
    busy = await load_around(session, staff, wanted.resources or (), start, until)
    rooms = {span.resource for span in busy if span.resource is not None} - {*(wanted.resources or ())}
    if rooms:  # a session may stand in a room that the service no longer asks for
        busy = await load_around(session, staff, {*rooms, *(wanted.resources or ())}, start, until)
    board = Board(service=wanted, staff=by_staff(busy), resources=by_resource(busy), ignore=appointment)
    return board.place(staff, start, until)


def plain(service: Service) -> bool:
    """Whether it needs no room and has one seat."""
    return service.capacity == 1 and service.resources is None
