"""Rows for a person's eyes (aligned) or for a program (one JSON object a line)."""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import typer
from pydantic import BaseModel

GAP = "  "
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Characters that steer a terminal or turn the direction of writing: a customer's name must not."""


def columns(row: BaseModel, **more: Any) -> dict[str, Any]:
    """All columns of a row, then the others, as JSON takes them: times are ISO 8601 in UTC."""
    own = {name: getattr(row, name) for name in type(row).model_fields}
    return {name: _plain(value) for name, value in (own | more).items()}


def show_json(rows: Iterable[Mapping[str, Any]]) -> None:
    """One object a line."""
    for row in rows:
        typer.echo(json.dumps(row, ensure_ascii=False))


def show(header: Sequence[str], rows: Iterable[Sequence[object]], *, empty: str) -> None:
    """Aligned columns under a header; `empty` instead when there are none."""
    lines = [[clean("–" if cell in (None, "") else str(cell)) for cell in row] for row in rows]
    if not lines:
        typer.echo(empty)
        return
    lines.insert(0, list(header))
    widths = [max(_width(line[column]) for line in lines) for column in range(len(header))]
    for line in lines:
        cells = [cell + " " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True)]
        typer.echo(GAP.join(cells).rstrip())


def _plain(value: object) -> object:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


def clean(text: str) -> str:
    """What a terminal may be given."""
    return "".join(" " if unicodedata.category(letter) in _HIDDEN else letter for letter in text)


def _width(text: str) -> int:
    """In columns of a terminal."""
    return sum(
        2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text if not unicodedata.combining(letter)
    )
