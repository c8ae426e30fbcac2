"""How fast may we send? One bucket per number for all workers, one per customer, kept in Redis by its own clock."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from bot.bounded import bounded
from bot.together import Together

log = structlog.get_logger(__name__)

STEADY = 0.965
"""Share of the rate at which places follow each other: what goes out late (LATE_SECONDS of bot/outbox/deliver.py) may
come on top of it, and still no second sees more than the rate."""
PAIR_SECONDS = 6.0
PAIR_BURST = 20
"""Meta lets one message go to one person every 6 s, and a burst that is borrowed from later."""
PATIENCE = {True: 2.0, False: 0.25}
"""How far ahead a place may be taken: a reply waits behind at most a quarter of a second of reminders."""
WITHOUT_REDIS = 0.1
"""Share of the rate that one process may go on at when Redis is away."""
ANSWER_SECONDS = 0.5
MOST = 100
"""Places in one call: those who ask while one is under way share the next."""

# A place is the instant at which this message may go (GCRA). Both limits must have a place near enough, else neither is
# taken. Answers the waits in milliseconds, negative where nothing was taken: come back after so long.
_TAKE = """
local t = redis.call('TIME')
local now = t[1] * 1000 + t[2] / 1000
local step, pair_step, pair_burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local function take(number_key, pair_key, patience)
    local number, pair = tonumber(redis.call('GET', number_key) or 0), tonumber(redis.call('GET', pair_key) or 0)
    local wait = math.max(0, number - now)
    local pair_wait = math.max(0, pair - pair_burst * pair_step - now)
    if pair_wait > 0 then return -math.ceil(pair_wait) end
    if wait > patience then return -math.ceil(wait) end
    number, pair = math.max(number, now) + step, math.max(pair, now) + pair_step
    redis.call('SET', number_key, number, 'PX', math.ceil(number - now) + 1000)
    redis.call('SET', pair_key, pair, 'PX', math.ceil(pair - now) + 1000)
    return math.ceil(wait)
end
local waits = {}
for n = 1, #KEYS / 2 do
    waits[n] = take(KEYS[2 * n - 1], KEYS[2 * n], tonumber(ARGV[3 + n]))
end
return waits
"""


@dataclass(frozen=True, slots=True)
class Place:
    """`wait` seconds from now the message may go; when not `taken`, ask again after them."""

    wait: float
    taken: bool


@dataclass(frozen=True, slots=True)
class _Asked:
    number_key: str
    pair_key: str
    patience: float


@dataclass(slots=True)
class _Alone:
    """The rule without Redis: this process by itself, at a tenth of the rate."""

    next_at: float = field(default=0.0)

    def take(self, rate: float, now: float) -> Place:
        wait = max(0.0, self.next_at - now)
        if wait > PATIENCE[True]:
            return Place(wait, taken=False)
        self.next_at = max(self.next_at, now) + 1 / (rate * WITHOUT_REDIS)
        return Place(wait, taken=True)


class Limits:
    """Asked before every send."""

    def __init__(self, redis: Redis, rate: int) -> None:
        self._rate = rate
        self.apart = 1 / (rate * STEADY)
        """Seconds between two places."""
        self._take = redis.register_script(_TAKE)
        self._alone = _Alone()
        self._asking: Together[_Asked, Place] = Together(self._take_all, MOST)

    async def take(self, phone_number_id: str, customer_id: int, *, urgent: bool) -> Place:
        """A place for one message. Replies (`urgent`) look further ahead than reminders, so they go first."""
        asked = _Asked(
            f"confirmo:rate:{phone_number_id}",
            f"confirmo:pair:{phone_number_id}:{customer_id}",
            PATIENCE[urgent] * 1000,
        )
        return await self._asking.ask(asked)

    async def _take_all(self, asked: Sequence[_Asked]) -> Sequence[Place]:
        keys = [key for one in asked for key in (one.number_key, one.pair_key)]
        rule = (1000 * self.apart, PAIR_SECONDS * 1000, PAIR_BURST - 1)
        args = [*rule, *(one.patience for one in asked)]
        try:
            waits = await bounded(self._take(keys=keys, args=args), ANSWER_SECONDS)
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("no rate from the queue", action="rate", error=type(error).__name__)
            now = asyncio.get_running_loop().time()
            return [self._alone.take(self._rate, now) for _ in asked]
        return [Place(abs(wait) / 1000, taken=wait >= 0) for wait in waits]
