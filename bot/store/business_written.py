"""A business's rows → its file: what an export writes, and what an edit is compared with."""

import json
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.core.business import Week
from bot.store.business_file import BusinessFile, checked
from bot.store.business_rows import NO_WEEK, Rows, stored
from bot.store.business_values import hours
from bot.store.file_fields import DAYS, shown
from bot.store.tables import BusinessRow, ServiceRow, StaffRow

PLAIN = (
    "name",
    "zone",
    "language",
    "form_of_address",
    "notice_minutes",
    "horizon_days",
    "grid_minutes",
    "max_active",
    "change_deadline_minutes",
    "remind_confirmed",
)
"""Keys of the file that are columns of the business."""


def written(rows: Rows) -> BusinessFile:
    """The whole business as it would be written, those that are switched off included.

    ValueError when another program has written what a file may not hold.
    """
    row = rows.business
    names = {stored(person.id): person.name for person in rows.staff}
    zone = ZoneInfo(row.zone)
    return checked(
        {name: getattr(row, name) for name in PLAIN}
        | {
            "templates": json.loads(row.templates),
            "wording": json.loads(row.wording),
            "holidays": _holidays(row, rows.working_holidays),
            "resource": [one.model_dump(include={"name", "kind", "active"}) for one in rows.resources],
            "service": [_service(service, rows) for service in rows.services],
            "staff": [_person(person, rows) for person in rows.staff],
            "special_day": [
                {"day": one.day, "hours": list(hours(one.hours)), "staff": names.get(one.staff_id or 0)}
                | {"note": one.note}
                for one in rows.special_days
            ],
            "time_off": [
                {
                    "from": _local(one.starts_at, zone),
                    "to": _local(one.ends_at, zone),
                    "staff": names.get(one.staff_id or 0),
                    "note": one.note,
                }
                for one in rows.time_off
            ],
        }
    )


def week_entry(week: Week) -> dict[str, object]:
    """The keys of a week: one line when all days are alike."""
    if all(day == week[0] for day in week):
        return {"every_day": shown(week[0])}
    return {"hours": {day: shown(each) for day, each in zip(DAYS, week, strict=True) if each}}


def _service(row: ServiceRow, rows: Rows) -> dict[str, object]:
    usable = rows.usable.get(stored(row.id), frozenset())
    columns = row.model_dump(exclude={"id", "business_id", "position"})
    return columns | {"resources": [one.name for one in rows.resources if one.id in usable]}


def _person(row: StaffRow, rows: Rows) -> dict[str, object]:
    offered = rows.offered.get(stored(row.id), frozenset())
    return {
        "name": row.name,
        "services": [one.name for one in rows.services if one.id in offered],
        "active": row.active,
        **week_entry(rows.weeks.get(stored(row.id), NO_WEEK)),
    }


def _holidays(row: BusinessRow, working: frozenset[str]) -> dict[str, object] | None:
    if not row.holiday_country:
        return None
    return {"country": row.holiday_country, "region": row.holiday_region, "working": sorted(working)}


def _local(at: datetime, zone: ZoneInfo) -> datetime:
    """The wall clock's reading, as TOML writes a local date-time."""
    return at.astimezone(zone).replace(tzinfo=None)
