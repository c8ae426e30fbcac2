"""Wall clocks and instants on ordinary days and on those when clocks change."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.core.zones import edge, instant, wall
from tests.core.world import MEXICO, TIJUANA

HAVANA = ZoneInfo("America/Havana")  # 2026-03-08: midnight does not exist
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")  # half an hour, 2026-10-04 02:00 -> 02:30


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_minutes_after_midnight_are_read_on_the_clock_even_when_it_changes() -> None:
    assert wall(date(2027, 3, 14), 540, TIJUANA).isoformat() == "2027-03-14T09:00:00-07:00"
    assert wall(date(2026, 11, 1), 540, TIJUANA).isoformat() == "2026-11-01T09:00:00-08:00"
    assert wall(date(2026, 12, 1), 1500, MEXICO).isoformat() == "2026-12-02T01:00:00-06:00"


@pytest.mark.parametrize(
    ("zone", "day", "minutes", "first", "last"),
    [
        (MEXICO, date(2026, 7, 1), 540, "2026-07-01T15:00", "2026-07-01T15:00"),
        (ZoneInfo("America/Sao_Paulo"), date(2026, 7, 1), 540, "2026-07-01T12:00", "2026-07-01T12:00"),
        (TIJUANA, date(2026, 11, 1), 90, "2026-11-01T08:30", "2026-11-01T09:30"),
        (TIJUANA, date(2026, 11, 1), 120, "2026-11-01T10:00", "2026-11-01T10:00"),
        (TIJUANA, date(2027, 3, 14), 180, "2027-03-14T10:00", "2027-03-14T10:00"),
    ],
)
def test_a_reading_that_comes_is_the_first_instant_or_the_last(
    zone: ZoneInfo, day: date, minutes: int, first: str, last: str
) -> None:
    reading = wall(day, minutes, zone)
    assert instant(reading) == edge(reading) == utc(first)
    assert edge(reading, last=True) == utc(last)


def test_the_second_fold_is_still_the_first_time() -> None:
    assert instant(wall(date(2026, 11, 1), 90, TIJUANA).replace(fold=1)) == utc("2026-11-01T08:30")


@pytest.mark.parametrize(
    ("zone", "day", "minutes", "end_of_gap"),
    [
        (TIJUANA, date(2027, 3, 14), 120, "2027-03-14T10:00"),
        (TIJUANA, date(2027, 3, 14), 150, "2027-03-14T10:00"),
        (TIJUANA, date(2027, 3, 14), 179, "2027-03-14T10:00"),
        (HAVANA, date(2026, 3, 8), 0, "2026-03-08T05:00"),
        (LORD_HOWE, date(2026, 10, 4), 135, "2026-10-03T15:30"),
    ],
)
def test_a_reading_that_never_comes_is_no_instant_and_as_an_edge_the_end_of_the_gap(
    zone: ZoneInfo, day: date, minutes: int, end_of_gap: str
) -> None:
    reading = wall(day, minutes, zone)
    assert instant(reading) is None
    assert edge(reading) == edge(reading, last=True) == utc(end_of_gap)
