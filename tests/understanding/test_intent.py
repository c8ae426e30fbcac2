"""The quick questions that the conversation asks of a phrase."""

import pytest

from bot.understanding.intent import Brief, Intent, Wish, brief, intent, language, wish


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hola", Intent.GREET),
        ("quiero una cita", Intent.BOOK),
        ("hablar con alguien", Intent.HUMAN),
        ("no cancelar", Intent.UNKNOWN),
        ("cancelar o cambiar", Intent.UNKNOWN),
        ("cancelar", Intent.CANCEL),
        ("azul", Intent.UNKNOWN),
    ],
)
def test_an_intent_without_context(text: str, expected: Intent) -> None:
    assert intent(text) is expected


def test_short_answers() -> None:
    assert brief("ok") is Brief.NOD
    assert brief("mañana") is None
    assert wish("otro día por favor") is Wish.OTHER_DAY
    assert wish("sí") is None


def test_a_language_is_told_by_its_words() -> None:
    assert language("quiero una cita") == "es"
    assert language("quero marcar um horario") == "pt"
    assert language("ok") is None
    assert language("ok", "es") == "es"
    assert language("i would like an appointment", "es") == "en"
