"""Every labelled phrase of the fixtures."""

from pathlib import Path

import pytest

from bot.understanding.intent import Intent
from bot.understanding.meaning import Context
from tests.understanding.world import read

FOLDER = Path(__file__).parents[2] / "fixtures" / "phrases"
HEADING = "language\tphrase\tintent\tcontext\texpected"


def rows() -> list[tuple[str, ...]]:
    return [
        tuple(line.split("\t"))
        for path in sorted(FOLDER.glob("*.tsv"))
        for line in path.read_text("utf-8").splitlines()
        if line != HEADING
    ]


@pytest.mark.parametrize("row", rows(), ids=" ".join)
def test_a_phrase_means_what_its_label_says(row: tuple[str, ...]) -> None:
    language, phrase, intent, context, expected = row

    meaning = read(phrase, language, context)

    assert (meaning.intent, meaning.when.text() if meaning.when else "") == (intent, expected)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.tsv")), ids=lambda path: path.name)
def test_the_labels_are_of_the_contract(path: Path) -> None:
    heading, *lines = path.read_text("utf-8").splitlines()

    assert heading == HEADING
    assert all(len(line.split("\t")) == 5 for line in lines)
    assert {line.split("\t")[2] for line in lines} <= set(Intent)
    assert {line.split("\t")[3] for line in lines} <= set(Context)


def test_there_are_phrases_of_our_own() -> None:
    assert len(rows()) >= 301 + 300
