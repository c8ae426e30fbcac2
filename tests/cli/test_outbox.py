"""`confirmo outbox list` and `retry`."""

import json
from datetime import timedelta
from uuid import UUID

import pytest
from sqlmodel import col, select

from bot.store import outbox
from bot.store.database import Database
from bot.store.outbox import reminder_id
from bot.store.tables import AppointmentRow, CustomerRow, OutboxRow
from tests.cli.conftest import Confirmo
from tests.conftest import NOW
from tests.store.rows import HOUR, a_business, add, appointment

REMINDER = reminder_id(1, "24h", 1)
REPLY = "7d9d1c9e-0000-4000-8000-000000000001"


def message(id_: str, kind: str, state: str, **columns: object) -> OutboxRow:
    row = OutboxRow(
        id=id_,
        business_id=1,
        kind=kind,
        customer_id=1,
        state=state,
        order_at=NOW,
        due_at=NOW,
        created_at=NOW,
        updated_at=NOW,
    )
    return row.sqlmodel_update(columns)


@pytest.fixture(autouse=True)
async def _failed(db: Database) -> None:
    """An appointment in 20 h with a failed reminder, and a failed reply to somebody who wrote an hour ago."""
    await a_business(db)
    async with db.write() as session:
        row = appointment(NOW + 20 * HOUR)
        row.slot_set_at = NOW - 48 * HOUR
        await add(session, row)
        reminder = {"appointment_id": 1, "appointment_version": 1, "rank": 1, "order_at": row.scheduled_at}
        session.add(message(REMINDER, "24h", "failed", error_code=131026, error_text="not on WhatsApp", **reminder))
        session.add(message(REPLY, "reply", "failed", body='{"type": "text"}', cause="wamid.1", position=1))
        customer = await session.get_one(CustomerRow, 1)
        customer.whatsapp_number = customer.canonical_number = "525500000001"
        customer.last_inbound_at = NOW - HOUR


async def row(db: Database, id_: str) -> OutboxRow:
    async with db.read() as session:
        return (await session.exec(select(OutboxRow).where(col(OutboxRow.id) == id_))).one()


async def change(
    db: Database, table: type[AppointmentRow | CustomerRow | OutboxRow], key: int | str, **columns: object
) -> None:
    async with db.write() as session:
        (await session.get_one(table, key)).sqlmodel_update(columns)


async def test_a_person_reads_state_and_reason(confirmo: Confirmo) -> None:
    done = await confirmo("outbox", "list")

    assert done.code == 0
    assert done.out.splitlines() == [
        f"{'ID':36}  CREATED (UTC)        KIND   CUSTOMER  APPOINTMENT  STATE   ATTEMPTS  REASON",
        f"{REMINDER}  2026-12-01 16:00:00  24h    1         1            failed  0         not on WhatsApp",
        f"{REPLY}  2026-12-01 16:00:00  reply  1         –            failed  0         –",
    ]


async def test_a_program_reads_all_columns(confirmo: Confirmo) -> None:
    done = await confirmo("outbox", "list", "--json")

    first, second = map(json.loads, done.out.splitlines())
    assert list(first) == list(OutboxRow.model_fields)
    assert (first["id"], first["error_code"], first["created_at"]) == (REMINDER, 131026, "2026-12-01T16:00:00+00:00")
    assert (second["body"], second["sent_at"]) == ('{"type": "text"}', None)


async def test_one_state_only(confirmo: Confirmo) -> None:
    assert (await confirmo("outbox", "list", "--state", "read")).out == "no messages\n"
    assert REPLY in (await confirmo("outbox", "list", "--state", "failed")).out


async def test_a_reminder_is_queued_anew_and_the_old_row_stays(confirmo: Confirmo, db: Database) -> None:
    done = await confirmo("outbox", "retry", REMINDER)

    assert (done.code, done.out, done.err) == (0, reminder_id(1, "24h", 1, 1) + "\n", "")
    old, new = await row(db, REMINDER), await row(db, done.out.strip())
    assert (old.state, old.error_code) == ("failed", 131026)
    assert (new.state, new.kind, new.appointment_id, new.appointment_version, new.body) == ("queued", "24h", 1, 1, None)
    assert (new.rank, new.order_at, new.expires_at) == (1, NOW + 20 * HOUR, NOW + 20 * HOUR)
    assert (new.attempts, new.error_code, new.message_id) == (0, None, None)


async def test_a_running_server_finds_it(confirmo: Confirmo, db: Database) -> None:
    done = await confirmo("outbox", "retry", REMINDER, REPLY, REMINDER)

    async with db.read() as session:
        due = await outbox.due(session, NOW + timedelta(minutes=1), queued_for=timedelta(seconds=5), limit=9)
    assert set(due) == set(done.out.split())
    assert len(due) == 2


async def test_a_reply_is_queued_anew_with_its_content_while_the_window_is_open(
    confirmo: Confirmo, db: Database
) -> None:
    done = await confirmo("outbox", "retry", REPLY)

    new = await row(db, str(UUID(done.out.strip())))
    assert (new.state, new.kind, new.body, new.cause) == ("queued", "reply", '{"type": "text"}', "wamid.1")
    assert new.expires_at == NOW + 23 * HOUR


@pytest.mark.parametrize("id_", [REMINDER, REPLY])
async def test_again_only_when_the_re_send_has_failed_too(confirmo: Confirmo, db: Database, id_: str) -> None:
    first = (await confirmo("outbox", "retry", id_)).out.strip()
    early = await confirmo("outbox", "retry", id_)
    await change(db, OutboxRow, first, state="failed")
    second = await confirmo("outbox", "retry", id_)

    assert (early.code, early.err) == (1, f"confirmo: {id_} has been sent again already: {first} is queued\n")
    assert second.code == 0
    assert second.out.strip() not in (first, id_)


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        pytest.param({"status": "CANCELLED"}, "cancelled", id="cancelled"),
        pytest.param({"scheduled_at": NOW - HOUR / 2}, "started", id="started"),
        pytest.param({"slot_version": 2, "version": 2}, "moved", id="moved"),
        pytest.param({"scheduled_at": NOW + 2 * HOUR}, "overtaken", id="too near"),
    ],
)
async def test_what_could_not_go_out_anyway_is_refused(
    confirmo: Confirmo, db: Database, columns: dict[str, object], reason: str
) -> None:
    await change(db, AppointmentRow, 1, **{"ends_at": NOW + 21 * HOUR, "busy_until": NOW + 21 * HOUR, **columns})

    done = await confirmo("outbox", "retry", REPLY, REMINDER)

    assert (done.code, done.out) == (1, "")
    assert done.err == f"confirmo: {REMINDER} cannot be sent again: it would be skipped: {reason}\n"
    async with db.read() as session:
        assert len(await outbox.all_of(session, None)) == 2


@pytest.mark.parametrize(
    ("columns", "id_", "reason"),
    [
        ({"last_inbound_at": NOW - 24 * HOUR}, REPLY, "window_closed"),
        ({"last_inbound_at": None}, REPLY, "window_closed"),
        ({"whatsapp_number": None}, REPLY, "unreachable"),
        ({"whatsapp_number": None}, REMINDER, "unreachable"),
        ({"opted_out_at": NOW}, REMINDER, "opted_out"),
    ],
)
async def test_a_customer_who_cannot_be_written_to(
    confirmo: Confirmo, db: Database, columns: dict[str, object], id_: str, reason: str
) -> None:
    await change(db, CustomerRow, 1, **columns)

    done = await confirmo("outbox", "retry", id_)

    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert reason in done.err


async def test_only_what_is_over_can_be_sent_again(confirmo: Confirmo, db: Database) -> None:
    await change(db, OutboxRow, REPLY, state="delivered")

    done = await confirmo("outbox", "retry", REPLY)

    assert (done.code, done.err) == (
        1,
        f"confirmo: {REPLY} is delivered: only failed and skipped messages can be sent again\n",
    )


async def test_an_unknown_id_is_named(confirmo: Confirmo) -> None:
    done = await confirmo("outbox", "retry", REMINDER, "nobody")

    assert (done.code, done.out, done.err) == (1, "", "confirmo: there is no message nobody in the outbox\n")
