"""Reading webhook bodies that are hostile, broken or unusual: never an exception, never a lost neighbour."""

import inspect
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.whatsapp.events import (
    Button,
    Content,
    Edited,
    Form,
    Ignored,
    Location,
    Media,
    Message,
    NumberChanged,
    Receipt,
    SharedContacts,
    TemplateStatus,
    Text,
    Unsupported,
)
from bot.whatsapp.inbound import read

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures" / "webhooks").rglob("*.json"))
IMAGE = {"type": "image", "image": {"caption": "x"}}
META = {"display_phone_number": "15550000001", "phone_number_id": "PNID1"}
T: dict[str, Any] = {"from": "5215500000001", "id": "wamid.T", "timestamp": "1796140800", "type": "text"}


def env(value: object, field: str = "messages") -> bytes:
    change = {"field": field, "value": value}
    body = {"object": "whatsapp_business_account", "entry": [{"id": "WABA1", "changes": [change]}]}
    return json.dumps(body).encode()


def val(*messages: object, **rest: object) -> bytes:
    contacts = [{"profile": {"name": "Ana Prueba"}, "wa_id": "5215500000001"}]
    return env({"metadata": META, "contacts": contacts, "messages": list(messages), **rest})


def one(body: bytes) -> Message:
    reading = read(body)
    assert reading.problems == ()
    (event,) = reading.events
    assert isinstance(event, Message)
    return event


def content(**item: object) -> Content:
    return one(val({**T, **item})).content


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b'"caf\xe9"',
        b"{",
        b"[" * 40_000,
        b'{"object":"whatsapp_business_account","entry":' + b"[" * 40_000 + b"]" * 40_000 + b"}",
        b"{}garbage",
        b"[]",
        b"null",
        b'"x"',
        b"7",
        b'{"object":"whatsapp_business_account"}',
        b'{"object":"whatsapp_business_account","entry":null}',
        b'{"object":"whatsapp_business_account","entry":{}}',
        b'{"object":"whatsapp_business_account","entry":[null,7,"x",{"id":1,"changes":{}}]}',
        env(None),
        env([]),
        env("x"),
        val(None, 7, "x", []),
        val({**T, "text": "x"}),
        val({**T, "text": {"body": 123}}),
        val({"id": "wamid.nobody", "type": "text", "text": {"body": "hola"}}),
        env({"messages": {"0": T}}),
        env({"statuses": [None, {"status": "sent"}]}),
        env({"errors": [{"title": "no code"}]}),
        env({"message_template_name": "x"}, "message_template_status_update"),
        env({"message_template_name": "x", "message_template_language": "es"}, "message_template_status_update"),
        env({"user_preferences": [{"user_id": "MX.1"}]}, "user_preferences"),
        env({"message_echoes": [{"to": "5215500000001"}]}, "smb_message_echoes"),
    ],
)
def test_useless_content_is_a_problem_and_no_event(body: bytes) -> None:
    reading = read(body)
    assert reading.events == ()
    assert reading.problems
    assert all(problem.why and problem.where for problem in reading.problems)


@pytest.mark.parametrize("body", [b"{}", b'{"object":"page"}', b'{"object":["page"]}', env({}, "no_such_field")])
def test_what_nobody_expects_is_loud(body: bytes) -> None:
    (event,) = read(body).events
    assert isinstance(event, Ignored)
    assert event.unknown


def test_a_value_with_nothing_in_it_is_ignored_quietly() -> None:
    assert read(env({"metadata": META})).events == (Ignored(field="messages", why="nothing inside"),)


def test_an_unknown_status_is_ignored_loudly() -> None:
    (event,) = read(env({"statuses": [{"id": "wamid.S", "status": "deleted"}]})).events
    assert event == Ignored(field="messages", why="unknown status deleted", unknown=True)


def test_bad_elements_do_not_cost_their_neighbours() -> None:
    good = {**T, "text": {"body": "hola"}}
    statuses = [None, {"id": "wamid.never-sent", "status": "read", "timestamp": "x"}]
    reading = read(val(None, {**good, "id": "wamid.1"}, "x", {**good, "id": "wamid.2"}, statuses=statuses))
    assert [getattr(event, "wamid", None) for event in reading.events] == ["wamid.1", "wamid.2", "wamid.never-sent"]
    assert len(reading.problems) == 3
    receipt = reading.events[2]
    assert isinstance(receipt, Receipt)
    assert (receipt.at, receipt.errors, receipt.pricing, receipt.recipient) == (None, (), None, None)


def test_an_element_that_nobody_could_foresee_is_a_problem_of_that_element() -> None:
    deep: Any = []
    for _ in range(600):
        deep = [deep]
    body = val({**T, "text": {"body": "hola"}, "referral": {"x": deep}}, {**T, "text": {"body": "hola"}})
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 650)  # deep enough to parse, not to walk through
    try:
        reading = read(body)
    finally:
        sys.setrecursionlimit(before)
    assert [problem.why for problem in reading.problems] == ["RecursionError"]
    assert len(reading.events) == 1


def test_every_message_of_a_batch_is_read_in_order() -> None:
    def change(*ids: str) -> dict[str, object]:
        return {
            "field": "messages",
            "value": {"metadata": META, "messages": [{**T, "id": i, "text": {"body": i}} for i in ids]},
        }

    entries = [
        {"id": "A", "changes": [change("1", "2", "3"), change("4", "5", "6")]},
        {"id": "B", "changes": [change("7", "8", "9"), change("10", "11", "12")]},
    ]
    reading = read(json.dumps({"object": "whatsapp_business_account", "entry": entries}).encode())
    assert [event.wamid for event in reading.events if isinstance(event, Message)] == [str(n) for n in range(1, 13)]
    assert [event.account for event in reading.events if isinstance(event, Message)] == ["A"] * 6 + ["B"] * 6


@pytest.mark.parametrize(
    "contacts",
    [None, [], {}, [None], [{"wa_id": "5215500000001"}], [{"profile": None}], [{"profile": {"name": " \n\t"}}]],
)
def test_a_name_that_is_not_there_is_none(contacts: object) -> None:
    message = one(val({**T, "text": {"body": "hola"}}, contacts=contacts))
    assert message.sender.name is None
    assert message.sender.wa_id == "5215500000001"


def test_contacts_are_found_by_canonical_phone_among_several() -> None:
    contacts = [
        {"profile": {"name": "Otra"}, "wa_id": "525500000002"},
        {"profile": {"name": "Ana"}, "wa_id": "525500000001", "user_id": "MX.1", "parent_user_id": "MX.ENT.1"},
    ]
    sender = one(val({**T, "text": {"body": "hola"}}, contacts=contacts)).sender
    assert (sender.name, sender.wa_id, sender.user_id) == ("Ana", "525500000001", "MX.1")
    assert sender.parent_user_id == "MX.ENT.1"


def test_one_contact_and_one_message_belong_together_unless_their_ids_differ() -> None:
    contacts = [{"profile": {"name": "Ana"}, "user_id": "MX.1"}]
    text = {"text": {"body": "hola"}}
    assert one(val({**T, **text}, contacts=contacts)).sender.user_id == "MX.1"
    stranger = one(val({**T, **text, "from_user_id": "MX.2"}, contacts=contacts)).sender
    assert (stranger.user_id, stranger.name) == ("MX.2", None)


def test_the_contact_of_a_new_number_is_not_taken_for_the_old_one() -> None:
    system = {"type": "customer_changed_number", "new_wa_id": "5215500000002"}
    contacts = [{"wa_id": "5215500000002", "user_id": "MX.9"}]
    message = one(val({**T, "type": "system", "system": system}, contacts=contacts))
    assert (message.sender.wa_id, message.sender.user_id) == ("5215500000001", None)
    assert message.content == NumberChanged(
        new_wa_id="5215500000002", new_user_id=None, previous_user_id=None, old_wa_id="5215500000001"
    )


@pytest.mark.parametrize("user_id", ["AR.549000000001", "MX.5210000000001", "US.1ABCdef"])
def test_ids_are_never_altered(user_id: str) -> None:
    message = one(val({**T, "from_user_id": user_id, "text": {"body": "hola"}}, contacts=None))
    assert message.sender.user_id == user_id


def test_a_phone_that_came_as_a_number_is_still_that_phone() -> None:
    sender = one(val({**T, "from": 5215500000009, "text": {"body": "hola"}}, contacts=None)).sender
    assert sender.wa_id == "5215500000009"


def test_names_and_texts_are_cleaned_for_both_databases() -> None:
    contacts = [{"profile": {"name": "Ana\u0000 \n\tde  la\ud83d O"}, "wa_id": "5215500000001"}]
    message = one(val({**T, "text": {"body": "a\u0000b\ud83d\u0007\u001b[31m\nc\td\r\n👍🏽é"}}, contacts=contacts))
    assert message.content == Text(body="ab[31m\nc d\n👍🏽é")
    assert message.sender.name == "Ana de la O"
    assert message.raw.isascii()
    assert "\x00" not in message.raw


def test_a_message_without_a_usable_id_gets_one_that_a_second_delivery_has_too() -> None:
    item = {"from": "5215500000001", "timestamp": "1796140800", "type": "text", "text": {"body": "hola"}}
    first = one(val(item)).wamid
    assert first.startswith("derived:")
    assert len(first) == len("derived:") + 64
    assert one(val(dict(reversed(item.items())), contacts=None)).wamid == first
    assert one(val({**item, "timestamp": "1796140801"})).wamid != first
    assert one(val({**item, "id": "wamid.\u0000"})).wamid.startswith("derived:")
    assert one(val({**item, "id": "w" * 513})).wamid.startswith("derived:")
    assert one(val({**item, "id": "w" * 512})).wamid == "w" * 512


@pytest.mark.parametrize(
    "timestamp",
    [None, "", "x", "-1", "0", -1, 0, True, 1.5, "253402300800", 10**40, "9" * 5000, {}, [], "١٢٣"],
)
def test_a_time_that_is_none_is_none(timestamp: object) -> None:
    body = val({**T, "timestamp": timestamp, "text": {"body": "hola"}})
    assert one(body).sent_at is None


@pytest.mark.parametrize("timestamp", ["1796140800", 1796140800])
def test_a_time_is_aware_utc(timestamp: object) -> None:
    sent_at = one(val({**T, "timestamp": timestamp, "text": {"body": "hola"}})).sent_at
    assert sent_at is not None
    assert sent_at.isoformat() == "2026-12-01T16:00:00+00:00"


def test_odd_numbers_of_json_leave_the_rest_readable() -> None:
    body = val({**T, "text": {"body": "hola"}}).replace(b'"1796140800"', b"NaN")
    assert one(body).sent_at is None
    for number in (b"1" * 6000, b"1e999", b"-Infinity", b"1.5"):
        odd = one(body.replace(b"NaN", number))
        assert (odd.sent_at, odd.content) == (None, Text(body="hola"))


MEDIA = ("image", "video", "audio", "document", "sticker")
OTHER_KINDS = ("text", "button", "interactive", "reaction", "edit", "revoke", "unsupported", "hologram", "ephemeral")


@pytest.mark.parametrize("kind", [*MEDIA, *OTHER_KINDS, "request_welcome", "location", "contacts", "order", "system"])
def test_a_message_without_the_part_of_its_name_is_still_a_message(kind: str) -> None:
    found = content(type=kind)
    if kind in MEDIA:
        assert found == Media(kind=kind, caption=None)
    elif kind in {*OTHER_KINDS, "request_welcome"}:
        assert found == Unsupported(kind=kind)
    else:
        assert isinstance(found, Content)


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"text": None}, Unsupported(kind="text")),
        ({"text": {"body": None}}, Unsupported(kind="text")),
        ({"text": {"body": ""}}, Text(body="")),
        ({"type": None}, Unsupported(kind="missing")),
        ({"type": "x" * 100}, Unsupported(kind="x" * 64)),
        ({"type": "button", "button": {"text": "Confirmar"}}, Button(payload=None, text="Confirmar")),
        ({"type": "button", "button": {"payload": "p"}}, Button(payload="p", text="")),
        ({"type": "interactive", "interactive": {"type": "list_reply"}}, Unsupported(kind="interactive")),
        ({"type": "interactive", "interactive": {}}, Unsupported(kind="interactive")),
        ({"type": "system", "system": {"type": "news"}}, Unsupported(kind="system/news")),
        ({"type": "system"}, Unsupported(kind="system/missing")),
        ({"type": "unsupported", "errors": [{"code": "131051"}]}, Unsupported(kind="unsupported", code=131051)),
        ({"type": "unsupported", "errors": ["x"]}, Unsupported(kind="unsupported")),
        ({"type": "location"}, Location(latitude=None, longitude=None, name=None, address=None)),
        (
            {"type": "location", "location": {"latitude": 19, "longitude": True}},
            Location(latitude=19.0, longitude=None, name=None, address=None),
        ),
        (
            {"type": "contacts", "contacts": [None, {"phones": [{"phone": "+52 55"}, {}, 7]}]},
            SharedContacts(phones=("+52 55",), requested=False),
        ),
        (
            {
                "type": "edit",
                "edit": {"original_message_id": "w", "message": {"type": "image", "image": {"caption": "x"}}},
            },
            Edited(original_id="w", text="x"),
        ),
        (
            {"type": "edit", "edit": {"original_message_id": "w", "message": {"type": "order"}}},
            Edited(original_id="w", text=None),
        ),
    ],
)
def test_odd_parts(item: dict[str, object], expected: Content) -> None:
    assert content(**item) == expected


def test_a_form_is_cleaned_to_its_depths() -> None:
    inner = json.dumps({"flow_token": "t", "a": [{"b": "x\u0000y", "c": 1}, True, None]})
    found = content(type="interactive", interactive={"type": "nfm_reply", "nfm_reply": {"response_json": inner}})
    cleaned = {"flow_token": "t", "a": [{"b": "xy", "c": 1}, True, None]}
    assert found == Form(response=cleaned, token="t")


def test_group_messages_say_so() -> None:
    assert one(val({**T, "text": {"body": "hola"}, "group_id": "G1"})).group_id == "G1"


def test_an_echo_of_media_has_its_caption_and_of_a_sticker_none() -> None:
    echoes = [
        {"id": "1", "type": "image", "image": {"caption": "mapa"}},
        {"id": "2", "type": "sticker", "sticker": {}},
        {"id": "3", "type": "order"},
    ]
    events = read(env({"metadata": META, "message_echoes": echoes}, "message_echoes")).events
    assert [getattr(event, "text", "absent") for event in events] == ["mapa", None, None]


def test_template_languages_are_written_one_way() -> None:
    value = {"event": "APPROVED", "message_template_name": "x", "message_template_language": "en-US"}
    (event,) = read(env(value, "message_template_status_update")).events
    assert isinstance(event, TemplateStatus)
    assert event.language == "en_US"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def mutate(value: Any, data: st.DataObject) -> Any:
    """The value with one place, anywhere in it, replaced by any JSON at all."""
    if isinstance(value, dict | list) and value and data.draw(st.integers(0, 7)):
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = data.draw(st.sampled_from(keys))
        changed = value.copy()
        changed[key] = mutate(value[key], data)
        return changed
    return data.draw(JSON)


@given(path=st.sampled_from(FIXTURES), data=st.data())
def test_no_mutation_of_a_recorded_body_raises_or_stops_ours(path: Path, data: st.DataObject) -> None:
    reading = read(json.dumps(mutate(json.loads(path.read_bytes()), data)).encode())
    known = {"UnicodeDecodeError", "JSONDecodeError", "RecursionError"}
    assert not [p.why for p in reading.problems if p.why.endswith("Error") and p.why.split()[-1] not in known]


@given(body=st.binary())
def test_no_bytes_raise(body: bytes) -> None:
    reading = read(body)
    assert reading.problems or reading.events
