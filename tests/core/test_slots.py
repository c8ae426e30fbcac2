"""What can be booked, by example: one rule after the other, when listing and when booking."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

from bot.core.slots import Calendar, Part, Refusal, Slot
from tests.core.world import (
    COLOUR,
    CUT,
    MEXICO,
    RETIRED,
    TIJUANA,
    calendar,
    every_day,
    hours,
    local,
    person,
    rules,
    taken,
)

TICK = timedelta.resolution
DAWN = local("2026-12-01T06:00")  # a Tuesday


def clock(slots: tuple[Slot, ...]) -> list[str]:
    return [slot.start.astimezone(MEXICO).strftime("%H:%M") for slot in slots]


def one_day(book: Calendar, day: str, service: int = 1) -> list[str]:
    return clock(book.free(service, after=local(f"{day}T00:00"), before=local(f"{day}T00:00") + timedelta(days=1)))


def slot(start: str, *, staff: int = 1, service: int = 1, minutes: int = 60) -> Slot:
    begins = local(start)
    return Slot(service=service, staff=staff, start=begins, end=begins + timedelta(minutes=minutes))


def test_a_free_day_lists_the_grid_and_may_end_exactly_at_closing() -> None:
    book = calendar(DAWN, person(week=every_day("09:00-12:00")))
    assert one_day(book, "2026-12-01") == ["09:00", "09:30", "10:00", "10:30", "11:00"]
    assert book.free(1, limit=1)[0] == slot("2026-12-01T09:00")


def test_the_grid_begins_at_each_opening_and_a_service_does_not_reach_over_a_break() -> None:
    book = calendar(DAWN, person(week=every_day("09:15-11:00", "14:00-15:00")))
    assert one_day(book, "2026-12-01") == ["09:15", "09:45", "14:00"]
    assert book.check(slot("2026-12-01T10:30")) is Refusal.CLOSED


def test_the_buffer_may_overhang_closing_but_not_what_is_taken() -> None:
    busy = (taken("2026-12-01T13:00", "2026-12-01T14:00"),)
    book = calendar(DAWN, person(week=every_day("09:00-13:00")), busy=busy)
    assert one_day(book, "2026-12-01", COLOUR.id) == ["09:00", "09:30", "10:00", "10:30", "11:00"]
    assert book.check(slot("2026-12-01T11:30", service=2, minutes=90)) is Refusal.TAKEN
    assert book.check(slot("2026-12-02T11:30", service=2, minutes=90)) is None


def test_touching_is_allowed_and_overlap_is_not() -> None:
    busy = (taken("2026-12-01T10:00", "2026-12-01T11:00"), taken("2026-12-01T10:30", "2026-12-01T10:45", appointment=2))
    book = calendar(DAWN, person(week=every_day("09:00-13:00")), busy=busy)
    assert one_day(book, "2026-12-01") == ["09:00", "11:00", "11:30", "12:00"]
    assert book.check(slot("2026-12-01T09:01")) is Refusal.TAKEN
    assert book.check(slot("2026-12-01T10:59")) is Refusal.TAKEN


def test_the_appointment_that_is_moved_does_not_block_its_own_move() -> None:
    busy = (taken("2026-12-01T10:00", "2026-12-01T11:00", appointment=8),)
    book = calendar(DAWN, busy=busy)
    assert book.check(slot("2026-12-01T10:30")) is Refusal.TAKEN
    assert book.check(slot("2026-12-01T10:30"), ignore=8) is None
    assert "10:30" in clock(book.free(1, ignore=8, limit=9))
    assert isinstance(book.at(1, local("2026-12-01T10:30"), ignore=8), Slot)


def test_a_typed_time_needs_no_grid() -> None:
    book = calendar(DAWN)
    assert book.at(1, local("2026-12-01T10:07").astimezone(MEXICO)) == slot("2026-12-01T10:07")


def test_each_start_is_offered_once_with_the_first_who_is_free() -> None:
    busy = (taken("2026-12-01T09:00", "2026-12-01T10:00", staff=5),)
    book = calendar(DAWN, person(5, week=every_day("09:00-11:00")), person(2, week=every_day("09:00-11:00")), busy=busy)
    first_day = book.free(1, before=local("2026-12-02T00:00"))
    assert [(one.staff, clock((one,))[0]) for one in first_day] == [(2, "09:00"), (2, "09:30"), (5, "10:00")]
    assert clock(book.free(1, staff=5, before=local("2026-12-02T00:00"))) == ["10:00"]
    found = book.at(1, local("2026-12-01T09:00"))
    assert isinstance(found, Slot)
    assert found.staff == 2


def test_overlapping_intervals_of_one_person_offer_a_start_once() -> None:
    book = calendar(DAWN, person(week=every_day("09:00-11:00", "10:00-12:00")))
    assert one_day(book, "2026-12-01") == ["09:00", "09:30", "10:00", "10:30", "11:00"]


@pytest.mark.parametrize(
    ("week", "day", "expected"),
    [
        ("22:00-26:00", "2026-12-02", ["00:00", "00:30", "01:00", "22:00", "22:30", "23:00", "23:30"]),
        ("20:00-24:00", "2026-12-02", ["20:00", "20:30", "21:00", "21:30", "22:00", "22:30", "23:00"]),
    ],
)
def test_hours_may_reach_or_cross_midnight(week: str, day: str, expected: list[str]) -> None:
    book = calendar(DAWN, person(week=every_day(week)))
    assert one_day(book, day) == expected
    assert book.check(slot(f"{day}T23:30")) is (None if week == "22:00-26:00" else Refusal.CLOSED)


def test_open_around_the_clock_offers_the_whole_day() -> None:
    book = calendar(DAWN, person(week=every_day("00:00-24:00")))
    found = one_day(book, "2026-12-02")
    assert (found[0], found[-1], len(found)) == ("00:00", "23:00", 47)


def test_a_night_belongs_to_the_weekday_on_which_it_opens() -> None:
    friday_night = tuple(hours("22:00-26:00") if day == 4 else () for day in range(7))
    book = calendar(DAWN, person(week=friday_night))
    assert book.days(1, before=local("2026-12-08T00:00")) == (date(2026, 12, 4), date(2026, 12, 5))
    assert book.check(slot("2026-12-05T00:30")) is None
    assert book.check(slot("2026-12-04T00:30")) is Refusal.CLOSED


def test_nothing_is_offered_in_the_past_not_even_now() -> None:
    at_ten = slot("2026-12-01T10:00")
    assert calendar(at_ten.start - TICK).check(at_ten) is None
    assert calendar(at_ten.start).check(at_ten) is Refusal.PAST
    assert calendar(at_ten.start + TICK, book=rules(notice=60)).check(at_ten) is Refusal.PAST
    assert clock(calendar(at_ten.start).free(1, limit=1)) == ["10:30"]


def test_the_notice_is_asked_again_when_booking() -> None:
    noon = slot("2026-12-01T12:00")
    two_hours = rules(notice=120)
    assert calendar(local("2026-12-01T10:00"), book=two_hours).check(noon) is None
    assert clock(calendar(local("2026-12-01T10:00"), book=two_hours).free(1, limit=1)) == ["12:00"]
    assert calendar(local("2026-12-01T10:00") + TICK, book=two_hours).check(noon) is Refusal.NOTICE
    assert clock(calendar(local("2026-12-01T10:00") + TICK, book=two_hours).free(1, limit=1)) == ["12:30"]


def test_the_horizon_holds_its_last_instant() -> None:
    now = local("2026-12-01T10:00")
    book = calendar(now, book=rules(horizon=1))
    assert book.free(1)[-1] == slot("2026-12-02T10:00")
    assert book.check(slot("2026-12-02T10:00")) is None
    assert book.check(slot("2026-12-02T10:30")) is Refusal.HORIZON


def test_late_in_the_evening_today_has_nothing_left() -> None:
    book = calendar(local("2026-12-01T18:59"))
    assert book.days(1, before=local("2026-12-03T00:00")) == (date(2026, 12, 2),)


@pytest.mark.parametrize(
    ("service", "staff", "refusal"),
    [
        (99, 1, Refusal.NO_SERVICE),
        (RETIRED.id, 1, Refusal.NO_SERVICE),
        (COLOUR.id, 1, Refusal.NO_STAFF),
        (CUT.id, 99, Refusal.NO_STAFF),
        (CUT.id, 2, Refusal.NO_STAFF),
    ],
)
def test_unknown_inactive_and_unoffered_are_refused_and_list_nothing(
    service: int, staff: int, refusal: Refusal
) -> None:
    book = calendar(DAWN, person(1, services=(1, 3)), person(2, active=False))
    wanted = slot("2026-12-01T10:00", service=service, staff=staff)
    assert book.check(wanted) is refusal
    assert book.at(service, wanted.start, staff=staff) is refusal
    assert book.free(service, staff=staff) == ()
    assert book.days(service, staff=staff) == ()
    assert book.offers(service, 3, staff=staff) == ()


def test_when_everybody_refuses_taken_is_said_before_closed() -> None:
    busy = (taken("2026-12-01T10:00", "2026-12-01T11:00", staff=2),)
    book = calendar(DAWN, person(1, week=every_day("15:00-19:00")), person(2), busy=busy)
    assert book.at(1, local("2026-12-01T10:00")) is Refusal.TAKEN
    assert book.at(1, local("2026-12-01T20:00")) is Refusal.CLOSED
    assert book.at(1, local("2026-12-01T05:00")) is Refusal.PAST


@pytest.mark.parametrize("day", ["2026-10-31", "2026-11-01", "2026-11-02", "2027-03-13", "2027-03-14", "2027-03-15"])
def test_hours_are_wall_clock_hours_on_every_day(day: str) -> None:
    book = calendar(local("2026-10-30T06:00", TIJUANA), zone=TIJUANA, book=rules(horizon=200))
    found = book.free(1, after=local(f"{day}T00:00", TIJUANA), limit=1)
    assert found[0].start == local(f"{day}T09:00", TIJUANA)


def night_clinic(now: str) -> Calendar:
    return calendar(local(now, TIJUANA), person(week=every_day("00:00-06:00")), zone=TIJUANA)


def test_a_time_that_does_not_exist_is_not_offered() -> None:
    found = night_clinic("2027-03-13T12:00").free(1, before=local("2027-03-14T12:00", TIJUANA))
    assert [one.start.astimezone(TIJUANA).strftime("%H:%M") for one in found] == [
        "00:00", "00:30", "01:00", "01:30", "03:00", "03:30", "04:00", "04:30", "05:00",
    ]  # fmt: skip
    assert all(one.end - one.start == CUT.duration for one in found)


def test_a_time_that_comes_twice_is_offered_once() -> None:
    found = night_clinic("2026-10-31T12:00").free(1, before=local("2026-11-01T12:00", TIJUANA))
    assert [one.start.astimezone(TIJUANA).strftime("%H:%M") for one in found].count("01:30") == 1
    assert found[3].start == datetime(2026, 11, 1, 8, 30, tzinfo=UTC)
    assert found[4].start == datetime(2026, 11, 1, 10, tzinfo=UTC)


def test_a_busy_night_with_the_clock_put_back_is_checked_in_elapsed_time() -> None:
    busy = (taken("2026-11-01T01:30", "2026-11-01T02:00", zone=TIJUANA),)  # really an hour and a half
    book = calendar(local("2026-10-31T12:00", TIJUANA), person(week=every_day("00:00-06:00")), busy=busy, zone=TIJUANA)
    again = datetime(2026, 11, 1, 9, tzinfo=UTC)  # 01:00 for the second time
    assert book.at(1, again) is Refusal.TAKEN


def test_offers_show_the_soonest_and_several_days_in_order() -> None:
    found = calendar(DAWN).offers(1, 9)
    days = [one.start.astimezone(MEXICO).day for one in found]
    assert days == [1, 1, 1, 2, 2, 3, 3, 4, 4]
    assert found[0] == slot("2026-12-01T09:00")
    assert list(found) == sorted(found, key=lambda one: one.start)


def test_offers_of_one_day_are_spread_over_it() -> None:
    found = calendar(DAWN).offers(1, 5, before=local("2026-12-02T00:00"))
    assert clock(found) == ["09:00", "11:00", "13:00", "15:00", "17:00"]


def test_offers_go_on_to_later_days_until_there_are_enough() -> None:
    busy = tuple(taken(f"2026-12-{day:02}T00:00", f"2026-12-{day:02}T18:00", appointment=day) for day in range(1, 10))
    assert [one.start.astimezone(MEXICO).day for one in calendar(DAWN, busy=busy).offers(1, 3)] == [1, 2, 3]


@pytest.mark.parametrize("count", [0, -1])
def test_no_offers_are_no_offers(count: int) -> None:
    assert calendar(DAWN).offers(1, count) == ()


@pytest.mark.parametrize(
    ("near", "expected"),
    [
        ("2026-12-01T12:00", ["10:30", "11:00", "13:00"]),
        ("2026-12-01T05:00", ["09:00", "09:30", "10:00"]),
        ("2027-02-01T12:00", ["17:00", "17:30", "18:00"]),
    ],
)
def test_when_a_slot_was_just_taken_the_three_nearest_are_offered(near: str, expected: list[str]) -> None:
    busy = (taken("2026-12-01T12:00", "2026-12-01T13:00"),)
    book = calendar(DAWN, busy=busy, book=rules(horizon=1.6))
    assert clock(book.offers(1, 3, near=local(near))) == expected


def test_the_nearest_come_from_the_next_day_when_the_day_is_full() -> None:
    one_a_day = person(week=every_day("09:00-10:00"))
    book = calendar(DAWN, one_a_day, busy=(taken("2026-12-02T09:00", "2026-12-02T10:00"),))
    found = book.offers(1, 2, near=local("2026-12-02T09:00"))
    assert [one.start.astimezone(MEXICO).day for one in found] == [1, 3]


def test_bounds_are_from_after_on_and_before_before() -> None:
    found = calendar(DAWN).free(1, after=local("2026-12-01T10:00"), before=local("2026-12-01T11:00"))
    assert clock(found) == ["10:00", "10:30"]
    assert calendar(DAWN).free(1, after=local("2026-12-02T10:00"), before=local("2026-12-01T11:00")) == ()


def test_a_part_of_the_day_is_from_its_beginning_on_and_before_its_end_on_every_day() -> None:
    book = calendar(DAWN, person(week=every_day("09:00-13:00")))
    part = Part(time(9, 30), time(10, 30))
    assert clock(book.free(1, limit=4, part=part)) == ["09:30", "10:00"] * 2
    assert clock(book.offers(1, 2, part=part)) == ["09:30", "10:00"]
    assert book.days(1, part=Part(time(20), time(22))) == ()
