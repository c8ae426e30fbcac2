"""Dates that differ from the week: special days, holidays, time off; and who wins."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from bot.core import holidays
from bot.core.business import Absence, Business, Special, Staff
from bot.core.holidays import Holidays
from bot.core.slots import Calendar, Refusal, Slot
from tests.core.world import MEXICO, calendar, every_day, hours, local, person

DAWN = local("2026-12-01T06:00")
CHRISTMAS = date(2026, 12, 25)
MX = Holidays(country="MX")


def world(
    *people: Staff,
    specials: tuple[Special, ...] = (),
    absences: tuple[Absence, ...] = (),
    national: Holidays | None = None,
) -> Calendar:
    book = calendar(DAWN, *people)
    business = replace(book.business, specials=specials, absences=absences, holidays=national)
    return replace(book, business=business)


def starts(book: Calendar, day: date, staff: int | None = None) -> list[str]:
    midnight = local(f"{day}T00:00")
    found = book.free(1, after=midnight, before=midnight + timedelta(days=1), staff=staff)
    return [slot.start.astimezone(MEXICO).strftime("%H:%M") for slot in found]


def one(day: date, *spans: str, note: str = "") -> Special:
    return Special(day=day, hours=hours(*spans), note=note)


def off(start: str, until: str) -> Absence:
    return Absence(start=local(start), until=local(until))


def test_a_closed_date_wins_over_the_week() -> None:
    book = world(specials=(one(CHRISTMAS, note="Navidad"),))
    assert starts(book, CHRISTMAS) == []
    assert CHRISTMAS not in book.days(1)
    at_ten = local("2026-12-25T10:00")
    assert book.at(1, at_ten) is Refusal.CLOSED
    assert book.check(Slot(service=1, staff=1, start=at_ten, end=at_ten + timedelta(hours=1))) is Refusal.CLOSED
    assert book.business.closed_on(CHRISTMAS) == "Navidad"


def test_a_specially_open_date_wins_over_the_week() -> None:
    sunday = date(2026, 12, 6)
    closed = person(week=tuple(() if day == 6 else hours("09:00-19:00") for day in range(7)))
    assert starts(world(closed), sunday) == []
    book = world(closed, specials=(one(sunday, "10:00-12:00"),))
    assert starts(book, sunday) == ["10:00", "10:30", "11:00"]
    assert book.business.closed_on(sunday) is None


def test_a_night_belongs_to_the_date_on_which_it_opens() -> None:
    book = world(person(week=every_day("20:00-26:00")), specials=(one(CHRISTMAS),))
    assert starts(book, CHRISTMAS) == ["00:00", "00:30", "01:00"]
    assert starts(book, date(2026, 12, 26))[0] == "20:00"
    night = world(specials=(one(CHRISTMAS, "22:00-26:00"),))
    assert starts(night, CHRISTMAS)[-1] == "23:30"
    assert starts(night, date(2026, 12, 26))[:2] == ["00:00", "00:30"]


def test_a_persons_own_date_wins_over_everybodys_and_over_a_holiday() -> None:
    stays = replace(person(2), specials=(one(CHRISTMAS, "10:00-11:00"),))
    book = world(person(1), stays, specials=(one(CHRISTMAS),), national=MX)
    assert starts(book, CHRISTMAS) == ["10:00"]
    assert starts(book, CHRISTMAS, staff=1) == []
    away = replace(person(1), specials=(one(date(2026, 12, 2)),))
    assert starts(world(away, person(2)), date(2026, 12, 2), staff=1) == []
    assert len(starts(world(away, person(2)), date(2026, 12, 2))) == 19


def test_holidays_are_closed_but_those_that_are_worked_and_special_dates() -> None:
    book = world(national=MX)
    assert starts(book, CHRISTMAS) == []
    assert book.business.closed_on(CHRISTMAS) == "Navidad"
    assert book.business.closed_on(date(2026, 12, 24)) is None
    assert starts(world(national=MX, specials=(one(CHRISTMAS, "09:00-10:00"),)), CHRISTMAS) == ["09:00"]
    worked = Holidays(country="MX", working=frozenset({"Navidad"}))
    assert len(starts(world(national=worked), CHRISTMAS)) == 19


@pytest.mark.parametrize(
    ("country", "region", "day", "name"),
    [
        ("MX", "", date(2027, 2, 1), "Día de la Constitución"),
        ("BR", "SP", date(2027, 7, 9), "Revolução Constitucionalista"),
        ("BR", "RJ", date(2027, 7, 9), None),
        ("CA", "BC", date(2027, 8, 2), "British Columbia Day"),
        ("US", "", date(2027, 7, 5), "Independence Day (observed)"),
    ],
)
def test_holidays_are_those_of_the_region_in_the_countrys_language(
    country: str, region: str, day: date, name: str | None
) -> None:
    assert Holidays(country=country, region=region).on(day) == name
    assert name is None or name in holidays.names(country, region)


@pytest.mark.parametrize(
    ("country", "region", "said"), [("XX", "", "country 'XX'"), ("BR", "XX", "known are AC, "), ("MX", "A", "the same")]
)
def test_an_unknown_country_or_region_is_told(country: str, region: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        holidays.national(country, region, 2027)


def test_time_off_is_never_met_but_a_buffer_may_overhang_into_it() -> None:
    day = date(2026, 12, 2)
    away = replace(person(week=every_day("09:00-15:00")), absences=(off("2026-12-02T11:00", "2026-12-02T13:15"),))
    book = world(away)
    assert starts(book, day) == ["09:00", "09:30", "10:00", "13:30", "14:00"]
    assert book.at(1, local("2026-12-02T10:30")) is Refusal.CLOSED
    assert book.at(1, local("2026-12-02T13:14")) is Refusal.CLOSED
    assert isinstance(book.at(1, local("2026-12-02T13:15")), Slot)
    assert isinstance(book.at(2, local("2026-12-02T09:30")), Slot)  # its buffer is from 11:00 on
    with_all = world(person(week=every_day("09:00-15:00")), absences=(off("2026-12-02T09:00", "2026-12-02T14:00"),))
    assert starts(with_all, day) == ["14:00"]


def test_time_off_ends_after_it_begins() -> None:
    with pytest.raises(ValueError, match="time off"):
        off("2026-12-02T11:00", "2026-12-02T11:00")


def test_a_business_compares_by_what_it_is() -> None:
    def make() -> Business:
        return world(specials=(one(CHRISTMAS),)).business

    assert make() == make()
    assert make() != world().business
