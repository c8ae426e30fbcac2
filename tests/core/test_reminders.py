"""The rules of product.md's table of reminders, row by row."""

from dataclasses import replace
from datetime import datetime, time, timedelta

import pytest

from bot.core.appointment import Status
from bot.core.quiet import Quiet
from bot.core.reminders import (
    RULES,
    Decision,
    Kind,
    Reason,
    ReminderRules,
    Subject,
    Verdict,
    at_claim,
    moved_mark,
    next_mark,
    verdicts,
)
from tests.core.world import MEXICO, TIJUANA, local

TICK = timedelta.resolution
NIGHT = Quiet(begins=time(21), ends=time(8))
AWAKE = ReminderRules(zone=MEXICO)
NIGHTLY = ReminderRules(zone=MEXICO, quiet=NIGHT)
WAIT, SEND, SKIP, DECIDED = Decision
DAY, HOURS = Kind

LONG_AGO = local("2026-11-01T12:00")
NOON = Subject(status=Status.SCHEDULED, start=local("2026-12-02T12:00"), slot_set_at=LONG_AGO)
"""A Wednesday at noon: marks Tuesday 12:00 and Wednesday 10:00, both awake."""


def at(start: str) -> Subject:
    return replace(NOON, start=local(start))


def told(verdict: Verdict) -> tuple[Decision, Reason | None]:
    return verdict.decision, verdict.reason


def both(subject: Subject, now: str | datetime, rules: ReminderRules = NIGHTLY) -> list[tuple[Decision, Reason | None]]:
    return [told(one) for one in verdicts(subject, local(now) if isinstance(now, str) else now, rules)]


def claim(
    subject: Subject, now: str, kind: Kind = DAY, rules: ReminderRules = NIGHTLY, *, same: bool = True
) -> Verdict:
    return at_claim(kind, subject, local(now), rules, version_matches=same)


# mark


def test_the_mark_is_the_start_less_the_offset_in_elapsed_time() -> None:
    found = verdicts(NOON, local("2026-12-01T09:00"), AWAKE)
    assert [one.kind for one in found] == [DAY, HOURS]
    assert [one.mark for one in found] == [local("2026-12-01T12:00"), local("2026-12-02T10:00")]
    assert [one.raw_mark for one in found] == [one.mark for one in found]


def test_24_hours_before_is_elapsed_when_the_clock_changes() -> None:
    start = local("2026-11-01T12:00", TIJUANA)
    assert moved_mark(DAY, start, ReminderRules(zone=TIJUANA)) == local("2026-10-31T13:00", TIJUANA)


# quiet hours: the marks


@pytest.mark.parametrize(
    ("start", "day_mark", "hours_mark"),
    [
        ("2026-12-02T23:30", "2026-12-01T20:30", "2026-12-02T20:30"),  # 24h and 2h in the evening
        ("2026-12-02T08:00", "2026-12-01T08:00", "2026-12-01T20:30"),  # the end of the quiet is the start itself
        ("2026-12-02T08:44", "2026-12-01T08:44", "2026-12-01T20:30"),  # 44 min before the start: not enough
        ("2026-12-02T08:45", "2026-12-01T08:45", "2026-12-02T08:00"),  # 45 min: enough
        ("2026-12-02T09:59", "2026-12-01T09:59", "2026-12-02T08:00"),
        ("2026-12-02T10:00", "2026-12-01T10:00", "2026-12-02T08:00"),  # exactly at the end: outside
        ("2026-12-02T05:00", "2026-11-30T20:30", "2026-12-01T20:30"),
        ("2026-12-02T21:00", "2026-12-01T20:30", "2026-12-02T19:00"),  # exactly at the beginning: inside
        ("2026-12-02T20:59", "2026-12-01T20:59", "2026-12-02T18:59"),
    ],
)
def test_a_mark_inside_the_quiet_hours_moves(start: str, day_mark: str, hours_mark: str) -> None:
    day, hours = verdicts(at(start), LONG_AGO, NIGHTLY)
    assert (day.mark, hours.mark) == (local(day_mark), local(hours_mark))
    assert (
        (day.raw_mark, hours.raw_mark) == (day.mark, hours.mark)
        or NIGHT.around(day.raw_mark, MEXICO)
        or (NIGHT.around(hours.raw_mark, MEXICO))
    )


def test_quiet_hours_within_one_day_move_marks_as_well() -> None:
    siesta = ReminderRules(zone=MEXICO, quiet=Quiet(begins=time(14), ends=time(16)))
    day, hours = verdicts(at("2026-12-02T15:00"), LONG_AGO, siesta)
    assert (day.mark, hours.mark) == (local("2026-12-01T13:30"), local("2026-12-02T13:00"))
    assert moved_mark(HOURS, local("2026-12-02T17:30"), siesta) == local("2026-12-02T16:00")


def test_a_quiet_night_with_a_missing_hour_ends_on_the_wall_clock() -> None:
    rules = ReminderRules(zone=TIJUANA, quiet=NIGHT)
    assert moved_mark(HOURS, local("2027-03-14T09:00", TIJUANA), rules) == local("2027-03-14T08:00", TIJUANA)


# quiet hours: the sending


def test_none_is_sent_inside_the_quiet_hours_what_would_be_waits_for_their_end() -> None:
    night = local("2026-12-02T03:00")
    day, hours = verdicts(at("2026-12-02T23:30"), night, NIGHTLY)
    assert told(day) == (WAIT, Reason.QUIET_HOURS)
    assert day.again_at == local("2026-12-02T08:00")
    assert told(hours) == (WAIT, None)
    assert both(at("2026-12-02T23:30"), "2026-12-02T08:00")[0] == (SEND, None)


def test_what_could_only_wait_past_the_start_is_skipped() -> None:
    assert both(at("2026-12-02T07:30"), "2026-12-02T03:00") == [(SKIP, Reason.OVERTAKEN), (SKIP, Reason.QUIET_HOURS)]
    assert both(at("2026-12-02T08:00"), "2026-12-02T03:00")[1] == (SKIP, Reason.QUIET_HOURS)
    assert both(at("2026-12-02T08:01"), "2026-12-02T03:00")[1] == (WAIT, Reason.QUIET_HOURS)


def test_a_24h_that_would_wait_until_less_than_3_hours_before_the_start_is_overtaken_at_once() -> None:
    assert both(at("2026-12-02T10:59"), "2026-12-02T03:00")[0] == (SKIP, Reason.OVERTAKEN)


def test_a_24h_that_would_wait_until_the_2h_is_due_is_overtaken_at_once() -> None:
    early = replace(at("2026-12-02T11:00"), slot_set_at=LONG_AGO)
    rules = replace(NIGHTLY, quiet=Quiet(begins=time(21), ends=time(7, 59)))
    assert both(early, "2026-12-02T03:00", rules)[0] == (WAIT, Reason.QUIET_HOURS)
    long_night = replace(NIGHTLY, quiet=Quiet(begins=time(21), ends=time(8, 30)))
    assert both(early, "2026-12-02T03:00", long_night)[0] == (SKIP, Reason.OVERTAKEN)


def test_a_waiting_mark_is_never_inside_the_quiet_hours() -> None:
    ever = ReminderRules(zone=MEXICO, quiet=Quiet(begins=time(8, 10), ends=time(8)))  # ten minutes awake
    day, _ = verdicts(at("2026-12-02T07:00"), LONG_AGO, ever)
    assert NIGHT.around(day.mark, MEXICO)
    assert day.again_at == local("2026-12-01T08:00") - timedelta(days=1)


# due


@pytest.mark.parametrize("kind", Kind)
def test_due_is_from_the_mark_on_to_the_microsecond(kind: Kind) -> None:
    number = list(Kind).index(kind)
    mark = moved_mark(kind, NOON.start, NIGHTLY)
    early = verdicts(NOON, mark - TICK, NIGHTLY)[number]
    assert (told(early), early.again_at) == ((WAIT, None), mark)
    assert both(NOON, mark)[number] == (SEND, None)
    assert both(NOON, mark + TICK)[number] == (SEND, None)


def test_a_missed_tick_is_caught_up() -> None:
    assert both(NOON, "2026-12-01T12:40") == [(SEND, None), (WAIT, None)]
    assert both(NOON, "2026-12-02T08:59")[0] == (SEND, None)
    assert both(replace(NOON, decided=frozenset({DAY})), "2026-12-02T11:59")[1] == (SEND, None)


def test_what_is_decided_stays_decided() -> None:
    done = replace(NOON, decided=frozenset(Kind))
    found = verdicts(done, local("2026-12-02T11:00"), NIGHTLY)
    assert [told(one) for one in found] == [(DECIDED, None)] * 2
    assert next_mark(found) is None
    assert both(replace(NOON, decided=frozenset({DAY})), "2026-12-01T13:00") == [(DECIDED, None), (WAIT, None)]


# booked late


@pytest.mark.parametrize("kind", Kind)
def test_booked_late_is_later_than_the_unmoved_mark(kind: Kind) -> None:
    number = list(Kind).index(kind)
    late_start = at("2026-12-02T23:30")  # both marks are moved to 20:30
    raw = late_start.start - timedelta(hours=24 if kind is DAY else 2)
    in_time = verdicts(replace(late_start, slot_set_at=raw), raw, NIGHTLY)[number]
    assert in_time.reason is not Reason.BOOKED_LATE
    late = replace(late_start, slot_set_at=raw + TICK)
    assert told(verdicts(late, raw + TICK, NIGHTLY)[number]) == (SKIP, Reason.BOOKED_LATE)


def test_booked_late_is_certain_before_it_is_due() -> None:
    subject = replace(at("2026-12-02T09:00"), slot_set_at=local("2026-12-02T07:30"))
    assert both(subject, "2026-12-02T07:30") == [(SKIP, Reason.BOOKED_LATE)] * 2


def test_booked_inside_a_day_gets_the_2h_only() -> None:
    subject = replace(NOON, slot_set_at=local("2026-12-02T09:00"))
    assert both(subject, "2026-12-02T09:00") == [(SKIP, Reason.BOOKED_LATE), (WAIT, None)]
    assert both(subject, "2026-12-02T10:00")[1] == (SEND, None)


# overtaken


def test_a_24h_less_than_3_hours_before_the_start_is_overtaken() -> None:
    three = NOON.start - timedelta(hours=3)
    assert both(NOON, three)[0] == (SEND, None)
    assert both(NOON, three + TICK)[0] == (SKIP, Reason.OVERTAKEN)


def test_when_both_are_due_at_one_instant_only_the_nearer_goes() -> None:
    assert both(NOON, "2026-12-02T10:30") == [(SKIP, Reason.OVERTAKEN), (SEND, None)]
    dawn = at("2026-12-02T08:00")  # its 2h went to the evening before
    assert both(dawn, "2026-12-01T20:29") == [(SEND, None), (WAIT, None)]
    assert both(dawn, "2026-12-01T20:30") == [(SKIP, Reason.OVERTAKEN), (SEND, None)]


def test_a_2h_is_never_overtaken() -> None:
    assert both(NOON, NOON.start - TICK)[1] == (SEND, None)


# started


@pytest.mark.parametrize("now", [NOON.start, NOON.start + TICK, NOON.start + timedelta(days=9)])
def test_nothing_is_sent_at_or_after_the_start(now: datetime) -> None:
    assert both(NOON, now) == [(SKIP, Reason.STARTED)] * 2
    assert all(told(at_claim(kind, NOON, now, AWAKE, version_matches=True)) == (SKIP, Reason.STARTED) for kind in Kind)


@pytest.mark.parametrize("status", [Status.COMPLETED, Status.NO_SHOW])
def test_an_appointment_with_a_result_has_started(status: Status) -> None:
    assert both(replace(NOON, status=status), "2026-12-01T12:00") == [(SKIP, Reason.STARTED)] * 2


# already confirmed


def test_confirmed_ones_are_reminded_by_default() -> None:
    confirmed = replace(NOON, status=Status.CONFIRMED)
    assert both(confirmed, "2026-12-01T12:00")[0] == (SEND, None)
    assert both(confirmed, "2026-12-02T10:00")[1] == (SEND, None)


def test_the_2h_can_be_switched_off_for_confirmed_ones() -> None:
    rules = replace(NIGHTLY, confirmed_too=False)
    confirmed = replace(NOON, status=Status.CONFIRMED)
    assert both(confirmed, "2026-12-01T12:00", rules) == [(SEND, None), (WAIT, None)]
    assert both(confirmed, "2026-12-02T10:00", rules)[1] == (SKIP, Reason.ALREADY_CONFIRMED)
    assert both(NOON, "2026-12-02T10:00", rules)[1] == (SEND, None)


# the other reasons


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize(
    ("subject", "rules", "reason"),
    [
        (replace(NOON, opted_out=True), NIGHTLY, Reason.OPTED_OUT),
        (replace(NOON, reachable=False), NIGHTLY, Reason.UNREACHABLE),
        (NOON, replace(NIGHTLY, blocked=dict.fromkeys(Kind, Reason.TEMPLATE_PAUSED)), Reason.TEMPLATE_PAUSED),
        (NOON, replace(NIGHTLY, blocked=dict.fromkeys(Kind, Reason.ACCOUNT_STOPPED)), Reason.ACCOUNT_STOPPED),
    ],
)
def test_not_sent_when_due_and_the_reason_is_kept(
    kind: Kind, subject: Subject, rules: ReminderRules, reason: Reason
) -> None:
    number = list(Kind).index(kind)
    mark = moved_mark(kind, NOON.start, rules)
    assert told(verdicts(subject, mark - TICK, rules)[number]) == (WAIT, None)
    assert told(verdicts(subject, mark, rules)[number]) == (SKIP, reason)
    assert told(at_claim(kind, subject, mark, rules, version_matches=True)) == (SKIP, reason)


def test_a_paused_template_stops_its_own_kind_only() -> None:
    rules = replace(NIGHTLY, blocked={HOURS: Reason.TEMPLATE_PAUSED})
    assert both(NOON, "2026-12-01T12:00", rules)[0] == (SEND, None)


def test_a_cancelled_one_is_skipped_due_or_not() -> None:
    cancelled = replace(NOON, status=Status.CANCELLED)
    assert both(cancelled, "2026-11-05T12:00") == [(SKIP, Reason.CANCELLED)] * 2


# the claim


def test_the_claim_sends_what_is_still_right_and_does_not_ask_what_was_decided() -> None:
    assert told(claim(NOON, "2026-12-01T12:00")) == (SEND, None)
    assert told(claim(replace(NOON, decided=frozenset(Kind)), "2026-12-02T10:00", HOURS)) == (SEND, None)


def test_the_claim_reads_the_status_and_the_version_again() -> None:
    assert told(claim(replace(NOON, status=Status.CANCELLED), "2026-12-01T12:00")) == (SKIP, Reason.CANCELLED)
    assert told(claim(NOON, "2026-12-01T12:00", same=False)) == (SKIP, Reason.MOVED)


def test_the_claim_of_a_late_24h_finds_it_overtaken() -> None:
    assert told(claim(NOON, "2026-12-02T09:01")) == (SKIP, Reason.OVERTAKEN)


def test_the_claim_waits_out_the_quiet_hours_or_skips() -> None:
    late = at("2026-12-02T23:30")
    waiting = claim(late, "2026-12-01T21:00")
    assert (told(waiting), waiting.again_at) == ((WAIT, Reason.QUIET_HOURS), local("2026-12-02T08:00"))
    assert told(claim(late, "2026-12-02T21:00", HOURS)) == (SKIP, Reason.QUIET_HOURS)
    assert told(claim(at("2026-12-02T10:30"), "2026-12-02T07:59")) == (SKIP, Reason.OVERTAKEN)


# the table and the next mark


def test_the_first_rule_that_holds_gives_the_reason() -> None:
    order = [reason for reason, _ in RULES]
    worst = replace(
        NOON, status=Status.CANCELLED, slot_set_at=NOON.start, opted_out=True, reachable=False, start=NOON.start
    )
    assert told(claim(worst, "2026-12-02T13:00", same=False)) == (SKIP, order[0])
    assert told(claim(replace(worst, status=Status.CONFIRMED), "2026-12-02T13:00", same=False)) == (SKIP, order[1])
    assert told(claim(replace(worst, status=Status.CONFIRMED), "2026-12-02T13:00")) == (SKIP, order[2])
    assert order == [
        Reason.CANCELLED,
        Reason.MOVED,
        Reason.BOOKED_LATE,
        Reason.STARTED,
        Reason.OVERTAKEN,
        Reason.OPTED_OUT,
        Reason.UNREACHABLE,
        Reason.ALREADY_CONFIRMED,
        Reason.TEMPLATE_PAUSED,
        Reason.ACCOUNT_STOPPED,
        Reason.QUIET_HOURS,
    ]
    assert set(Reason) - set(order) == {Reason.OUTCOME_UNKNOWN, Reason.WINDOW_CLOSED}


def test_the_next_mark_is_the_earliest_of_what_is_undecided() -> None:
    assert next_mark(verdicts(NOON, LONG_AGO, NIGHTLY)) == local("2026-12-01T12:00")
    one = replace(NOON, decided=frozenset({DAY}))
    assert next_mark(verdicts(one, LONG_AGO, NIGHTLY)) == local("2026-12-02T10:00")
    waiting = verdicts(at("2026-12-02T23:30"), local("2026-12-02T03:00"), NIGHTLY)
    assert next_mark(waiting) == local("2026-12-02T08:00")
    due = verdicts(NOON, local("2026-12-01T12:10"), NIGHTLY)
    assert next_mark(due) == local("2026-12-01T12:00")
