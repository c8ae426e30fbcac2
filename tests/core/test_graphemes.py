"""Cutting text: never over the limit, never through what a reader sees as one character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.graphemes import clusters, cut, split_at, units

WHOLE = [
    "a",
    "ñ",
    "n\u0303",
    "e\u0301\u0323",
    "👍",
    "👍🏽",
    "👩🏽‍🔧",
    "👨‍👩‍👧‍👦",
    "🏳️‍🌈",
    "❤️",
    "1️⃣",
    "🇲🇽",
    "🇧🇷",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "한",
    "\u1112\u1161\u11ab",
    "नि",
    "ع\u064e",
    "\r\n",
    "\U0001d49c",
    " ",
]


@pytest.mark.parametrize("whole", WHOLE)
def test_one_character_is_one_cluster(whole: str) -> None:
    assert list(clusters(whole)) == [whole]


@given(st.lists(st.sampled_from(WHOLE), max_size=30))
def test_a_text_falls_into_the_clusters_it_was_made_of(parts: list[str]) -> None:
    assert list(clusters("".join(parts))) == parts


@given(parts=st.lists(st.sampled_from(WHOLE), max_size=30), limit=st.integers(1, 40))
def test_a_cut_keeps_whole_clusters_within_the_limit(parts: list[str], limit: int) -> None:
    text = "".join(parts)
    head, rest = split_at(text, limit)
    assert head + rest == text
    assert units(head) <= limit
    assert list(clusters(head)) == parts[: len(list(clusters(head)))]
    assert not rest or units(head) + units(next(clusters(rest))) > limit
    assert units(cut(text, limit)) <= limit
    assert cut(text, limit) == text or cut(text, limit).endswith("…")


@given(text=st.text(), limit=st.integers(1, 40))
def test_any_text_is_cut_to_the_limit_and_nothing_is_lost_in_between(text: str, limit: int) -> None:
    assert "".join(clusters(text)) == text
    assert units(text) == len(text.encode("utf-16-le")) // 2
    assert units(cut(text, limit)) <= limit


def test_a_cluster_longer_than_the_limit_goes_as_a_whole() -> None:
    assert cut("a" + "\u0301" * 50, 20) == "…"
    assert cut("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 20) == "👨‍👩‍👧‍👦…"
