"""`confirmo attention list` and `done`."""

import json

import pytest

from bot.store import attention
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
