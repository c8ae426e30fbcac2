"""`confirmo attention list` and `done`."""

import json

import pytest

from bot.clock import utc_now
from bot.store import attention, customers
from bot.store.database import Database
from bot.store.tables import AttentionRow
from tests.cli.conftest import Confirmo
from tests.conftest import NOW
from tests.store.rows import HOUR, a_business


@pytest.fixture(autouse=True)
async def _matters(db: Database) -> None:
    await a_business(db)
    async with db.write() as session:
        for number, text in enumerate(("voy tarde", "me duele")):
            matter = AttentionRow(
                business_id=1, customer_id=1, kind="note", text=text, source=text, created_at=NOW + number * HOUR
            )
            await attention.attend(session, matter)


async def stopped(db: Database) -> None:
    async with db.write() as session:
        await attention.raise_alarm(session, 1, "account_stopped", "190: the token is void", NOW)


async def test_open_matters_oldest_first(confirmo: Confirmo) -> None:
    done = await confirmo("attention", "list")

    assert done.out.splitlines() == [
        "ID  SINCE (UTC)       WHAT  CUSTOMER  APPOINTMENT  TEXT",
        "1   2026-12-01 16:00  note  1         –            voy tarde",
        "2   2026-12-01 17:00  note  1         –            me duele",
    ]


async def test_open_alarms_come_first(confirmo: Confirmo, db: Database) -> None:
    await stopped(db)

    done = await confirmo("attention", "list")

    assert done.out.splitlines()[:4] == [
        "ALARM            SINCE (UTC)       DETAIL",
        "account_stopped  2026-12-01 16:00  190: the token is void",
        "",
        "ID  SINCE (UTC)       WHAT  CUSTOMER  APPOINTMENT  TEXT",
    ]


async def test_a_program_reads_both(confirmo: Confirmo, db: Database) -> None:
    await stopped(db)

    done = await confirmo("attention", "list", "--json")

    alarm, first, second = map(json.loads, done.out.splitlines())
    assert (alarm["type"], alarm["kind"], alarm["opened_at"]) == (
        "alarm",
        "account_stopped",
        "2026-12-01T16:00:00+00:00",
    )
    assert (first["type"], first["id"], first["text"]) == ("matter", 1, "voy tarde")
    assert second["id"] == 2


async def test_a_matter_is_done_once(confirmo: Confirmo) -> None:
    first = await confirmo("attention", "done", "1")
    second = await confirmo("attention", "done", "1")
    left = await confirmo("attention", "list", "--json")

    assert (first.code, first.out) == (0, "1 is done\n")
    assert (second.code, second.err) == (1, "confirmo: there is no open matter 1\n")
    assert [json.loads(line)["id"] for line in left.out.splitlines()] == [2]


async def test_an_id_that_no_database_knows_is_wrong_usage(confirmo: Confirmo) -> None:
    done = await confirmo("attention", "done", "9" * 30)

    assert (done.code, len(done.err.splitlines())) == (2, 1)


async def muted(db: Database, *kinds: str) -> None:
    """A customer whom a person takes care of, and these matters, the third and on."""
    async with db.write() as session:
        customer = await customers.get(session, 1)
        customer.muted_until = utc_now() + 4 * HOUR
        session.add(customer)
        for number, kind in enumerate(kinds):
            matter = AttentionRow(
                business_id=1, customer_id=1, kind=kind, text="x", source=f"{kind}{number}", created_at=NOW
            )
            await attention.attend(session, matter)


async def is_muted(db: Database) -> bool:
    async with db.read() as session:
        return (await customers.get(session, 1)).muted_until is not None


async def test_a_wish_for_a_person_that_is_done_gives_the_chat_back(confirmo: Confirmo, db: Database) -> None:
    await muted(db, "person", "message")

    other, asked = await confirmo("attention", "done", "1"), await confirmo("attention", "done", "3")

    assert other.out == "1 is done\n"
    assert asked.out == "3 is done; the bot answers this customer again\n"
    assert not await is_muted(db)


async def test_a_chat_that_staff_began_is_given_back_with_its_last_matter(confirmo: Confirmo, db: Database) -> None:
    await muted(db, "message", "unreadable")

    assert (await confirmo("attention", "done", "3")).out == "3 is done\n"
    assert await is_muted(db)
    assert (await confirmo("attention", "done", "4")).out == "4 is done; the bot answers this customer again\n"
    assert not await is_muted(db)


async def test_a_chat_that_is_the_bot_s_is_not_given_back(confirmo: Confirmo, db: Database) -> None:
    await muted(db, "person")
    async with db.write() as session:
        await attention.attend(
            session, AttentionRow(business_id=1, kind="person", text="x", source="nobody", created_at=NOW)
        )
        (await customers.get(session, 1)).muted_until = None

    assert (await confirmo("attention", "done", "3")).out == "3 is done\n"
    assert (await confirmo("attention", "done", "4")).out == "4 is done\n"
