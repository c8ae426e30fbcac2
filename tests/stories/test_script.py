"""The stories themselves: read strictly, and failing where the bot does otherwise."""

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.stories.pure import PurePlayer
from tests.stories.run import Cost, play
from tests.stories.script import STORIES, Story, names, read

MEXICO = ZoneInfo("America/Mexico_City")
HELLO = {"says": "hola", "bot": ["¡Hola, Ana!"]}
BOOK = {"taps": "mié 2 dic, 17:00", "bot": ["✅ ¡Listo!"]}


def told(*turns: dict[str, Any], **more: Any) -> Story:
    head = {"title": "t", "business": "one_service", "now": "2026-12-01 10:00", "customer": [{"name": "Ana"}]}
    return Story.model_validate({**head, "turn": list(turns), **more})


def test_every_file_is_a_story() -> None:
    assert [path.stem for path in sorted(STORIES.iterdir())] == names()
    assert len({read(STORIES / f"{name}.toml").title for name in names()}) == len(names())


@pytest.mark.parametrize(
    "turn",
    [
        {},
        {"says": "hola"},
        {"says": "hola", "taps": "x", "silent": True},
        {"says": "hola", "silent": True, "bot": ["x"]},
        {"says": "hola", "silent": True, "sielnt": True},
        {"wait": "soon"},
        {"wait": 25},
    ],
)
def test_a_slip_of_the_pen_is_an_error(turn: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        told(turn)


def test_what_is_no_toml_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "story.toml"
    path.write_text("title = ", encoding="utf-8")
    with pytest.raises(ValueError, match="Invalid"):
        read(path)


async def test_touches_and_messages_are_counted() -> None:
    cost = await play(told(HELLO, BOOK, {"taps": "Cancelar", "bot": ["Cancelada"]}), PurePlayer(), MEXICO)
    assert cost == Cost(touches=4, messages=3)


@pytest.mark.parametrize(
    ("turns", "budget", "why"),
    [
        ([HELLO | {"bot": ["Buenas"]}], None, "turn 1: 'Buenas' is not in"),
        ([HELLO | {"bot": [], "silent": True}], None, "turn 1: expected silence"),
        ([HELLO, BOOK | {"taps": "mié 2 dic, 03:00"}], None, "'mié 2 dic, 03:00' was not offered"),
        ([HELLO, BOOK, {"taps": "Otro día", "silent": True}], None, "'Otro día' was not offered"),
        ([HELLO | {"offers": ["Martes"]}], None, "is not all in"),
        ([HELLO | {"offers_exactly": ["Otro día"]}], None, "not ..Otro día"),
        ([HELLO, BOOK | {"status": ["CONFIRMED"]}], None, "the appointments are ..SCHEDULED 2026-12-02 17:00"),
        ([HELLO, BOOK | {"status": []}], None, "the appointments are"),
        ([HELLO | {"muted": True}], None, "muted is False"),
        ([HELLO | {"opted_out": True}], None, "opted out is False"),
        ([HELLO | {"staff_see": ["person"]}], None, "staff see"),
        ([HELLO, BOOK], {"touches": 2, "messages": 2}, "is more than"),
        ([HELLO, BOOK], {"touches": 3, "messages": 1}, "is more than"),
    ],
)
async def test_a_story_fails_where_it_goes_otherwise(
    turns: list[dict[str, Any]], budget: dict[str, int] | None, why: str
) -> None:
    with pytest.raises(AssertionError, match=why):
        await play(told(*turns, budget=budget), PurePlayer(), MEXICO)
