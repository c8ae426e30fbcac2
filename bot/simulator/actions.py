"""What the page may ask for, one entry an action: read from JSON, done on the phones."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.simulator.bodies import Json
from bot.simulator.faults import Fault, Kind
from bot.simulator.phones import NotPossibleError, Phones

Asked = Mapping[str, Any]
_FURTHEST = timedelta(days=366)
_DELAY_SECONDS = 5.0
_LONGEST_TEXT = 4096
_LONGEST_NAME = 80


def _say(phones: Phones, asked: Asked) -> None:
    text = str(asked["text"]).strip()
    if not 0 < len(text) <= _LONGEST_TEXT:
        raise NotPossibleError("text is empty or too long")
    phones.say(asked["customer"], text, asked.get("quoted"))


def _tap(phones: Phones, asked: Asked) -> None:
    phones.tap(asked["customer"], asked["message"], int(asked["choice"]))


def _react(phones: Phones, asked: Asked) -> None:
    phones.react(asked["customer"], asked["message"], str(asked.get("emoji") or ""))


def _attach(phones: Phones, asked: Asked) -> None:
    phones.attach(asked["customer"], asked["kind"])


def _send_again(phones: Phones, asked: Asked) -> None:
    phones.send_again(asked["customer"], asked["message"])


def _read(phones: Phones, asked: Asked) -> None:
    phones.look(asked["customer"])


def _add(phones: Phones, asked: Asked) -> Json:
    name = " ".join(str(asked["name"]).split())
    if not 0 < len(name) <= _LONGEST_NAME:
        raise NotPossibleError("name is empty or too long")
    return {"customer": phones.add(name, asked["language"])}


def _travel(phones: Phones, asked: Asked) -> None:
    """To an instant (`to`) or by `minutes`; only forwards, since what has been sent cannot be unsent."""
    now = phones.clock.now()
    to = _instant(asked["to"]) if "to" in asked else now + timedelta(minutes=float(asked["minutes"]))
    if not now < to <= now + _FURTHEST:
        raise NotPossibleError("time travels only forwards, at most a year")
    phones.clock.travel(to)
    phones.travelled()


def _network(phones: Phones, asked: Asked) -> None:
    """Order or take back a fault: `lose` the next answer, `delay` every answer."""
    for kind, wanted in ((Kind.LOSE, asked.get("lose")), (Kind.DELAY, asked.get("delay"))):
        if wanted is not None:
            phones.standin.faults.remove(kind)
        if wanted:
            times = 1 if kind is Kind.LOSE else None
            phones.standin.faults.add(Fault(kind=kind, times=times, seconds=_DELAY_SECONDS))
    phones.changed.set()


def _instant(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError("an instant needs an offset")
    return at.astimezone(UTC)


ACTIONS: Mapping[str, Callable[[Phones, Asked], Json | None]] = {
    "say": _say,
    "tap": _tap,
    "react": _react,
    "attach": _attach,
    "again": _send_again,
    "read": _read,
    "customers": _add,
    "travel": _travel,
    "network": _network,
}
