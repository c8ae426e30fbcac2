"""What is sent is always within Meta's limits, or refused here."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.graphemes import units
from bot.whatsapp.outbound import (
    Option,
    Section,
    Unsendable,
    addressed,
    buttons,
    menu,
    parameter,
    say,
    template,
    text,
)

FEW = (Option("a", "Confirmar"), Option("b", "Cambiar"), Option("c", "Cancelar"))


def rows(content: Any) -> list[dict[str, str]]:
    return [row for section in content["interactive"]["action"]["sections"] for row in section["rows"]]


def replies(content: Any) -> list[dict[str, str]]:
    return [button["reply"] for button in content["interactive"]["action"]["buttons"]]


def options(count: int) -> list[Option]:
    return [Option(f"id:{number}", f"Hora {number}") for number in range(count)]


def test_text_has_this_form() -> None:
    assert text(" hola\x00\nAna ") == {"type": "text", "text": {"body": "hola\nAna", "preview_url": False}}


def test_buttons_have_this_form() -> None:
    assert buttons("¿Confirmas?", FEW[:2]) == {
        "type": "interactive",
        "interactive": {
            "type": "button",
            "body": {"text": "¿Confirmas?"},
            "action": {
                "buttons": [
                    {"type": "reply", "reply": {"id": "a", "title": "Confirmar"}},
                    {"type": "reply", "reply": {"id": "b", "title": "Cambiar"}},
                ]
            },
        },
    }


def test_a_list_has_this_form() -> None:
    sections = (
        Section("Jueves", (Option("a", "10:00", "con Luis"),)),
        Section("Viernes", (Option("b", "11:00"),)),
    )
    assert menu("¿Cuándo?", "Ver horas", sections=sections) == {
        "type": "interactive",
        "interactive": {
            "type": "list",
            "body": {"text": "¿Cuándo?"},
            "action": {
                "button": "Ver horas",
                "sections": [
                    {"title": "Jueves", "rows": [{"id": "a", "title": "10:00", "description": "con Luis"}]},
                    {"title": "Viernes", "rows": [{"id": "b", "title": "11:00"}]},
                ],
            },
        },
    }


def test_a_list_without_headings_is_one_nameless_section() -> None:
    content: Any = menu("x", "Ver", options(10))
    (section,) = content["interactive"]["action"]["sections"]
    assert section.keys() == {"rows"}
    assert len(section["rows"]) == 10


@pytest.mark.parametrize(
    ("chosen", "kind"),
    [
        ((), "text"),
        (FEW, "button"),
        (FEW[:1], "button"),
        (options(4), "list"),
        ([Option("a", "x" * 20)], "button"),
        ([Option("a", "x" * 21)], "list"),
        ([Option("a", "👍🏽" * 6)], "list"),
        ([Option("a", "x", "y")], "list"),
    ],
)
def test_say_takes_the_simplest_form_that_loses_nothing(chosen: list[Option], kind: str) -> None:
    content: Any = say("hola", chosen, "Ver")
    assert (content["interactive"]["type"] if content["type"] == "interactive" else content["type"]) == kind


def test_a_list_of_say_always_has_a_button() -> None:
    content: Any = say("hola", options(5))
    assert content["interactive"]["action"]["button"] == "☰"


def test_a_long_body_is_cut_to_1024_beside_options_and_to_4096_alone() -> None:
    alone: Any = text("👍🏽" * 2000)
    beside: Any = say("a" * 1025, FEW)
    assert units(alone["text"]["body"]) <= 4096
    assert len(beside["interactive"]["body"]["text"]) == 1024
    exact: Any = text("a" * 4096)
    assert exact["text"]["body"] == "a" * 4096


def test_a_row_title_that_is_too_long_goes_on_in_the_description() -> None:
    (row,) = rows(menu("x", "Ver", [Option("a", "Corte de cabello y arreglo de barba", "45 min")]))
    assert row == {"id": "a", "title": "Corte de cabello y…", "description": "…arreglo de barba · 45 min"}
    (row,) = rows(menu("x", "Ver", [Option("a", "Corte de cabello, barba y cejas")]))
    assert row == {"id": "a", "title": "Corte de cabello, barba…", "description": "…y cejas"}
    (row,) = rows(menu("x", "Ver", [Option("a", "x" * 30)]))
    assert row == {"id": "a", "title": "x" * 23 + "…", "description": "…" + "x" * 7}


def test_titles_that_begin_alike_show_how_they_end() -> None:
    twins = [
        "Corte con tijera, lavado y peinado",
        "Corte con tijera, lavado y barba",
        "Corte con tijera, lavado y barba",
    ]
    shown = rows(menu("x", "Ver", [Option(str(at), title, "45 min") for at, title in enumerate(twins)]))
    assert [row["title"] for row in shown] == [
        "Corte… lavado y peinado",
        "Corte… lavado y barba",
        "Corte… lavado y bar… (2)",
    ]
    assert shown[1]["description"] == "Corte con tijera, lavado y barba · 45 min"
    long = [Option(end, f"Corte {'de pelo muy largo ' * 4}{end}") for end in ("a", "b")]
    assert [row["title"] for row in rows(menu("x", "Ver", long))] == [
        "Corte de pelo muy largo…",
        "Corte de pelo muy l… (2)",
    ]


def test_equal_titles_get_a_number() -> None:
    same = [Option(f"id:{number}", "Corte de cabello largo") for number in range(3)]
    assert [row["title"] for row in rows(menu("x", "Ver", same))] == [
        "Corte de cabello largo",
        "Corte de cabello la… (2)",
        "Corte de cabello la… (3)",
    ]
    assert [reply["title"] for reply in replies(buttons("x", [Option("a", "Sí"), Option("b", "sí")]))] == [
        "Sí",
        "sí (2)",
    ]


@pytest.mark.parametrize(
    "bad",
    [
        lambda: text("  \x00 "),
        lambda: buttons("x", []),
        lambda: buttons("x", options(4)),
        lambda: buttons("x", [Option("a" * 257, "t")]),
        lambda: menu("x", "Ver", []),
        lambda: menu("x", "Ver", options(11)),
        lambda: menu("x", " ", options(2)),
        lambda: menu("x", "Ver", [Option("a" * 201, "t")]),
        lambda: menu("x", "Ver", [Option(" a", "t")]),
        lambda: menu("x", "Ver", [Option("", "t")]),
        lambda: menu("x", "Ver", [Option("a\x00", "t")]),
        lambda: menu("x", "Ver", [Option("a", "t"), Option("a", "u")]),
        lambda: menu("x", "Ver", sections=(Section("", tuple(options(1))), Section("b", (Option("b", "b"),)))),
        lambda: menu("x", "Ver", sections=(Section("a", tuple(options(1))), Section("b", ()))),
        lambda: say("x", options(11)),
        lambda: template("Bad Name", "es", {}),
        lambda: template("name", "es-MX", {}),
        lambda: template("name", "es", {}, ["x"] * 11),
        lambda: template("name", "es", {}, ["x" * 129]),
        lambda: template("name", "es", {}, [""]),
        lambda: addressed(text("x"), wa_id=None, user_id=None, delivery_id=None),
        lambda: addressed(text("x"), wa_id="", user_id="", delivery_id=None),
        lambda: addressed(text("x"), wa_id="52", user_id=None, delivery_id="x" * 513),
    ],
)
def test_what_cannot_be_made_legal_is_refused(bad: Any) -> None:
    with pytest.raises(Unsendable):
        bad()


TITLES = st.text(max_size=80) | st.text(st.sampled_from("ab 👍🏽\u200d\u0301🇲🇽"), max_size=80)
ANY_OPTIONS = st.lists(st.tuples(TITLES, TITLES), min_size=1, max_size=10)


@given(body=st.text(min_size=1), pairs=ANY_OPTIONS, button=st.text())
def test_whatever_is_said_stays_within_the_limits(body: str, pairs: list[tuple[str, str]], button: str) -> None:
    chosen = [Option(f"id:{number}", title, more) for number, (title, more) in enumerate(pairs)]
    content: Any = say(f"x{body}", chosen, button)
    assert 1 <= units(content["interactive"]["body"]["text"]) <= 1024
    if content["interactive"]["type"] == "button":
        titles, limit = [reply["title"] for reply in replies(content)], 20
    else:
        titles, limit = [row["title"] for row in rows(content)], 24
        assert all(1 <= units(row.get("description", "x")) <= 72 for row in rows(content))
        assert 1 <= units(content["interactive"]["action"]["button"]) <= 20
    assert all(1 <= units(title) <= limit for title in titles)
    assert len(set(titles)) == len(chosen)


def test_a_template_has_this_form() -> None:
    content = template("appointment_reminder_24h", "es_MX", {"name": " Ana\n\tPrueba ", "when": ""}, ["c:1:2", "m:1:2"])
    assert content == {
        "type": "template",
        "template": {
            "name": "appointment_reminder_24h",
            "language": {"code": "es_MX"},
            "components": [
                {
                    "type": "body",
                    "parameters": [
                        {"type": "text", "parameter_name": "name", "text": "Ana Prueba"},
                        {"type": "text", "parameter_name": "when", "text": "—"},
                    ],
                },
                {
                    "type": "button",
                    "sub_type": "quick_reply",
                    "index": "0",
                    "parameters": [{"type": "payload", "payload": "c:1:2"}],
                },
                {
                    "type": "button",
                    "sub_type": "quick_reply",
                    "index": "1",
                    "parameters": [{"type": "payload", "payload": "m:1:2"}],
                },
            ],
        },
    }


def test_a_template_without_parameters_has_no_components() -> None:
    content: Any = template("hello", "en", {})
    assert content["template"]["components"] == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a" * 300, "a" * 59 + "…"),
        ("\u202eanA", "anA"),
        ("  \n\t ", "—"),
        ("\u200b\u2060\ufeff\u200d\ufe0f", "—"),
        ("🦄🦄🦄", "🦄🦄🦄"),
        ("{{1}}", "{1}"),
        ("{\x00{{1}\u200e}", "{1}"),
        ("Jose\u0301", "Jose\u0301"),
        ("عمر", "عمر"),
        ("Ana     María", "Ana María"),
        ("a\u2028b\u00a0c", "a b c"),
        ("👩🏽‍🔧" * 20, "👩🏽‍🔧" * 8 + "…"),
    ],
)
def test_a_parameter_is_one_short_visible_line(value: str, expected: str) -> None:
    assert parameter(value) == expected


@given(st.text() | st.text(st.sampled_from("{} \n\t\u202e\u200da👍🏽"), max_size=100))
def test_any_parameter_is_taken_by_meta(value: str) -> None:
    made = parameter(value)
    assert 1 <= units(made) <= 60
    assert made == made.strip()
    assert not any(bad in made for bad in ("\n", "\t", "  ", "{{", "}}"))
    made.encode()


def test_a_phone_stands_before_a_user_id_and_goes_out_as_it_came() -> None:
    whole = addressed(text("x"), wa_id="5215500000001", user_id="MX.1", delivery_id="d-1", quoting="wamid.1")
    assert whole == {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": "5215500000001",
        "context": {"message_id": "wamid.1"},
        "biz_opaque_callback_data": "d-1",
        "type": "text",
        "text": {"body": "x", "preview_url": False},
    }


def test_without_a_phone_the_user_id_is_the_recipient() -> None:
    whole = addressed(text("x"), wa_id=None, user_id="MX.1", delivery_id=None)
    assert whole["recipient"] == "MX.1"
    assert not whole.keys() & {"to", "context", "biz_opaque_callback_data"}
