"""Every story of fixtures/conversations, through the whole stack: signed POST, database, queue, wire."""

import pytest

from bot.clock import TravelClock
from jobs import worker
from tests.conftest import NOW
from tests.stack.world import StillClock, business, stack
from tests.stories.run import play
from tests.stories.script import STORIES, names, story
from tests.stories.stack_player import StackPlayer


@pytest.mark.parametrize("name", names())
async def test_the_story_goes_as_it_is_written(
    name: str, sqlite_url: str, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = story(name)
    file = None if told.business == "starter" else business(told.business)
    monkeypatch.setattr(worker, "cron_jobs", tuple)  # a story says itself when a reminder goes out
    clock: TravelClock = StillClock(NOW)
    async with stack(sqlite_url, valkey_url, clock, business_file=file) as world:
        player = StackPlayer(world)
        await play(told, player, (await player.load()).zone)


def test_no_file_among_the_stories_is_an_orphan() -> None:
    """What lies there is played: above, and by the pure player."""
    found = {str(path.relative_to(STORIES)) for path in STORIES.rglob("*") if path.is_file()}
    assert found == {f"{name}.toml" for name in names()}
    assert len(found) > 40
