"""When a customer usually comes, and that they are offered it first."""

from datetime import date, timedelta

import pytest

from bot.core.appointment import Appointment, Status
from bot.core.slots import Usual
from bot.core.usual import usual
from tests.core.world import MEXICO, calendar, every_day, local, person, rules, taken

DAWN = local("2026-12-01T06:00")  # a Tuesday
THURSDAY_AT_FIVE = Usual(weekday=3, minutes=17 * 60)


def had(*starts: str, status: Status = Status.COMPLETED) -> list[Appointment]:
    return [
        Appointment(
            id=number,
            customer=1,
            service=1,
            staff=1,
            start=local(start),
            end=local(start) + timedelta(hours=1),
            status=status,
            slot_set_at=DAWN,
        )
        for number, start in enumerate(starts)
    ]


@pytest.mark.parametrize(
    ("starts", "expected"),
    [
        ((), None),
        (("2026-11-05T17:00",), None),
        (("2026-11-05T17:00", "2026-11-12T17:30", "2026-11-17T09:00"), Usual(weekday=3, minutes=17 * 60 + 30)),
        (("2026-11-05T17:00", "2026-11-12T09:00"), None),
    ],
)
def test_a_habit_is_what_came_more_than_once(starts: tuple[str, ...], expected: Usual | None) -> None:
    assert usual(had(*starts), MEXICO) == expected


def test_what_was_cancelled_or_missed_and_what_is_long_ago_makes_no_habit() -> None:
    assert usual(had("2026-11-05T17:00", "2026-11-12T17:00", status=Status.CANCELLED), MEXICO) is None
    assert usual(had("2026-11-05T17:00", "2026-11-12T17:00", status=Status.NO_SHOW), MEXICO) is None
    lately = [f"2026-11-{day:02}T{day:02}:00" for day in range(9, 17)]
    assert usual(had("2026-10-01T17:00", "2026-10-08T17:00", *lately), MEXICO) is None


def test_the_usual_time_is_among_the_offers_and_the_only_one_when_one_is_asked() -> None:
    book = calendar(DAWN)
    offers = book.offers(1, 3, usual=THURSDAY_AT_FIVE)
    assert [slot.start for slot in offers] == [
        local("2026-12-01T09:00"),
        local("2026-12-02T09:00"),
        local("2026-12-03T17:00"),
    ]
    assert [slot.start for slot in book.offers(1, 1, usual=THURSDAY_AT_FIVE)] == [local("2026-12-03T17:00")]


def test_a_taken_usual_time_is_the_nearest_within_the_hour_or_a_week_later() -> None:
    taken_at_five = taken("2026-12-03T16:30", "2026-12-03T18:00")
    assert calendar(DAWN, busy=(taken_at_five,)).offers(1, 1, usual=THURSDAY_AT_FIVE)[0].start == local(
        "2026-12-03T18:00"
    )
    evening = taken("2026-12-03T12:00", "2026-12-03T19:00")
    later = calendar(DAWN, busy=(evening,)).offers(1, 1, usual=THURSDAY_AT_FIVE)
    assert later[0].start == local("2026-12-10T17:00")


def test_a_usual_time_that_cannot_be_had_changes_nothing() -> None:
    mornings = calendar(DAWN, person(week=every_day("09:00-12:00")), book=rules(horizon=14))
    assert mornings.offers(1, 4, usual=THURSDAY_AT_FIVE) == mornings.offers(1, 4)


def test_a_usual_time_that_is_offered_anyway_is_not_offered_twice() -> None:
    at_nine = Usual(weekday=date(2026, 12, 1).weekday(), minutes=9 * 60)
    book = calendar(DAWN)
    assert book.offers(1, 3, usual=at_nine) == book.offers(1, 3)
