"""A business written as TOML; its form is explained in bot/businesses/starter.toml."""

import tomllib
from collections.abc import Sequence
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
from bot.store.file_places import Misplaced, told


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
    def _check_names(self) -> Self:
        for table in ("resource", "service", "staff"):
            _once(table, [entry.name for entry in getattr(self, table)])
        self._check_services()
        self._check_wording()
        staff = {entry.name for entry in self.staff}
        for table in ("special_day", "time_off"):
            for number, entry in enumerate(getattr(self, table)):
                unknown = entry.staff is not None and entry.staff not in staff
                _require(not unknown, (table, number, "staff"), f"is nobody who is listed: {entry.staff}")
        _once("special_day", [f"{entry.staff or ''} {entry.day}".strip() for entry in self.special_day])
        return self

    def _check_services(self) -> None:
        services, resources = {entry.name for entry in self.service}, {entry.name for entry in self.resource}
        for number, person in enumerate(self.staff):
            unknown = sorted({*(person.services or ())} - services)
            where = ("staff", number, "services")
            _require(not unknown, where, f"name a service that is not listed: {', '.join(unknown)}")
        kinds = {entry.kind for entry in self.resource}
        for number, service in enumerate(self.service):
            unknown = sorted({*service.resources} - resources)
            where = ("service", number, "resources")
            _require(not unknown, where, f"name a resource that is not listed: {', '.join(unknown)}")
            where = ("service", number, "resource_kind")
            _require(not service.resource_kind or service.resource_kind in kinds, where, "is no resource's kind")
            offering = (person for person in self.staff if person.active)
            idle = not any(person.services is None or service.name in person.services for person in offering)
            _require(not (idle and service.active), ("service", number), f"is offered by nobody: {service.name}")

    def _check_wording(self) -> None:
        for language, own in self.wording.items():
            for key, line in own.items():
                fault = lines.fault(language, key, line)
                _require(fault is None, ("wording", language, key), fault or "")


def read(path: Path) -> BusinessFile:
    """ValueError (one line that names file, line where known, and key) for what cannot be used."""
    try:
        text = path.read_text(encoding="utf-8")
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
        message = f"{origin}: is not TOML: {error}"
        raise ValueError(message) from None
    except ValidationError as error:
        raise ValueError(told(error, text, origin)) from None


def checked(business: BusinessFile | dict[str, object]) -> BusinessFile:
    """With every rule asked (`model_copy` asks none). ValueError in one line, without a place in a file."""
    try:
        return BusinessFile.model_validate(business, by_alias=True, by_name=True)
    except ValidationError as error:
        raise ValueError(told(error, "", "")) from None


def _require(condition: bool, where: tuple[int | str, ...], message: str) -> None:
    if not condition:
        raise Misplaced(where, message)


def _once(table: str, names: Sequence[str]) -> None:
    seen: set[str] = set()
    for number, name in enumerate(names):
        _require(name.casefold() not in seen, (table, number), f"is there already: {name}")
        seen.add(name.casefold())
