"""Questions about the account: what may come back, and that nothing of it is trusted to have a form."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
import respx

from bot.whatsapp.account import Held, apps, shown_number, templates
from bot.whatsapp.client import AccountClient, Answered, Lost, NotSent, Refused
from bot.whatsapp.lanes import new_http
from tests.conftest import FIXTURES

TESTS = Path(__file__).parents[1]


@pytest.fixture
async def client() -> AsyncIterator[AccountClient]:
    async with new_http() as http:
        yield AccountClient(base_url="https://graph.test/", version="v27.0", token="TOKEN-1", timeout=5, http=http)


def test_every_recorded_answer_is_used_in_a_test() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    tests += (TESTS / "cli" / "meta.py").read_text(encoding="utf-8")
    edges = ("message_templates", "subscribed_apps", "phone_number")
    recorded = [path for edge in edges for path in (FIXTURES / "graph" / edge).iterdir()]
    assert recorded
    assert [path.name for path in recorded if f'"{path.parent.name}/{path.stem}"' not in tests] == []


async def test_an_answer_has_metas_time(client: AccountClient, respx_mock: respx.MockRouter) -> None:
    date = {"date": "Tue, 01 Dec 2026 16:00:00 GMT"}
    respx_mock.get("https://graph.test/v27.0/PNID1").mock(
        return_value=httpx.Response(200, json={"id": "1"}, headers=date)
    )
    answer = await client.ask("PNID1")
    assert answer == Answered(body={"id": "1"}, at=datetime(2026, 12, 1, 16, tzinfo=UTC))


@pytest.mark.parametrize("date", ["", "soon", "Tue, 99 Dec 2026 16:00:00 GMT", "Tue, 01 Dec 2026 16:00:00 -0000"])
async def test_a_time_that_cannot_be_read_is_none(
    client: AccountClient, respx_mock: respx.MockRouter, date: str
) -> None:
    respx_mock.get("https://graph.test/v27.0/PNID1").mock(
        return_value=httpx.Response(200, json={"id": "1"}, headers={"date": date})
    )
    answer = await client.ask("PNID1")
    assert isinstance(answer, Answered)
    assert answer.at is None


@pytest.mark.parametrize(
    ("came", "kind"),
    [
        (httpx.ConnectError("no"), NotSent),
        (httpx.ReadTimeout("no"), Lost),
        (httpx.Response(200, text="<html>"), Lost),
        (httpx.Response(200, json=[]), Lost),
        (httpx.Response(200, json={"error": {"code": 190}}), Refused),
        (httpx.Response(404, text="no such page"), Refused),
        (httpx.Response(302, headers={"location": "https://elsewhere.test"}), Refused),
        (httpx.Response(502, text="<html>"), Lost),
    ],
)
async def test_whatever_comes_is_one_of_four(
    client: AccountClient, respx_mock: respx.MockRouter, came: httpx.Response | Exception, kind: type
) -> None:
    mock = {"side_effect": came} if isinstance(came, Exception) else {"return_value": came}
    respx_mock.get("https://graph.test/v27.0/WABA1/subscribed_apps").mock(**mock)
    assert type(await client.ask("WABA1", "subscribed_apps")) is kind


async def test_an_id_cannot_lead_elsewhere(client: AccountClient, respx_mock: respx.MockRouter) -> None:
    route = respx_mock.get(url__startswith="https://graph.test/v27.0/").respond(json={"id": "1"})
    await client.ask("../v1/me?x=")
    assert route.calls.last.request.url.raw_path == b"/v27.0/..%2Fv1%2Fme%3Fx%3D"


async def test_pages_are_read_to_the_last_and_a_circle_ends(
    client: AccountClient, respx_mock: respx.MockRouter
) -> None:
    page = {"data": [{"name": "a", "language": "es-MX"}], "paging": {"cursors": {"after": "x"}, "next": "https://…"}}
    route = respx_mock.get("https://graph.test/v27.0/WABA1/message_templates").respond(json=page)
    found = await templates(client, "WABA1")
    assert isinstance(found, tuple)
    assert found[0] == Held(name="a", language="es_MX", status="", category="", fits=None)
    assert len(found) == route.call_count == 100
    assert "after" not in route.calls[0].request.url.params
    assert route.calls[1].request.url.params["after"] == "x"


@pytest.mark.parametrize("odd", [{}, {"data": None}, {"data": [None, 1, {}, {"whatsapp_business_api_data": 7}]}])
async def test_odd_answers_do_no_harm(
    client: AccountClient, respx_mock: respx.MockRouter, odd: dict[str, object]
) -> None:
    respx_mock.get("https://graph.test/v27.0/WABA1/message_templates").respond(json={"paging": 1, **odd})
    found = await templates(client, "WABA1")
    assert isinstance(found, tuple)
    assert not any(one.name or one.fits for one in found)
    assert set(apps(odd)) <= {"an app"}
    assert shown_number(odd) is None
