"""Businesses to talk to, as the pure part knows them: read from fixtures/businesses, without a database."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bot.core.business import Business, Rules, Service, Staff
from bot.store.business_file import BusinessFile, read, starter
from tests.conftest import FIXTURES


def a_business(name: str, **rules: Any) -> Business:
    """A business of fixtures/businesses, or the packaged `starter`; `rules` replace some of its own."""
    written = starter() if name == "starter" else read(FIXTURES / "businesses" / f"{name}.toml")
    return replace_rules(_value(written), **rules)


def replace_rules(business: Business, **rules: Any) -> Business:
    return replace(business, rules=replace(business.rules, **rules))


def _value(written: BusinessFile) -> Business:
    services = tuple(
        Service(
            id=number,
            name=one.name,
            minutes=one.minutes,
            buffer=one.buffer_minutes,
            price=one.price,
            note=one.note,
        )
        for number, one in enumerate(written.service, start=1)
    )
    staff = tuple(
        Staff(
            id=number,
            name=one.name,
            services=frozenset(each.id for each in services if not one.services or each.name in one.services),
            week=one.week,
        )
        for number, one in enumerate(written.staff, start=1)
    )
    deadline = written.change_deadline_minutes
    return Business(
        id=1,
        name=written.name,
        zone=ZoneInfo(written.zone),
        language=written.language,
        form_of_address=written.form_of_address,
        lines={str(language): own for language, own in written.wording.items()},
        services=services,
        staff=staff,
        rules=Rules(
            notice=timedelta(minutes=written.notice_minutes),
            horizon=timedelta(days=written.horizon_days),
            grid=timedelta(minutes=written.grid_minutes),
            max_active=written.max_active,
            change_deadline=None if deadline is None else timedelta(minutes=deadline),
            remind_confirmed=written.remind_confirmed,
        ),
    )
