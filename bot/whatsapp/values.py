"""Single JSON values made safe to keep: text, ids, instants. Nothing here raises on a wrong type."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime

# Longest id Meta documents is 512 (biz_opaque_callback_data); an id beyond that would not fit an index.
LONGEST_ID = 512

# PostgreSQL refuses NUL, UTF-8 refuses lone surrogates, terminals and logs obey the rest.
_UNSTORABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_UNUSABLE_ID = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_SECONDS = re.compile(r"[0-9]{1,12}")
_YEAR_10000 = 253_402_300_800
_LARGEST_CODE = 2**31 - 1


def clean_text(text: str) -> str:
    """The text as it can be stored: no NUL, lone surrogates or control characters but the newline; tab → space."""
    return _UNSTORABLE.sub("", text.replace("\t", " "))


def clean_json(value: object) -> object:
    """`clean_text` on every string inside, keys too."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {clean_text(key): clean_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [clean_json(item) for item in value]
    return value


def text_or_none(value: object) -> str | None:
    """Cleaned text; None for anything that is not a string."""
    return clean_text(value) if isinstance(value, str) else None


def line_or_none(value: object) -> str | None:
    """Cleaned text on one line, without outer spaces; None when nothing is left."""
    return " ".join(clean_text(value).split()) or None if isinstance(value, str) else None


def id_or_none(value: object) -> str | None:
    """An id exactly as it came, or None when it cannot be one. Ids are refused, never cleaned or cut."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_ID or _UNUSABLE_ID.search(value):
        return None
    return value


def time_or_none(value: object) -> datetime | None:
    """Seconds since 1970, as string or number, as aware UTC; None when absent or out of range."""
    if isinstance(value, str) and _SECONDS.fullmatch(value):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < _YEAR_10000:
        return None
    return datetime.fromtimestamp(value, UTC)


def number_or_none(value: object) -> float | None:
    """A plain number."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def code_or_none(value: object) -> int | None:
    """An error code, number or digits; None for one that no database column holds."""
    if isinstance(value, str) and _SECONDS.fullmatch(value):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST_CODE:
        return None
    return value


def object_or_empty(value: object) -> Mapping[str, object]:
    """The JSON object, or an empty one."""
    return value if isinstance(value, dict) else {}


def list_or_empty(value: object) -> list[object]:
    """The JSON array, or an empty one."""
    return value if isinstance(value, list) else []
