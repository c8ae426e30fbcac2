"""One hostile element in a batch costs nobody anything but itself, on either database."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from bot.turn import answer
from bot.whatsapp.signature import sign
from tests.outbox.hand import Hand
from tests.stack.told import told
from tests.stack.world import SECRET
from tests.web import said

OTHER = "5215550001699"
WIDE = "".join(chr(0x20000 + 7919 * n % 0xA000) for n in range(30_000))
"""Letters of four bytes in no order: no index takes them, pressed or not."""


def template(field: str, **told: object) -> said.Json:
    return said.body({"message_template_name": "n", "message_template_language": "es", **told}, field=field)


def failed(code: object) -> said.Json:
    return said.receipts(said.receipt("wamid.ours", "failed", errors=[{"code": code, "title": "x"}]))


CARD = {
    "from_user_id": "MX.8",
    "id": "wamid.card",
    "timestamp": said.AT,
    "type": "contacts",
    "contacts": [{"origin": "contact_request", "phones": [{"phone": "123456789" * 3000}]}],
}
ELEMENTS = {
    "an error code of 33 bits": failed(5_000_000_000),
    "an error code of 25 digits": failed(10**25),
    "an error code as text": failed("999999999999"),
    "a template's name": template("message_template_status_update", event="PAUSED", message_template_name=WIDE),
    "a template's language": template("message_template_status_update", event="X", message_template_language=WIDE),
    "a quality's template": template(
        "message_template_quality_update", new_quality_score="RED", message_template_name=WIDE
    ),
    "a category": template("template_category_update", new_category="MARKETING", message_template_name=WIDE),
    "ids as wide as can be": said.body(said.value({**said.text("wamid.w"), "from_user_id": WIDE[:512]}, contacts=[])),
    "a shared card's phone": said.body(said.value(CARD, contacts=[])),
    "a username": said.body(
        said.value(
            {**said.text("wamid.u"), "from_user_id": "MX.7"},
            contacts=[{"user_id": "MX.7", "profile": {"username": WIDE}}],
        )
    ),
    "a referral": said.body(said.value(said.text("wamid.r", referral={"a\x00": "b\x00\ud800", WIDE: WIDE}))),
}


@pytest.mark.parametrize("name", ELEMENTS)
async def test_its_neighbours_are_kept(hands: Hand, name: str) -> None:
    before = said.body(said.value(said.text("wamid.before")))
    after = said.body(said.value({**said.text("wamid.after"), "from": OTHER}, contacts=[]))
    with told() as log:
        assert (await hands.stack.post(said.entries(before, ELEMENTS[name], after))).status_code == 200
    assert "Traceback" not in log.getvalue()
    assert await hands.stack.count("inbox", "message_id IN ('wamid.before', 'wamid.after')") == 2


ODD_IDS: list[Any] = ["a\x00b", "a\ud83db", WIDE, 7, None, {}, ["x"]]
QUOTES = [{"context": {"id": odd}} for odd in ODD_IDS]
REACTIONS = [{"type": "reaction", "reaction": {"message_id": odd, "emoji": "👍"}} for odd in ("a\x00b", "\ud83d", WIDE)]
LONG: list[said.Json] = [
    {"text": {"body": WIDE}},
    {"type": "button", "button": {"payload": "x", "text": WIDE}},
    {"type": "interactive", "interactive": {"type": "list_reply", "list_reply": {"id": "time:" + "9" * 400}}},
]


@pytest.mark.parametrize("more", [*QUOTES, *REACTIONS, *LONG])
async def test_it_does_not_keep_its_own_customer_waiting(hands: Hand, more: said.Json) -> None:
    messages = [said.text("wamid.odd", **more), said.text("wamid.plain", "mis citas")]
    assert (await hands.stack.post(said.body(said.value(*messages)))).status_code == 200
    with told() as log:
        await answer_all(hands)
    assert "Traceback" not in log.getvalue()
    assert await hands.stack.count("inbox", "handled_at IS NULL OR error IS NOT NULL") == 0
    assert await hands.rows()


async def test_what_cannot_be_read_again_does_not_block_its_customer(hand: Hand) -> None:
    assert (await hand.stack.post(said.body(said.value(said.text("wamid.1"), said.text("wamid.2"))))).status_code == 200
    await hand.stack.change("UPDATE inbox SET raw = '{' WHERE message_id = 'wamid.1'")
    await answer_all(hand)
    assert await hand.stack.count("inbox", "handled_at IS NULL") == 0
    assert len(await hand.rows()) == 2


PLAIN = json.dumps(said.body(said.value(said.text(words="ma@ana", x="#")))).encode()
READABLE: Sequence[bytes] = [
    b"\xef\xbb\xbf" + PLAIN,
    PLAIN.replace(b"@", b"\xf1"),
    PLAIN.replace(b'"#"', b"[" * 5000 + b"]" * 5000),
    PLAIN.replace(b'"type"', b'"type": "image", "type"', 1),
]


@pytest.mark.parametrize("raw", READABLE, ids=["byte order mark", "Latin-1", "deep nesting", "key twice"])
async def test_a_body_that_is_nearly_right_is_read(hand: Hand, raw: bytes) -> None:
    assert (await hand.stack.post(raw)).status_code == 200
    assert await hand.stack.value("SELECT kind FROM inbox WHERE message_id = 'wamid.1'") == "text"


async def test_blanks_around_a_signature_are_no_part_of_it(hand: Hand) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(hand.stack.url.rsplit(":", 1)[1]))
    size, signature = len(PLAIN), sign(SECRET, PLAIN)
    head = f"POST /webhook HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {size}\r\n"
    writer.write(f"{head}x-HUB-signature-256: \t{signature} \t\r\n\r\n".encode() + PLAIN)
    assert (await asyncio.wait_for(reader.read(), 5)).startswith(b"HTTP/1.1 200")
    writer.close()
    await writer.wait_closed()


async def answer_all(hand: Hand) -> None:
    """One turn for everybody."""
    for customer in await hand.stack.customers():
        await answer(hand.runtime, customer.id or 0)
