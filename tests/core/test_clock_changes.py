"""Days of 23, 24 and 25 hours, rules that were changed, midnight and leap days: hours are the wall clock's."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from bot.core.business import Interval, Service
from bot.core.slots import Calendar, Refusal, Slot
from tests.core.world import TIJUANA, calendar, every_day, local, packaged, person, rules

VANCOUVER = packaged("America/Vancouver")
MEXICO_CITY = packaged("America/Mexico_City")
SAO_PAULO = packaged("America/Sao_Paulo")
QUARTER = Service(id=1, name="Breve", minutes=15)


@pytest.mark.parametrize(
    ("zone", "day", "hours_from_utc"),
    [
        pytest.param(MEXICO_CITY, "2022-07-01", -5, id="Mexico's last summer time"),
        pytest.param(MEXICO_CITY, "2023-07-01", -6, id="Mexico without"),
        pytest.param(MEXICO_CITY, "2027-07-01", -6, id="Mexico without, later"),
        pytest.param(SAO_PAULO, "2018-12-01", -2, id="Brazil's last summer time"),
        pytest.param(SAO_PAULO, "2019-12-01", -3, id="Brazil without"),
        pytest.param(VANCOUVER, "2026-01-15", -8, id="British Columbia's last winter time"),
        pytest.param(VANCOUVER, "2026-07-15", -7, id="British Columbia in summer"),
        pytest.param(VANCOUVER, "2026-12-15", -7, id="British Columbia stays on it"),
        pytest.param(VANCOUVER, "2027-01-15", -7, id="British Columbia for good"),
    ],
)
def test_zones_that_changed_their_rules(zone: ZoneInfo, day: str, hours_from_utc: int) -> None:
    now = local(f"{day}T06:00", zone)
    first = calendar(now, zone=zone).free(1, limit=1)[0]
    assert first.start == datetime.fromisoformat(f"{day}T09:00").replace(tzinfo=UTC) - timedelta(hours=hours_from_utc)
    assert first.start.astimezone(zone).hour == 9


def test_british_columbia_puts_no_clock_back_in_2026() -> None:
    """What was booked in October for November keeps its distance: no hour comes twice any more."""
    book = round_the_clock("2026-10-31T12:00", VANCOUVER)
    day = local("2026-11-01T00:00", VANCOUVER)
    assert len(book.free(1, after=day, before=day + timedelta(hours=24))) == 96


def round_the_clock(now: str, zone: ZoneInfo) -> Calendar:
    everybody = person(week=every_day("00:00-24:00"))
    return calendar(local(now, zone), everybody, zone=zone, services=(QUARTER,), book=rules(grid=15))


@pytest.mark.parametrize(
    ("day", "hours", "readings"),
    [
        pytest.param("2026-10-31", 24, 96, id="an ordinary day"),
        pytest.param("2026-11-01", 25, 96, id="an hour comes twice and is offered once"),
        pytest.param("2027-03-14", 23, 92, id="an hour never comes"),
    ],
)
def test_days_of_23_and_25_hours(day: str, hours: int, readings: int) -> None:
    book = round_the_clock("2026-10-30T12:00" if day < "2027" else "2027-03-10T12:00", TIJUANA)
    begins = local(f"{day}T00:00", TIJUANA)
    ends = local(f"{date.fromisoformat(day) + timedelta(days=1)}T00:00", TIJUANA)
    assert ends - begins == timedelta(hours=hours)
    found = book.free(1, after=begins, before=ends)
    assert len(found) == readings
    clocks = [slot.start.astimezone(TIJUANA).strftime("%H:%M") for slot in found]
    assert clocks == sorted(set(clocks))
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize("day", ["2026-10-31", "2026-11-01", "2027-03-13", "2027-03-14"])
def test_a_service_may_end_exactly_at_closing_and_not_a_minute_later(day: str) -> None:
    book = calendar(local("2026-10-30T06:00", TIJUANA), zone=TIJUANA, book=rules(horizon=200))
    last = local(f"{day}T18:00", TIJUANA)
    assert isinstance(book.at(1, last), Slot)
    assert book.at(1, last + timedelta(minutes=1)) is Refusal.CLOSED


def test_a_night_over_the_change_is_as_long_as_it_is() -> None:
    """22:00 to 04:00 on the clock: seven hours when it is put back, five when it is put forward."""
    for now, first, until, hours in (
        ("2026-10-31T12:00", "2026-10-31T22:00", "2026-11-01T04:00", 7),
        ("2027-03-13T12:00", "2027-03-13T22:00", "2027-03-14T04:00", 5),
    ):
        book = calendar(local(now, TIJUANA), person(week=every_day("22:00-28:00")), zone=TIJUANA)
        start, end = local(first, TIJUANA), local(until, TIJUANA)
        assert end - start == timedelta(hours=hours)
        whole = Slot(service=1, staff=1, start=start, end=end)
        assert book.check(whole) is None
        assert book.check(Slot(service=1, staff=1, start=start, end=end + timedelta(minutes=1))) is Refusal.CLOSED


def test_a_leap_day_is_a_day() -> None:
    book = calendar(local("2028-02-27T06:00"), book=rules(horizon=4))
    assert [day.isoformat() for day in book.days(1)] == [
        "2028-02-27",
        "2028-02-28",
        "2028-02-29",
        "2028-03-01",
    ]
    assert isinstance(book.at(1, local("2028-02-29T10:00")), Slot)


def test_midnight_is_the_beginning_of_the_next_day() -> None:
    book = calendar(local("2026-12-01T12:00"), person(week=every_day("20:00-24:00")))
    assert isinstance(book.at(1, local("2026-12-01T23:00")), Slot)
    assert book.at(1, local("2026-12-02T00:00")) is Refusal.CLOSED
    assert Interval(opens=20 * 60, closes=24 * 60) in person(week=every_day("20:00-24:00")).week[0]
