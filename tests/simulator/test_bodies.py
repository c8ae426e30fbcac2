"""The webhook bodies are Meta's: signed over the bytes, escaped as on the wire, read by the bot as what was meant."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.simulator import bodies
from bot.simulator.bodies import Json, Line
from bot.simulator.webhook import wire
from bot.whatsapp import events
from bot.whatsapp.inbound import read
from tests.simulator.world import ANA, NOA, NUMBER, SECRET, TOKEN

AT = datetime(2026, 12, 1, 16, 0, tzinfo=UTC)
LINE = Line(webhook_url="", app_secret=SECRET, token=TOKEN, phone_number_id=NUMBER, waba_id="200000000000201")

SAID: dict[str, tuple[Json, events.Content]] = {
    "text": (bodies.text("¿Mañana? 😀 a@b.mx <50%/>"), events.Text(body="¿Mañana? 😀 a@b.mx <50%/>")),
    "template tap": (
        bodies.template_tap("confirm:7:1", "Confirmar"),
        events.Button(payload="confirm:7:1", text="Confirmar"),
    ),
    "button": (bodies.button_tap("cancel:7:1", "Cancelar"), events.Choice(id="cancel:7:1", title="Cancelar")),
    "row": (bodies.row_tap("slot:1", "17:00", "con Marta"), events.Choice(id="slot:1", title="17:00")),
    "row without description": (bodies.row_tap("slot:1", "17:00"), events.Choice(id="slot:1", title="17:00")),
    "reaction": (bodies.reaction("wamid.x", "👍"), events.Reaction(message_id="wamid.x", emoji="👍")),
    "reaction withdrawn": (bodies.reaction("wamid.x", None), events.Reaction(message_id="wamid.x", emoji=None)),
    "voice note": (bodies.media("voice"), events.Media(kind="audio", caption=None, voice=True)),
    "sticker": (bodies.media("sticker"), events.Media(kind="sticker", caption=None)),
    "image": (bodies.media("image"), events.Media(kind="image", caption=None)),
    "document": (bodies.media("document"), events.Media(kind="document", caption=None)),
}


def only_message(body: Json) -> events.Message:
    reading = read(wire(body))
    assert reading.problems == ()
    (event,) = reading.events
    assert isinstance(event, events.Message)
    return event


@pytest.mark.parametrize(("content", "meant"), SAID.values(), ids=SAID.keys())
def test_the_bot_reads_what_the_customer_did(content: Json, meant: events.Content) -> None:
    event = only_message(bodies.message(LINE, ANA, "wamid.in", AT, content))

    assert event.content == meant
    assert (event.wamid, event.sent_at, event.phone_number_id) == ("wamid.in", AT, NUMBER)
    assert (event.sender.wa_id, event.sender.user_id, event.sender.name) == (ANA.wa_id, ANA.user_id, ANA.name)


def test_a_location_is_read() -> None:
    event = only_message(bodies.message(LINE, ANA, "wamid.in", AT, bodies.location()))

    assert isinstance(event.content, events.Location)
    assert event.content.name == "Parque Inventado"


def test_a_hidden_phone_is_absent_not_empty() -> None:
    body = bodies.message(LINE, NOA, "wamid.in", AT, bodies.text("hola"))

    value = body["entry"][0]["changes"][0]["value"]
    assert "from" not in value["messages"][0]
    assert "wa_id" not in value["contacts"][0]
    assert only_message(body).sender.username == NOA.username


def test_a_quote_points_at_the_message() -> None:
    content = bodies.text("sí") | bodies.context(LINE, "wamid.out")

    assert only_message(bodies.message(LINE, ANA, "wamid.in", AT, content)).context_id == "wamid.out"


def test_the_bytes_are_escaped_as_meta_escapes_them(fixture_path: Callable[[str], Path]) -> None:
    recorded = fixture_path("webhooks/messages/text__escaped_unicode.json").read_bytes().strip()

    assert wire(json.loads(recorded)) == recorded


def test_wamids_never_come_twice() -> None:
    assert len({bodies.new_wamid() for _ in range(1000)}) == 1000
