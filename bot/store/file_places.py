"""Where in a business's file something stands: the line and the key, as people count; and what is wrong there."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

Where = tuple[int | str, ...]
Fault = tuple[Where, str]

MOST = 20
"""So many faults are told at once."""
SAID = {
    "extra_forbidden": "is not a key that is known here",
    "missing": "is missing",
    "int_type": "is no whole number: write it without quotes and without a point",
    "string_type": "is no text: write it in quotes",
    "bool_type": "is neither true nor false",
    "list_type": "is no list: write it in square brackets",
}
SUBJECTS = ("Value error, ", "Input ", "String ", "List ")  # the key is named instead
CLOSINGS = ("", "\n]", "\n]]", '\n"""', "\n'''")
"""What may be missing at the end of a file that is cut off after a line."""


class Misplaced(ValueError):
    """Faults of several parts together, each with the part that it is told of."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults[0][1])
        self.faults = faults


def told(error: ValidationError, text: str, origin: str) -> str:
    """The faults, one a line and in the file's order: file, line where known, key, and what is wrong."""
    places, faults = Places(text), _faults(error)
    found = [(places.line(where) or 0, where, said) for where, said in faults[:MOST]]
    found.sort(key=lambda one: one[0])
    lines = [f"{_place(origin, line)}{_key(where)} {said}".strip() for line, where, said in found]
    more = [f"{origin}: and {len(faults) - MOST} more"] if len(faults) > MOST else []
    return "\n".join([*lines, *more])


def first(error: ValidationError) -> str:
    """The first fault, for a value that came from no file: key, and what is wrong."""
    where, said = _faults(error)[0]
    return f"{_key(where)} {said}".strip()


def meant(word: str, known: Iterable[str]) -> str:
    """`, did you mean Corte?` where one of the known words is near."""
    near = get_close_matches(word, list(known), n=1)
    return f", did you mean {near[0]}?" if near else ""


class Places:
    """Lines of a TOML text that can be read. A key stands on the first line up to which the text already has it."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._read: dict[int, Mapping[str, Any]] = {}

    def line(self, where: Where) -> int | None:
        """Of that part, else of the nearest one around it; None when it is the whole file."""
        while where and not _has(self._upto(len(self._lines)), where):
            where = where[:-1]
        if not where:
            return None
        without, within = 0, len(self._lines)
        while within - without > 1:
            middle = (without + within) // 2
            without, within = (without, middle) if _has(self._upto(middle), where) else (middle, within)
        return within

    def _upto(self, line: int) -> Mapping[str, Any]:
        """What the text says up to there; up to the line before, where it is cut off inside something."""
        if line not in self._read:
            self._read[line] = self._found(line)
        return self._read[line]

    def _found(self, line: int) -> Mapping[str, Any]:
        for last in range(line, 0, -1):
            lines = "\n".join(self._lines[:last])
            said = next((found for closing in CLOSINGS if (found := _read(lines + closing)) is not None), None)
            if said is not None:
                return said
        return {}


def _read(text: str) -> Mapping[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _has(value: Any, where: Where) -> bool:
    for part in where:
        inside = len(value) > part if isinstance(part, int) and isinstance(value, list) else False
        if not inside and not (isinstance(value, dict) and part in value):
            return False
        value = value[part]
    return True


def _faults(error: ValidationError) -> Sequence[Fault]:
    found: list[Fault] = []
    for one in error.errors(include_url=False):
        where = tuple(part for part in one["loc"] if part != "[key]")
        cause = one.get("ctx", {}).get("error")
        if isinstance(cause, Misplaced):
            found += [((*where, *rest), said) for rest, said in cause.faults]
        else:
            found.append((where, SAID.get(one["type"]) or _short(one["msg"])))
    return found


def _short(message: str) -> str:
    for subject in SUBJECTS:
        message = message.removeprefix(subject)
    return message


def _place(origin: str, line: int) -> str:
    return f"{origin}, line {line}: " if line else f"{origin}: "


def _key(where: Where) -> str:
    """`service 2, minutes`: counted as people count."""
    words = [str(part) for part in where if isinstance(part, str)]
    if len(where) > 1 and isinstance(where[1], int):
        words[0] = f"{where[0]} {where[1] + 1}"
    return ", ".join(words)
