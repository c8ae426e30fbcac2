"""Write down what became of several sends, in one transaction: what was accepted all at once, the rest one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.outbox.failure import failed, lost
from bot.outbox.prepare import Ready
from bot.outbox.receive import catch_up
from bot.outbox.stops import lift
from bot.runtime import Runtime
from bot.store import accepted, outbox, receipts
from bot.store.accepted import Taken
from bot.store.database import Session
from bot.store.tables import OutboxRow
from bot.whatsapp.client import Accepted, Lost, NotSent, Outcome, Refused
from bot.whatsapp.errors import NO_CODE, GraphError


@dataclass(frozen=True, slots=True, eq=False)
class Ended:
    """A send that is over; whoever shares a database shares a clock and settings too."""

    runtime: Runtime
    ready: Ready
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """The message as it stands then; `due_at` when it has a row to be read, `following` the customer's next answer."""

    delivery_id: str
    state: str
    message_id: str | None
    cause: str | None
    phone_number_id: str
    due_at: datetime | None
    error_code: int | None
    following: str | None


async def mark(session: Session, ended: Sequence[Ended]) -> Sequence[Marked]:
    """How each of them stands now."""
    now = ended[0].runtime.clock.now()
    taken = await _take(session, ended, now)
    early = await receipts.parked(session, {one.ready.delivery_id: wamid for one, wamid in taken.items()})
    rows: dict[Ended, OutboxRow] = {}
    for one in ended:
        if one not in taken:
            rows[one] = await _settle(session, one, now)
        elif one.ready.delivery_id in early:
            rows[one] = await outbox.locked(session, one.ready.delivery_id)
            await catch_up(session, rows[one], now)
    replies = [one.ready.customer_id for one in ended if one.ready.kind == outbox.REPLY]
    following = await outbox.next_replies(session, replies)
    return [_marked(one, taken.get(one), rows.get(one), following) for one in ended]


async def _take(session: Session, ended: Sequence[Ended], now: datetime) -> Mapping[Ended, str]:
    """What Meta has taken while its claim stood, nearly everything, is accepted all at once; with their wamids."""
    good = {one: _taken(one.ready, one.outcome) for one in ended if isinstance(one.outcome, Accepted)}
    held = await accepted.sending(session, {told.delivery_id for told in good.values()}) if good else {}
    ours = {one: told for one, told in good.items() if held.get(told.delivery_id) == one.ready.token}
    new = await accepted.accept_all(session, list(ours.values()), now)
    for one in ours:
        await lift(session, one.ready.business_id, one.ready.kind, now)
    return {one: told.message_id for one, told in ours.items() if told.delivery_id in new}


def _taken(ready: Ready, outcome: Accepted) -> Taken:
    return Taken(
        delivery_id=ready.delivery_id,
        message_id=outcome.wamid,
        calls=outcome.calls,
        kind=ready.kind,
        appointment_id=ready.appointment_id,
        version=ready.version,
    )


async def _settle(session: Session, one: Ended, now: datetime) -> OutboxRow:
    """Anything else: refused, lost, not sent; or a receipt, or the sweep after our lease ran out, has settled it."""
    row, outcome = await outbox.locked(session, one.ready.delivery_id), one.outcome
    row.attempts += outcome.calls
    session.add(row)
    if isinstance(outcome, Accepted):
        await accepted.accept(session, row, outcome.wamid, now)
        await lift(session, row.business_id, row.kind, now)
    elif row.lease == one.ready.token:
        await _not_accepted(session, row, outcome, now, now + one.runtime.unknown_wait)
    await catch_up(session, row, now)
    return row


async def _not_accepted(
    session: Session, row: OutboxRow, outcome: Refused | NotSent | Lost, now: datetime, listen_until: datetime
) -> None:
    match outcome:
        case Refused(error=error, http_status=status, retry_after=after):
            await failed(session, row, error, now, http_status=status, retry_after=after)
        case NotSent(why=why):
            await failed(session, row, GraphError(code=NO_CODE, title=f"no connection: {why}"), now)
        case Lost(why=why):
            lost(row, why, listen_until, now)


def _marked(one: Ended, wamid: str | None, row: OutboxRow | None, following: Mapping[int, str]) -> Marked:
    ready = one.ready
    state = row.state if row is not None else "accepted"
    return Marked(
        delivery_id=ready.delivery_id,
        state=state,
        message_id=row.message_id if row is not None else wamid,
        cause=ready.cause,
        phone_number_id=ready.phone_number_id,
        due_at=row.due_at if row is not None else None,
        error_code=row.error_code if row is not None else None,
        following=following.get(ready.customer_id) if ready.kind == outbox.REPLY and state != "queued" else None,
    )
