"""Pieces of time put together to one reading, in the light of opening hours; or several readings: then it is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from bot.core.business import DAY, Week
from bot.understanding.asked import Asked
from bot.understanding.calendar_days import coming, named
from bot.understanding.meaning import Ambiguous, Day, Instant, Span, Time, When
from bot.understanding.pieces import (
    HALF_DAY,
    SAID_OF,
    SPANS,
    At,
    Between,
    Days,
    Moment,
    Now,
    Part,
    Piece,
    Range,
    Unsure,
    Vague,
    Weekday,
    What,
)

LAST = DAY - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What pieces are put together in."""

    asked: Asked
    zone: ZoneInfo
    hours: Week

    def open(self, day: date | None) -> tuple[int, int]:
        """First opening and last closing of that day; of the whole week when it is closed or not known."""
        intervals = self.hours[day.weekday()] if day is not None else ()
        intervals = intervals or tuple(one for each in self.hours for one in each)
        return min((one.opens for one in intervals), default=0), max((one.closes for one in intervals), default=0)

    def at(self, day: date, minute: int) -> datetime:
        return datetime.combine(day, _clock(minute), self.zone)


@dataclass(frozen=True, slots=True)
class Found:
    """The days that may be meant, or a range of days; none = no day named."""

    days: tuple[date, ...] = ()
    range: Range | None = None


def combine(pieces: Sequence[Piece], frame: Frame, *, wants_time: bool) -> When | None:
    """`wants_time`: *whenever* and *now* say something only where a time is looked for."""
    whats = tuple(dict.fromkeys(piece.what for piece in pieces))
    moments = [what for what in whats if isinstance(what, Moment)]
    firm = _surest([what for what in whats if not isinstance(what, Vague | Now)])
    if not firm:
        return _only_loose(whats, frame) if wants_time else None
    if moments:
        only = len(moments) == 1 and len(firm) == 1
        return Instant(moments[0].at.replace(second=0, microsecond=0)) if only else Ambiguous()
    if any(isinstance(what, Unsure) for what in firm):
        return Ambiguous()
    found = _days(firm, frame)
    if found is None:
        return Ambiguous(_either_day(firm, frame))
    times = _both_ends([what for what in firm if isinstance(what, At | Between)])
    parts = [what for what in firm if isinstance(what, Part)]
    return _placed(found, times, parts, frame)


def _surest(firm: list[What]) -> list[What]:
    """*After lunch, at 4* is four."""
    told = any(isinstance(what, At | Between) for what in firm)
    return [what for what in firm if not (told and isinstance(what, Unsure) and what.loose)]


def _both_ends(times: Sequence[At | Between]) -> Sequence[At | Between]:
    """*After 3 and before 5* is one span."""
    open_ended = [one for one in times if isinstance(one, Between)]
    since = [one.since for one in open_ended if one.since and not one.until]
    until = [one.until for one in open_ended if one.until and not one.since]
    both = len(times) == 2 and len(since) == 1 and len(until) == 1  # noqa: PLR2004 - one of each
    return [Between(since[0], until[0])] if both else times


def _only_loose(whats: Sequence[What], frame: Frame) -> When | None:
    if any(isinstance(what, Vague) for what in whats):
        return Ambiguous()
    return Day(frame.asked.today) if whats else None


def _days(whats: Sequence[What], frame: Frame) -> Found | None:
    """None = they contradict each other, or there is no such day."""
    ranges = [what for what in whats if isinstance(what, Range)]
    exact = [what for what in whats if isinstance(what, Days)]
    weekdays = {what.number for what in whats if isinstance(what, Weekday)}
    if len(ranges) > 1 or len(weekdays) > 1:
        return None
    if exact:
        return _agreed(exact, weekdays, ranges)
    if not weekdays:
        return Found(range=ranges[0]) if ranges else Found()
    number = weekdays.pop()
    if not ranges:
        return Found(named(number, frame.asked.today))
    inside = coming(number, frame.asked.today)
    return Found((inside,)) if ranges[0].since <= inside <= ranges[0].until else None


def _agreed(exact: Sequence[Days], weekdays: set[int], ranges: Sequence[Range]) -> Found | None:
    days = [day for day in exact[0].dates if all(day in other.dates for other in exact[1:])]
    days = [day for day in days if not weekdays or day.weekday() in weekdays]
    days = [day for day in days if all(one.since <= day <= one.until for one in ranges)]
    return Found(tuple(days)) if days else None


def _placed(found: Found, times: Sequence[At | Between], parts: Sequence[Part], frame: Frame) -> When | None:
    if len(parts) > 1 or len(times) > 1 or (found.range and (times or parts)):
        return Ambiguous(() if parts or found.range else _either_time(found.days, times, frame))
    part = parts[0].name if parts else None
    if times:
        return _timed(found.days, times[0], part, frame)
    if part is not None:
        return _span(found.days, *SPANS[part], frame)
    if found.range:
        return Span(frame.at(found.range.since, 0), frame.at(found.range.until, LAST))
    if len(found.days) > 1:
        return Ambiguous(tuple(Day(day) for day in found.days))
    return Day(found.days[0]) if found.days else None


def _either_day(firm: Sequence[What], frame: Frame) -> tuple[Day, ...]:
    """*Thursday or Friday*: two days and nothing else, each of them sure."""
    alone = len(firm) == 2 and all(isinstance(what, Days | Weekday) for what in firm)  # noqa: PLR2004 - two buttons
    found = [_days([what], frame) for what in firm] if alone else []
    sure = tuple(Day(one.days[0]) for one in found if one is not None and len(one.days) == 1)
    return sure if len(sure) == len(found) else ()


def _either_time(days: tuple[date, ...], times: Sequence[At | Between], frame: Frame) -> tuple[Time | Instant, ...]:
    """*At 5 or at 6*: two times of at most one day, each of them sure."""
    alone = len(times) == 2 and len(days) < 2 and all(isinstance(what, At) for what in times)  # noqa: PLR2004 - buttons
    read = [_timed(days, what, None, frame) for what in times] if alone else []
    sure = tuple(one for one in read if isinstance(one, Time | Instant))
    return sure if len(sure) == len(read) else ()


def _timed(days: tuple[date, ...], what: At | Between, part: str | None, frame: Frame) -> When:
    if isinstance(what, Between):
        return _bounded(days, what, part, frame)
    minutes = [(day, minute) for day in days or (None,) for minute in readings(what, part, day, frame)]
    told = tuple(Time(_clock(minute)) if day is None else Instant(frame.at(day, minute)) for day, minute in minutes)
    return told[0] if len(told) == 1 else Ambiguous(told)


def _bounded(days: tuple[date, ...], what: Between, part: str | None, frame: Frame) -> When:
    day = days[0] if days else None
    if what.since is None or what.until is None:
        ends = [readings(one, part, day, frame) for one in (what.since, what.until) if one is not None]
        pairs = [(one, LAST) if what.since else (0, one) for one in ends[0]]
        return _span(days, *pairs[0], frame) if len(pairs) == 1 else Ambiguous()
    since = readings(_lent(what.since, what.until), part, day, frame)
    later = [one for one in candidates(what.until, part) if len(since) == 1 and one > since[0]]
    return _span(days, since[0], later[0], frame) if later else Ambiguous()


def _lent(since: At, until: At) -> At:
    """*2 to 4 pm*: both are p.m."""
    lends = since.half is None and until.half is not None and since.clock.hour < until.clock.hour
    return At(since.clock, until.half) if lends else since


def _span(days: tuple[date, ...], since: int, until: int, frame: Frame) -> When:
    if not days:
        return Span(_clock(since), _clock(until))
    if len(days) > 1:
        return Ambiguous(tuple(Day(day) for day in days))
    return Span(frame.at(days[0], since), frame.at(days[0], until))


def readings(what: At, part: str | None, day: date | None, frame: Frame) -> tuple[int, ...]:
    """The minutes of the day that are meant; a bare hour is the only one inside opening hours, else both."""
    both = candidates(what, part)
    if len(both) < 2 or what.half is not None or part is not None:  # noqa: PLR2004 - morning and evening
        return both
    opens, closes = frame.open(day)
    inside = tuple(one for one in both if opens <= one < closes or opens <= one + DAY < closes)
    if what.clock.exact and inside != both[:1]:
        return both
    return inside if len(inside) == 1 else both


def candidates(what: At, part: str | None) -> tuple[int, ...]:
    """All readings of what is written, none when there is no such time."""
    clock, half = what.clock, what.half or part
    if not 0 <= clock.minute < 60 or not 0 <= clock.hour < 24:  # noqa: PLR2004
        return ()
    minute = clock.hour * 60 + clock.minute
    if clock.hour == 12 and clock.exact and half is None:  # noqa: PLR2004 - noon, said by name
        return (minute,)
    if what.half == "am" and clock.hour in (0, 12):
        return (minute, minute - HALF_DAY) if clock.hour else (minute,)
    both = (minute % HALF_DAY, minute % HALF_DAY + HALF_DAY) if 0 < clock.hour <= 12 else (minute,)  # noqa: PLR2004
    if half is None:
        return both
    first, last = SAID_OF[half]
    return tuple(one for one in both if first <= one < last)


def _clock(minute: int) -> time:
    return time(minute // 60 % 24, minute % 60)
