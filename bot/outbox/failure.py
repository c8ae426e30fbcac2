"""What a failure means for the message: again later, not at all, or a stop of the whole account. One table for all."""

import json
import random
from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from bot.core.reminders import Reason
from bot.outbox.stops import ALARMS, stop
from bot.store import templates
from bot.store.attention import attend, raise_alarm
from bot.store.database import Session
from bot.store.outbox import FLAGS, UNKNOWN
from bot.store.tables import AttentionRow, OutboxRow
from bot.whatsapp.errors import GraphError, Handling, handling, sentence

MOST_FAILURES = 8
MOST: Mapping[Handling, int] = MappingProxyType(
    {
        Handling.RETRY: MOST_FAILURES,
        Handling.LATER_FOR_CUSTOMER: MOST_FAILURES,
        Handling.RETRY_THREE: 3,
        Handling.STOP_ACCOUNT: MOST_FAILURES,
        Handling.STOP_REMINDERS: MOST_FAILURES,
        Handling.STOP_TEMPLATES: MOST_FAILURES,
        Handling.USE_TEMPLATE: 0,
        Handling.PERMANENT: 0,
    }
)
"""After so many definite failures of a message it rests in `failed`."""
UNUSABLE = MappingProxyType({132001: "MISSING", 132015: "PAUSED", 132016: "DISABLED"})
"""Codes that speak of the template, not of the message."""
MOST_RESENDS = 2
"""Three sends a message at most when every outcome stays unknown."""
LONGEST_PAUSE = 300.0


async def failed(
    session: Session,
    row: OutboxRow,
    error: GraphError,
    now: datetime,
    *,
    http_status: int | None = None,
    retry_after: float | None = None,
) -> None:
    """A definite refusal, by an HTTP answer or by a `failed` receipt: note it and decide what follows."""
    row.failures += 1
    row.error_code, row.error_text = error.code, f"{sentence(error.code)} {error.details or error.title}".strip()
    row.lease, row.lease_until, row.updated_at = None, None, now
    how = handling(error.code, http_status=http_status, transient=error.transient)
    if how in ALARMS:
        row.failures -= 1  # the account's fault, not the message's
        await stop(session, row, how, error, now)
    if error.code in UNUSABLE:
        how = await _other_template(session, row, error, now)
    again = row.failures < MOST[how]
    due = now + timedelta(seconds=retry_after if retry_after is not None else _pause(row.failures))
    if again and (row.expires_at is None or due < row.expires_at):
        row.state, row.due_at = "queued", due
    else:
        closed = how is Handling.USE_TEMPLATE and row.kind not in FLAGS
        row.state, row.reason = ("skipped", Reason.WINDOW_CLOSED.value) if closed else ("failed", None)
        await _show(session, row, now)
    session.add(row)


def lost(row: OutboxRow, why: str, until: datetime, now: datetime) -> None:
    """Nobody knows whether it went out: listen for its receipt until then."""
    row.state, row.error_text = "unknown", why
    row.lease, row.lease_until, row.updated_at = None, until, now


async def resend(session: Session, row: OutboxRow, now: datetime, written_at: datetime | None) -> None:
    """Listened for long enough: once more with the same id, unless the limit or the start forbids it.

    `written_at` is the customer's last message: an answer that it has overtaken is not sent again.
    """
    row.lease, row.lease_until, row.updated_at = None, None, now
    if row.kind not in FLAGS and written_at is not None and written_at > row.created_at:
        row.state, row.reason = "skipped", Reason.OVERTAKEN.value
        return
    if row.resends >= MOST_RESENDS or (row.expires_at is not None and now >= row.expires_at):
        row.state, row.reason = "failed", UNKNOWN
        await _show(session, row, now)
        return
    row.resends += 1
    row.state, row.due_at = "queued", now


async def _other_template(session: Session, row: OutboxRow, error: GraphError, now: datetime) -> Handling:
    """The template itself cannot be sent: noted, an alarm, and this message takes another one if there is any."""
    sent = json.loads(row.body or "{}").get("template")
    if sent is None:
        return Handling.PERMANENT
    name, language = sent["name"], sent["language"]["code"]
    await templates.note(session, row.business_id, name, language, now=now, status=UNUSABLE[error.code])
    kind = f"template:{name}:{language}"
    await raise_alarm(session, row.business_id, kind, f"{error.code}: {sentence(error.code)}", now)
    return Handling.RETRY


def _pause(failures: int) -> float:
    """1·2ⁿ s, capped, with jitter so that those who failed together do not come back together."""
    return min(LONGEST_PAUSE, 2.0**failures) * random.uniform(0.75, 1.0)  # noqa: S311 - no secret


async def _show(session: Session, row: OutboxRow, now: datetime) -> None:
    what = f"a {row.kind} reminder" if row.kind in FLAGS else "an answer"
    matter = AttentionRow(
        business_id=row.business_id,
        customer_id=row.customer_id,
        appointment_id=row.appointment_id,
        kind="not_sent",
        text=f"{what} did not reach the customer: {row.error_text or row.reason}",
        source=f"not_sent:{row.id}:{row.attempts}",
        created_at=now,
    )
    await attend(session, matter)
