"""For whom an appointment is asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.understanding.attendee import attendee, is_me
from bot.understanding.words import plain

PIECES = ["para", "mi", "hijo", "Mateo", "mañana", ",", "a nombre de", "se llama", "for", "my", "son", "pra", "minha"]

NAMED = [
    ("cita para mi hijo Mateo mañana", "Mateo", "cita mañana"),
    ("quiero una cita para mi hija sofía el viernes a las 5", "Sofía", "quiero una cita el viernes a las 5"),
    ("agendar a mi mamá Rosa López mañana", "Rosa López", "agendar mañana"),
    ("corte pa mi hermano, Beto, hoy", "Beto", "corte , hoy"),
    ("corte mañana a nombre de Luis Pérez", "Luis Pérez", "corte mañana"),
    ("cita para mi hijo que se llama Leo a las 5", "Leo", "cita a las 5"),
    ("cita para Mateo mañana a las 5", "Mateo", "cita mañana a las 5"),
    ("mi esposa Carla necesita corte mañana", "Carla", "necesita corte mañana"),
    ("mi hija se llama Inés", "Inés", ""),
    ("marcar pra minha filha Júlia amanhã às 15h", "Júlia", "marcar amanhã às 15h"),
    ("horário para o meu filho Davi sexta", "Davi", "horário sexta"),
    ("corte em nome de Caio amanhã", "Caio", "corte amanhã"),
    ("book my son Leo in tomorrow 5pm", "Leo", "book in tomorrow 5pm"),
    ("an appointment for my daughter Zoe on friday", "Zoe", "an appointment on friday"),
    ("haircut tomorrow under the name Sam", "Sam", "haircut tomorrow"),
    ("para mi hijo Mateo", "Mateo", ""),
    ("mi hija Inés", "Inés", ""),
    ("es para Mateo", "Mateo", ""),
    ("sí, para mi hijo Mateo", "Mateo", "sí,"),
]


@pytest.mark.parametrize(("text", "name", "rest"), NAMED)
def test_somebody_is_named(text: str, name: str, rest: str) -> None:
    found = attendee(text)
    assert found is not None
    assert (found.name, found.me, found.rest) == (name, False, rest)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("cita para mi hijo mañana", "cita mañana"),
        ("Cita Para Mi Hija El Viernes", "Cita El Viernes"),
        ("cita para mi hija Abril", "cita Abril"),
        ("para mis hijos", ""),
        ("um horário pra minha mãe amanhã", "um horário amanhã"),
        ("can i book for my wife tomorrow", "can i book tomorrow"),
        ("cita para una amiga el lunes", "cita el lunes"),
        ("mi hijo necesita un corte", "necesita un corte"),
    ],
)
def test_somebody_without_a_name(text: str, rest: str) -> None:
    found = attendee(text)
    assert found is not None
    assert (found.name, found.me, found.rest) == (None, False, rest)


@pytest.mark.parametrize(
    "text",
    [
        "hola",
        "cita para mañana",
        "cita para el viernes por la tarde",
        "Cita para Mañana a las 5",
        "Cita para Corte el lunes",
        "CITA PARA EL VIERNES",
        "QUIERO CITA PARA CORTE",
        "cita para corte y barba",
        "cita para dos personas",
        "corte de niño mañana",
        "corte para mujer",
        "llego tarde, mi hijo está enfermo",
        "necesito una cita para mi corte",
        "quero marcar para segunda",
        "horário para Sexta",
        "book for Monday 5pm",
        "is it ok for friday?",
        "mi nombre es Ana",
        "",
    ],
)
def test_nobody_is_named(text: str) -> None:
    assert attendee(text, taken=("Corte y barba",)) is None


def test_a_person_of_the_business_is_no_customer() -> None:
    assert attendee("cita para Rubén mañana", taken=("Rubén",)) is None
    assert attendee("cita para mateo mañana") is None
    assert attendee("cita para mateo mañana", known=("Mateo López",)) is not None


@pytest.mark.parametrize(
    ("text", "me"),
    [("una cita para mí mañana", True), ("cita para mi", True), ("pra mim amanhã", True), ("for me please", True)],
)
def test_the_customer(text: str, me: bool) -> None:
    found = attendee(text)
    assert found is not None
    assert found.me is me


def test_nothing_but_for_me() -> None:
    assert is_me("para mí")
    assert is_me("Pra mim!")
    assert is_me("Me")
    assert not is_me("mi hijo")


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=8).map(" ".join))
def test_no_text_raises_and_a_name_is_taken_from_it(text: str) -> None:
    found = attendee(text, taken=("Corte",), known=("Mateo",))
    if found is not None and found.name is not None:
        assert all(word in plain(text).split() for word in plain(found.name).split())
        assert len(found.rest) < len(text)
