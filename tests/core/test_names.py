"""Names as they are kept and as they are said."""

import pytest

from bot.core.names import LONGEST, called, name_of, sayable

FAMILY = "👩\u200d👧"


@pytest.mark.parametrize(
    ("reported", "kept"),
    [
        ("  Ana \n\t Prueba ", "Ana Prueba"),
        ("\u202eanA", "anA"),
        ("\u3164", ""),
        ("\u2800\u200b \u2066\u2069", ""),
        ("José\u0301", "José\u0301"),
        ("عمر", "عمر"),
        ("क्\u200dष", "क्\u200dष"),
        (FAMILY * 40, FAMILY * (LONGEST // 5)),
        ("x" * 119 + FAMILY, "x" * 119),
    ],
)
def test_a_name_is_one_line_of_what_can_be_seen(reported: str, kept: str) -> None:
    assert name_of(reported) == kept
    assert name_of(kept) == kept


@pytest.mark.parametrize(("name", "said"), [("*Ana* _x_ ~y~", "Ana x y"), ("{{1}}", "1"), ("Ana", "Ana"), ("**", "")])
def test_a_name_in_a_line_of_ours_is_no_markup(name: str, said: str) -> None:
    assert sayable(name) == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Aurelio Maximiliano Fernández", "Aurelio"),
        ("🦄 Ana Prueba", "Ana"),
        ("🦄🦄", ""),
        ("*Ana*", "Ana"),
        ("عمر", "عمر"),
    ],
)
def test_a_person_is_greeted_by_the_first_word_that_can_be_said(name: str, said: str) -> None:
    assert called(name) == said
