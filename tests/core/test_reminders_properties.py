"""The reminders of any appointment, seen at any sequence of instants."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bot.core.appointment import ACTIVE
from bot.core.quiet import Quiet
from bot.core.reminders import Decision, Kind, Reason, ReminderRules, Subject, Verdict, at_claim, next_mark, verdicts
from tests.core.world import TIJUANA

MINUTE = timedelta(minutes=1)
CHANGES = (datetime(2026, 11, 1, tzinfo=UTC), datetime(2027, 3, 14, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC))

starts = st.builds(lambda base, n: base + n * MINUTE, st.sampled_from(CHANGES), st.integers(0, 3 * 24 * 60))
clock_times = st.builds(lambda n: time(n // 60, n % 60), st.integers(0, 24 * 60 - 1))
quiets = (
    st.none()
    | st.builds(Quiet.parse, st.just("21:00-08:00"))
    | st.builds(
        lambda pair: Quiet(begins=pair[0], ends=pair[1]),
        st.tuples(clock_times, clock_times).filter(lambda pair: pair[0] != pair[1]),
    )
)
rule_sets = st.builds(
    ReminderRules,
    zone=st.just(TIJUANA),
    quiet=quiets,
    confirmed_too=st.booleans(),
    blocked=st.dictionaries(
        st.sampled_from(Kind), st.sampled_from([Reason.TEMPLATE_PAUSED, Reason.ACCOUNT_STOPPED]), max_size=2
    ),
)
subjects = st.builds(
    lambda start, ahead, status, gone, there: Subject(
        status=status, start=start, slot_set_at=start - ahead * MINUTE, opted_out=gone, reachable=there
    ),
    starts,
    st.integers(1, 5 * 24 * 60),
    st.sampled_from(sorted(ACTIVE)),
    st.booleans(),
    st.booleans(),
)
pauses = st.lists(st.integers(0, 30 * 60), max_size=30)


def is_quiet(at: datetime, quiet: Quiet | None) -> bool:
    """Said without the code under test: read off the wall clock."""
    if quiet is None:
        return False
    clock = at.astimezone(TIJUANA).time()
    if quiet.begins < quiet.ends:
        return quiet.begins <= clock < quiet.ends
    return clock >= quiet.begins or clock < quiet.ends


def run(subject: Subject, rules: ReminderRules, instants: list[datetime]) -> list[tuple[datetime, Verdict]]:
    """Look at each instant and record every decision, as a scan does."""
    done: list[tuple[datetime, Verdict]] = []
    for now in instants:
        found = [v for v in verdicts(subject, now, rules) if v.decision in {Decision.SEND, Decision.SKIP}]
        done += [(now, verdict) for verdict in found]
        subject = replace(subject, decided=subject.decided | {verdict.kind for verdict in found})
    return done


@given(subjects, rule_sets, starts)
def test_nothing_is_sent_at_or_after_the_start_nor_in_quiet_hours(
    subject: Subject, rules: ReminderRules, now: datetime
) -> None:
    claims = [at_claim(kind, subject, now, rules, version_matches=True) for kind in Kind]
    for verdict in (*verdicts(subject, now, rules), *claims):
        if verdict.decision is Decision.SEND:
            assert now < subject.start
            assert not is_quiet(now, rules.quiet)
        if verdict.again_at:
            assert verdict.again_at > now
            assert not is_quiet(verdict.again_at, rules.quiet)
        assert (verdict.again_at is not None) is (verdict.decision is Decision.WAIT)


@given(subjects, rule_sets, pauses)
def test_each_kind_is_decided_exactly_once_by_the_start(
    subject: Subject, rules: ReminderRules, steps: list[int]
) -> None:
    instants = [subject.slot_set_at]
    for step in steps:
        instants.append(instants[-1] + step * MINUTE)
    instants = [*(at for at in instants if at < subject.start), subject.start, subject.start + MINUTE]
    done = run(subject, rules, instants)
    assert sorted(verdict.kind for _, verdict in done) == sorted(Kind)
    sent = [at for at, verdict in done if verdict.decision is Decision.SEND]
    assert len(set(sent)) == len(sent)


@given(subjects, rule_sets)
def test_looking_only_at_each_next_mark_decides_everything_in_a_few_looks(
    subject: Subject, rules: ReminderRules
) -> None:
    looks = [subject.slot_set_at]
    while (mark := next_mark(verdicts(after_looks(subject, rules, looks), looks[-1], rules))) is not None:
        assert len(looks) < 8
        looks.append(max(mark, looks[-1]))
    assert all(earlier <= later for earlier, later in pairwise(looks))
    assert len(run(subject, rules, looks)) == len(Kind)


def after_looks(subject: Subject, rules: ReminderRules, looks: list[datetime]) -> Subject:
    return replace(subject, decided=frozenset(verdict.kind for _, verdict in run(subject, rules, looks)))


@given(subjects, rule_sets, starts)
def test_the_next_mark_of_what_waits_is_in_the_future(subject: Subject, rules: ReminderRules, now: datetime) -> None:
    mark = next_mark(one for one in verdicts(subject, now, rules) if one.decision is Decision.WAIT)
    assert mark is None or mark > now


@given(subjects, starts)
def test_a_reachable_customer_who_booked_in_time_gets_both_reminders(subject: Subject, start: datetime) -> None:
    early = replace(subject, start=start, slot_set_at=start - timedelta(days=4), opted_out=False, reachable=True)
    rules = ReminderRules(zone=TIJUANA, quiet=Quiet.parse("21:00-08:00"))
    every_half_hour = [start - n * MINUTE for n in range(38 * 60, -1, -30)]
    assert [verdict.decision for _, verdict in run(early, rules, every_half_hour)] == [Decision.SEND] * 2
