"""One call to the Graph API: whether a message may have gone out is never guessed."""

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import respx

from bot.whatsapp.client import Accepted, GraphClient, Lost, NotSent, Refused
from bot.whatsapp.errors import NO_CODE
from bot.whatsapp.lanes import LANES, new_http
from bot.whatsapp.outbound import addressed, text

ANSWERS = Path(__file__).parents[2] / "fixtures" / "graph" / "messages"
URL = "https://graph.test/v27.0/PNID1/messages"
BODY = addressed(text("hola 👋 \u00f1"), wa_id="5215550001001", user_id=None, delivery_id="d-1")


def answer(name: str, **headers: str) -> httpx.Response:
    (path,) = ANSWERS.glob(f"{name}.*")
    return httpx.Response(int(name[:3]), content=path.read_bytes(), headers=headers)


@pytest.fixture
async def graph() -> AsyncIterator[GraphClient]:
    async with new_http() as http:
        yield client(http)


def client(http: httpx.AsyncClient, url: str = "https://graph.test/", timeout: float = 5) -> GraphClient:
    return GraphClient(
        base_url=url, version="v27.0", phone_number_id="PNID1", token="TOKEN-1", timeout=timeout, http=http
    )


async def test_the_request_is_the_body_with_the_token(graph: GraphClient, respx_mock: respx.MockRouter) -> None:
    route = respx_mock.post(URL).mock(return_value=answer("200__accepted"))
    await graph.send(BODY)
    request = route.calls.last.request
    assert request.headers["authorization"] == "Bearer TOKEN-1"
    assert request.headers["content-type"] == "application/json"
    assert json.loads(request.content) == BODY
    assert request.content.isascii()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "200__accepted",
            Accepted(wamid="wamid.RkFLRS1PVVQtVEVYVC0wMTAx", wa_id="5215550001001", user_id=None, held=False, calls=1),
        ),
        (
            "200__accepted_user_id",
            Accepted(
                wamid="wamid.RkFLRS1PVVQtVEVYVC0wMTAy",
                wa_id=None,
                user_id="MX.90000000000000001002",
                held=False,
                calls=1,
            ),
        ),
        (
            "200__held",
            Accepted(wamid="wamid.RkFLRS1PVVQtVFBMLTAxMDM=", wa_id="5215550001001", user_id=None, held=True, calls=1),
        ),
        ("200__no_id", Lost(why="HTTP 200 without a usable body", calls=1)),
        ("200__not_json", Lost(why="HTTP 200 without a usable body", calls=1)),
        ("200__read", Lost(why="HTTP 200 without a usable body", calls=1)),
        ("502__html", Lost(why="HTTP 502 without a usable body", calls=1)),
    ],
)
async def test_an_answer_is_accepted_or_lost(
    graph: GraphClient, respx_mock: respx.MockRouter, name: str, expected: Accepted | Lost
) -> None:
    respx_mock.post(URL).mock(return_value=answer(name))
    assert await graph.send(BODY) == expected


REFUSALS = [
    ("400__131030", 131030, False),
    ("400__131047", 131047, False),
    ("400__131056", 131056, False),
    ("400__132000", 132000, False),
    ("401__190", 190, False),
    ("403__html", NO_CODE, False),
    ("404__132001", 132001, False),
    ("429__130429", 130429, False),
    ("500__131000", 131000, False),
    ("500__transient", 2, True),
]


@pytest.mark.parametrize(("name", "code", "transient"), REFUSALS)
async def test_an_error_body_is_a_refusal_whatever_the_status(
    graph: GraphClient, respx_mock: respx.MockRouter, name: str, code: int, transient: bool
) -> None:
    respx_mock.post(URL).mock(return_value=answer(name))
    outcome = await graph.send(BODY)
    assert isinstance(outcome, Refused)
    assert (outcome.error.code, outcome.error.transient, outcome.http_status) == (code, transient, int(name[:3]))
    assert (outcome.retry_after, outcome.calls) == (None, 1)
    assert outcome.error.title


def test_every_recorded_answer_is_used_here() -> None:
    own = Path(__file__).read_text(encoding="utf-8")
    assert not [path.stem for path in ANSWERS.iterdir() if f'"{path.stem}"' not in own]


@pytest.mark.parametrize(
    ("header", "seconds"), [("3", 3.0), ("", None), ("soon", None), ("-1", None), ("9" * 10, None)]
)
async def test_retry_after_is_seconds_or_nothing(
    graph: GraphClient, respx_mock: respx.MockRouter, header: str, seconds: float | None
) -> None:
    respx_mock.post(URL).mock(return_value=answer("429__130429", **{"Retry-After": header}))
    outcome = await graph.send(BODY)
    assert isinstance(outcome, Refused)
    assert outcome.retry_after == seconds


@pytest.mark.parametrize(
    "error", [httpx.ConnectError("refused"), httpx.ConnectTimeout("slow"), httpx.PoolTimeout("full")]
)
async def test_without_a_connection_it_is_tried_twice_and_surely_not_sent(
    graph: GraphClient, respx_mock: respx.MockRouter, error: httpx.HTTPError
) -> None:
    route = respx_mock.post(URL).mock(side_effect=error)
    assert await graph.send(BODY) == NotSent(why=type(error).__name__, calls=2)
    assert route.call_count == 2


async def test_a_second_try_may_succeed_and_both_calls_count(graph: GraphClient, respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).mock(side_effect=[httpx.ConnectError("refused"), answer("200__accepted")])
    outcome = await graph.send(BODY)
    assert isinstance(outcome, Accepted)
    assert outcome.calls == 2


@pytest.mark.parametrize(
    "error",
    [
        httpx.ReadTimeout("slow"),
        httpx.ReadError("reset"),
        httpx.WriteError("reset"),
        httpx.WriteTimeout("slow"),
        httpx.RemoteProtocolError("closed"),
    ],
)
async def test_a_break_after_the_connection_is_lost_and_not_repeated(
    graph: GraphClient, respx_mock: respx.MockRouter, error: httpx.HTTPError
) -> None:
    route = respx_mock.post(URL).mock(side_effect=error)
    assert await graph.send(BODY) == Lost(why=type(error).__name__, calls=1)
    assert route.call_count == 1


async def test_redirects_are_not_followed(graph: GraphClient, respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).mock(return_value=httpx.Response(307, headers={"Location": "https://elsewhere.test/"}))
    outcome = await graph.send(BODY)
    assert isinstance(outcome, Refused)
    assert (outcome.error.code, outcome.http_status, outcome.calls) == (NO_CODE, 307, 1)


async def test_an_answer_nested_without_end_is_lost(graph: GraphClient, respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).mock(return_value=httpx.Response(200, content=b"[" * 50_000))
    assert isinstance(await graph.send(BODY), Lost)


async def test_the_whole_call_is_bounded_and_what_was_under_way_is_lost() -> None:
    hung_up = asyncio.Event()

    async def drip(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            while not writer.is_closing():
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.02)
        writer.close()
        hung_up.set()

    server = await asyncio.start_server(drip, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    began = asyncio.get_running_loop().time()
    async with server, new_http() as http:
        outcome = await client(http, f"http://127.0.0.1:{port}", timeout=0.3).send(BODY)
        await asyncio.wait_for(hung_up.wait(), 20)
    assert outcome == Lost(why="TimeoutError", calls=1)
    assert asyncio.get_running_loop().time() - began < 2


async def test_a_time_out_between_two_tries_is_surely_not_sent(respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).mock(side_effect=httpx.ConnectError("refused"))
    async with new_http() as http:
        assert await client(http, timeout=0.02).send(BODY) == NotSent(why="TimeoutError", calls=1)


async def test_a_token_that_cannot_be_sent_never_leaves_the_house() -> None:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    facts = {
        "base_url": f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}",
        "version": "v",
        "phone_number_id": "1",
    }
    async with server, new_http() as http:
        broken = GraphClient(**facts, token="a\nb", timeout=5, http=http)
        assert await broken.send(BODY) == NotSent(why="LocalProtocolError", calls=2)
        with pytest.raises(ValueError, match="ascii"):
            GraphClient(**facts, token="ñ", timeout=5, http=http)


async def test_a_refused_connection_of_a_real_socket_is_not_sent() -> None:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    async with new_http() as http:
        assert await client(http, f"http://127.0.0.1:{port}").send(BODY) == NotSent(why="ConnectError", calls=2)


async def test_a_connection_closed_without_an_answer_is_lost() -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, new_http() as http:
        outcome = await client(http, f"http://127.0.0.1:{port}").send(BODY)
    assert isinstance(outcome, Lost)
    assert outcome.calls == 1


@pytest.mark.parametrize("typing", [True, False])
async def test_marking_as_read(graph: GraphClient, respx_mock: respx.MockRouter, typing: bool) -> None:
    route = respx_mock.post(URL).mock(return_value=answer("200__read"))
    assert await graph.mark_read("wamid.1", typing=typing)
    sent = json.loads(route.calls.last.request.content)
    assert sent == {
        "messaging_product": "whatsapp",
        "status": "read",
        "message_id": "wamid.1",
        **({"typing_indicator": {"type": "text"}} if typing else {}),
    }


async def test_marking_as_read_never_raises(graph: GraphClient, respx_mock: respx.MockRouter) -> None:
    respx_mock.post(URL).mock(side_effect=[httpx.ReadTimeout("slow"), answer("400__131047")])
    assert not await graph.mark_read("wamid.1")
    assert not await graph.mark_read("wamid.1")


async def test_nothing_of_a_call_is_logged(
    graph: GraphClient, respx_mock: respx.MockRouter, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    respx_mock.post(URL).mock(return_value=answer("401__190"))
    await graph.send(BODY)
    assert not [record for record in caplog.records if record.name.startswith(("httpx", "httpcore", "bot"))]
    assert "TOKEN-1" not in repr(graph)


async def test_side_by_side_each_call_has_a_connection_and_later_ones_take_those() -> None:
    """In small pools; behind a proxy it is httpx's own."""
    peers: list[asyncio.Task[None] | None] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peers.append(asyncio.current_task())
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
                await asyncio.sleep(0.05)
                body = b'{"messages":[{"id":"wamid.1"}]}'
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, new_http() as http:
        graph = client(http, f"http://127.0.0.1:{port}")
        outcomes = await asyncio.gather(*(graph.send(BODY) for _ in range(LANES + 5)))
        assert {type(one) for one in outcomes} == {Accepted}
        assert len(peers) == LANES + 5
        for _ in range(3):
            await graph.send(BODY)
        assert len(peers) == LANES + 5
    await asyncio.wait([peer for peer in peers if peer is not None], timeout=10)


async def test_behind_a_proxy_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    heads: list[bytes] = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(proxy, "127.0.0.1", 0)
    monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    async with server, new_http() as http:
        assert await client(http).send(BODY) == NotSent(why="ProxyError", calls=2)
    assert {head.split(b" HTTP")[0] for head in heads} == {b"CONNECT graph.test:443"}
