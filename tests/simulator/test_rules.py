"""What Meta would refuse, one case a refusal, and that nothing else is refused."""

from copy import deepcopy

import pytest

from bot.simulator.rules import refusal
from tests.simulator.world import REMINDER, Body, buttons, reminder, rows, text, to_ana


def code(body: object, *, window_open: bool = True) -> int | None:
    refused = refusal(body, window_open=window_open, templates=[REMINDER])
    return refused.code if refused else None


def changed(body: Body, path: str, value: object) -> Body:
    """A copy of `body` with the value at `a.0.b` replaced; `...` removes it."""
    copy = deepcopy(body)
    *way, last = path.split(".")
    target: object = copy
    for step in way:
        target = target[int(step)] if isinstance(target, list) else target[step]  # type: ignore[index]
    if isinstance(target, list):
        target[int(last)] = value
    elif value is ...:
        del target[last]  # type: ignore[attr-defined]
    else:
        target[last] = value  # type: ignore[index]
    return copy


def many_rows(count: int) -> list[Body]:
    return [{"id": f"row-{number}", "title": "Misma hora"} for number in range(count)]


ROW = "interactive.action.sections.0.rows.0"
REPLY = "interactive.action.buttons.0.reply"
BODY = "template.components.0.parameters"
TAP = "template.components.1"

FINE = {
    "text": text(),
    "text of 4096": text("x" * 4096),
    "text with 2048 emoji": text("😀" * 2048),
    "to a user id": changed(text(), "to", ...) | {"recipient": "MX.80000000000000002"},
    "quoted": text(context={"message_id": "wamid.x"}),
    "callback data of 512": text(biz_opaque_callback_data="x" * 512),
    "reaction": to_ana({"type": "reaction", "reaction": {"message_id": "wamid.x", "emoji": "👍"}}),
    "reaction taken back": to_ana({"type": "reaction", "reaction": {"message_id": "wamid.x", "emoji": ""}}),
    "three buttons": buttons(("a", "x" * 20), ("b" * 256, "B"), ("c", "C")),
    "list": rows(),
    "ten rows with one title": rows(many_rows(10)),
    "two sections": rows(many_rows(5), [{"id": "other", "title": "x" * 24, "description": "x" * 72}], title="x" * 24),
    "footer and header": changed(
        changed(rows(), "interactive.footer", {"text": "x" * 60}), "interactive.header", {"type": "text", "text": "T"}
    ),
    "link": to_ana(
        {
            "type": "interactive",
            "interactive": {
                "type": "cta_url",
                "body": {"text": "Mapa"},
                "action": {
                    "name": "cta_url",
                    "parameters": {"display_text": "Abrir", "url": "https://example.com/mapa"},
                },
            },
        }
    ),
    "contact request": to_ana(
        {
            "type": "interactive",
            "interactive": {
                "type": "request_contact_info",
                "body": {"text": "¿Tu teléfono?"},
                "action": {"name": "request_contact_info"},
            },
        }
    ),
    "template": reminder(),
    "template without payloads": changed(reminder(), "template.components", [reminder()["template"]["components"][0]]),
    "payload of 128": changed(reminder(), f"{TAP}.parameters.0.payload", "x" * 128),
    "four spaces": reminder(service="Corte    y barba"),
    "an opening brace in a value": reminder(service="{{when}}"),
}

REFUSED = {
    "no object": (["text"], 100),
    "another product": (changed(text(), "messaging_product", "sms"), 100),
    "a group": (changed(text(), "recipient_type", "group"), 131009),
    "nobody": (changed(text(), "to", ...), 131008),
    "no phone": (changed(text(), "to", "Ana"), 131009),
    "no user id": (changed(text(), "to", ...) | {"recipient": "Ana"}, 131009),
    "callback data of 513": (text(biz_opaque_callback_data="x" * 513), 100),
    "callback data is a number": (text(biz_opaque_callback_data=7), 100),
    "empty context": (text(context={}), 131008),
    "unknown type": (changed(text(), "type", "poll"), 100),
    "type without its content": (changed(text(), "text", ...), 131008),
    "content of a wrong type": (changed(text(), "text", "Hola"), 100),
    "empty text": (text(""), 100),
    "blank text": (text(" \n "), 100),
    "text of 4097": (text("x" * 4097), 100),
    "text with 2049 emoji": (text("😀" * 2049), 100),
    "text is a number": (text() | {"text": {"body": 5}}, 100),
    "reaction to nothing": (to_ana({"type": "reaction", "reaction": {"emoji": "👍"}}), 131008),
    "reaction without emoji": (to_ana({"type": "reaction", "reaction": {"message_id": "wamid.x"}}), 131008),
    "unknown interactive": (changed(buttons(), "interactive.type", "carousel"), 131009),
    "no interactive body": (changed(buttons(), "interactive.body", ...), 131008),
    "interactive body of 1025": (changed(buttons(), "interactive.body.text", "x" * 1025), 131009),
    "header of 61": (changed(rows(), "interactive.header", {"type": "text", "text": "x" * 61}), 131009),
    "header picture": (changed(rows(), "interactive.header", {"type": "image", "image": {}}), 131009),
    "footer of 61": (changed(rows(), "interactive.footer", {"text": "x" * 61}), 131009),
    "empty footer": (changed(rows(), "interactive.footer", {"text": ""}), 131009),
    "no action": (changed(rows(), "interactive.action", ...), 131008),
    "no buttons": (changed(buttons(), "interactive.action.buttons", []), 131009),
    "four buttons": (buttons(("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")), 131009),
    "button of another type": (changed(buttons(), "interactive.action.buttons.0.type", "url"), 131009),
    "button title of 21": (changed(buttons(), f"{REPLY}.title", "x" * 21), 131009),
    "empty button title": (changed(buttons(), f"{REPLY}.title", ""), 131009),
    "button id of 257": (changed(buttons(), f"{REPLY}.id", "x" * 257), 131009),
    "button id with outer space": (changed(buttons(), f"{REPLY}.id", "yes "), 131009),
    "two buttons with one title": (buttons(("a", "Sí"), ("b", "Sí")), 131009),
    "two buttons with one id": (buttons(("a", "Sí"), ("a", "No")), 131009),
    "list button of 21": (changed(rows(), "interactive.action.button", "x" * 21), 131009),
    "no list button": (changed(rows(), "interactive.action.button", ...), 131008),
    "eleven rows": (rows(many_rows(11)), 131009),
    "eleven rows in two sections": (
        rows(many_rows(6), [{"id": f"b{n}", "title": "B"} for n in range(5)], title="T"),
        131009,
    ),
    "eleven sections": (rows(*[[{"id": str(number), "title": "T"}] for number in range(11)], title="T"), 131009),
    "section without rows": (rows([]), 131009),
    "two sections without titles": (rows(many_rows(1), [{"id": "b", "title": "B"}]), 131008),
    "section title of 25": (rows(many_rows(1), title="x" * 25), 131009),
    "row title of 25": (changed(rows(), f"{ROW}.title", "x" * 25), 131009),
    "row description of 73": (changed(rows(), f"{ROW}.description", "x" * 73), 131009),
    "empty row description": (changed(rows(), f"{ROW}.description", ""), 131009),
    "row id of 201": (changed(rows(), f"{ROW}.id", "x" * 201), 131009),
    "row id with outer space": (changed(rows(), f"{ROW}.id", " one"), 131009),
    "two rows with one id": (rows([{"id": "a", "title": "A"}, {"id": "a", "title": "B"}]), 131009),
    "link that is none": (changed(FINE["link"], "interactive.action.parameters.url", "javascript:alert(1)"), 131009),
    "request of another name": (changed(FINE["contact request"], "interactive.action.name", "send_location"), 131009),
    "unknown template": (changed(reminder(), "template.name", "appointment_reminder_3h"), 132001),
    "unknown language": (changed(reminder(), "template.language.code", "es_MX"), 132001),
    "template without language": (changed(reminder(), "template.language", ...), 131008),
    "a parameter too few": (
        changed(reminder(), f"{BODY}", reminder()["template"]["components"][0]["parameters"][1:]),
        132000,
    ),
    "a parameter too many": (reminder(place="Aquí"), 132000),
    "no parameters": (changed(reminder(), "template.components", []), 132000),
    "two bodies": (
        changed(reminder(), "template.components", [reminder()["template"]["components"][0]] * 2),
        132012,
    ),
    "a header that is not there": (changed(reminder(), TAP, {"type": "header", "parameters": []}), 132012),
    "another parameter's name": (changed(reminder(), f"{BODY}.0.parameter_name", "patient"), 132012),
    "one name twice": (changed(reminder(), f"{BODY}.0.parameter_name", "when"), 132012),
    "parameter without name": (changed(reminder(), f"{BODY}.0.parameter_name", ...), 132012),
    "parameter of another type": (changed(reminder(), f"{BODY}.0.type", "currency"), 132012),
    "empty parameter": (reminder(name=""), 132018),
    "blank parameter": (reminder(name=" "), 132018),
    "parameter with a new line": (reminder(name="Ana\nB"), 132018),
    "parameter with a tab": (reminder(name="Ana\tB"), 132018),
    "parameter with five spaces": (reminder(name="Ana     B"), 132018),
    "filled text of over 1024": (reminder(service="x" * 1000), 132005),
    "payload of 129": (changed(reminder(), f"{TAP}.parameters.0.payload", "x" * 129), 131009),
    "empty payload": (changed(reminder(), f"{TAP}.parameters.0.payload", ""), 131009),
    "payload of another type": (changed(reminder(), f"{TAP}.parameters.0.type", "text"), 132012),
    "two payloads for one button": (changed(reminder(), f"{TAP}.index", "1"), 132012),
    "a fourth button": (changed(reminder(), f"{TAP}.index", "3"), 132000),
    "a link button": (changed(reminder(), f"{TAP}.sub_type", "url"), 132012),
}


@pytest.mark.parametrize("body", FINE.values(), ids=FINE.keys())
def test_what_meta_takes_is_taken(body: Body) -> None:
    assert code(body) is None


@pytest.mark.parametrize(("body", "expected"), REFUSED.values(), ids=REFUSED.keys())
def test_what_meta_refuses_is_refused_with_its_code(body: object, expected: int) -> None:
    assert code(body) == expected


@pytest.mark.parametrize("name", ["text", "three buttons", "list", "reaction"])
def test_only_a_template_goes_through_a_closed_window(name: str) -> None:
    assert code(FINE[name], window_open=False) == 131047
    assert code(reminder(), window_open=False) is None


def test_a_refusal_reads_like_one_of_metas() -> None:
    refused = refusal(text(""), window_open=True, templates=[])

    assert refused is not None
    error = refused.answer()["error"]
    assert isinstance(error, dict)
    assert error["message"] == "(#100) Invalid parameter"
    assert error["type"] == "OAuthException"
    assert "text.body" in error["error_data"]["details"]
    assert refused.http_status == 400
