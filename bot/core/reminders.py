"""What is due at an instant, and why not: the verdicts on both reminders of one appointment."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from bot.core.appointment import ACTIVE, Status
from bot.core.quiet import Quiet


class Kind(StrEnum):
    DAY = "24h"
    HOURS = "2h"


class Reason(StrEnum):
    """Every reason for which a reminder is not sent; the last two are found out by the outbox."""

    BOOKED_LATE = "booked_late"
    OVERTAKEN = "overtaken"
    STARTED = "started"
    ALREADY_CONFIRMED = "already_confirmed"
    QUIET_HOURS = "quiet_hours"
    OPTED_OUT = "opted_out"
    UNREACHABLE = "unreachable"
    CANCELLED = "cancelled"
    MOVED = "moved"
    TEMPLATE_PAUSED = "template_paused"
    ACCOUNT_STOPPED = "account_stopped"
    OUTCOME_UNKNOWN = "outcome_unknown"
    WINDOW_CLOSED = "window_closed"


class Decision(StrEnum):
    WAIT = "wait"
    SEND = "send"
    SKIP = "skip"
    DECIDED = "decided"


OFFSET = {Kind.DAY: timedelta(hours=24), Kind.HOURS: timedelta(hours=2)}
BEFORE_QUIET = timedelta(minutes=30)
"""How long before the quiet hours a mark inside them is moved."""
AFTER_QUIET = timedelta(minutes=45)
"""A `2h` mark moves to the end of the quiet hours only if at least this is left until the start."""
TOO_NEAR = timedelta(hours=3)
"""A `24h` reminder goes out no nearer to the start than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The appointment as the rules see it; `decided` are the kinds already sent or skipped for this slot."""

    status: Status
    start: datetime
    slot_set_at: datetime
    decided: frozenset[Kind] = frozenset()
    opted_out: bool = False
    reachable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderRules:
    """The business's side: its zone, quiet hours, the `2h` for confirmed ones, and kinds that cannot be sent now.

    `blocked` names Reason.TEMPLATE_PAUSED or Reason.ACCOUNT_STOPPED per kind.
    """

    zone: ZoneInfo
    quiet: Quiet | None = None
    confirmed_too: bool = True
    blocked: Mapping[Kind, Reason] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The decision on one kind; `again_at` says when a waiting one must be looked at again."""

    kind: Kind
    decision: Decision
    mark: datetime
    raw_mark: datetime
    reason: Reason | None = None
    again_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """All that a rule may look at. `exit` is the first instant from now on that is not in quiet hours."""

    kind: Kind
    subject: Subject
    rules: ReminderRules
    now: datetime
    mark: datetime
    raw_mark: datetime
    exit: datetime
    nearer_mark: datetime
    same_version: bool


def _overtaken(case: _Case) -> bool:
    near = case.subject.start - case.exit < TOO_NEAR or case.exit >= case.nearer_mark
    return case.kind is Kind.DAY and near


def _already_confirmed(case: _Case) -> bool:
    return case.kind is Kind.HOURS and case.subject.status is Status.CONFIRMED and not case.rules.confirmed_too


Rule = tuple[Reason, Callable[[_Case], bool]]

AT_ONCE: tuple[Rule, ...] = (
    (Reason.CANCELLED, lambda case: case.subject.status is Status.CANCELLED),
    (Reason.MOVED, lambda case: not case.same_version),
    (Reason.BOOKED_LATE, lambda case: case.subject.slot_set_at > case.raw_mark),
    (
        Reason.STARTED,
        lambda case: case.now >= case.subject.start or case.subject.status not in ACTIVE,
    ),
)
"""Certain whenever they hold, due or not."""

WHEN_DUE: tuple[Rule, ...] = (
    (Reason.OVERTAKEN, _overtaken),
    (Reason.OPTED_OUT, lambda case: case.subject.opted_out),
    (Reason.UNREACHABLE, lambda case: not case.subject.reachable),
    (Reason.ALREADY_CONFIRMED, _already_confirmed),
    (
        Reason.TEMPLATE_PAUSED,
        lambda case: case.rules.blocked.get(case.kind) is Reason.TEMPLATE_PAUSED,
    ),
    (
        Reason.ACCOUNT_STOPPED,
        lambda case: case.rules.blocked.get(case.kind) is Reason.ACCOUNT_STOPPED,
    ),
    (Reason.QUIET_HOURS, lambda case: case.exit >= case.subject.start),
)
"""What may change until the mark is only asked from the mark on."""

RULES: tuple[Rule, ...] = AT_ONCE + WHEN_DUE
"""The precedence: the first rule that holds gives the reason of a skip."""


def moved_mark(kind: Kind, start: datetime, rules: ReminderRules) -> datetime:
    """When that reminder is due: start - offset, moved out of the quiet hours."""
    raw = start - OFFSET[kind]
    span = rules.quiet and rules.quiet.around(raw, rules.zone)
    if not span:
        return raw
    begins, ends = span
    if kind is Kind.HOURS and start - ends >= AFTER_QUIET:
        return ends
    return begins - BEFORE_QUIET


def verdicts(subject: Subject, now: datetime, rules: ReminderRules) -> tuple[Verdict, Verdict]:
    """The verdicts on `24h` and `2h`, in this order, at the instant `now` (aware)."""
    day, hours = (_verdict(_case(kind, subject, now, rules)) for kind in Kind)
    return day, hours


def at_claim(
    kind: Kind,
    subject: Subject,
    now: datetime,
    rules: ReminderRules,
    *,
    version_matches: bool,
) -> Verdict:
    """The verdict on a queued reminder just before it is sent: SEND, SKIP, or WAIT until the quiet hours end.

    It was due when it was queued and is neither sent nor skipped yet, so `decided` is not asked.
    """
    return _ripe(_case(kind, subject, now, rules, same_version=version_matches))


def next_mark(found: Iterable[Verdict]) -> datetime | None:
    """When this appointment must be looked at next; None when both kinds are decided."""
    marks = [verdict.again_at or verdict.mark for verdict in found if verdict.decision is not Decision.DECIDED]
    return min(marks, default=None)


def _case(
    kind: Kind,
    subject: Subject,
    now: datetime,
    rules: ReminderRules,
    *,
    same_version: bool = True,
) -> _Case:
    return _Case(
        kind=kind,
        subject=subject,
        rules=rules,
        now=now,
        mark=moved_mark(kind, subject.start, rules),
        raw_mark=subject.start - OFFSET[kind],
        exit=_exit(now, rules),
        nearer_mark=moved_mark(Kind.HOURS, subject.start, rules),
        same_version=same_version,
    )


def _exit(at: datetime, rules: ReminderRules) -> datetime:
    return rules.quiet.exit(at, rules.zone) if rules.quiet else at


def _verdict(case: _Case) -> Verdict:
    if case.kind in case.subject.decided:
        return _give(case, Decision.DECIDED)
    due = case.now >= case.mark
    if due or any(holds(case) for _, holds in AT_ONCE):
        return _ripe(case)
    return _give(case, Decision.WAIT, again_at=_exit(case.mark, case.rules))


def _ripe(case: _Case) -> Verdict:
    reason = next((reason for reason, holds in RULES if holds(case)), None)
    if reason:
        return _give(case, Decision.SKIP, reason=reason)
    if case.exit > case.now:
        return _give(case, Decision.WAIT, reason=Reason.QUIET_HOURS, again_at=case.exit)
    return _give(case, Decision.SEND)


def _give(
    case: _Case,
    decision: Decision,
    *,
    reason: Reason | None = None,
    again_at: datetime | None = None,
) -> Verdict:
    return Verdict(
        kind=case.kind,
        decision=decision,
        mark=case.mark,
        raw_mark=case.raw_mark,
        reason=reason,
        again_at=again_at,
    )
