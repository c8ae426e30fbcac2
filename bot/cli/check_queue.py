"""`confirmo doctor`: whether the queue's Redis answers, and keeps what it is given."""

from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError

from bot.bounded import bounded
from bot.cli.finding import Finding, Health
from bot.embedded import EngineError, binary
from bot.queue import connect
from bot.settings import Settings

SECONDS = 5.0
KEEPS = "noeviction"
REFUSALS = (AuthenticationError, NoPermissionError)
"""What the client wraps into an error of the connection."""


async def queue(settings: Settings) -> list[Finding]:
    """Its address is never shown: a password stands in it."""
    url = settings.redis_url.get_secret_value()
    if not url:
        return [_embedded()]
    try:
        redis = connect(url)
    except ValueError as error:
        return [_wrong(str(error))]
    try:
        return [await _asked(redis)]
    finally:
        await bounded(redis.aclose(close_connection_pool=True), SECONDS)


async def _asked(redis: Redis) -> Finding:
    try:
        await bounded(_ping(redis), SECONDS)
        policy = await bounded(_policy(redis), SECONDS)
    except TimeoutError:
        return _wrong(f"does not answer within {SECONDS:.0f} s: it hangs, or REDIS_URL names another host")
    except (RedisError, OSError) as error:
        if any(isinstance(one, REFUSALS) for one in (error, error.__cause__, error.__context__)):
            return _wrong("refuses the user or the password in REDIS_URL (percent-encode special characters)")
        return _wrong(f"cannot be reached ({type(error).__name__}): start it, or correct REDIS_URL")
    if policy not in (KEEPS, None):
        said = f"maxmemory-policy is {policy}: set {KEEPS}, else wake-ups get lost and work waits for the next sweep"
        return Finding("queue", Health.WARNING, said)
    return Finding("queue", Health.OK, "Redis answers")


async def _ping(redis: Redis) -> None:
    await redis.ping()


async def _policy(redis: Redis) -> str | None:
    """None where it is not told, as some hosts do."""
    try:
        told = await redis.info("memory")
    except NoPermissionError:
        return None
    policy = told.get("maxmemory_policy")
    return str(policy) if policy else None


def _embedded() -> Finding:
    try:
        binary()
    except EngineError as error:
        return _wrong(str(error))
    return Finding("queue", Health.OK, "embedded: `serve` starts it (web and worker apart need REDIS_URL)")


def _wrong(said: str) -> Finding:
    return Finding("queue", Health.WRONG, said)
