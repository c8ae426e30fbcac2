"""The frozen-clock cohort of cohort.toml: exactly these deliveries, on a server whose own zone is another one."""

import os
import time
import tomllib
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import update

from bot.core.appointment import Happening
from bot.store.tables import BusinessRow, CustomerRow
from tests.conftest import NOW
from tests.faults.world import Diary, diary

Case = dict[str, Any]
CASES: list[Case] = tomllib.loads((Path(__file__).parent / "cohort.toml").read_text(encoding="utf-8"))["case"]
MEXICO = "America/Mexico_City"


@pytest.fixture(params=["UTC", "Asia/Tokyo"])
def server_zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The server's own zone never matters."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
async def world(case: Case, server_zone: str, sqlite_url: str, valkey_url: str) -> AsyncIterator[Diary]:
    assert os.environ["TZ"] == server_zone
    async with diary(sqlite_url, valkey_url, NOW, quiet_hours=case.get("quiet", "21:00-08:00")) as one:
        values = {"zone": case.get("zone", MEXICO), "remind_confirmed": case.get("remind_confirmed", True)}
        async with one.runtime.db.write() as session:
            await session.exec(update(BusinessRow).values(**values))
        yield one


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
async def test_exactly_these_deliveries(case: Case, world: Diary) -> None:
    zone = ZoneInfo(case.get("zone", MEXICO))
    booked = local(case["booked"], zone)
    world.clock.travel(booked)
    customer = await world.customer(reachable=case.get("reachable", True))
    number = await world.appointment(customer, local(case["start"], zone), booked)
    for step in case["steps"]:
        day, at, what, *more = step.split(" ")
        world.clock.travel(local(f"{day} {at}", zone))
        await act(world, number, what, " ".join(more), zone)

    found = [f"{written(row.created_at, zone)} {row.kind} {row.state} {row.reason or ''}" for row in await world.rows()]
    assert sorted(line.strip() for line in found) == sorted(case["rows"])
    row = await world.get(number)
    sent = {line.split(" ")[2] for line in case["rows"] if " accepted" in line}
    if not any(" move " in step for step in case["steps"]):
        assert (row.reminder_24h_sent, row.reminder_2h_sent) == ("24h" in sent, "2h" in sent)
    assert len(set(world.graph.received().values()) - {1}) == 0


def test_the_cohort_is_not_small() -> None:
    assert len(CASES) >= 40


async def act(world: Diary, number: int, what: str, more: str, zone: ZoneInfo) -> None:
    match what:
        case "scan":
            await world.scan()
        case "send":
            world.clock.travel(world.clock.now())
            await world.send()
        case "opt_out" | "opt_in":
            at = world.clock.now() if what == "opt_out" else None
            async with world.runtime.db.write() as session:
                await session.exec(update(CustomerRow).values(opted_out_at=at))
        case _:
            await world.happens(number, Happening(what.upper()), local(more, zone) if more else None)


def local(text: str, zone: ZoneInfo) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def written(at: datetime, zone: ZoneInfo) -> str:
    wall = at.astimezone(zone)
    return f"{wall:%Y-%m-%d %H:%M:%S}" if wall.second else f"{wall:%Y-%m-%d %H:%M}"
