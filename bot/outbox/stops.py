"""When Meta stops the account: nothing goes into the void, one alarm, a probe a minute; the first success lifts it."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

import structlog

from bot.store import attention
from bot.store.database import Session
from bot.store.outbox import FLAGS, REPLY
from bot.store.tables import OutboxRow
from bot.whatsapp.errors import GraphError, Handling, sentence

log = structlog.get_logger(__name__)

PROBE_EVERY = timedelta(minutes=1)
ALARMS: Mapping[Handling, str] = MappingProxyType(
    {
        Handling.STOP_ACCOUNT: "account_stopped",
        Handling.STOP_REMINDERS: "reminders_stopped",
        Handling.STOP_TEMPLATES: "templates_stopped",
    }
)
_STOPS_ALL = ("account_stopped",)
_STOPS_REMINDERS = (*_STOPS_ALL, "reminders_stopped", "templates_stopped")


def _kinds(kind: str) -> tuple[str, ...]:
    """The alarms that hold up messages of this kind."""
    return _STOPS_REMINDERS if kind in FLAGS else _STOPS_ALL


async def stop(session: Session, row: OutboxRow, how: Handling, error: GraphError, now: datetime) -> None:
    """Raise the alarm, once."""
    kind = ALARMS[how]
    detail = f"{error.code}: {sentence(error.code)}"
    if await attention.raise_alarm(session, row.business_id, kind, detail, now, probe_at=now + PROBE_EVERY):
        log.error("sending has stopped", action="alarm", kind=kind, code=error.code, business=row.business_id)


async def stopped_until(session: Session, row: OutboxRow, now: datetime) -> datetime | None:
    """Until when this message must wait; None when nothing stops it, or when it is the probe."""
    if row.kind == REPLY and row.attempts == 0:
        return None  # a fresh customer message is a probe too
    return await attention.hold(session, row.business_id, _kinds(row.kind), now, probe_every=PROBE_EVERY)


async def lift(session: Session, business_id: int, kind: str, now: datetime) -> None:
    """A message of this kind was accepted: what held up such messages is over."""
    for alarm in await attention.close_alarm(session, business_id, _kinds(kind), now):
        log.warning("sending goes on", action="alarm_closed", kind=alarm, business=business_id)
