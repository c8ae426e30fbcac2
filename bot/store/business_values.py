"""A business's rows → the value that the pure code reasons about."""

import json
from collections.abc import Mapping
from datetime import timedelta
from zoneinfo import ZoneInfo

import structlog

from bot.conversation import lines
from bot.core.business import Absence, Business, Hours, Resource, Rules, Service, Special, Staff
from bot.core.holidays import Holidays
from bot.store.business_rows import NO_WEEK, Rows, stored
from bot.store.file_fields import interval
from bot.store.tables import BusinessRow, ServiceRow, StaffRow

log = structlog.get_logger(__name__)


def business(rows: Rows) -> Business:
    """The business as the pure code wants it."""
    row = rows.business
    return Business(
        id=stored(row.id),
        name=row.name,
        zone=ZoneInfo(row.zone),
        language=row.language,
        services=tuple(_service(each, rows) for each in rows.services),
        staff=tuple(_staff(each, rows) for each in rows.staff),
        rules=_rules(row),
        resources=tuple(
            Resource(id=stored(each.id), name=each.name, kind=each.kind, active=each.active) for each in rows.resources
        ),
        specials=_specials(rows, None),
        absences=_absences(rows, None),
        holidays=_holidays(rows),
        form_of_address=row.form_of_address,
        lines=_lines(row),
    )


def hours(written: str) -> Hours:
    """Intervals as they stand in a column."""
    return tuple(interval(part.strip()) for part in written.split(",") if part.strip())


def _service(row: ServiceRow, rows: Rows) -> Service:
    listed = rows.usable.get(stored(row.id), frozenset())
    fitting = tuple(
        stored(each.id)
        for each in rows.resources
        if each.active and (each.id in listed or (row.resource_kind and each.kind == row.resource_kind))
    )
    return Service(
        id=stored(row.id),
        name=row.name,
        minutes=row.minutes,
        buffer=row.buffer_minutes,
        price=row.price,
        note=row.note,
        active=row.active,
        colour=row.colour,
        capacity=row.capacity,
        resources=fitting if listed or row.resource_kind else None,
    )


def _staff(row: StaffRow, rows: Rows) -> Staff:
    number = stored(row.id)
    return Staff(
        id=number,
        name=row.name,
        services=rows.offered.get(number, frozenset()),
        week=rows.weeks.get(number, NO_WEEK),
        active=row.active,
        specials=_specials(rows, number),
        absences=_absences(rows, number),
    )


def _specials(rows: Rows, staff: int | None) -> tuple[Special, ...]:
    return tuple(
        Special(day=row.day, hours=hours(row.hours), note=row.note)
        for row in rows.special_days
        if row.staff_id == staff
    )


def _absences(rows: Rows, staff: int | None) -> tuple[Absence, ...]:
    return tuple(
        Absence(start=row.starts_at, until=row.ends_at, note=row.note) for row in rows.time_off if row.staff_id == staff
    )


def _holidays(rows: Rows) -> Holidays | None:
    row = rows.business
    if not row.holiday_country:
        return None
    return Holidays(country=row.holiday_country, region=row.holiday_region, working=rows.working_holidays)


def _lines(row: BusinessRow) -> Mapping[str, Mapping[str, str]]:
    """Its own lines. One that another program wrote and that cannot be said is left out: ours stands."""
    try:
        written = json.loads(row.wording)
    except ValueError:
        written = None
    own = written if isinstance(written, dict) else {}
    return {language: _sayable(language, own.get(language), row) for language in lines.LANGUAGES}


def _sayable(language: str, own: object, row: BusinessRow) -> Mapping[str, str]:
    texts = {key: text for key, text in own.items() if isinstance(text, str)} if isinstance(own, dict) else {}
    faults = {key: lines.fault(language, key, text) for key, text in texts.items()}
    for key, fault in faults.items():
        if fault is not None:
            log.warning("a line cannot be said", business=row.id, line=f"{language}.{key}", why=fault)
    return {key: text for key, text in texts.items() if faults[key] is None}


def _rules(row: BusinessRow) -> Rules:
    deadline = row.change_deadline_minutes
    return Rules(
        notice=timedelta(minutes=row.notice_minutes),
        horizon=timedelta(days=row.horizon_days),
        grid=timedelta(minutes=row.grid_minutes),
        max_active=row.max_active,
        change_deadline=None if deadline is None else timedelta(minutes=deadline),
        remind_confirmed=row.remind_confirmed,
    )
