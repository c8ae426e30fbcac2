"""Everything fails at random, on both databases: nobody lost, nobody doubled, every flag and message id right."""

import pytest

from tests.faults.campaign import Campaign
from tests.faults.conftest import Tried
from tests.faults.plan import storm
from tests.faults.soak import SERVE_CHAOS

pytestmark = pytest.mark.timeout(500)


async def test_reminders_under_every_fault_reach_their_customers_once(
    database_url: str, tried: Tried, seed: int
) -> None:
    """Lost answers, 5xx, 429, resets, killed processes, FLUSHALL, restarts, freezes, deploys, many schedulers."""
    report = await tried(Campaign(seed=seed, reminders=350, seconds=14), database_url)
    assert report.good, f"{report.line()}\n{report.findings}"
    assert report.findings.received > 300


async def test_serve_is_killed_and_deployed_without_losing_or_doubling(
    sqlite_url: str, tried: Tried, seed: int
) -> None:
    """One process with its embedded engine: all of it dies at once."""
    campaign = Campaign(seed=seed, reminders=120, seconds=8, webs=1, workers=0, chaos=SERVE_CHAOS)
    report = await tried(campaign, sqlite_url)
    assert report.good, f"{report.line()}\n{report.findings}"


async def test_the_same_seed_makes_the_same_faults(seed: int) -> None:
    """What befalls a send depends on the seed and the delivery id alone, not on the order of arrival."""
    ids = [f"delivery-{number}" for number in range(200)]
    first = [storm(seed).fate(one, 0) for one in ids]
    assert first == [storm(seed).fate(one, 0) for one in reversed(ids)][::-1]
    assert first != [storm(seed + 1).fate(one, 0) for one in ids]
    lost = [fate for fate in first if fate.answer.endswith("_taken")]
    assert 0.08 < len(lost) / len(ids) < 0.22
