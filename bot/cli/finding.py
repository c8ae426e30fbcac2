"""What `confirmo doctor` finds: one line a check, and a check that hangs or breaks spoils no other."""

from collections.abc import Coroutine
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.bounded import bounded

SECONDS = 15.0
"""No check takes longer."""


class Health(StrEnum):
    """`warning` is worth a look and fails nothing; `unknown` cannot be known, and the reason is wrong elsewhere."""

    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line."""

    what: str
    health: Health
    said: str


async def found(what: str, check: Coroutine[Any, Any, list[Finding]]) -> list[Finding]:
    """What the check finds, else one finding that says how it ended."""
    try:
        return await bounded(check, SECONDS)
    except TimeoutError:
        return [Finding(what, Health.WRONG, f"no answer within {SECONDS:.0f} s")]
    except Exception as error:  # noqa: BLE001 - a fault of this check must not hide the others' findings
        return [Finding(what, Health.WRONG, f"could not be checked ({type(error).__name__})")]
