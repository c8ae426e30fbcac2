"""The CSV file of appointments."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.cli.csv_rows import BadFile, Problem, Row, read, write

ANA = ("525500000001", "Ana", "Corte", "Rubén", "2026-12-04T16:00")
HEADER = "phone,name,service,staff,scheduled_at"


def row(line: int, cells: tuple[str, ...] = ANA) -> Row:
    phone, name, service, staff, scheduled_at = cells
    return Row(line=line, phone=phone, name=name, service=service, staff=staff, scheduled_at=scheduled_at)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "some.csv"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        pytest.param(f"{HEADER}\n{','.join(ANA)}\n", (row(2),), id="plain"),
        pytest.param(f"\ufeff{HEADER}\r\n{','.join(ANA)}\r\n", (row(2),), id="as a spreadsheet saves it"),
        pytest.param(f"{HEADER.replace(',', ';')}\n{';'.join(ANA)}", (row(2),), id="semicolons"),
        pytest.param(f"\n\n{HEADER}\n\n,,,,\n{','.join(ANA)}\n \n", (row(6),), id="blank lines"),
        pytest.param(f" Phone ,NAME,service,staff,scheduled_at\n{', '.join(ANA)}", (row(2),), id="spaces and capitals"),
        pytest.param(f"{HEADER}\n", (), id="no row"),
        pytest.param(
            "scheduled_at,staff,service,name,phone\n" + ",".join(reversed(ANA)), (row(2),), id="another order"
        ),
        pytest.param(
            f'{HEADER}\n1,"a,\nb",,,t\n{",".join(ANA)}', (row(2, ("1", "a,\nb", "", "", "t")), row(4)), id="line break"
        ),
        pytest.param(f"{HEADER}\n1;2,a;b,,,t", (row(2, ("1;2", "a;b", "", "", "t")),), id="the header decides"),
    ],
)
def test_readable(file: Path, text: str, rows: tuple[Row, ...]) -> None:
    file.write_text(text, encoding="utf-8", newline="")

    assert read(file) == (rows, ())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "is empty", id="empty"),
        pytest.param(b"\n \n", "is empty", id="blank"),
        pytest.param(b"phone,name\n1,a", "missing: service, staff, scheduled_at", id="missing"),
        pytest.param(f"{HEADER},note\n".encode(), "unknown: note", id="unknown"),
        pytest.param(f"{HEADER},\n".encode(), "(no name)", id="nameless"),
        pytest.param(f"{HEADER},name\n".encode(), "more than once: name", id="twice"),
        pytest.param(",".join(ANA).encode(), "missing: phone", id="no header"),
        pytest.param(f"{HEADER}\n1,Jos\xe9,,,t".encode("latin-1"), "is not UTF-8 text", id="Latin-1"),
        pytest.param(f"{HEADER}\n".encode("utf-16"), "is not UTF-8 text", id="UTF-16"),
        pytest.param(f'{HEADER}\n1,"a,,,t\n'.encode(), "line 2: unexpected end of data", id="open quote"),
    ],
)
def test_no_such_table(file: Path, content: bytes, said: str) -> None:
    file.write_bytes(content)

    with pytest.raises(BadFile, match=r"some\.csv: ") as caught:
        read(file)
    assert said in str(caught.value)


def test_a_line_with_too_few_or_too_many_cells_is_a_problem_of_that_line(file: Path) -> None:
    file.write_text(f"{HEADER}\n1,a\n{','.join(ANA)}\n1,a,,,t,more\n", encoding="utf-8")

    assert read(file) == (
        (row(3),),
        (Problem(2, "has 2 cells, the first line has 5"), Problem(4, "has 6 cells, the first line has 5")),
    )


@pytest.mark.parametrize("name", ["=1+1", "+52", "-1", "@x", "'=1", "''@x"])
def test_what_looks_like_a_formula_is_neutralised_and_read_back(file: Path, name: str) -> None:
    text = write([("1", name, "", "", "t")])
    file.write_text(text, encoding="utf-8")

    assert f"'{name}" in text
    assert read(file)[0] == (row(2, ("1", name, "", "", "t")),)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cells=st.lists(
        st.tuples(
            *[st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r")).map(str.strip)] * 5
        ).filter(any),
        max_size=4,
    )
)
def test_what_is_written_is_read_back_and_begins_no_formula(
    tmp_path: Path, cells: list[tuple[str, str, str, str, str]]
) -> None:
    text = write(cells)
    path = tmp_path / "any.csv"
    path.write_text(text, encoding="utf-8", newline="")
    rows, problems = read(path)

    assert rows == tuple(row(one.line, cell) for one, cell in zip(rows, cells, strict=True))
    assert problems == ()
    assert not any(cell[:1] in tuple("=+-@\t\r") for line in csv.reader(io.StringIO(text, newline="")) for cell in line)


def test_a_first_line_of_a_hundred_thousand_columns_is_named_in_few_words(file: Path) -> None:
    file.write_text(",".join(f"column {number} {'x' * 100}" for number in range(100_000)), encoding="utf-8")

    with pytest.raises(BadFile, match=r"unknown: column 0 x+, .* and 99992 more") as caught:
        read(file)
    assert len(str(caught.value)) < 1000
