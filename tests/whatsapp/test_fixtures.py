"""Every recorded webhook body and what it says: a file without an expectation fails, and so does the reverse."""

from pathlib import Path

import pytest

from bot.whatsapp.inbound import read
from tests.whatsapp.expected_kinds import KINDS
from tests.whatsapp.expected_messages import MESSAGES
from tests.whatsapp.expected_others import OTHERS, RECEIPTS
from tests.whatsapp.said import Said

FIXTURES = Path(__file__).parents[2] / "fixtures" / "webhooks"

EXPECTED = {**{f"messages/{name}": said for name, said in (MESSAGES | RECEIPTS).items()}, **OTHERS, **KINDS}

PROBLEMS = {
    "malformed/entry__without_changes": ["entry[0]"],
    "messages/text__one_bad_of_three": ["entry[0].changes[0].messages[1]"],
    "messages/text__wrong_types": [f"entry[0].changes[0].messages[{number}]" for number in range(3)],
}


def test_every_file_has_an_expectation_and_every_expectation_a_file() -> None:
    files = {path.relative_to(FIXTURES).with_suffix("").as_posix() for path in FIXTURES.rglob("*") if path.is_file()}
    assert files == EXPECTED.keys()


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_recorded_body_says_what_it_says(name: str) -> None:
    reading = read((FIXTURES / f"{name}.json").read_bytes())
    assert [problem.where for problem in reading.problems] == PROBLEMS.get(name, [])
    assert len(reading.events) == len(EXPECTED[name])
    for event, expected in zip(reading.events, EXPECTED[name], strict=True):
        if isinstance(expected, Said):
            expected.check(event)
        else:
            assert event == expected
