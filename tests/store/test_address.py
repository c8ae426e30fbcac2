"""DATABASE_URL: what is taken, and how a wrong one is told."""

import os
from pathlib import Path

import pytest

from bot.store.database import Database, parse


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "DATABASE_URL takes"),
        ("bot.db", "DATABASE_URL takes"),
        ("mysql://u:s3cret@h/db", "not mysql"),
        ("sqlite:///bot.db", "not sqlite"),
        ("postgresql://u:s3cret@h/db", "not postgresql"),
        ("postgresql+asyncpg://u:p@h:s3cret/db", "DATABASE_URL takes"),
        ("postgresql+asyncpg://u:s3cret@h/db?sslmode=require", "ssl=require"),
    ],
)
def test_a_wrong_address_is_one_line_without_the_password(url: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        parse(url)
    assert "s3" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "needs a file"),
        (":memory:", "needs a file"),
        ("file:bot.db", "plain path"),
        ("{tmp}/missing/bot.db", "does not exist"),
        ("{tmp}", "is a folder"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_before_it_is_opened(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said):
        Database(f"sqlite+aiosqlite:///{name.format(tmp=tmp_path)}")


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Root may write everywhere, so the system's answer is given by hand.
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    with pytest.raises(ValueError, match="cannot be written"):
        Database(f"sqlite+aiosqlite:///{tmp_path}/bot.db")
