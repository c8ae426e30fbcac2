"""Quiet hours: how they are written, and which instants they hold."""

from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.core.quiet import Quiet
from tests.core.world import MEXICO, TIJUANA, local

NIGHT = Quiet(begins=time(21), ends=time(8))
SIESTA = Quiet(begins=time(14), ends=time(16, 30))
TICK = timedelta.resolution


def test_they_are_written_as_two_times_or_not_at_all() -> None:
    assert Quiet.parse("21:00-08:00") == NIGHT
    assert Quiet.parse(" 14:00 - 16:30 ") == SIESTA
    assert Quiet.parse("") is None
    assert Quiet.parse("  ") is None


@pytest.mark.parametrize(
    "text", ["21-8", "24:00-08:00", "21:00", "21:60-08:00", "none", "21:00-08:00-09:00", "٢١:00-08:00"]
)
def test_a_wrong_text_says_the_format(text: str) -> None:
    with pytest.raises(ValueError, match="HH:MM-HH:MM"):
        Quiet.parse(text)


def test_the_same_time_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="different times"):
        Quiet.parse("08:00-08:00")


@pytest.mark.parametrize(
    ("quiet", "begins", "ends"),
    [
        (NIGHT, "2026-12-01T21:00", "2026-12-02T08:00"),
        (SIESTA, "2026-12-01T14:00", "2026-12-01T16:30"),
    ],
)
def test_they_are_half_open_to_the_microsecond(quiet: Quiet, begins: str, ends: str) -> None:
    first, end = local(begins), local(ends)
    assert quiet.around(first - TICK, MEXICO) is None
    assert quiet.around(first, MEXICO) == (first, end)
    assert quiet.around(end - TICK, MEXICO) == (first, end)
    assert quiet.around(end, MEXICO) is None
    assert quiet.exit(first, MEXICO) == end
    assert quiet.exit(end, MEXICO) == end


def test_in_the_repeated_hour_the_longer_reading_counts() -> None:
    quiet = Quiet(begins=time(21), ends=time(1, 30))
    assert quiet.exit(local("2026-11-01T01:15", TIJUANA), TIJUANA) == local("2026-11-01T01:30", TIJUANA, fold=1)


def test_quiet_hours_inside_the_missing_hour_do_not_come() -> None:
    quiet = Quiet(begins=time(2, 10), ends=time(2, 50))
    assert quiet.around(datetime(2027, 3, 14, 10, tzinfo=UTC), TIJUANA) is None


clock_times = st.times().map(lambda at: at.replace(second=0, microsecond=0, fold=0))


around_the_change = st.integers(0, 4 * 24 * 60).map(lambda n: datetime(2026, 10, 30, tzinfo=UTC) + timedelta(minutes=n))


@given(clock_times, clock_times, around_the_change)
def test_an_exit_is_never_quiet_on_the_wall_clock(begins: time, ends: time, at: datetime) -> None:
    assume(begins != ends)
    quiet = Quiet(begins=begins, ends=ends)
    found = quiet.exit(at, TIJUANA)
    clock = found.astimezone(TIJUANA).time()
    over_midnight = begins > ends
    inside = (clock >= begins or clock < ends) if over_midnight else begins <= clock < ends
    assert not inside
    assert found >= at
