"""What a turn reads and writes in few statements: who wrote what, what we said before, and who may write on."""

import asyncio
from datetime import datetime, timedelta

import pytest

from bot.store import inbox, spoken, unread
from bot.store.database import Database, Session
from bot.store.tables import CustomerRow, InboxRow, OutboxMessageRow, OutboxRow
from tests.conftest import NOW
from tests.store.rows import a_business

MINUTE = timedelta(minutes=1)
ANA, BO = 1, 2


def message(wamid: str, customer: int = ANA, sent_at: datetime = NOW, *, position: int = 0) -> InboxRow:
    return InboxRow(
        message_id=wamid,
        business_id=1,
        customer_id=customer,
        kind="text",
        raw="{}",
        sent_at=sent_at,
        position=position,
        received_at=NOW,
    )


def ours(delivery: str, customer: int, ago: timedelta, kind: str = "reply", state: str = "queued") -> OutboxRow:
    at = NOW - ago
    return OutboxRow(
        id=delivery,
        business_id=1,
        kind=kind,
        state=state,
        customer_id=customer,
        order_at=at,
        due_at=at,
        created_at=at,
        updated_at=at,
    )


@pytest.fixture
async def two(db: Database) -> Database:
    """With Ana and Bo in it."""
    await a_business(db)
    async with db.write() as session:
        session.add(CustomerRow(business_id=1, name="Bo", created_at=NOW, updated_at=NOW))
    return db


def reply(delivery: str, position: int = 0) -> dict[str, object]:
    times = dict.fromkeys(("order_at", "due_at", "created_at", "updated_at"), NOW)
    return {"id": delivery, "business_id": 1, "customer_id": ANA, "body": "{}", "position": position, **times}


async def test_what_waits_comes_in_the_order_in_which_it_was_sent(two: Database) -> None:
    async with two.write() as session:
        session.add(message("wamid.2"))
        session.add(message("wamid.3", position=1))
        session.add(message("wamid.1", sent_at=NOW - MINUTE))
        session.add(message("wamid.done"))
        session.add(message("wamid.bo", BO))
        await session.flush()
        await inbox.handled(session, ["wamid.done"], NOW)
    async with two.read() as session:
        found = await unread.of(session, ANA)
    assert found is not None
    assert [one.message_id for one in found.messages] == ["wamid.1", "wamid.2", "wamid.3"]
    assert (found.sender.id, found.sender.name, found.sender.last_kind) == (ANA, "Ana Prueba", None)
    assert found.sender.business_version


async def test_a_customer_of_whom_nothing_waits_is_not_looked_at(two: Database) -> None:
    async with two.read() as session:
        assert await unread.of(session, ANA) is None


async def test_our_last_message_is_the_latest_that_was_not_skipped(two: Database) -> None:
    async with two.write() as session:
        session.add(message("wamid.1"))
        session.add(ours("first", ANA, 2 * MINUTE))
        session.add(ours("reminder", ANA, MINUTE, kind="24h"))
        session.add(ours("skipped", ANA, 0 * MINUTE, state="skipped"))
        session.add(ours("to Bo", BO, 0 * MINUTE))
    async with two.read() as session:
        found = await unread.of(session, ANA)
    assert found is not None
    assert found.sender.last_kind == "24h"


async def test_a_reply_is_put_into_the_outbox_once(two: Database) -> None:
    async with two.write() as session:
        assert await spoken.say(session, [reply("b"), reply("a", 1)]) == ("b", "a")
    async with two.write() as session:
        assert await spoken.say(session, [reply("b"), reply("c", 1)]) == ("c",)


async def test_only_messages_to_this_customer_are_spoken_of_and_the_first_answer_counts(two: Database) -> None:
    async with two.write() as session:
        session.add(ours("to Ana", ANA, 0 * MINUTE))
        session.add(ours("to Bo", BO, 0 * MINUTE))
        await session.flush()
        for delivery in ("to Ana", "to Bo"):
            session.add(OutboxMessageRow(message_id=f"wamid.{delivery}", outbox_id=delivery, accepted_at=NOW))
    async with two.write() as session:
        found = await spoken.spoken_of(session, ANA, {"wamid.to Ana", "wamid.to Bo", "wamid.unknown"})
        assert found == {"wamid.to Ana": spoken.Ours("to Ana", "reply", None, None)}
        assert await spoken.spoken_of(session, ANA, ()) == {}
        await spoken.answered(session, ["to Ana"], NOW)
        await spoken.answered(session, ["to Ana"], NOW + MINUTE)
    async with two.read() as session:
        row = await session.get(OutboxRow, "to Ana")
    assert row is not None
    assert row.answered_at == NOW


async def test_only_the_holder_of_the_lease_writes_and_gives_back_when_nothing_waits(two: Database) -> None:
    async with two.write() as session:
        session.add(message("wamid.1"))
        assert await inbox.lease(session, ANA, "mine", NOW, NOW + MINUTE)
    async with two.write() as session:
        assert await inbox.write(session, ANA, "another's", NOW, {"name": "Bo"}) is None
        assert await inbox.write(session, ANA, "mine", NOW, {"language": "pt"}) == NOW
        assert not await inbox.release(session, ANA, "mine", if_done=True)
    assert await lease_of(two) == ("Ana Prueba", "pt", "mine")
    async with two.write() as session:
        await heard(session, NOW - MINUTE)
        assert await inbox.write(session, ANA, "mine", NOW, {}) == NOW - MINUTE
        await inbox.handled(session, ["wamid.1"], NOW)
        assert await inbox.release(session, ANA, "mine", if_done=True)
    assert await lease_of(two) == ("Ana Prueba", "pt", None)


async def test_what_came_in_while_we_waited_for_the_row_is_seen(two: Database) -> None:
    """Its wake-up may have been turned away by our lease already: to give the customer back would leave it lying."""
    async with two.write() as session:
        assert await inbox.lease(session, ANA, "mine", NOW, NOW + MINUTE)

    async def ends() -> bool:
        async with two.write() as session:
            assert await inbox.write(session, ANA, "mine", NOW, {}) == NOW
            return await inbox.release(session, ANA, "mine", if_done=True)

    async with two.write() as session:
        session.add(message("wamid.late"))
        await heard(session, NOW)
        ending = asyncio.create_task(ends())
        await asyncio.sleep(0.1)
    assert not await ending


async def heard(session: Session, at: datetime) -> None:
    row = await session.get(CustomerRow, ANA)
    assert row is not None
    row.last_inbound_at = at
    await session.flush()


async def lease_of(two: Database) -> tuple[str, str | None, str | None]:
    async with two.read() as session:
        row = await session.get(CustomerRow, ANA)
        assert row is not None
        return row.name, row.language, row.lease
