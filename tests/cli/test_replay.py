"""`confirmo replay`: signed, for our number unless told otherwise, to the server of the settings."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bot.cli.replay import rewritten
from bot.whatsapp.signature import valid
from tests.cli.conftest import Confirmo
from tests.conftest import FIXTURES
from tests.services.process import free_port

TAP = FIXTURES / "webhooks" / "messages" / "button__template_quick_reply.json"
BATCH = FIXTURES / "webhooks" / "messages" / "batch__two_accounts.json"
ALL = sorted((FIXTURES / "webhooks").rglob("*.json"))


class Listener(ThreadingHTTPServer):
    """Keeps what is posted; refuses what does not say `wanted`."""

    def __init__(self, wanted: bytes = b"") -> None:
        super().__init__(("127.0.0.1", 0), Post)
        self.wanted = wanted
        self.heard: list[tuple[str, bytes, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/webhook"


class Post(BaseHTTPRequestHandler):
    server: Listener

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.heard.append((self.path, body, self.headers["x-hub-signature-256"]))
        self.send_response(200 if self.server.wanted in body else 401)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Silence."""


@contextmanager
def listening(wanted: bytes = b"") -> Iterator[Listener]:
    with Listener(wanted) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


async def test_rewritten_signed_and_posted_to_the_server_of_the_settings(anywhere: Confirmo) -> None:
    with listening() as server:
        done = await anywhere(
            "replay",
            str(TAP),
            str(BATCH),
            WHATSAPP_APP_SECRET="new,old",
            WHATSAPP_PHONE_NUMBER_ID="PNID7",
            HOST="0.0.0.0",  # noqa: S104 - nothing listens there
            PORT=str(server.server_port),
        )

    assert (done.code, done.err) == (0, "")
    assert done.out == f"200  {TAP}\n200  {BATCH}\n"
    for path, body, signature in server.heard:
        assert path == "/webhook"
        assert valid(["new"], body, signature.encode())
        assert body.count(b'"phone_number_id": "PNID7"') == body.count(b'"phone_number_id"') > 0


async def test_as_is_posts_the_exact_bytes_and_needs_only_the_secret(anywhere: Confirmo) -> None:
    with listening() as server:
        paths = [str(path) for path in ALL]
        done = await anywhere("replay", "--as-is", "--url", server.url, *paths, WHATSAPP_APP_SECRET="secret")

    assert done.code == 0
    assert [body for _, body, _ in server.heard] == [path.read_bytes() for path in ALL]
    assert all(valid(["secret"], body, signature.encode()) for _, body, signature in server.heard)


async def test_one_that_is_refused_is_told_and_the_others_are_posted(anywhere: Confirmo, folder: Path) -> None:
    for name in ("a", "b", "c"):
        (folder / name).write_text(name if name != "b" else "nonsense")
    with listening(wanted=b"n") as server:
        done = await anywhere("replay", "--as-is", "--url", server.url, "a", "b", "c", WHATSAPP_APP_SECRET="secret")

    assert (done.code, done.out) == (1, "401  a\n200  b\n401  c\n")


@pytest.mark.parametrize(
    ("arguments", "settings", "said"),
    [
        ((), {"PORT": str(free_port())}, "does not answer"),
        ((), {"PORT": "0"}, "--url"),
        (("--url", "nonsense"), {}, "does not answer"),
        (("--url", "http://[nonsense/"), {}, "does not answer"),
        ((), {"WHATSAPP_APP_SECRET": ""}, "WHATSAPP_APP_SECRET is not set"),
        ((), {"WHATSAPP_PHONE_NUMBER_ID": ""}, "WHATSAPP_PHONE_NUMBER_ID is not set"),
        (("nowhere.json",), {}, "nowhere.json: No such file"),
    ],
)
async def test_what_it_could_not_is_one_line(
    anywhere: Confirmo, arguments: tuple[str, ...], settings: dict[str, str], said: str
) -> None:
    needed = {"WHATSAPP_APP_SECRET": "secret", "WHATSAPP_PHONE_NUMBER_ID": "PNID7"}
    done = await anywhere("replay", *arguments, str(TAP), **{**needed, **settings})

    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert said in done.err


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_nothing_but_the_number_is_changed(path: Path) -> None:
    before = path.read_bytes()
    after = rewritten(before, "PNID7")

    if after != before:
        assert json.loads(after) == _with_number(json.loads(before))
    assert b"phone_number_id" not in before or b"PNID7" in after or b"metadata" not in before


@pytest.mark.parametrize(
    "body", [b"", b"no json", b"[" * 100_000, b"{}", b'{"entry":[1,null,{"changes":{}}]}', b"\xff"]
)
def test_a_body_without_a_number_stays_as_it_is(body: bytes) -> None:
    assert rewritten(body, "PNID7") == body


def _with_number(value: object) -> object:
    """Every metadata's number replaced, wherever it stands."""
    if isinstance(value, list):
        return [_with_number(one) for one in value]
    if not isinstance(value, dict):
        return value
    changed = {key: _with_number(one) for key, one in value.items()}
    metadata = changed.get("metadata")
    if isinstance(metadata, dict) and "phone_number_id" in metadata:
        changed["metadata"] = {**metadata, "phone_number_id": "PNID7"}
    return changed
