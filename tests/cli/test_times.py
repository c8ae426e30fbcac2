"""Times as people write them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.cli.times import local, read

MEXICO, TIJUANA = ZoneInfo("America/Mexico_City"), ZoneInfo("America/Tijuana")
FOUR = datetime(2026, 12, 4, 22, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-12-04T16:00", FOUR),
        ("2026-12-04 16:00", FOUR),
        ("20261204T1600", FOUR),
        ("2026-12-04T16", FOUR),
        ("2026-12-04T16:00:00", FOUR),
        ("2026-12-04T22:00Z", FOUR),
        ("2026-12-04T22:00:00+00:00", FOUR),
        ("2026-12-04T16:00-06:00", FOUR),
        ("2026-12-04T17:00-0500", FOUR),
        ("2026-12-04T16:00:00.123456", FOUR.replace(microsecond=123456)),
        ("2026-12-04T16:00:00,5", FOUR.replace(microsecond=500000)),
    ],
)
def test_readable(text: str, at: datetime) -> None:
    assert read(text, MEXICO) == at
    assert read(text, MEXICO).tzinfo is UTC


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tomorrow",
        "16:00",
        "2026-12-04",
        "2026-12-04T",
        "2026-13-04T16:00",
        "2026-02-29T16:00",
        "2026-12-04T24:30",
        "2026-12-04T16:00:00.1234567",
        "04/12/2026 16:00",
        "0001-01-01T00:00+14:00",
        "9999-12-31T23:59-12:00",
        "3000-01-01T00:00",
        "2026-12-04T16:00 ",
        "٢٠٢٦-12-04T16:00",
    ],
)
def test_unreadable(text: str) -> None:
    with pytest.raises(ValueError, match="is no time; write it like"):
        read(text, MEXICO)


def test_a_time_that_the_clocks_jump_over_does_not_exist() -> None:
    with pytest.raises(ValueError, match="does not exist in America/Tijuana"):
        read("2027-03-14T02:30", TIJUANA)
    assert read("2027-03-14T02:30-08:00", TIJUANA) == datetime(2027, 3, 14, 10, 30, tzinfo=UTC)


def test_a_repeated_time_is_the_first() -> None:
    assert read("2026-11-01T01:30", TIJUANA) == datetime(2026, 11, 1, 8, 30, tzinfo=UTC)


def test_shown_with_the_weekday() -> None:
    assert local(FOUR, MEXICO) == "2026-12-04 Fri 16:00"
