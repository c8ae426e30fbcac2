"""A few of many, spread out."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from bot.core.spread import ranked, spread

WEEK = [[(day, hour) for hour in range(9, 19)] for day in range(7)]


@given(st.lists(st.integers(), unique=True))
def test_spread_gives_everything_once_and_the_first_first(items: list[int]) -> None:
    order = list(spread(items))
    assert sorted(order) == sorted(items)
    assert order[:1] == items[:1]


def test_any_beginning_is_spread_out() -> None:
    assert list(spread(range(9, 19)))[:4] == [9, 17, 13, 11]


@given(st.lists(st.lists(st.integers(0, 9), unique=True), max_size=6), st.integers(1, 12))
def test_as_many_as_asked_as_long_as_there_are(days: list[list[int]], count: int) -> None:
    marked = [[(day, item) for item in items] for day, items in enumerate(days)]
    everything = [item for day in marked for item in day]
    picked = ranked(marked, count)
    assert len(picked) == min(count, len(everything))
    assert len(set(picked)) == len(picked)
    assert set(picked) <= set(everything)
    assert picked[:1] == everything[:1]


def test_a_list_of_nine_shows_four_days_and_three_times_show_two() -> None:
    assert {day for day, _ in ranked(WEEK, 9)} == {0, 1, 2, 3}
    assert ranked(WEEK, 3) == [(0, 9), (1, 9), (0, 17)]
    assert ranked(WEEK, 1) == [(0, 9)]


def test_days_are_read_no_further_than_needed() -> None:
    def days() -> Iterator[list[int]]:
        yield []
        yield [1, 2, 3]
        raise AssertionError

    assert ranked(days(), 2) == [1, 3]
