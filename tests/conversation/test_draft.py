"""A draft survives being stored, and whatever another version stored."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.draft import STALE, Draft, Flow, dump, load

NOW = datetime(2026, 12, 1, 16, 0, tzinfo=UTC)
FULL = Draft(
    flow=Flow.MOVE,
    service=2,
    appointment=7,
    version=3,
    staff=1,
    start=NOW,
    name="Iris",
    day=date(2026, 12, 4),
    days_since=date(2026, 12, 5),
    after=NOW,
    epoch=4,
    said="one:7:3",
    echo=99,
    misses=1,
    apologised_at=NOW,
    touched_at=NOW,
)


@pytest.mark.parametrize("draft", [Draft(), FULL, Draft(service=0, staff=0)])
def test_a_draft_is_read_back_as_it_was_written(draft: Draft) -> None:
    assert load(dump(draft)) == draft


def test_only_what_is_set_is_written() -> None:
    assert dump(Draft()) == "{}"
    assert json.loads(dump(Draft(flow=Flow.BOOK, epoch=1))) == {"flow": "book", "epoch": 1}


@pytest.mark.parametrize(
    ("stored", "draft"),
    [
        ("", Draft()),
        ("null", Draft()),
        ("[]", Draft()),
        ('"x"', Draft()),
        ("{", Draft()),
        ("[" * 100_000, Draft()),
        ('{"from_the_future": {"a": [1]}, "epoch": 2}', Draft(epoch=2)),
        ('{"flow": "dance", "epoch": 2}', Draft(epoch=2)),
        ('{"flow": 3, "said": "x"}', Draft(said="x")),
        ('{"flow": "book", "service": "2", "epoch": true, "misses": 1.5}', Draft(flow=Flow.BOOK)),
        ('{"flow": "book", "day": "soon", "after": 5, "touched_at": null}', Draft(flow=Flow.BOOK)),
        ('{"flow": "book", "after": "2026-12-01T10:00:00"}', Draft(flow=Flow.BOOK)),
        ('{"flow": "move", "service": 2, "version": 1, "epoch": 3}', Draft(epoch=3)),
    ],
)
def test_what_another_version_wrote_or_nobody_can_read_counts_as_not_said(stored: str, draft: Draft) -> None:
    assert load(stored) == draft


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2),
)


@given(st.text() | st.dictionaries(st.sampled_from(Draft.__slots__) | st.text(max_size=5), _json).map(json.dumps))
def test_loading_never_fails(text: str) -> None:
    assert load(dump(load(text))) == load(text)


def test_a_cleared_draft_keeps_only_what_outlives_a_request() -> None:
    kept = Draft(epoch=4, said="one:7:3", echo=99, apologised_at=NOW, touched_at=NOW)
    assert FULL.cleared() == kept
    assert FULL.finished().epoch == 5
    assert (FULL.unsaid().said, FULL.unsaid().echo, FULL.unsaid().flow) == ("", 0, Flow.MOVE)


def test_after_a_day_of_silence_a_request_starts_clean() -> None:
    assert FULL.at(NOW + STALE - timedelta(seconds=1)) == FULL
    assert FULL.at(NOW + STALE) == FULL.cleared()
    assert Draft(flow=Flow.BOOK).at(NOW) == Draft(flow=Flow.BOOK)
