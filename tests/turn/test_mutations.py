"""No recorded body that is bent, torn or doubled anywhere is refused, loses its customer or hurts the process."""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.turn import answer
from tests.conftest import FIXTURES
from tests.outbox.hand import Hand
from tests.stack.told import told
from tests.stack.world import ANA

FILES = sorted((FIXTURES / "webhooks").rglob("*.json"))
BODIES = [path.read_text("utf-8") for path in FILES]
ODD: list[Any] = [
    *(None, True, 0, -1, 1.5, 5_000_000_000, 10**25, 1796140800123, "", " ", "x", "a\x00b", "\ud83d", "\u202e👍", "٣"),
    *("9" * 30, "-1", "1796140800", "ñ" * 70_000, "=1+1", [], {}, [None], {"body": 1}, {"id": "a\x00b"}),
]
Step = Callable[[Any, Any, Any], None]


def _drop(parent: Any, key: Any, _: Any) -> None:
    del parent[key]


def _replace(parent: Any, key: Any, odd: Any) -> None:
    parent[key] = odd


def _retype(parent: Any, key: Any, _: Any) -> None:
    """A string for a number, an array for an object, and the reverse."""
    value = parent[key]
    digits = isinstance(value, str) and value.isdecimal()
    parent[key] = [value] if isinstance(value, dict) else int(value) if digits else json.dumps(value)


def _double(parent: Any, key: Any, odd: Any) -> None:
    """The same once more beside it, or within itself."""
    if isinstance(parent, list):
        parent.insert(key, parent[key])
    elif isinstance(parent[key], dict):
        parent[key] = {**parent[key], key: parent[key]}
    else:
        parent[str(odd)[:8]] = parent[key]


STEPS: list[Step] = [_drop, _replace, _retype, _double]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in it, as the container and the key."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [place for key in keys for place in ((value, key), *places(value[key]))]


@st.composite
def bent(draw: st.DrawFn) -> str:
    """The text of a body with one to three changes."""
    body = json.loads(draw(st.sampled_from(BODIES)))
    for _ in range(draw(st.integers(1, 3))):
        there = places(body)
        if there:
            parent, key = draw(st.sampled_from(there))
            draw(st.sampled_from(STEPS))(parent, key, draw(st.sampled_from(ODD)))
    return json.dumps(body)


@settings(
    max_examples=25,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(texts=st.lists(bent(), min_size=1, max_size=8))
async def test_bent_bodies_are_taken_and_ordinary_ones_still_answered(hands: Hand, texts: list[str]) -> None:
    with told() as log:
        for number, text in enumerate(texts):
            body = text.replace("wamid.", f"wamid.{await hands.stack.count('inbox')}.{number}.")
            assert ((await hands.stack.post(body.encode())).status_code, body[:3000]) == (200, body[:3000])
        while waiting := await hands.stack.value("SELECT customer_id FROM inbox WHERE handled_at IS NULL"):
            await answer(hands.runtime, waiting)
            assert not await hands.stack.count("inbox", "error IS NOT NULL")
    assert "Traceback" not in log.getvalue()
    said = len(await hands.rows())
    await hands.standin.hear(ANA, {"type": "text", "text": {"body": "mis citas"}})
    await answer(hands.runtime, await hands.customer())
    assert len(await hands.rows()) == said + 1
