"""What a line of the file asks for, its names and times understood; nothing of the database is asked here."""

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from bot.cli.csv_rows import Problem, Row
from bot.cli.times import read
from bot.core.business import Business, Service, Staff
from bot.core.phone import canonical, clean

DEFAULT_LENGTH = timedelta(minutes=30)
"""For a business without an active service."""
NAME_LENGTH = 120

Named = TypeVar("Named", Service, Staff)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One line, understood; `key` is the same for the same phone, name, service and instant."""

    line: int
    phone: str
    canonical: str
    name: str
    service: Service | None
    staff: Staff | None
    start: datetime
    end: datetime
    busy_until: datetime
    key: str


def understand(rows: Iterable[Row], business: Business) -> tuple[tuple[Wish, ...], tuple[Problem, ...]]:
    """A wish or a problem per row."""
    services, staff = _by_name(business.services), _by_name(business.staff)
    wishes: list[Wish] = []
    problems: list[Problem] = []
    for row in rows:
        try:
            wishes.append(_wish(row, business, services, staff))
        except ValueError as error:
            problems.append(Problem(row.line, str(error)))
    return tuple(wishes), tuple(problems)


def folded(name: str) -> str:
    """For comparing names: letters that look the same are the same, large or small."""
    return tidy(name).casefold()


def tidy(name: str) -> str:
    """One line of at most NAME_LENGTH characters without control characters."""
    letters = unicodedata.normalize("NFC", name)
    words = "".join(" " if unicodedata.category(one) == "Cc" else one for one in letters).split()
    return " ".join(words)[:NAME_LENGTH].rstrip()


def _wish(row: Row, business: Business, services: Mapping[str, Service], staff: Mapping[str, Staff]) -> Wish:
    phone = clean(row.phone)
    if phone is None:
        message = f"{row.phone!r} is no phone number; write 8 to 15 digits with the country code"
        raise ValueError(message)
    service = _named("service", row.service, services)
    person = _named("staff member", row.staff, staff)
    start = read(row.scheduled_at, business.zone)
    end = start + (service.duration if service is not None else _default_length(business))
    number, name = canonical(phone), tidy(row.name)
    return Wish(
        line=row.line,
        phone=phone,
        canonical=number,
        name=name,
        service=service,
        staff=person,
        start=start,
        end=end,
        busy_until=end + (service.pause if service is not None else timedelta()),
        key=_key(business.id, number, name, service, start),
    )


def _named(kind: str, name: str, known: Mapping[str, Named]) -> Named | None:
    if not name:
        return None
    found = known.get(folded(name))
    if found is None:
        message = f"there is no {kind} {name!r}"
        raise ValueError(message)
    return found


def _by_name(values: Sequence[Named]) -> dict[str, Named]:
    """Former ones too: what was agreed with them still stands. Of two with one name the active one."""
    return {folded(one.name): one for one in sorted(values, key=lambda one: one.active)}


def _default_length(business: Business) -> timedelta:
    return next((service.duration for service in business.services if service.active), DEFAULT_LENGTH)


def _key(business_id: int, number: str, name: str, service: Service | None, start: datetime) -> str:
    parts = (business_id, number, folded(name), service.id if service is not None else "", start.isoformat())
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()
