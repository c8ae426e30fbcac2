"""The reminder templates keep Meta's rules and our wording, in each language."""

import re

import pytest

from bot.core.graphemes import units
from bot.whatsapp.outbound import Unsendable
from bot.whatsapp.templates import KINDS, LANGUAGES, PARAMETERS, creation_json, definition, pick, render

ALL = [(kind, language) for kind in KINDS for language in LANGUAGES]
FORBIDDEN = re.compile(
    r"mañana|hoy|amanhã|hoje|tomorrow|today|oferta|descuento|promo|desconto|offer|discount|gratis|free|doctor|"
    r"paciente|patient|estimad|querid|bienvenid|prezad|car[oa]\b|bem-vind",
    re.IGNORECASE,
)
ANA = {"name": "Ana", "service": "Corte", "when": "viernes 4 de diciembre, 17:00", "business": "Peluquería Sol"}


@pytest.mark.parametrize(("kind", "language"), ALL)
def test_the_text_keeps_metas_rules(kind: str, language: str) -> None:
    template = definition(kind, language)
    assert template.name == f"appointment_reminder_{kind}"
    assert sorted(re.findall(r"\{\{(.*?)\}\}", template.body)) == sorted(PARAMETERS)
    assert not template.body.startswith("{{")
    assert not template.body.endswith("}}")
    assert all(re.search(r"\w", between) for between in re.findall(r"\}\}(.*?)\{\{", template.body, re.DOTALL))
    assert len(re.sub(r"\{\{.*?\}\}", "", template.body).split()) > 2 * len(PARAMETERS) + 1
    assert units(render(template, dict.fromkeys(PARAMETERS, "x" * 500))) <= 1024
    assert template.body == template.body.strip()
    assert "\n\n\n" not in template.body


@pytest.mark.parametrize(("kind", "language"), ALL)
def test_the_three_quick_replies_are_short_and_different(kind: str, language: str) -> None:
    labels = definition(kind, language).buttons
    assert len(set(labels)) == 3
    assert all(1 <= units(label) <= 25 for label in labels)


@pytest.mark.parametrize(("kind", "language"), ALL)
def test_the_wording_is_transactional_neutral_and_names_no_day(kind: str, language: str) -> None:
    assert not FORBIDDEN.search(definition(kind, language).body)


@pytest.mark.parametrize(("kind", "language"), ALL)
def test_creation_has_what_meta_asks_for(kind: str, language: str) -> None:
    template = definition(kind, language)
    asked = creation_json(template)
    assert (asked["category"], asked["parameter_format"], asked["language"]) == ("UTILITY", "named", language)
    components = asked["components"]
    assert isinstance(components, list)
    body, buttons = components
    examples = body["example"]["body_text_named_params"]
    assert {example["param_name"] for example in examples} == set(PARAMETERS)
    assert all(example["example"] for example in examples)
    assert buttons == {
        "type": "BUTTONS",
        "buttons": [{"type": "QUICK_REPLY", "text": label} for label in template.buttons],
    }


def test_rendering_fills_and_does_not_expand_twice() -> None:
    shown = render(definition("24h", "es"), {**ANA, "name": "{{when}}", "service": ""})
    assert "Hola, {when} 👋" in shown
    assert "Servicio: —" in shown
    assert "viernes 4 de diciembre, 17:00" in shown


def test_a_missing_parameter_fails_loudly_before_sending() -> None:
    with pytest.raises(Unsendable, match="when"):
        render(definition("24h", "es"), {"name": "Ana", "service": "x", "business": "y"})


@pytest.mark.parametrize(
    ("languages", "expected"),
    [
        (("es", "en"), "es"),
        (("pt", "es"), "pt_BR"),
        (("pt-PT", "es"), "pt_BR"),
        (("es_MX", None), "es"),
        ((None, "en"), "en"),
        (("fr", "pt_BR"), "pt_BR"),
        (("fr", None), "es"),
        ((), "es"),
    ],
)
def test_a_customers_language_comes_before_the_businesss(languages: tuple[str | None, ...], expected: str) -> None:
    found = pick("24h", languages)
    assert found
    assert found.language == expected


def test_names_and_codes_can_be_the_businesss_own() -> None:
    found = pick("2h", ("es",), overrides={("2h", "es"): [("recordatorio_cita", "es_MX")]})
    assert found
    assert (found.name, found.language) == ("recordatorio_cita", "es_MX")
    assert found.body == definition("2h", "es").body


def test_nobody_goes_without_while_one_template_is_usable() -> None:
    name = "appointment_reminder_24h"
    found = pick("24h", ("es", "es"), unusable={(name, "es"), (name, "pt_BR")})
    assert found
    assert found.language == "en"
    assert pick("24h", ("es",), unusable={(name, language) for language in LANGUAGES}) is None


def test_a_paused_template_gives_way_to_the_configured_fallback() -> None:
    chosen = {("24h", "es"): [("recordatorio", "es_MX"), ("recordatorio_de_reserva", "es")]}
    found = pick("24h", ("es",), overrides=chosen, unusable={("recordatorio", "es_MX")})
    assert found is not None
    assert (found.name, found.language) == ("recordatorio_de_reserva", "es")


def test_a_template_that_became_marketing_is_taken_only_when_there_is_no_other() -> None:
    chosen = {("24h", language): [("recordatorio", "es"), ("de_reserva", "es")] for language in LANGUAGES}
    found = pick("24h", ("es",), overrides=chosen, avoided={("recordatorio", "es")})
    assert found is not None
    assert found.name == "de_reserva"
    last = pick("24h", ("es",), overrides=chosen, avoided={("recordatorio", "es")}, unusable={("de_reserva", "es")})
    assert last is not None
    assert last.name == "recordatorio"
