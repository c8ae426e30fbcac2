"""Every story of fixtures/conversations, through the pure machine."""

import pytest

from tests.conversation.businesses import a_business
from tests.stories.pure import PurePlayer
from tests.stories.run import play
from tests.stories.script import names, story


@pytest.mark.parametrize("name", names())
async def test_the_story_goes_as_it_is_written(name: str) -> None:
    told = story(name)
    await play(told, PurePlayer(), a_business(told.business).zone)
