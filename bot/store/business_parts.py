"""Single changes of a business, for `business_edit.edit`: one service, one person, one date, the rules."""

from collections.abc import Callable
from typing import Any

from bot.store.business_entries import ResourceEntry, ServiceEntry, SpecialDayEntry, StaffEntry, TimeOffEntry
from bot.store.business_file import BusinessFile

Change = Callable[[BusinessFile], BusinessFile]


def put(entry: ServiceEntry | StaffEntry | ResourceEntry) -> Change:
    """Adds it, or makes the one of that name like it."""
    table = {ServiceEntry: "service", StaffEntry: "staff", ResourceEntry: "resource"}[type(entry)]

    def change(before: BusinessFile) -> BusinessFile:
        entries = list(getattr(before, table))
        names = [one.name.casefold() for one in entries]
        name = entry.name.casefold()
        place = names.index(name) if name in names else len(entries)
        return before.model_copy(update={table: [*entries[:place], entry, *entries[place + 1 :]]})

    return change


def put_day(entry: SpecialDayEntry) -> Change:
    """That date is special, for that person or everybody, in the place of what was said of it before."""
    return lambda before: without_day(entry)(before).model_copy(
        update={"special_day": [*without_day(entry)(before).special_day, entry]}
    )


def without_day(entry: SpecialDayEntry) -> Change:
    """That date is like any other again, for that person or everybody."""
    return lambda before: before.model_copy(
        update={"special_day": [one for one in before.special_day if (one.staff, one.day) != (entry.staff, entry.day)]}
    )


def put_time_off(entry: TimeOffEntry) -> Change:
    """Somebody, or everybody, is away then."""
    return lambda before: before.model_copy(update={"time_off": [*before.time_off, entry]})


def without_time_off(entry: TimeOffEntry) -> Change:
    """They are not, after all."""
    return lambda before: before.model_copy(
        update={"time_off": [one for one in before.time_off if (one.staff, one.span) != (entry.staff, entry.span)]}
    )


def settings(**values: Any) -> Change:
    """Other values of the file's own keys: `zone="America/Tijuana"`, `notice_minutes=120`, …"""
    return lambda before: before.model_copy(update=values)


def working(name: str, *, works: bool) -> Change:
    """Whether that holiday of the country is an ordinary day here."""

    def change(before: BusinessFile) -> BusinessFile:
        if before.holidays is None:
            raise ValueError("holidays has no country yet")
        entry = before.holidays
        names = [one for one in entry.working if one != name] + ([name] if works else [])
        return before.model_copy(update={"holidays": entry.model_copy(update={"working": names})})

    return change
