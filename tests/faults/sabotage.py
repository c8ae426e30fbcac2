"""The web and the worker with one of their guards taken out, named by SABOTAGE: the fault tests must notice.

For the tests alone: `uvicorn --factory tests.faults.sabotage:create_app`, `arq tests.faults.sabotage.WorkerSettings`.
"""

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.app import create_app
from bot.outbox import failure
from bot.store import claims, outbox, receipts
from bot.store.claims import Claimed, Waiting
from bot.store.tables import BusinessRow, OutboxRow
from jobs import worker

__all__ = ["create_app"]

_find_all = outbox.find_all


async def claim_without_looking(
    session: AsyncSession, delivery_ids: Collection[str], token: str, now: datetime, until: datetime
) -> Sequence[Claimed]:
    """Whatever their state."""
    await session.exec(
        update(OutboxRow)
        .where(col(OutboxRow.id).in_(delivery_ids))
        .values(state="sending", lease=token, lease_until=until, updated_at=now)
        .execution_options(synchronize_session=False)
    )
    return await claims.load(session, list(delivery_ids))


async def peek_without_looking(
    session: AsyncSession, delivery_ids: Collection[str], now: datetime
) -> Mapping[str, Waiting]:
    """Whatever their state."""
    del now
    query = (
        select(col(OutboxRow.id), col(OutboxRow.kind), col(OutboxRow.customer_id), col(BusinessRow.phone_number_id))
        .join(BusinessRow, col(BusinessRow.id) == col(OutboxRow.business_id))
        .where(col(OutboxRow.id).in_(delivery_ids))
    )
    found = await session.exec(query)
    return {delivery_id: Waiting(kind, customer_id, number) for delivery_id, kind, customer_id, number in found}


async def move_on_at_once(session: AsyncSession, row: OutboxRow, *_: object, now: datetime, **__: object) -> None:
    """A claim that has not come back is a failed send."""
    await failure.resend(session, row, now, None)
    session.add(row)


async def find_by_wamid(session: AsyncSession, wanted: Mapping[str, str | None]) -> outbox.Found:
    """The delivery id of a receipt says nothing."""
    return await _find_all(session, dict.fromkeys(wanted))


async def parked_by_nothing(
    session: AsyncSession, sent: Mapping[str, str | None]
) -> Mapping[str, Sequence[receipts.Receipt]]:
    """Those that came early are forgotten."""
    del session, sent
    return {}


match os.environ.get("SABOTAGE"):
    case "claim":
        claims.claim = claim_without_looking
        claims.peek = peek_without_looking
    case "lease":
        # By the modules' own names: those of the package are the functions.
        sys.modules["bot.outbox.claim"].__dict__["LEASE_MARGIN"] = -timedelta(hours=1)
        sys.modules["bot.outbox.recover"].__dict__["_move_on"] = move_on_at_once
        setattr(worker, "EVERY_SECONDS", 1)  # noqa: B010 - not exported; so that a sweep falls into a send
    case "receipts":
        outbox.find_all = find_by_wamid
        receipts.parked = parked_by_nothing
    case _:
        pass


def __getattr__(name: str) -> object:
    return getattr(worker, name)
