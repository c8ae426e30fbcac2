"""What befalls each send at the stand-in and what becomes of its receipts: drawn from a seed and the delivery id."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any


class Answer(StrEnum):
    """How the stand-in answers one call. `…_taken`: the message reached the customer all the same."""

    OK = "ok"
    RESET_TAKEN = "reset_taken"  # the connection breaks
    SLOW_TAKEN = "slow_taken"  # the sender's time runs out
    BROKEN_TAKEN = "broken_taken"  # 5xx without a usable body
    NOT_JSON_TAKEN = "not_json_taken"  # a 200 that cannot be read
    NO_ID_TAKEN = "no_id_taken"  # a 200 without a message id
    RESET = "reset"
    BROKEN = "broken"
    REFUSED = "refused"  # 5xx with a Graph error
    THROTTLED = "throttled"  # 429 with Retry-After
    TOO_FAST = "too_fast"  # 130429
    PAIR = "pair"  # 131056


TAKEN = frozenset({Answer.OK, *(one for one in Answer if one.endswith("_taken"))})
REFUSALS: Mapping[Answer, tuple[int, int]] = MappingProxyType(
    {
        Answer.REFUSED: (131016, 503),
        Answer.THROTTLED: (4, 429),
        Answer.TOO_FAST: (130429, 400),
        Answer.PAIR: (131056, 400),
    }
)
"""Code and HTTP status of the definite refusals."""
CALM: Mapping[str, float] = MappingProxyType({})
STORM: Mapping[str, float] = MappingProxyType(
    {
        Answer.RESET_TAKEN: 0.08,
        Answer.SLOW_TAKEN: 0.03,
        Answer.BROKEN_TAKEN: 0.02,
        Answer.NOT_JSON_TAKEN: 0.01,
        Answer.NO_ID_TAKEN: 0.01,
        Answer.RESET: 0.02,
        Answer.BROKEN: 0.02,
        Answer.REFUSED: 0.04,
        Answer.THROTTLED: 0.03,
        Answer.TOO_FAST: 0.02,
        Answer.PAIR: 0.02,
    }
)
"""15 % of the answers are lost after the message was taken; the rest of the share is OK."""


@dataclass(frozen=True, slots=True)
class Post:
    """One webhook, so many seconds after the message was taken."""

    after: float
    statuses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """Of one send. `before` = its first receipt is heard before the HTTP answer goes out."""

    answer: Answer
    posts: tuple[Post, ...]
    before: bool
    failed: int | None = None

    @property
    def mute(self) -> bool:
        """Meta never says what became of it."""
        return not self.posts


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Shares between 0 and 1; `slow` is how long a slow answer takes, `delay` a good one."""

    seed: int = 0
    answers: Mapping[str, float] = field(default_factory=dict)
    mute: float = 0.0
    before: float = 0.0
    late: float = 0.0
    doubled: float = 0.0
    shuffled: float = 0.0
    failed: float = 0.0
    slow: float = 3.0
    delay: float = 0.0

    def fate(self, delivery_id: str, send: int) -> Fate:
        """Of the `send`-th call (from 0) for this delivery id: the same in every run of the same seed."""
        dice = random.Random(f"{self.seed}:{delivery_id}:{send}")
        names = list(self.answers)
        calm = max(0.0, 1 - sum(self.answers.values()))
        (answer,) = dice.choices([Answer.OK, *map(Answer, names)], [calm, *(self.answers[one] for one in names)])
        mute, before, fails = (dice.random() < share for share in (self.mute, self.before, self.failed))
        failed = dice.choice((131016, 131026)) if fails and not mute else None
        posts = () if mute else self._posts(dice, failed=failed is not None)
        return Fate(answer=answer, posts=posts, before=before and not mute, failed=failed)

    def _posts(self, dice: random.Random, *, failed: bool) -> tuple[Post, ...]:
        if failed:
            return (Post(dice.uniform(0.1, 0.5), ("failed",)),)
        late = dice.uniform(1.0, 2.5) if dice.random() < self.late else dice.uniform(0.05, 0.3)
        first, second = ("delivered", "sent") if dice.random() < self.shuffled else ("sent", "delivered")
        apart = dice.choice((0.0, 0.2))
        posts = [Post(late, (first,)), Post(late + apart, (second,))] if apart else [Post(late, (first, second))]
        if dice.random() < 0.3:
            posts.append(Post(late + 0.5, ("read",)))
        return tuple(posts * 2 if dice.random() < self.doubled else posts)


def storm(seed: int) -> Plan:
    """Everything at once."""
    return Plan(
        seed=seed, answers=dict(STORM), mute=0.04, before=0.15, late=0.1, doubled=0.15, shuffled=0.15, failed=0.03
    )


def read(value: Mapping[str, Any]) -> Plan:
    """As it comes over HTTP."""
    return Plan(**value)
