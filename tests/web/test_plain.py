"""The short way for messages of people we know leaves the same rows as the long one, and is taken only where it may."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import text

from bot.simulator.webhook import wire
from bot.store import plain
from bot.store.database import Database
from bot.web.keep import Letter, keep
from bot.whatsapp.inbound import read
from tests.stack.world import Stack
from tests.web import said

Json = dict[str, Any]
AT = datetime(2026, 12, 1, 12, tzinfo=UTC)
LATER = datetime(2026, 12, 1, 12, 5, 7, 250, tzinfo=UTC)
BEN = "15550001603"
BEN_ID = "US.80000000000000003"


def of(kind: str, part: Json, wamid: str = "wamid.2", **more: object) -> Json:
    return {"from": said.PHONE, "id": wamid, "timestamp": "1796126700", "type": kind, kind: part, **more}


def ben(*messages: Json, name: str = "Ben Sample", **more: object) -> Json:
    contact = {"profile": {"name": name}, "wa_id": BEN, "user_id": BEN_ID, **more}
    theirs = [{**one, "from": BEN, "from_user_id": BEN_ID} for one in messages]
    return said.body(said.value(*theirs, contacts=[contact]))


def ana(*messages: Json, **more: Any) -> Json:
    return said.body(said.value(*messages, **more))


KNOWN = said.entries(ana(said.text("wamid.0")), ben(said.text("wamid.1")))
PLAIN = {
    "words": ana(said.text("wamid.2", "¿a qué hora?\n👩🏽 ")),
    "a template's button": ana(of("button", {"payload": "c1", "text": "Confirmar"}, context={"id": "wamid.x"})),
    "a list's row": ana(of("interactive", {"type": "list_reply", "list_reply": {"id": "t1", "title": "Mañana"}})),
    "a picture": ana(of("image", {"id": "7", "caption": "mira"})),
    "a place": ana(of("location", {"latitude": 1.5, "longitude": 2})),
    "the phone's other form": ana(said.text("wamid.2"), contacts=[]),
    "by user id": ben(said.text("wamid.2"), said.text("wamid.3")),
    "from the future": ana({**said.text("wamid.2"), "timestamp": "1999999999"}),
    "without a time": ana({**said.text("wamid.2"), "timestamp": None}),
    "older than the last": ana({**said.text("wamid.2"), "timestamp": "1700000000"}),
    "known already": ana(said.text("wamid.0"), said.text("wamid.2")),
    "twice in one": ana(said.text("wamid.2"), said.text("wamid.2")),
    "two people": said.entries(ana(said.text("wamid.2")), ben(said.text("wamid.3")), ana(said.text("wamid.4"))),
    "a known name changed": ana(said.text("wamid.2"), contacts=[said.contact("Otra")]),
}
NOT_PLAIN = {
    "somebody new": ana({**said.text("wamid.2"), "from": "5215550009999"}, contacts=[]),
    "a new user id": ana(said.text("wamid.2", from_user_id="MX.77")),
    "a new username": ben(said.text("wamid.2"), profile={"name": "Ben", "username": "benny"}),
    "a new phone": ben({**said.text("wamid.2")}, wa_id="15550001699"),
    "another number": ana(said.text("wamid.2"), number="999"),
    "a group": ana(said.text("wamid.2", group_id="g1")),
    "an advert": ana(said.text("wamid.2", referral={"source_id": "ad1"})),
    "a reaction": ana(of("reaction", {"message_id": "wamid.x", "emoji": "👍"})),
    "an edit": ana(of("edit", {"original_message_id": "wamid.0", "message": {"type": "text", "text": {"body": "x"}}})),
    "a receipt beside it": said.entries(ana(said.text("wamid.2")), said.receipts(said.receipt("wamid.ours"))),
    "news of a number": ana(of("system", {"type": "user_changed_number", "wa_id": "5215550007777"})),
}


async def rows(door: Stack) -> dict[str, Sequence[Any]]:
    async with door.runtime.db.read() as session:
        connection = await session.connection()
        order = {"customers": "id", "inbox": "message_id", "receipts": "message_id", "attention": "source"}
        return {
            table: (await connection.execute(text(f"SELECT * FROM {table} ORDER BY {by}"))).all()
            for table, by in order.items()
        }


async def post(door: Stack, body: Json, at: datetime) -> tuple[int, ...]:
    return await keep(door.runtime, [Letter(reading=read(wire(body)), at=at)])


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], list[bool]]:
    """Whether the short way is open; what comes back notes of each webhook whether it went that way."""
    real = plain.keep

    def way(open_: bool) -> list[bool]:
        went: list[bool] = []

        async def through(db: Database, messages: Sequence[plain.Plain]) -> Sequence[tuple[plain.Plain, int]] | None:
            added = await real(db, messages) if open_ else None
            went.append(added is not None)
            return added

        monkeypatch.setattr(plain, "keep", through)
        return went

    return way


@pytest.mark.parametrize("name", [*PLAIN, *NOT_PLAIN])
async def test_both_ways_leave_the_same(door: Stack, short: Callable[[bool], list[bool]], name: str) -> None:
    body, plainly = {**PLAIN, **NOT_PLAIN}[name], name in PLAIN
    short(False)
    await post(door, KNOWN, AT)
    customers = await post(door, body, LATER)
    expected = await rows(door)
    for table in ("receipts", "attention", "inbox", "customers"):
        await door.change(f"DELETE FROM {table}")
    went = short(True)
    await post(door, KNOWN, AT)
    assert went == [False]
    assert await post(door, body, LATER) == customers
    assert await rows(door) == expected
    assert (went[1:] == [True]) is plainly


async def test_one_that_the_database_refuses_costs_only_itself(
    door: Stack, short: Callable[[bool], list[bool]]
) -> None:
    await post(door, KNOWN, AT)
    await door.change(
        "CREATE TRIGGER no BEFORE INSERT ON inbox WHEN NEW.message_id = 'wamid.3' BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    went = short(True)
    await post(door, ana(*(said.text(f"wamid.{n}") for n in (2, 3, 4))), LATER)
    assert went[0] is False
    assert [row[0] for row in (await rows(door))["inbox"]] == ["wamid.0", "wamid.1", "wamid.2", "wamid.4"]


async def test_postgresql_goes_the_long_way(postgres_url: str) -> None:
    db = Database(postgres_url)
    assert await plain.keep(db, []) is None
    await db.close()
