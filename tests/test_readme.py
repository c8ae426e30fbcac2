"""The README says what is so."""

import re
from pathlib import Path

import pytest

from bot.core.appointment import mermaid

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_status_diagram_is_the_table() -> None:
    drawn = re.search(r"```mermaid\n(.*?)```", README, re.DOTALL)
    assert drawn is not None
    assert drawn[1] == mermaid()


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_every_file_that_a_document_names_is_there(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    links = re.findall(r"\]\(((?!http)[^)#]+)\)", text)
    named = {*links, *re.findall(r"`((?:bot|jobs|docs|fixtures)/[\w/.]+)`", text)}
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
