"""What the files beside the code promise."""

import re
import tomllib
from pathlib import Path

import pytest

from bot.settings import REQUIRED, Settings, load

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-bench.lock")


def example() -> dict[str, str]:
    """The settings of .env.example, also those behind a `#`."""
    lines = (ROOT / ".env.example").read_text().splitlines()
    return dict(match.groups() for line in lines if (match := re.fullmatch(r"#?([A-Z_]+)=(.*)", line)))  # type: ignore[misc]  # two groups


def packages(lock: str) -> dict[str, str]:
    """Name → version."""
    return dict(re.findall(r"^([a-z0-9-]+)==([^ ]+)", (ROOT / lock).read_text(), re.MULTILINE))


def test_the_example_names_every_setting() -> None:
    assert {name.lower() for name in example()} == set(Settings.model_fields)


def test_the_example_leaves_open_only_what_is_required() -> None:
    lines = (ROOT / ".env.example").read_text().splitlines()

    assert [line for line in lines if re.match(r"[A-Z]", line)] == [f"{name.upper()}=" for name in REQUIRED]


@pytest.mark.parametrize("name", sorted(set(Settings.model_fields) - {"business_file", "log_format"}))
def test_the_example_shows_the_default(name: str) -> None:
    shown = getattr(load(**{name: example()[name.upper()]}), name)

    assert shown == Settings.model_fields[name].default


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_says_what_by_hash_and_never_where_from(lock: str) -> None:
    text = (ROOT / lock).read_text()
    requirements = text.replace("\\\n", "").splitlines()

    assert "//" not in text
    assert not re.search(r"^\s*-(?!-hash=sha256:)", text, re.MULTILINE)
    assert all("--hash=sha256:" in line for line in requirements if "==" in line and not line.startswith((" ", "#")))


def test_the_tools_come_on_top_of_the_same_packages() -> None:
    run, dev, bench = map(packages, LOCKS)

    assert run.items() <= dev.items() <= bench.items()


def test_what_the_project_asks_for_is_locked() -> None:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]

    assert {re.split(r"[^a-z0-9-]", line)[0] for line in asked} <= packages(LOCKS[0]).keys()


def test_the_changelog_begins_with_what_is_not_released() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)

    assert headings[0] == "Unreleased"
