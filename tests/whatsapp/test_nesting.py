"""What lies too deep becomes null, and nothing else is touched."""

import json

import pytest

from bot.whatsapp.nesting import DEEPEST, shallow


@pytest.mark.parametrize("depth", [1, DEEPEST - 1, DEEPEST, DEEPEST + 1, 5000])
@pytest.mark.parametrize(("opens", "closes"), [("[", "]"), ('{"a":', "}")])
def test_only_what_is_too_deep_goes(depth: int, opens: str, closes: str) -> None:
    text = f'{{"quoted": "a\\"[{{\\\\", "deep": {opens * depth}1{closes * depth}, "after": [1, {{"b": "}}]"}}]}}'
    read = json.loads(shallow(text))
    assert (read["quoted"], read["after"]) == ('a"[{\\', [1, {"b": "}]"}])
    assert (shallow(text) == text) == (depth < DEEPEST)


@pytest.mark.parametrize("text", ["", "[" * 5000, "]" * 5000, '"', '["', "\\"])
def test_what_is_no_json_does_not_become_any(text: str) -> None:
    with pytest.raises((ValueError, RecursionError)):
        json.loads(shallow(text))
