"""What an edit of a business changes, said in lines that a person can check before it is done."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel

from bot.conversation.lines import LANGUAGES
from bot.store.business_entries import SpecialDayEntry, StaffEntry, TimeOffEntry
from bot.store.business_file import BusinessFile
from bot.store.file_fields import DAYS, shown

TABLES = ("resource", "service", "staff")
NO_HOLIDAYS: Mapping[str, Any] = MappingProxyType({"country": "", "region": "", "working": []})


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """`service Corte`: `minutes: 30 → 45`."""

    subject: str
    what: str

    def __str__(self) -> str:
        return f"{self.subject}: {self.what}"


def kept(before: BusinessFile, after: BusinessFile) -> BusinessFile:
    """The edit with those that it leaves out switched off, since appointments may refer to them.

    Whoever offers "all" offers what the edit lists. Nothing is checked again.
    """
    listed = [service.name for service in after.service]
    staff = [one if one.services is not None else one.model_copy(update={"services": listed}) for one in after.staff]
    full = after.model_copy(update={"staff": staff})
    for table in TABLES:
        present = {entry.name.casefold() for entry in getattr(full, table)}
        gone = [one for one in getattr(before, table) if one.name.casefold() not in present]
        off = [one.model_copy(update={"active": False}) for one in gone]
        full = full.model_copy(update={table: [*getattr(full, table), *off]})
    return full


def changes(before: BusinessFile, after: BusinessFile) -> tuple[Change, ...]:
    """Every difference; `after` comes from `kept`."""
    return (*_settings(before, after), *_wording(before, after), *_tables(before, after), *_dates(before, after))


def _settings(before: BusinessFile, after: BusinessFile) -> Iterator[Change]:
    tables = {*TABLES, "special_day", "time_off", "holidays", "wording"}
    for name in type(before).model_fields:
        if name not in tables:
            yield from _line("business", name, getattr(before, name), getattr(after, name))
    old, new = (_plain(one.holidays) if one.holidays else NO_HOLIDAYS for one in (before, after))
    for name in NO_HOLIDAYS:
        yield from _line("holidays", name, old[name], new[name])


def _wording(before: BusinessFile, after: BusinessFile) -> Iterator[Change]:
    for language in LANGUAGES:
        old, new = (_own(one, language) for one in (before, after))
        for key in dict.fromkeys((*old, *new)):
            yield from _line(f"wording {language}", key, old.get(key), new.get(key))


def _own(business: BusinessFile, language: str) -> Mapping[str, str]:
    return next((own for one, own in business.wording.items() if one == language), {})


def _tables(before: BusinessFile, after: BusinessFile) -> Iterator[Change]:
    for table in TABLES:
        old = {entry.name.casefold(): entry for entry in getattr(before, table)}
        for entry in getattr(after, table):
            yield from _entry(f"{table} {entry.name}", old.get(entry.name.casefold()), entry)
        yield from _order(table, getattr(before, table), getattr(after, table))


def _entry(subject: str, before: Any, after: Any) -> Iterator[Change]:
    if before is None:
        yield Change(subject=subject, what="added" if after.active else "added, switched off")
        return
    old, new = _plain(before), _plain(after)
    for name in new:
        if name == "active" and old[name] != new[name]:
            yield Change(subject=subject, what="switched on again" if new[name] else "switched off")
        else:
            yield from _line(subject, name, old[name], new[name])


def _plain(entry: BaseModel) -> dict[str, Any]:
    """Comparable values: a week day by day, lists of names without their order."""
    values = {name: getattr(entry, name) for name in type(entry).model_fields}
    if isinstance(entry, StaffEntry):
        del values["every_day"], values["hours"]
        values |= {day: ", ".join(shown(each)) for day, each in zip(DAYS, entry.week, strict=True)}
    return {name: sorted(value) if isinstance(value, list) else value for name, value in values.items()}


def _order(table: str, before: Sequence[Any], after: Sequence[Any]) -> Iterator[Change]:
    """The order of preference, of those that are in both."""
    names = {one.name.casefold(): one.name for one in after}
    old = [one.name.casefold() for one in before if one.name.casefold() in names]
    new = [name for name in names if name in old]
    if old != new:
        yield Change(subject=table, what=f"order: {', '.join(names[name] for name in new)}")


def _dates(before: BusinessFile, after: BusinessFile) -> Iterator[Change]:
    yield from _listed("special_day", _by(_special, before.special_day), _by(_special, after.special_day))
    yield from _listed("time_off", _by(_away, before.time_off), _by(_away, after.time_off))


def _by(key: Callable[[Any], str], entries: Sequence[Any]) -> dict[str, str]:
    return {key(entry): entry.note for entry in entries}


def _special(entry: SpecialDayEntry) -> str:
    return f"{entry.day}{_of(entry.staff)} {', '.join(shown(tuple(entry.hours))) or 'closed'}"


def _away(entry: TimeOffEntry) -> str:
    start, until = (moment.isoformat(" ", "minutes") for moment in entry.span)
    return f"{start} to {until}{_of(entry.staff)}"


def _of(staff: str | None) -> str:
    return "" if staff is None else f" {staff}"


def _listed(subject: str, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Change]:
    for said in before:
        if said not in after:
            yield Change(subject=subject, what=f"removed: {said}")
    for said, note in after.items():
        if said not in before:
            yield Change(subject=subject, what=f"added: {said}")
        elif before[said] != note:
            yield from _line(f"{subject} {said}", "note", before[said], note)


def _line(subject: str, name: str, old: Any, new: Any) -> Iterator[Change]:
    if old != new:
        yield Change(subject=subject, what=f"{name}: {_said(old)} → {_said(new)}")


def _said(value: Any) -> str:
    if isinstance(value, list):
        value = ", ".join(value)
    return "none" if value in (None, "", {}) else str(value)
