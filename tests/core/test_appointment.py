"""The whole table of statuses: every status, happening, actor and side of the start."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.appointment import (
    ACTIVE,
    TRANSITIONS,
    Actor,
    Appointment,
    Happening,
    IllegalTransition,
    Status,
    after,
    mermaid,
)

START = datetime(2026, 12, 2, 16, tzinfo=UTC)
BEFORE, AT, LATER = START - timedelta(microseconds=1), START, START + timedelta(days=1)
HOUR = timedelta(hours=1)

S, C, X, D, N = Status.SCHEDULED, Status.CONFIRMED, Status.CANCELLED, Status.COMPLETED, Status.NO_SHOW
CUSTOMER, STAFF, SYSTEM = Actor
EDGES = [  # from product.md's table: from, happening, to, who before the start, who from the start on
    (S, Happening.CONFIRM, C, {CUSTOMER, STAFF}, {STAFF}),
    (S, Happening.CANCEL, X, {CUSTOMER, STAFF}, {STAFF}),
    (C, Happening.CANCEL, X, {CUSTOMER, STAFF}, {STAFF}),
    (S, Happening.MOVE, S, {CUSTOMER, STAFF}, {STAFF}),
    (C, Happening.MOVE, S, {CUSTOMER, STAFF}, {STAFF}),
    (S, Happening.COMPLETE, D, set(), {STAFF}),
    (C, Happening.COMPLETE, D, set(), {STAFF}),
    (S, Happening.MISS, N, set(), {STAFF}),
    (C, Happening.MISS, N, set(), {STAFF}),
    (D, Happening.MISS, N, set(), {STAFF}),
    (N, Happening.COMPLETE, D, set(), {STAFF}),
    (X, Happening.UNDO, C, {CUSTOMER, STAFF}, set()),
]
MAY = {(source, happening): (target, early, late) for source, happening, target, early, late in EDGES}


def appointment(status: Status = S) -> Appointment:
    return Appointment(
        id=7,
        customer=3,
        service=1,
        staff=2,
        start=START,
        end=START + HOUR,
        status=status,
        version=4,
        slot_set_at=START - timedelta(days=5),
        cancelled_from=C if status is X else None,
        attendee="Leo",
        sent_24h=True,
        sent_2h=True,
    )


def happen(was: Appointment, happening: Happening, by: Actor, now: datetime) -> Appointment:
    return was.after(happening, by=by, now=now, start=START + 48 * HOUR, end=START + 49 * HOUR)


@pytest.mark.parametrize("now", [BEFORE, AT, LATER], ids=["before", "at", "after"])
@pytest.mark.parametrize("by", Actor)
@pytest.mark.parametrize("happening", Happening)
@pytest.mark.parametrize("status", Status)
def test_only_what_the_product_allows_happens(status: Status, happening: Happening, by: Actor, now: datetime) -> None:
    was = appointment(status)
    target, early, late = MAY.get((status, happening), (None, set(), set()))
    allowed = by in (early if now < START else late)
    assert was.may(happening, by=by, now=now) is allowed
    if allowed:
        assert happen(was, happening, by, now).status is target
    else:
        with pytest.raises(IllegalTransition):
            happen(was, happening, by, now)


def test_a_move_keeps_the_id_raises_the_version_and_clears_the_flags() -> None:
    moved = appointment(C).after(
        Happening.MOVE, by=CUSTOMER, now=BEFORE, start=START + 24 * HOUR, end=START + 26 * HOUR, staff=5
    )
    assert moved == replace(
        appointment(),
        start=START + 24 * HOUR,
        end=START + 26 * HOUR,
        staff=5,
        version=5,
        slot_set_at=BEFORE,
        sent_24h=False,
        sent_2h=False,
    )


def test_a_move_that_names_no_staff_stays_with_the_same_one_and_may_name_nobody() -> None:
    assert happen(appointment(), Happening.MOVE, STAFF, BEFORE).staff == 2
    free = appointment().after(Happening.MOVE, by=STAFF, now=BEFORE, start=START, end=START + HOUR, staff=None)
    assert free.staff is None


@pytest.mark.parametrize(("start", "end"), [(None, START), (START, None), (None, None)])
def test_a_move_without_its_new_time_is_our_bug(start: datetime | None, end: datetime | None) -> None:
    with pytest.raises(ValueError, match="new start and end"):
        appointment().after(Happening.MOVE, by=STAFF, now=BEFORE, start=start, end=end)


@pytest.mark.parametrize("status", sorted(ACTIVE))
def test_an_undo_restores_the_state_before_with_a_new_version_and_the_old_flags(status: Status) -> None:
    was = replace(appointment(status), sent_24h=True, sent_2h=False)
    cancelled = was.after(Happening.CANCEL, by=CUSTOMER, now=BEFORE)
    assert cancelled == replace(was, status=X, cancelled_from=status)
    assert not cancelled.active
    undone = cancelled.after(Happening.UNDO, by=CUSTOMER, now=BEFORE)
    assert undone == replace(was, version=was.version + 1)
    assert undone.active


@pytest.mark.parametrize("before", [None, D])
def test_a_cancellation_whose_state_before_is_not_known_cannot_be_undone(before: Status | None) -> None:
    cancelled = replace(appointment(X), cancelled_from=before)
    with pytest.raises(IllegalTransition, match="not known"):
        cancelled.after(Happening.UNDO, by=STAFF, now=BEFORE)


def test_an_appointment_takes_aware_instants_and_lasts() -> None:
    naive = START.replace(tzinfo=None)
    with pytest.raises(ValueError, match="aware"):
        replace(appointment(), start=naive)
    with pytest.raises(ValueError, match="aware"):
        replace(appointment(), end=naive + HOUR)
    with pytest.raises(ValueError, match="aware"):
        replace(appointment(), slot_set_at=naive)
    with pytest.raises(ValueError, match="ends after"):
        replace(appointment(), end=START)


def test_every_status_has_its_row_and_an_absent_entry_is_illegal() -> None:
    assert set(TRANSITIONS) == set(Status)
    assert after(S, Happening.CONFIRM).to == (C,)
    with pytest.raises(IllegalTransition, match="CONFIRM is not possible from CANCELLED"):
        after(X, Happening.CONFIRM)


def test_names_and_values_are_the_same_words() -> None:
    assert all(member.value == member.name for kind in (Status, Happening, Actor) for member in kind)


def test_the_diagram_has_one_line_for_every_edge_of_the_table() -> None:
    lines = mermaid().splitlines()
    assert lines[:2] == ["stateDiagram-v2", "    [*] --> SCHEDULED: booked"]
    edges = [(source, target) for source, row in TRANSITIONS.items() for entry in row.values() for target in entry.to]
    assert [tuple(line.split(":")[0].strip().split(" --> ")) for line in lines[2:]] == edges
    assert "    CONFIRMED --> NO_SHOW: miss (staff after the start)" in lines
    assert "    SCHEDULED --> CONFIRMED: confirm (customer before the start, staff)" in lines
