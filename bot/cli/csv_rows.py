"""The CSV file of appointments: its columns, and cells that no spreadsheet takes for a formula."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_NAMED, LONGEST_NAMED = 8, 60
"""What an error names of a first line that is no header."""
COLUMNS = ("phone", "name", "service", "staff", "scheduled_at")
# A cell that looks neutralised already gets one more apostrophe, so that reading gives back what was written.
_RISKY = re.compile(r"'*[=+\-@\t\r]")
_NEUTRALISED = re.compile(r"'+[=+\-@\t\r]")


class BadFile(ValueError):
    """What cannot be used, one line each; nothing was imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the file as it is written; `line` is where it begins."""

    line: int
    phone: str
    name: str
    service: str
    staff: str
    scheduled_at: str


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Why a line cannot be used."""

    line: int
    what: str


def read(path: Path) -> tuple[tuple[Row, ...], tuple[Problem, ...]]:
    """Blank lines are left out. BadFile for what is no such table, OSError when there is no such file."""
    try:
        found = tuple(_rows(path.read_bytes().decode("utf-8-sig")))
    except UnicodeDecodeError:
        message = f"{path}: is not UTF-8 text"
        raise BadFile(message) from None
    except BadFile as error:
        message = f"{path}: {error}"
        raise BadFile(message) from None
    rows = tuple(one for one in found if isinstance(one, Row))
    return rows, tuple(one for one in found if isinstance(one, Problem))


def write(rows: Iterable[Sequence[str]]) -> str:
    """The whole file, cells that begin like a formula neutralised."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def _rows(text: str) -> Iterator[Row | Problem]:
    lines = _lines(text)
    header = next(lines, None)
    if header is None:
        raise BadFile(f"is empty; the first line names the columns {','.join(COLUMNS)}")
    places = _places(header[1])
    for number, cells in lines:
        if len(cells) != len(places):
            yield Problem(number, f"has {len(cells)} cells, the first line has {len(places)}")
        else:
            named = {name: _restored(cells[place].strip()) for name, place in places.items()}
            yield Row(line=number, **named)


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """(where it begins, its cells) for every line that is not blank."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=";" if first.count(";") > first.count(",") else ",", strict=True
    )
    while True:
        begins = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            message = f"line {begins}: {error}"
            raise BadFile(message) from None
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            yield begins, cells


def _places(header: Sequence[str]) -> dict[str, int]:
    names = [cell.strip().lower() for cell in header]
    missing = [name for name in COLUMNS if name not in names]
    unknown = [name or "(no name)" for name in names if name not in COLUMNS]
    twice = [name for name in COLUMNS if names.count(name) > 1]
    problems = [
        f"{what}: {_some(found)}"
        for what, found in (("missing", missing), ("unknown", unknown), ("more than once", twice))
        if found
    ]
    if problems:
        message = f"the first line must name the columns {','.join(COLUMNS)} ({'; '.join(problems)})"
        raise BadFile(message)
    return {name: names.index(name) for name in COLUMNS}


def _some(names: Sequence[str]) -> str:
    """In one line, however many and however long."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(name[:LONGEST_NAMED] for name in names[:MOST_NAMED]) + more


def _safe(cell: str) -> str:
    # The writer does not quote a lone carriage return.
    plain = f"'{cell}" if _RISKY.match(cell) else cell
    return plain.replace("\r\n", "\n").replace("\r", "\n")


def _restored(cell: str) -> str:
    return cell[1:] if _NEUTRALISED.match(cell) else cell
