"""POST /webhook lets in what is rightly signed, byte for byte, and nothing else."""

import json

import pytest

from bot.clock import TravelClock
from bot.whatsapp.signature import sign
from tests.conftest import FIXTURES
from tests.stack.world import SECRET, VERIFY, Stack, stack
from tests.web import said

BODY = json.dumps(said.body(said.value(said.text()))).encode()
RIGHT = sign(SECRET, BODY).encode()
DIGEST = RIGHT.removeprefix(b"sha256=")
REFUSED: dict[str, list[bytes]] = {
    "missing": [],
    "empty": [b""],
    "only the name": [b"sha256="],
    "digest alone": [DIGEST],
    "sha1": [b"sha1=" + DIGEST[:40]],
    "upper case": [b"sha256=" + DIGEST.upper()],
    "upper-case name": [b"SHA256=" + DIGEST],
    "too short": [RIGHT[:-1]],
    "too long": [RIGHT + b"0"],
    "another app's": [sign("another_secret", BODY).encode()],
    "empty secret": [sign("", BODY).encode()],
    "twice": [RIGHT, RIGHT],
    "right and wrong": [RIGHT, b"sha256=00"],
    "not ASCII": [b"sha256=\xe9" + DIGEST[1:]],
    "not UTF-8": [b"\xff\xfe"],
}


async def test_what_is_not_rightly_signed_is_refused_without_effect(door: Stack) -> None:
    answers = {}
    for name, values in REFUSED.items():
        headers = [(b"X-Hub-Signature-256", value) for value in values]
        answer = await door.http.post("/webhook", content=BODY, headers=headers)
        answers[name] = answer.status_code
        assert DIGEST.decode() not in answer.text
        assert SECRET not in answer.text
    assert answers == dict.fromkeys(REFUSED, 401)
    assert await door.count("inbox") == await door.count("customers") == 0


async def test_any_changed_byte_is_refused(door: Stack) -> None:
    signature = RIGHT.decode()
    for place in range(0, len(BODY), 37):
        changed = BODY[:place] + bytes([BODY[place] ^ 1]) + BODY[place + 1 :]
        assert (await door.post(changed, signature=signature)).status_code == 401
    assert (await door.post(BODY + b"\n", signature=signature)).status_code == 401
    assert await door.count("inbox") == 0


@pytest.mark.parametrize(
    "raw",
    [
        json.dumps(said.body(said.value(said.text(words="¿qué @ / 👍🏽?"))), ensure_ascii=False).encode(),
        json.dumps(said.body(said.value(said.text(words="¿qué @ / 👍🏽?")))).encode().replace(b"/", rb"\/"),
        json.dumps(said.body(said.value(said.text(words="¿qué @ / 👍🏽?"))), indent=3).encode() + b"\r\n\n",
    ],
    ids=["raw UTF-8", "escapes", "odd spacing"],
)
async def test_the_bytes_count_however_they_are_written(door: Stack, raw: bytes) -> None:
    assert (await door.post(raw)).status_code == 200
    assert "¿qué @ / 👍🏽?" in json.loads(str(await door.value("SELECT raw FROM inbox")))["text"]["body"]


async def test_every_secret_of_a_rotation_counts(sqlite_url: str, valkey_url: str, clock: TravelClock) -> None:
    secrets = f"a_new_secret, {SECRET}"
    async with stack(sqlite_url, valkey_url, clock, worker=False, whatsapp_app_secret=secrets) as door:
        assert (await door.post(BODY, signature=sign("a_new_secret", BODY))).status_code == 200
        assert (await door.post(BODY, signature=sign(SECRET, BODY))).status_code == 200
        assert (await door.post(BODY, signature=sign(secrets, BODY))).status_code == 401


async def test_every_fixture_is_taken_and_leaves_the_process_well(bots: Stack) -> None:
    """An expectation beside a file is optional (tests/whatsapp): being there makes it a test of the whole stack."""
    files = sorted((FIXTURES / "webhooks").rglob("*.json"))
    assert len(files) > 70
    answers = {path.name: (await bots.post(path.read_bytes())).status_code for path in files}
    assert answers == dict.fromkeys(answers, 200)
    await bots.quiet()
    assert await bots.count("inbox", "error IS NOT NULL") == 0
    assert await bots.count("inbox", "handled_at IS NULL") == 0
    again = [(await bots.post(path.read_bytes())).status_code for path in files]
    assert set(again) == {200}
    assert (await bots.http.get("/livez")).status_code == 200


MALFORMED = [
    b"",
    b"\x00",
    b"{",
    b"{}",
    b"[]",
    b"null",
    b'"x"',
    b"1e999",
    b"NaN",
    b"[" * 40_000,
    b'{"a":' * 100_000,
    b'{"object":"whatsapp_business_account","entry":null}',
    b'{"object":"whatsapp_business_account","entry":[null,1,"x",[]]}',
    b'{"object":"whatsapp_business_account","entry":[{"changes":[{"field":"messages","value":null}]}]}',
    b"\xff\xfe{}",
    b'{"object":"page"}',
    b'{"object":"whatsapp_business_account","object":"page","entry":[]}',
    json.dumps(said.body(said.value(None, [], "x", 7))).encode(),
    json.dumps(said.body(said.value({"id": "wamid.x"}))).encode(),
    json.dumps(said.body(said.value(said.text(text=None)))).encode(),
    json.dumps(said.body(said.value(said.text(text={"body": None})))).encode(),
    json.dumps(said.body(said.value(said.text(text={"body": 123})))).encode(),
    json.dumps(said.body(said.value(said.text(timestamp=None)))).encode(),
    json.dumps(said.body(said.value(said.text(timestamp="9" * 400)))).encode(),
    json.dumps(said.body(said.value(said.text(timestamp="-62135596801")))).encode(),
    json.dumps(said.body(said.value(said.text(), contacts=[]))).encode(),
    json.dumps(said.body(said.value(said.text(), contacts=[{"wa_id": said.PHONE, "profile": None}]))).encode(),
    json.dumps(said.body(said.value(said.text(id=10**30)))).encode(),
    BODY.replace(b'"1796140800"', b"1" + b"0" * 5000),
    BODY.replace(b'"1796140800"', b"NaN"),
    BODY.replace(b'"1796140800"', b"-Infinity"),
]


async def test_useless_content_is_answered_200_when_signed_and_401_when_not(doors: Stack) -> None:
    for raw in MALFORMED:
        assert ((await doors.post(raw)).status_code, raw[:60]) == (200, raw[:60])
        assert ((await doors.post(raw, signature="sha256=" + "0" * 64)).status_code, raw[:60]) == (401, raw[:60])
    assert (await doors.post(BODY.replace(b"wamid.1", b"wamid.good"))).status_code == 200
    assert await doors.count("inbox", "message_id = 'wamid.good'") == 1


async def test_a_compressed_body_is_not_unpacked(door: Stack) -> None:
    headers = {"X-Hub-Signature-256": sign(SECRET, BODY), "Content-Encoding": "gzip"}
    assert (await door.http.post("/webhook", content=BODY, headers=headers)).status_code == 200
    assert await door.count("inbox") == 1


async def test_the_handshake_gives_the_challenge_back_as_it_came(door: Stack) -> None:
    for challenge in ("0012345", "x" * 500, "<script>alert(1)</script>", "ñ👍", ""):
        query = {"hub.mode": "subscribe", "hub.verify_token": VERIFY, "hub.challenge": challenge}
        answer = await door.http.get("/webhook", params=query)
        assert (answer.status_code, answer.text) == (200, challenge)
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "query",
    [
        "",
        "hub.mode=subscribe&hub.challenge=1",
        f"hub.mode=subscribe&hub.verify_token={VERIFY}x&hub.challenge=1",
        f"hub.mode=subscribe&hub.verify_token={VERIFY.upper()}&hub.challenge=1",
        "hub.mode=subscribe&hub.verify_token=&hub.challenge=1",
        "hub.mode=subscribe&hub.verify_token=%C3%A9&hub.challenge=1",
        "hub.mode=subscribe&hub.verify_token=%ff%fe&hub.challenge=1",
        f"hub.mode=unsubscribe&hub.verify_token={VERIFY}&hub.challenge=1",
        f"hub.mode=subscribe&hub.verify_token={VERIFY}",
    ],
)
async def test_a_wrong_handshake_is_forbidden(door: Stack, query: str) -> None:
    answer = await door.http.get(f"/webhook?{query}")
    assert (answer.status_code, answer.text) == (403, "forbidden")


async def test_other_methods_are_not_allowed(door: Stack) -> None:
    assert (await door.http.put("/webhook")).status_code == 405
    assert (await door.http.get("/")).status_code == 404
