"""A barber's shop and somebody who writes to it."""

import pytest

from tests.conftest import NOW
from tests.conversation.businesses import a_business
from tests.conversation.world import Chat, World


@pytest.fixture
def world() -> World:
    return World(business=a_business("barberia"), now=NOW)


@pytest.fixture
def ana(world: World) -> Chat:
    return world.meet("Ana", language="es")
