"""Slips of the finger."""

import pytest

from bot.understanding.lexicon import lexicon
from bot.understanding.typos import Typos, distance
from bot.understanding.words import LANGUAGES
from tests.understanding.world import read, when


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("viernes", "viernes", 0),
        ("virenes", "viernes", 1),
        ("vierns", "viernes", 1),
        ("tommorow", "tomorrow", 2),
        ("", "ab", 2),
    ],
)
def test_slips_are_counted(one: str, other: str, slips: int) -> None:
    assert distance(one, other) == distance(other, one) == slips


def test_only_one_neighbour_is_taken() -> None:
    typos = Typos({"junio", "julio", "viernes"})

    assert typos.mended("juio") is None
    assert typos.mended("jukio") is None
    assert typos.mended("viernse") == "viernes"
    assert typos.mended("lunes") is None


def test_a_word_may_resemble_several() -> None:
    typos = Typos({"junio", "julio"}, shortest=3, long=7)

    assert typos.resembles("jukio")
    assert not typos.resembles("ju")
    assert not typos.resembles("viernes")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_known_word_is_taken_for_another(language: str) -> None:
    table = lexicon(language)

    assert not {word for phrase in table.meanings for word in phrase if word.isalpha()} - table.known


@pytest.mark.parametrize(
    ("language", "phrase"),
    [
        ("es", "15 de jukio"),
        ("es", "a las 5 y mdia"),
        ("es", "el otor viernes"),
        ("es", "jueves o vienes"),
        ("pt", "quinta ou sxeta"),
        ("en", "thrsday or frda"),
    ],
)
def test_a_word_that_may_change_the_time_is_asked(language: str, phrase: str) -> None:
    assert when(phrase, language, "choosing_date") == "ambiguous"


@pytest.mark.parametrize("phrase", ["con Ximena el viernes", "el viernes con la dra Xochitl"])
def test_a_name_is_no_slip(phrase: str) -> None:
    assert when(phrase, "es", "choosing_date") == "2026-12-04"


def test_a_mended_phrase_is_less_sure() -> None:
    assert read("quiero una cita el viernes").confidence > read("quiero una cita el vierens").confidence


def test_an_hour_that_cannot_be_read() -> None:
    assert when("a las xkcd de la tarde") == "ambiguous"


def test_a_word_far_longer_than_any_known_one_is_not_even_looked_for() -> None:
    """Anybody can type one of 4,096 letters, which would have kept everybody else waiting for seconds."""
    typos = Typos({"lunes", "viernes"})

    assert typos.mended("viernes" + "x" * 2) == "viernes"
    assert not typos.resembles("viernes" * 1_000_000)
