"""A business's file → TOML text. What is as it would be without being written is left out."""

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from pydantic import BaseModel

from bot.core.business import Interval
from bot.store.business_file import BusinessFile
from bot.store.business_written import week_entry
from bot.store.file_fields import shown

TABLES = ("resource", "service", "staff", "special_day", "time_off")


def toml(business: BusinessFile) -> str:
    """To be read again by `business_file.parse`, to the same business."""
    single = _kept(business, exclude={*TABLES, "holidays", "templates", "wording"})
    lines = [*_lines(single)]
    for offset, languages in business.templates.items():
        lines.append(f"templates.{_key(offset)} = {_value(languages)}")
    for language, own in business.wording.items():
        lines += ["", f"[wording.{_key(language)}]", *_lines(own)]
    if business.holidays is not None:
        lines += ["", "[holidays]", *_lines(_kept(business.holidays))]
    for table in TABLES:
        for entry in getattr(business, table):
            lines += ["", f"[[{table}]]", *_lines(_entry(table, entry))]
    return "\n".join(lines) + "\n"


def _entry(table: str, entry: Any) -> Mapping[str, Any]:
    if table == "staff":
        return _kept(entry, exclude={"every_day", "hours"}) | week_entry(entry.week)
    if table == "special_day":
        return {"day": entry.day, "hours": entry.hours} | _kept(entry, exclude={"day", "hours"})
    return _kept(entry)


def _kept(entry: BaseModel, exclude: Iterable[str] = ()) -> dict[str, Any]:
    kept = {}
    for name, info in type(entry).model_fields.items():
        value = getattr(entry, name)
        if name not in exclude and (info.is_required() or value != info.get_default(call_default_factory=True)):
            kept[info.alias or name] = value
    return kept


def _lines(values: Mapping[str, Any]) -> Iterable[str]:
    return (f"{_key(name)} = {_value(value)}" for name, value in values.items())


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else json.dumps(name)


def _value(value: Any) -> str:
    match value:
        case bool() | str():
            # A JSON string is a TOML one: the one sign in which they differ is refused in every text.
            return json.dumps(value, ensure_ascii=False)
        case datetime() | date():
            return value.isoformat()
        case Interval():
            return json.dumps(shown((value,))[0])
        case list():
            return f"[{', '.join(_value(one) for one in value)}]"
        case dict():
            return f"{{ {', '.join(f'{_key(name)} = {_value(one)}' for name, one in value.items())} }}"
        case _:
            return str(value)
