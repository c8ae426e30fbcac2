"""What runs every few seconds is read by an index of what is open alone: it costs what is due, not what exists."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from sqlalchemy import event, text

from bot.store import appointments, inbox, outbox, receipts, reminders, unread
from bot.store.database import POSTGRESQL, Database, Session
from tests.conftest import NOW

Ask = Callable[[Session], Awaitable[object]]
ASKED: dict[str, tuple[Ask, str]] = {
    "scan": (lambda session: reminders.due(session, NOW, None), "ix_appointments_next_mark_at"),
    "scan, next page": (lambda session: reminders.due(session, NOW, (NOW, 7)), "ix_appointments_next_mark_at"),
    "sweep of the outbox": (
        lambda session: outbox.due(session, NOW, queued_for=timedelta(seconds=5), limit=500),
        "ix_outbox_due",
    ),
    "lapsed claims": (lambda session: outbox.lapsed(session, NOW, limit=500), "ix_outbox_open"),
    "sweep of the inbox": (
        lambda session: inbox.waiting(session, NOW, older_than=timedelta(seconds=5), limit=500),
        "ix_inbox_open",
    ),
    "a customer's open messages": (lambda session: unread.of(session, 1), "ix_inbox_open"),
    "what we said to them last": (lambda session: unread.of(session, 1), "ix_outbox_customer_id"),
    "a customer's appointments": (lambda session: appointments.of_customer(session, 1), "ix_appointments_customer_id"),
    "whether a customer's messages are handled": (
        lambda session: inbox.release(session, 1, "token", if_done=True),
        "ix_inbox_open",
    ),
    "outcomes still unknown": (reminders.unknown_open, "ix_outbox_open"),
    "receipts that came before the answer": (
        lambda session: receipts.parked(session, {"a": "wamid.1", "b": None}),
        "ix_receipts_delivery_id",
    ),
    "age of the queue": (lambda session: reminders.oldest_due_seconds(session, NOW), "ix_outbox_due"),
}


@pytest.mark.parametrize("name", ASKED)
async def test_it_is_read_by_the_partial_index(db: Database, name: str) -> None:
    ask, index = ASKED[name]
    assert index in await plan(db, ask)


async def plan(db: Database, ask: Ask) -> str:
    """How the database would do the first statement that `ask` sends; PostgreSQL's empty tables must not be scanned."""
    sent: list[tuple[str, object]] = []

    def note(_connection: object, _cursor: object, statement: str, values: object, *_more: object) -> None:
        sent.append((statement, values))

    async with db.write() as session:
        connection = await session.connection()
        if db.dialect == POSTGRESQL:
            await connection.execute(text("SET LOCAL enable_seqscan = off"))
        engine = connection.sync_connection.engine  # type: ignore[union-attr]  # it is open
        event.listen(engine, "before_cursor_execute", note)
        await ask(session)
        event.remove(engine, "before_cursor_execute", note)
        word = "EXPLAIN" if db.dialect == POSTGRESQL else "EXPLAIN QUERY PLAN"
        rows = await connection.exec_driver_sql(f"{word} {sent[0][0]}", sent[0][1])  # type: ignore[arg-type]
        return "\n".join(str(row[-1]) for row in rows)
