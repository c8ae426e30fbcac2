"""Which of the waiting messages are one turn: what was typed in a row, as it reads once edits and deletions are in."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.conversation.events import Event, Said
from bot.conversation.flows.talk import LATE
from bot.turn.events import LONGEST, Heard


def together(waiting: Sequence[Heard], now: datetime, zone: ZoneInfo) -> tuple[Sequence[Heard], Event | None]:
    """The first turn of what waits, and what it says.

    *Tomorrow* is read from when it was written: yesterday's words, or those of hours ago, are a turn of their own.
    """
    waiting = tuple(_as_it_reads_now(waiting))
    first = waiting[0].event
    if not isinstance(first, Said) or first.about is not None:
        return waiting[:1], first
    typed, texts = [waiting[0]], [first.text]
    for one in waiting[1:]:
        if one.event is None and one.changes is not None:
            typed.append(one)
            continue
        if not isinstance(one.event, Said) or one.event.about is not None or not _as_fresh(one, waiting[0], now, zone):
            break
        typed.append(one)
        texts.append(one.event.text)
    return typed, Said(text="\n".join(texts)[:LONGEST], at=typed[-1].at)


def _as_fresh(one: Heard, first: Heard, now: datetime, zone: ZoneInfo) -> bool:
    late = now - one.at > LATE, now - first.at > LATE
    return late[0] == late[1] and one.at.astimezone(zone).date() == first.at.astimezone(zone).date()


def _as_it_reads_now(waiting: Sequence[Heard]) -> Iterator[Heard]:
    """A message that still waits is read as it was edited; one that was deleted says nothing."""
    changes = {one.changes: one for one in waiting if one.changes is not None}
    for one in waiting:
        change = changes.get(one.message_id)
        if change is None:
            yield one
        elif change.text is None or not isinstance(one.event, Said):
            yield replace(one, event=None)
        else:
            yield replace(one, event=replace(one.event, text=change.text[:LONGEST]))
