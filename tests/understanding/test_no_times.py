"""Numbers and days that are no time to come: people, rows, addresses, lengths, what is over."""

import pytest

from tests.understanding.world import when


@pytest.mark.parametrize(
    ("language", "phrase", "expected"),
    [
        ("es", "somos 4, nos pueden atender el sábado?", "2026-12-05"),
        ("es", "somos 4pm", "T16:00"),
        ("en", "party of 4 saturday at 6", "2026-12-05T18:00"),
        ("pt", "sexta, nós somos 2", "2026-12-04"),
        ("es", "están en la calle 5 de mayo?", None),
        ("pt", "rua 7 de setembro?", None),
        ("es", "de 2 a 3 horas dura?", None),
        ("pt", "das 14 às 15 horas", "T14:00/T15:00"),
        ("es", "fui el lunes pasado, tienes algo mañana?", "2026-12-02"),
        ("es", "el 20 de noviembre ya fui", None),
        ("en", "i paid 50 on the 20th", None),
        ("pt", "paguei 50 reais dia 10", None),
    ],
)
def test_no_time_is_read_where_none_is_wished(language: str, phrase: str, expected: str | None) -> None:
    assert when(phrase, language) == expected


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [("the 2nd one", None), ("the 22nd", "2026-12-22"), ("option 2", None), ("last friday", "ambiguous")],
)
def test_a_row_of_a_list_is_no_day(phrase: str, expected: str | None) -> None:
    assert when(phrase, "en", "choosing_date") == expected
