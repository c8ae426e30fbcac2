"""Every message that Meta is known to post has its behaviour: what is said to it, what staff see, who is known."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.conversation.wording import LANGUAGES, Wording
from bot.turn import answer
from bot.whatsapp.values import time_or_none
from tests.conftest import FIXTURES
from tests.outbox.hand import HOUR, Hand
from tests.stack.world import ANA

FOLDER = FIXTURES / "webhooks" / "messages"
MESSAGES = sorted(path for path in FOLDER.glob("*.json") if not path.name.startswith("status_"))
ONLY_TEXT = tuple(Wording(language).say(key) for language in LANGUAGES for key in ("only_text", "still_only_text"))
ANSWERED, APOLOGY, SILENT = "answered", "only text and buttons", "silent"
NOT_KEPT = (SILENT, 0, 0)
EXPECTED = {
    **dict.fromkeys(
        (
            "audio__voice_note",
            "contacts__another_s_card",
            "ephemeral__legacy",
            "hologram__type_from_the_future",
            "image__no_url_no_caption",
            "interactive__call_permission_reply",
            "interactive__form_reply",
            "interactive__form_reply_bad_json",
            "interactive__missing_with_errors",
            "interactive__type_from_the_future",
            "location__bare",
            "location__named",
            "order__one_item",
            "request_welcome__retired",
            "sticker__animated",
            "unknown__legacy",
            "unsupported__131051_poll",
            "unsupported__131060_unavailable",
            "unsupported__edit",
        ),
        (APOLOGY, 1, 1),
    ),
    **dict.fromkeys(
        (
            "contacts__requested",
            "edit__image_caption",
            "edit__text",
            "reaction__removed",
            "reaction__thumbs_up",
            "revoke__plain",
            "system__customer_identity_changed",
            "system__type_from_the_future",
        ),
        (SILENT, 1, 1),
    ),
    **dict.fromkeys(
        (
            "system__customer_changed_number_legacy",
            "system__user_changed_number",
            "system__user_changed_number_phone_only",
            "system__user_changed_user_id",
        ),
        (SILENT, 0, 1),
    ),
    **dict.fromkeys(
        (
            "errors__130429",
            "text__group",
            "text__unknown_phone_number_id",
            "text__wrong_types",
            "user_actions__link_click",
        ),
        NOT_KEPT,
    ),
    **dict.fromkeys(
        ("text__known_id_in_new_batch", "text__newest_first", "text__one_bad_of_three"),
        (ANSWERED, 1, 2),
    ),
    "text__two_senders_contacts_swapped": (ANSWERED, 2, 2),
}
"""The answer, the customers known and the messages kept after it; all others are one message that is answered."""
STAFF_SEE = {
    "reaction__thumbs_up": "reaction 👍",
    "text__human_request": "person quiero hablar con una persona",
    "text__referred_product": "question ¿precio?",
}


def instants(value: Any) -> list[int]:
    """Every `timestamp` in it that is one."""
    if isinstance(value, list):
        return [at for one in value for at in instants(one)]
    if not isinstance(value, dict):
        return []
    at = time_or_none(value.get("timestamp"))
    own = [] if at is None else [int(at.timestamp())]
    return own + [at for one in value.values() for at in instants(one)]


@pytest.mark.parametrize("path", MESSAGES, ids=lambda path: path.stem)
async def test_every_message_has_its_behaviour(hand: Hand, path: Path) -> None:
    raw = path.read_bytes()
    when = max(instants(json.loads(raw)), default=0)
    hand.at(datetime.fromtimestamp(when or 1796140800, UTC) + timedelta(seconds=1))
    assert (await hand.stack.post(raw)).status_code == 200
    for customer in await hand.stack.customers():
        await answer(hand.runtime, customer.id or 0)
    customers, inbox = await hand.stack.count("customers"), await hand.stack.count("inbox")
    assert (await told(hand), customers, inbox) == EXPECTED.get(path.stem, (ANSWERED, 1, 1))
    assert await hand.stack.count("inbox", "handled_at IS NULL") == 0
    matters = await hand.stack.value("SELECT group_concat(kind || ' ' || text) FROM attention")
    assert matters == STAFF_SEE.get(path.stem)


async def told(hand: Hand) -> str:
    """What kind of answer it got."""
    said = [words(json.loads(row.body or "{}")) for row in await hand.rows()]
    if not said:
        return SILENT
    apologies = [one for one in said if one.startswith(ONLY_TEXT)]
    assert len(apologies) in (0, len(said))
    return APOLOGY if apologies else ANSWERED


def words(body: dict[str, Any]) -> str:
    return str(body["text"]["body"] if body["type"] == "text" else body["interactive"]["body"]["text"])


GROUP = {"type": "text", "text": {"body": "hola a todos"}, "group_id": "invented-group"}
FUTURE: list[dict[str, Any]] = [
    {"type": "hologram"},
    {"type": "hologram", "hologram": {"light": True}},
    {"type": "request_welcome"},
    {"type": "sticker", "sticker": {"id": "1"}},
    {"type": "video"},
    {"type": "contacts", "contacts": [{"phones": [{"phone": "+1 555 000 1603"}]}]},
]


async def test_nothing_is_apologised_for_twice_in_an_hour(hand: Hand) -> None:
    for content in FUTURE:
        await hand.standin.hear(ANA, content)
        await answer(hand.runtime, await hand.customer())
    assert len(await hand.rows()) == 1
    assert await told(hand) == APOLOGY
    hand.later(HOUR)
    await hand.standin.hear(ANA, FUTURE[0])
    await answer(hand.runtime, await hand.customer())
    assert len(await hand.rows()) == 2


async def test_news_of_a_kind_that_nobody_knows_is_not_the_customer_s(hand: Hand) -> None:
    await hand.standin.hear(ANA, {"type": "system", "system": {"type": "user_waved", "body": "x"}})
    assert await answer(hand.runtime, await hand.customer()) == ()
    assert await hand.stack.count("inbox", "handled_at IS NULL") == 0
    assert await hand.stack.count("customers", "last_inbound_at IS NULL") == 1


async def test_a_group_s_message_is_nobody_s(hand: Hand) -> None:
    await hand.standin.hear(ANA, GROUP)
    assert (await hand.stack.count("inbox"), await hand.stack.count("customers")) == (0, 0)
