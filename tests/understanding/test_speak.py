"""Another language is asked for by name, and by nothing else."""

import pytest

from bot.understanding.speak import asked_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("english please", "en"),
        ("English?", "en"),
        ("in english pls", "en"),
        ("do you speak English?", "en"),
        ("¿hablas inglés?", "en"),
        ("en español por favor", "es"),
        ("hola, ¿pueden hablar en castellano?", "es"),
        ("can we switch to spanish", "es"),
        ("em português, por favor", "pt"),
        ("oi, vocês falam português?", "pt"),
        ("I only speak Portuguese", "pt"),
        ("no hablo español", None),
        ("I don't speak Spanish", None),
        ("clase de inglés mañana", None),
        ("english or spanish", None),
        ("ok", None),
        ("en", None),
        ("", None),
    ],
)
def test_a_language_is_asked_for(text: str, language: str | None) -> None:
    assert asked_language(text) == language


def test_where_it_is_taught_it_may_be_the_lesson() -> None:
    assert asked_language("inglés por favor", services="Clase de Inglés Corte") is None
    assert asked_language("english please", services="Clase de Inglés Corte") == "en"
