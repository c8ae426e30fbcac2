"""Redis is only a wake-up: whatever becomes of it, nothing is lost, nothing doubled, and the web answers 200."""

import pytest
from redis.exceptions import RedisError

from bot.settings import Settings
from jobs.patient import PatientWorker
from jobs.worker import options
from tests.faults.campaign import Campaign
from tests.faults.conftest import Tried
from tests.faults.farm import engine_binary
from tests.faults.plan import Plan
from tests.faults.world import Diary
from tests.services.valkey import valkey


@pytest.mark.timeout(500)
async def test_wiped_filled_frozen_and_restarted_it_costs_nothing(sqlite_url: str, tried: Tried, seed: int) -> None:
    """Nobody restarts web or worker: they are the same processes at the end, and done within the minute."""
    campaign = Campaign(
        seed=seed,
        engine="redis" if engine_binary("redis") else "valkey",
        reminders=120,
        seconds=18,
        webs=1,
        plan=Plan(seed=seed),
        chaos=("flush", "fill", "freeze_engine", "flush", "restart_engine", "fill"),
        in_order=True,
        every=(0.5, 1.0),
        freeze=(8.0, 8.0),
        options=("--maxmemory", "2mb", "--maxmemory-policy", "allkeys-lru"),
    )
    report = await tried(campaign, sqlite_url)
    assert report.good, f"{report.line()}\n{report.findings}"
    assert report.dead == ()
    assert set(report.webhook_answers) == {"200"}
    assert report.took < campaign.seconds + 60


async def test_what_broke_off_with_redis_takes_up_no_place(settings: Settings) -> None:
    """arq itself counts a job before it knows that Redis took it: fifty outages would fill all places for ever."""
    with valkey() as gone:
        worker = PatientWorker(**options(settings, gone), handle_signals=False)
    for _ in range(3):
        with pytest.raises((RedisError, OSError)):
            await worker.start_jobs([b"some-job"])
    assert worker.job_counter == 0
    await worker.close()


@pytest.fixture
def settings(still_sqlite: Diary) -> Settings:
    return still_sqlite.runtime.settings
