"""A business written as TOML; its form is explained in bot/businesses/starter.toml."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, model_validator

from bot.conversation import lines
from bot.core.business import DAY
from bot.store.business_entries import (
    HolidaysEntry,
    ResourceEntry,
    ServiceEntry,
    SpecialDayEntry,
    StaffEntry,
    TimeOffEntry,
)
from bot.store.file_fields import Line, Name, Part, TemplateName, Zone
from bot.store.file_places import Fault, Misplaced, Where, first, meant, told


class BusinessFile(Part):
    """A whole business as written, its own order kept."""

    name: Name
    zone: Zone
    language: Literal["es", "pt", "en"] = "es"
    form_of_address: Literal["tú", "usted", "vos"] = "tú"
    notice_minutes: Annotated[int, Field(ge=0, le=366 * DAY)] = 60
    horizon_days: Annotated[int, Field(ge=1, le=366)] = 30
    grid_minutes: Annotated[int, Field(ge=5, le=DAY)] = 30
    max_active: Annotated[int, Field(ge=1, le=1000)] | None = None
    change_deadline_minutes: Annotated[int, Field(ge=0, le=366 * DAY)] | None = None
    remind_confirmed: bool = True
    templates: dict[Literal["24h", "2h"], dict[Literal["es", "pt_BR", "en"], list[TemplateName]]] = Field(
        default_factory=dict
    )
    wording: dict[Literal["es", "pt", "en"], dict[str, Line]] = Field(default_factory=dict)
    holidays: HolidaysEntry | None = None
    resource: list[ResourceEntry] = Field(default_factory=list)
    service: Annotated[list[ServiceEntry], Field(min_length=1)]
    staff: Annotated[list[StaffEntry], Field(min_length=1)]
    special_day: list[SpecialDayEntry] = Field(default_factory=list)
    time_off: list[TimeOffEntry] = Field(default_factory=list)

    @model_validator(mode="after")
    def _check(self) -> Self:
        faults = [*self._twice(), *self._services(), *self._people(), *self._wording()]
        if faults:
            raise Misplaced(*faults)
        return self

    def _twice(self) -> Iterator[Fault]:
        for table in ("resource", "service", "staff"):
            yield from _once(table, [entry.name for entry in getattr(self, table)])
        yield from _once("special_day", [f"{entry.staff or ''} {entry.day}".strip() for entry in self.special_day])

    def _services(self) -> Iterator[Fault]:
        """Who and what they need."""
        rooms, kinds = [entry.name for entry in self.resource], {entry.kind for entry in self.resource}
        people = [person for person in self.staff if person.active]
        for number, service in enumerate(self.service):
            said = "name a resource that is not listed"
            yield from _unknown(("service", number, "resources"), said, service.resources, rooms)
            if service.resource_kind and service.resource_kind not in kinds:
                said = f"is no resource's kind: {service.resource_kind}{meant(service.resource_kind, kinds)}"
                yield ("service", number, "resource_kind"), said
            if service.active and not any(one.services is None or service.name in one.services for one in people):
                yield ("service", number), f"is offered by nobody: {service.name}"

    def _people(self) -> Iterator[Fault]:
        services, staff = [entry.name for entry in self.service], [entry.name for entry in self.staff]
        for number, person in enumerate(self.staff):
            said = "name a service that is not listed"
            yield from _unknown(("staff", number, "services"), said, person.services or (), services)
        for table in ("special_day", "time_off"):
            for number, entry in enumerate(getattr(self, table)):
                named = [entry.staff] if entry.staff is not None else []
                yield from _unknown((table, number, "staff"), "is nobody who is listed", named, staff)

    def _wording(self) -> Iterator[Fault]:
        written = ((language, key, line) for language, own in self.wording.items() for key, line in own.items())
        for language, key, line in written:
            fault = lines.fault(language, key, line)
            if fault is not None:
                yield ("wording", language, key), fault


def read(path: Path) -> BusinessFile:
    """ValueError (a line for each fault, with the file, line where known, and key) for what cannot be used."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # Windows puts a mark before the text
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}"
        raise ValueError(message) from error
    return parse(text, str(path))


def starter() -> BusinessFile:
    """The business of a database that was given none."""
    return parse((files("bot.businesses") / "starter.toml").read_text(encoding="utf-8"), "starter.toml")


def parse(text: str, origin: str) -> BusinessFile:
    """Like `read`, for text that is at hand; `origin` names it in errors."""
    try:
        return BusinessFile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_not_toml(error, text, origin)) from None
    except RecursionError:
        message = f"{origin}: cannot be read: it is nested too deeply"
        raise ValueError(message) from None
    except ValidationError as error:
        raise ValueError(told(error, text, origin)) from None
    except ValueError:  # Python's own limit, which names no place
        message = f"{origin}: cannot be read: a number in it has thousands of digits"
        raise ValueError(message) from None


def checked(business: BusinessFile | dict[str, object]) -> BusinessFile:
    """With every rule asked (`model_copy` asks none). ValueError in one line, without a place in a file."""
    try:
        return BusinessFile.model_validate(business, by_alias=True, by_name=True)
    except ValidationError as error:
        raise ValueError(first(error)) from None


def _not_toml(error: tomllib.TOMLDecodeError, text: str, origin: str) -> str:
    """Its own words, the line before them."""
    said, _, place = str(error).rpartition(" (at ")
    at = re.fullmatch(r"line (\d+), (column \d+)\)", place)
    if at is None:  # at the end of the file
        return f"{origin}, line {len(text.rstrip().splitlines()) or 1}: is not TOML: {said} (at {place}"
    return f"{origin}, line {at[1]}: is not TOML: {said} ({at[2]})"


def _unknown(where: Where, said: str, names: Iterable[str], known: Sequence[str]) -> Iterator[Fault]:
    for number, name in enumerate(names):
        if name not in known:
            yield (*where, number), f"{said}: {name}{meant(name, known)}"


def _once(table: str, names: Sequence[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for number, name in enumerate(names):
        if name.casefold() in seen:
            yield (table, number), f"is there already: {name}"
        seen.add(name.casefold())
