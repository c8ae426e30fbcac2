"""Who was lost, who was doubled, and whose row is wrong: the database against what the customers received."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import col, select

from bot.store.database import Database
from bot.store.outbox import FLAGS
from bot.store.tables import AppointmentRow, OutboxMessageRow, OutboxRow
from tests.faults.seeding import Expected

ARRIVED = ("accepted", "sent", "delivered", "read")
MOST_SENDS = 3
LOST_ANSWERS = ("reset", "broken", "stopped")
PERMANENT = 131026


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The database at the end."""

    appointments: Mapping[int, AppointmentRow]
    outbox: Mapping[str, OutboxRow]
    wamids: Mapping[str, frozenset[str]]


@dataclass(slots=True)
class Findings:
    """One line per fault, and what is rightly counted apart."""

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    received: int = 0
    skipped: int = 0
    allowed_resends: int = 0
    given_up: int = 0

    @property
    def good(self) -> bool:
        return not (self.lost or self.doubled or self.wrong)

    def __str__(self) -> str:
        faults = [f"{name}: {one}" for name in ("lost", "doubled", "wrong") for one in getattr(self, name)]
        return "\n".join(faults[:40])


async def load(db: Database) -> Rows:
    """All of it."""
    async with db.read() as session:
        appointments = (await session.exec(select(AppointmentRow))).all()
        outbox = (await session.exec(select(OutboxRow).where(col(OutboxRow.kind).in_(tuple(FLAGS))))).all()
        messages = (await session.exec(select(OutboxMessageRow))).all()
    wamids: dict[str, set[str]] = {}
    for one in messages:
        wamids.setdefault(one.outbox_id, set()).add(one.message_id)
    return Rows(
        appointments={row.id or 0: row for row in appointments},
        outbox={row.id: row for row in outbox},
        wamids={key: frozenset(ids) for key, ids in wamids.items()},
    )


def check(expected: Sequence[Expected], rows: Rows, told: Mapping[str, Any]) -> Findings:
    """`told` are the stand-in's statistics."""
    found = Findings()
    for one in expected:
        takes, calls = told["takes"].get(one.delivery_id, []), told["calls"].get(one.delivery_id, [])
        row = rows.outbox.get(one.delivery_id)
        if row is None:
            found.lost.append(f"{one.delivery_id}: no row in the outbox")
        elif one.reason is not None:
            _skipped(found, one, row, takes)
        else:
            _sent(found, row, takes, calls)
            found.wrong += _wrong(row, rows, takes)
    ids = {one.delivery_id for one in expected}
    found.wrong += [
        f"{key}: a row that nobody ordered ({row.kind})"
        for key, row in rows.outbox.items()
        if key not in ids and row.state != "skipped"
    ]
    found.doubled += [f"{key}: sent, but nobody ordered it" for key in told["takes"] if key not in ids]
    return found


def _skipped(found: Findings, one: Expected, row: OutboxRow, takes: Sequence[Mapping[str, Any]]) -> None:
    found.skipped += 1
    if takes:
        found.doubled.append(f"{one.delivery_id}: sent, though {one.reason}")
    if (row.state, row.reason) != ("skipped", one.reason):
        found.wrong.append(f"{one.delivery_id}: {row.state} {row.reason}, not skipped {one.reason}")


def _sent(found: Findings, row: OutboxRow, takes: Sequence[Mapping[str, Any]], calls: Sequence[str]) -> None:
    """Received once; once more only where nobody ever said what became of the one before."""
    received = [take for take in takes if take["failed"] is None]
    found.received += bool(received)
    if any(not take["mute"] for take in received[:-1]) or len(received) > MOST_SENDS:
        found.doubled.append(f"{row.id}: {_lives(takes)} ({calls}, {row.state})")
    found.allowed_resends += max(0, len(received) - 1)
    if received:
        return
    refused = bool(takes) and takes[-1]["failed"] == PERMANENT and row.error_code == PERMANENT
    unknown = row.reason == "outcome_unknown" and row.resends == MOST_SENDS - 1
    if row.state == "failed" and (refused or unknown):
        found.given_up += 1
    else:
        found.lost.append(f"{row.id}: {row.state} {row.reason} {row.error_code} {row.error_text} ({calls})")


def _wrong(row: OutboxRow, rows: Rows, takes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """State, message id and flag against what was taken. What was mute may have been proved by its answer, or not."""
    wamids = [take["wamid"] for take in takes]
    proved = [place for place, take in enumerate(takes) if not take["mute"]]
    if row.state in ("queued", "sending", "unknown"):
        yield f"{row.id}: left in {row.state}"
    if row.message_id not in wamids[proved[-1] if proved else 0 :] and (proved or row.message_id is not None):
        yield f"{row.id}: message id {row.message_id} is not the latest of {_lives(takes)}"
    if not set(rows.wamids.get(row.id, ())) >= {wamids[place] for place in proved}:
        yield f"{row.id}: a message id is missing"
    if not set(rows.wamids.get(row.id, ())) <= set(wamids):
        yield f"{row.id}: a message id that was never given"
    if proved and proved[-1] == len(takes) - 1 and row.state != _state(takes[-1]):
        yield f"{row.id}: {row.state} ({row.error_code}), but {_lives(takes)}"
    appointment = rows.appointments[row.appointment_id or 0]
    sent, message_id = (
        (appointment.reminder_24h_sent, appointment.reminder_24h_message_id)
        if row.kind == "24h"
        else (appointment.reminder_2h_sent, appointment.reminder_2h_message_id)
    )
    if sent != (row.message_id is not None) or message_id != row.message_id or (proved and not sent):
        yield f"{row.id}: flag {sent} {message_id}, outbox {row.message_id}, {_lives(takes)}"


def _state(take: Mapping[str, Any]) -> str:
    """What its receipts say in the end; as long as none was heard it is taken, no more."""
    return "failed" if take["failed"] is not None else max(take["heard"], key=ARRIVED.index, default="accepted")


def _lives(takes: Sequence[Mapping[str, Any]]) -> str:
    return " · ".join(
        f"{take['wamid'][-8:]} {take['answer']}{' mute' if take['mute'] else ''} {take['failed'] or ''}{take['heard']}"
        f" at {take['at'] % 1000:.1f} heard at {(take['heard_at'] or 0) % 1000:.1f}"
        for take in takes
    )
