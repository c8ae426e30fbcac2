"""What an import will write: wishes that are known already add nothing, the others must be ahead and free."""

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.cli.csv_rows import Problem
from bot.cli.times import local
from bot.cli.wishes import Wish, folded
from bot.core.appointment import Status
from bot.core.business import Business
from bot.core.reminders import Decision, Kind, ReminderRules, Subject, Verdict, next_mark, verdicts
from bot.store.imports import Agreed, Batch, Known, Newcomer

Span = tuple[datetime, datetime, str]
"""From, until, and by what."""
Session = tuple[int, int, datetime]
"""Staff member, service and start: what several may share if the service has seats for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`skips` counts the reminders that the rules skip already now, by kind and reason."""

    batch: Batch
    known: int
    skips: dict[tuple[Kind, str], int]
    problems: tuple[Problem, ...]


@dataclass(slots=True, kw_only=True)
class _Work:
    """A plan in the making; `names` are customers' by canonical phone, those to be made included."""

    business: Business
    rules: ReminderRules
    now: datetime
    seen: set[str]
    booked: set[tuple[str, str, int | None, datetime]]
    taken: dict[int, list[Span]]
    names: dict[str, str]
    seats: Counter[Session]
    new_phones: dict[str, str] = field(default_factory=dict)
    agreed: list[Agreed] = field(default_factory=list)
    skips: Counter[tuple[Kind, str]] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)


def plan(wishes: Sequence[Wish], known: Known, business: Business, rules: ReminderRules, now: datetime) -> Plan:
    """The first of two lines that overlap is taken, the second is the problem."""
    work = _begin(known, business, rules, now)
    already = 0
    for wish in wishes:
        if _is_known(wish, work):
            already += 1
            continue
        problem = _problem(wish, work)
        if problem is not None:
            work.problems.append(Problem(wish.line, problem))
        else:
            _agree(wish, work)
    return Plan(batch=_batch(work, known), known=already, skips=dict(work.skips), problems=tuple(work.problems))


def _begin(known: Known, business: Business, rules: ReminderRules, now: datetime) -> _Work:
    taken: dict[int, list[Span]] = defaultdict(list)
    for busy in known.busy:
        insort(taken[busy.staff], (busy.start, busy.until, f"by appointment {busy.appointment}"))
    return _Work(
        business=business,
        rules=rules,
        now=now,
        seen=set(known.keys),
        booked={(one.canonical, folded(one.name), one.service, one.start) for one in known.booked},
        taken=taken,
        names={number: owner.name for number, owner in known.customers.items()},
        seats=Counter((busy.staff, busy.service, busy.start) for busy in known.busy if busy.service is not None),
    )


def _batch(work: _Work, known: Known) -> Batch:
    return Batch(
        newcomers=tuple(
            Newcomer(phone=phone, canonical=number, name=work.names[number])
            for number, phone in work.new_phones.items()
        ),
        named={owner.id: work.names[number] for number, owner in known.customers.items() if not owner.name},
        appointments=tuple(work.agreed),
    )


def _is_known(wish: Wish, work: _Work) -> bool:
    """Imported before, wherever it has been moved since; or booked otherwise, just so."""
    service = wish.service.id if wish.service is not None else None
    name = wish.name or work.names.get(wish.canonical, "")
    return wish.key in work.seen or (wish.canonical, folded(name), service, wish.start) in work.booked


def _problem(wish: Wish, work: _Work) -> str | None:
    if wish.start <= work.now:
        return f"{local(wish.start, work.business.zone)} has passed"
    if wish.staff is None:
        return None
    if _joins(wish, work):
        return None
    hit = _hit(work.taken.get(wish.staff.id, ()), wish)
    if hit is None:
        return None
    begins, until, by = hit
    zone = work.business.zone
    return f"{wish.staff.name} is taken from {local(begins, zone)} to {local(until, zone)} {by}"


def _joins(wish: Wish, work: _Work) -> bool:
    """Whether it takes a free seat in a session that is there already."""
    session = _session(wish)
    return session is not None and wish.service is not None and 0 < work.seats[session] < wish.service.capacity


def _session(wish: Wish) -> Session | None:
    if wish.staff is None or wish.service is None:
        return None
    return wish.staff.id, wish.service.id, wish.start


def _hit(taken: Sequence[Span], wish: Wish) -> Span | None:
    """Spans are sorted and do not overlap: only the last one that begins before the end can be in the way."""
    place = bisect_left(taken, wish.busy_until, key=lambda span: span[0])
    return taken[place - 1] if place and taken[place - 1][1] > wish.start else None


def _agree(wish: Wish, work: _Work) -> None:
    work.seen.add(wish.key)
    if wish.staff is not None and not _joins(wish, work):
        insort(work.taken[wish.staff.id], (wish.start, wish.busy_until, f"by line {wish.line}"))
    session = _session(wish)
    if session is not None:
        work.seats[session] += 1
    if wish.canonical not in work.names:
        work.new_phones[wish.canonical] = wish.phone
    work.names[wish.canonical] = name = work.names.get(wish.canonical) or wish.name
    subject = Subject(status=Status.SCHEDULED, start=wish.start, slot_set_at=work.now)
    found = verdicts(subject, work.now, work.rules)
    work.skips.update(_skips(found))
    work.agreed.append(
        Agreed(
            canonical=wish.canonical,
            attendee=wish.name if wish.name and folded(wish.name) != folded(name) else None,
            service=wish.service.id if wish.service is not None else None,
            staff=wish.staff.id if wish.staff is not None else None,
            start=wish.start,
            end=wish.end,
            busy_until=wish.busy_until,
            next_mark_at=next_mark(found),
            key=wish.key,
        )
    )


def _skips(found: Iterable[Verdict]) -> list[tuple[Kind, str]]:
    return [
        (verdict.kind, verdict.reason)
        for verdict in found
        if verdict.decision is Decision.SKIP and verdict.reason is not None
    ]
