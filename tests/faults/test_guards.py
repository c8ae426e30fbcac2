"""Each guard in turn taken out of the running programs: the same checks that pass with it find what it prevents."""

import asyncio
from pathlib import Path
from shutil import copyfile

import pytest

from tests.faults.campaign import Campaign, Report, run
from tests.faults.plan import Answer, Plan

SLOW = Plan(answers={Answer.RESET_TAKEN: 0.4, Answer.SLOW_TAKEN: 0.4}, slow=0.8, late=1.0)
GUARDS = ("none", "claim", "lease", "receipts")


@pytest.mark.timeout(500)
async def test_without_a_guard_somebody_is_doubled(sqlite_template: Path, tmp_path: Path, seed: int) -> None:
    none, claim, lease, receipts = await asyncio.gather(
        *(_without(guard, sqlite_template, tmp_path / guard, seed) for guard in GUARDS)
    )
    assert none.good, none.line()
    assert claim.findings.doubled
    assert lease.findings.doubled
    assert receipts.findings.doubled


async def _without(guard: str, template: Path, folder: Path, seed: int) -> Report:
    folder.mkdir()
    copyfile(template, folder / "bot.db")
    campaign = Campaign(
        seed=seed,
        reminders=40,
        seconds=7,
        webs=1,
        workers=1,
        chaos=(),
        plan=SLOW,
        by_hand=guard != "lease",  # it would look after the lapsed claims in the right way
        nudge_again=True,
        web="tests.faults.sabotage:create_app",
        worker="tests.faults.sabotage.WorkerSettings",
        settings=(("SABOTAGE", guard),),
    )
    return await run(campaign, f"sqlite+aiosqlite:///{folder / 'bot.db'}", folder)
