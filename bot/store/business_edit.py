"""Changes a business: says what changes and which bookings it strands, writes the audit trail, keeps wall clocks.

One door for all edits, the file's and the console's: read what there is, change the value, give it here. Nothing is
final before the caller's transaction commits: a dry run rolls back.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store import attention, business_rows, business_write, businesses, rezone, stranded
from bot.store.appointments import Cause
from bot.store.business_changes import Change, changes, kept
from bot.store.business_file import BusinessFile, checked
from bot.store.business_written import written
from bot.store.database import alone
from bot.store.places import take_turn
from bot.store.rezone import Rezoned
from bot.store.stranded import Stranded
from bot.store.tables import AttentionRow, BusinessEventRow, ResourceRow, ServiceRow, StaffRow

KIND = "stranded"
"""Of the matter that staff see for each booking that an edit strands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What an edit does. `rezoned` are the appointments whose instant follows the zone, so that wall clocks stay."""

    changes: tuple[Change, ...]
    rezoned: tuple[Rezoned, ...] = ()
    stranded: tuple[Stranded, ...] = ()


async def as_written(session: AsyncSession, business_id: int) -> BusinessFile:
    """The business as its file would say it; LookupError for an unknown id."""
    return written(await business_rows.fetch(session, business_id))


async def edit(
    session: AsyncSession,
    business_id: int,
    change: Callable[[BusinessFile], BusinessFile],
    *,
    cause: Cause,
    now: datetime,
) -> Edit:
    """Makes the business what `change` makes of it. ValueError for what may not be, SlotGone when two bookings would
    meet after a change of zone: then nothing is to be committed.

    Services, staff and resources are matched by name; those left out are switched off, never deleted.
    """
    await alone(session)
    await take_turn(session, business_id)  # nobody books by the old rules once what is stranded has been listed
    rows = await business_rows.fetch(session, business_id)
    before = written(rows)
    after = kept(before, checked(change(before)))
    found = changes(before, after)
    if not found:
        return Edit(changes=())
    old = await businesses.load(session, business_id)
    booked = await stranded.bookings(session, business_id, now)
    await business_write.write(session, rows, after)
    moved = await rezone.rezone(session, business_id, old.zone.key, after.zone, cause=cause, now=now)
    new = await businesses.load(session, business_id)
    lost = stranded.stranded(booked, await stranded.bookings(session, business_id, now), old, new)
    session.add_all(_event(business_id, one, cause, now) for one in found)
    for one in lost:
        await attention.attend(session, _matter(business_id, one, now))
    return Edit(changes=found, rezoned=moved, stranded=lost)


async def rename(
    session: AsyncSession, business_id: int, subject: str, old: str, new: str, *, cause: Cause, now: datetime
) -> None:
    """Another name for the same `service`, `staff` or `resource`, whose appointments stay its own.

    LookupError when there is none of the old name, ValueError when the new one cannot be had. (In a file a new name is
    another one, and the old one is switched off.)
    """
    await alone(session)
    rows = await business_rows.fetch(session, business_id)
    named: dict[str, Sequence[ServiceRow | StaffRow | ResourceRow]] = {
        "service": rows.services,
        "staff": rows.staff,
        "resource": rows.resources,
    }
    row = next((one for one in named[subject] if one.name == old), None)
    if row is None:
        message = f"there is no {subject} {old!r}"
        raise LookupError(message)
    place = named[subject].index(row)
    row.name = new
    row.name = getattr(written(rows), subject)[place].name  # without outer spaces
    session.add(_event(business_id, Change(subject=f"{subject} {old}", what=f"name: {old} → {row.name}"), cause, now))
    await session.flush()


def _event(business_id: int, change: Change, cause: Cause, now: datetime) -> BusinessEventRow:
    return BusinessEventRow(
        business_id=business_id,
        at=now,
        subject=change.subject,
        change=change.what,
        actor=cause.actor.value,
        actor_name=cause.name,
    )


def _matter(business_id: int, lost: Stranded, now: datetime) -> AttentionRow:
    return AttentionRow(
        business_id=business_id,
        customer_id=lost.customer,
        appointment_id=lost.appointment,
        kind=KIND,
        text=lost.why.value,
        source=f"{KIND}:{lost.appointment}:{now.isoformat()}",
        created_at=now,
    )
