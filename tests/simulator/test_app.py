"""The page's door: its own page only, news at once, and nothing that cannot be done."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

import bot.simulator
from bot.clock import TravelClock
from bot.simulator.faults import Kind
from bot.simulator.phones import FIRST_PEOPLE
from tests.simulator.desk import Desk
from tests.simulator.world import World, until, world

LUCIA = FIRST_PEOPLE[0].user_id
PAGE = Path(bot.simulator.__file__).parent / "page"


@pytest.fixture
def desk() -> Desk:
    return Desk(appointments=[])


@pytest.fixture
async def demo(clock: TravelClock, desk: Desk) -> AsyncIterator[World]:
    async with world(clock, desk.routes) as made:
        yield made
        desk.stopping = True
        await desk.phones.close()


async def state(demo: World, **query: str) -> dict[str, Any]:
    found: dict[str, Any] = (await demo.client.get(f"{demo.url}/phone/state", params=query)).json()
    return found


async def act(demo: World, action: str, **asked: object) -> httpx.Response:
    return await demo.client.post(f"{demo.url}/phone/{action}", json=asked)


async def test_the_page_and_its_parts_are_served_under_a_strict_policy(demo: World) -> None:
    page = await demo.client.get(demo.url)

    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for file in PAGE.iterdir():
        if file.name != "index.html":
            assert (await demo.client.get(f"{demo.url}/phone/page/{file.name}")).content == file.read_bytes()


def test_the_page_asks_no_other_server_and_makes_no_markup_of_data() -> None:
    for file in (*PAGE.glob("*.js"), *PAGE.glob("*.css"), *PAGE.glob("*.html")):
        source = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        for forbidden in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "//cdn",
            "@import",
        ):
            assert forbidden not in source, file.name
        assert 'src="http' not in source
        assert 'href="http' not in source


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:8000"}, 200),
        ({"Host": "[::1]:8000"}, 200),
        ({"Host": "rebound.example:8000"}, 403),
        ({"Host": "["}, 403),
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
async def test_only_loopback_and_our_own_page_may_look(demo: World, headers: dict[str, str], status: int) -> None:
    answer = await demo.client.get(f"{demo.url}/phone/state", headers=headers)

    assert answer.status_code == status


async def test_only_our_own_page_may_act(demo: World) -> None:
    asked = {"customer": LUCIA, "text": "hola"}
    address = f"{demo.url}/phone/say"
    form = await demo.client.post(address, content=b"{}", headers={"Content-Type": "text/plain"})
    cross = await demo.client.post(address, json=asked, headers={"Origin": "http://127.0.0.1:1"})
    own = await demo.client.post(address, json=asked, headers={"Origin": demo.url})

    assert [form.status_code, cross.status_code, own.status_code] == [403, 403, 200]


async def test_news_comes_at_once_and_nothing_new_is_waited_for(demo: World) -> None:
    before = await state(demo)
    waiting = asyncio.create_task(state(demo, since=before["revision"]))
    await asyncio.sleep(0.05)
    assert not waiting.done()

    await act(demo, "say", customer=LUCIA, text="hola")

    after = await asyncio.wait_for(waiting, 20)
    assert [one["text"] for one in after["chats"][0]["items"]] == ["hola"]
    assert after["revision"] != before["revision"]


async def test_a_change_in_the_database_is_news_too(demo: World, desk: Desk) -> None:
    before = await state(demo, customer=LUCIA)
    waiting = asyncio.create_task(state(demo, customer=LUCIA, since=before["revision"]))
    await asyncio.sleep(0.05)

    desk.appointments.append({"id": 7, "status": "SCHEDULED"})

    assert (await asyncio.wait_for(waiting, 20))["appointments"] == [{"id": 7, "status": "SCHEDULED"}]
    assert (await state(demo, customer=FIRST_PEOPLE[1].user_id))["appointments"] == []


async def test_nobody_waits_for_a_server_that_ends(demo: World, desk: Desk) -> None:
    before = await state(demo)
    waiting = asyncio.create_task(state(demo, since=before["revision"]))
    await asyncio.sleep(0.05)

    desk.stopping = True

    assert (await asyncio.wait_for(waiting, 20))["revision"] == before["revision"]


async def test_time_travels_forwards_only(demo: World) -> None:
    start = demo.clock.now()
    assert (await act(demo, "travel", minutes=60)).status_code == 200
    assert demo.clock.now() - start >= timedelta(hours=1)

    to = demo.clock.now() + timedelta(days=1)
    assert (await act(demo, "travel", to=to.isoformat())).status_code == 200
    assert demo.clock.now() >= to

    for wrong in ({"minutes": -1}, {"minutes": "soon"}, {"to": start.isoformat()}, {"to": "2027-01-01T10:00"}, {}):
        assert (await act(demo, "travel", **wrong)).status_code == 400
    assert (await act(demo, "travel", minutes=60 * 24 * 400)).status_code == 400


async def test_faults_are_ordered_and_taken_back(demo: World) -> None:
    await act(demo, "network", lose=True, delay=True)
    assert (await state(demo))["network"] == {"lose": True, "delay": True, "refused": []}

    await act(demo, "network", delay=False)
    assert demo.standin.faults.has(Kind.LOSE)
    assert not demo.standin.faults.has(Kind.DELAY)


async def test_every_action_reaches_the_phone(demo: World, desk: Desk) -> None:
    added = (await act(demo, "customers", name="  Ana   Nueva ", language="pt")).json()["customer"]
    for kind in ("sticker", "voice"):
        assert (await act(demo, "attach", customer=added, kind=kind)).status_code == 200
    assert (await act(demo, "read", customer=added)).status_code == 200

    chat = desk.phones.chats[added]
    assert chat.person.name == "Ana Nueva"
    assert [one.shown.kind for one in chat.items] == ["sticker", "voice"]
    await until(lambda: len(demo.hook.values("messages")) == 2)


@pytest.mark.parametrize(
    ("action", "asked", "status"),
    [
        ("dance", {}, 404),
        ("say", {}, 400),
        ("say", {"customer": LUCIA, "text": "  "}, 400),
        ("say", {"customer": LUCIA, "text": "x" * 4097}, 400),
        ("say", {"customer": LUCIA, "text": "x" * 70_000}, 404),
        ("say", {"customer": "nobody", "text": "hola"}, 400),
        ("say", {"customer": LUCIA, "text": "hola", "quoted": "wamid.none"}, 400),
        ("tap", {"customer": LUCIA, "message": "wamid.none", "choice": 0}, 400),
        ("react", {"customer": LUCIA, "message": "wamid.none", "emoji": "👍"}, 400),
        ("again", {"customer": LUCIA, "message": "wamid.none"}, 400),
        ("customers", {"name": " ", "language": "es"}, 400),
        ("customers", {"name": "Ana", "language": "fr"}, 400),
        ("customers", {"name": "x" * 81, "language": "es"}, 400),
    ],
)
async def test_what_cannot_be_done_is_refused(demo: World, action: str, asked: dict[str, object], status: int) -> None:
    assert (await act(demo, action, **asked)).status_code == status


async def test_a_body_that_is_no_object_is_refused(demo: World) -> None:
    for body in (b"[]", b"{", b"7"):
        answer = await demo.client.post(
            f"{demo.url}/phone/say", content=body, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 400
