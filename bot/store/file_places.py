"""Where in a business's file something stands: the line and the key, as people count."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

SUBJECT = re.compile(r"^Value error, |^\w+ (?=should )")  # the key is named instead
KINDS = {"extra_forbidden": "is not a key that is known here", "missing": "is missing"}
Where = tuple[int | str, ...]


class Misplaced(ValueError):
    """A fault of several parts together, with the part that it is told of."""

    def __init__(self, where: Where, message: str) -> None:
        super().__init__(message)
        self.where = where


def told(error: ValidationError, text: str, origin: str) -> str:
    """The first fault in one line: file, line where known, key, and what is wrong."""
    first = error.errors(include_url=False)[0]
    context: Mapping[str, Any] = first.get("ctx", {})
    fault = context.get("error")
    where = tuple(part for part in first["loc"] if part != "[key]")
    where += fault.where if isinstance(fault, Misplaced) else ()
    line = find(text, where)
    place = f"{origin}, line {line}: " if line else f"{origin}: " if origin else ""
    said = KINDS.get(first["type"]) or SUBJECT.sub("", first["msg"])
    return f"{place}{_key(where)} {said}" if where else f"{place}{said}"


def find(text: str, where: Where) -> int | None:
    """The line of that key, else of the table it should stand in; None when it cannot be told."""
    lines = text.splitlines()
    tables = [number for number, line in enumerate(lines) if line.lstrip().startswith("[")]
    header, where = _table(lines, tables, where)
    first = 0 if header is None else header + 1
    last = min((number for number in tables if number >= first), default=len(lines))
    wanted = [re.compile(rf"\s*{_dotted(where[:length])}\s*[=.]") for length in range(len(where), 0, -1)]
    found = (number for each in wanted for number in range(first, last) if each.match(lines[number]))
    line = next(found, header)
    return None if line is None else line + 1


def _table(lines: list[str], tables: list[int], where: Where) -> tuple[int | None, Where]:
    """The line on which the table begins that `where` leads into, and the rest of the way; None = the file's top."""
    if not where:
        return None, where
    index = where[1] if len(where) > 1 and isinstance(where[1], int) else None
    if index is not None:
        own = _headed(lines, tables, rf"\[\[\s*{_dotted(where[:1])}\s*\]\]")
        return (own[index], where[2:]) if index < len(own) else (None, ())
    for length in range(len(where), 0, -1):
        own = _headed(lines, tables, rf"\[\s*{_dotted(where[:length])}\s*\]")
        if own:
            return own[0], where[length:]
    return None, where


def _headed(lines: list[str], tables: list[int], header: str) -> list[int]:
    return [number for number in tables if re.match(rf"\s*{header}", lines[number])]


def _dotted(where: Where) -> str:
    """A pattern for the key, as TOML writes it: `wording.es`, each part perhaps in quotes."""
    return r"\s*\.\s*".join(rf"[\"']?{re.escape(str(part))}[\"']?" for part in where)


def _key(where: Where) -> str:
    """`service 2, minutes`: counted as people count."""
    words = [str(part) for part in where if isinstance(part, str)]
    if len(where) > 1 and isinstance(where[1], int):
        words[0] = f"{where[0]} {where[1] + 1}"
    return ", ".join(words)
