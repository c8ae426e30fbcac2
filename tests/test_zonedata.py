"""Which zone rules are used: of the machine's and the packaged ones, the newer."""

import zoneinfo
from pathlib import Path

import pytest

from bot import zonedata


def folder(path: Path, name: str = "", line: str = "") -> tuple[str, ...]:
    path.mkdir()
    (path / "UTC").write_bytes(b"")
    if name:
        (path / name).write_text(line + "\nmore\n", encoding="utf-8")
    return (str(path.parent / "nowhere"), str(path))


@pytest.mark.parametrize(
    ("name", "line", "release"),
    [
        ("tzdata.zi", "# version 2025b", "2025b"),
        ("+VERSION", "2026a", "2026a"),
        ("version", "2026f", "2026f"),
        ("tzdata.zi", "# made by hand", ""),
        ("", "", ""),
    ],
)
def test_the_machines_release_is_read_where_systems_write_it(
    tmp_path: Path, name: str, line: str, release: str
) -> None:
    assert zonedata.machine(folder(tmp_path / "zones", name, line)) == release


def test_a_machine_without_zones_has_no_release(tmp_path: Path) -> None:
    assert zonedata.machine((str(tmp_path),)) is None


@pytest.mark.parametrize(
    ("one", "other", "is_older"),
    [
        ("2025b", "2026a", True),
        ("2026a", "2026b", True),
        ("2026f", "2026f", False),
        ("2026z", "2026aa", True),
        ("2027a", "2026f", False),
        ("", "2026f", True),
    ],
)
def test_releases_are_compared(one: str, other: str, is_older: bool) -> None:
    assert zonedata.older(one, other) is is_older


def test_the_packaged_rules_know_british_columbia() -> None:
    assert zonedata.packaged() >= "2026b"


@pytest.mark.parametrize(("machine", "is_used"), [("2025b", False), ("2999z", True), (None, True)])
def test_the_newer_rules_are_used(monkeypatch: pytest.MonkeyPatch, machine: str | None, is_used: bool) -> None:
    before = zoneinfo.TZPATH
    monkeypatch.setattr(zonedata, "machine", lambda: machine)
    try:
        zoneinfo.reset_tzpath(("/somewhere",))
        zonedata.prefer_newer()
        assert bool(zoneinfo.TZPATH) is is_used
    finally:
        zoneinfo.reset_tzpath(before)
