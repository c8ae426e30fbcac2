"""The real commands, called in this process on a real database, in a folder of their own, at NOW."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import respx
import structlog
import time_machine
from typer.testing import CliRunner

from bot.cli import app
from bot.settings import Settings
from tests.cli.meta import Meta, well
from tests.conftest import NOW

HEADER = "phone,name,service,staff,scheduled_at\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str


Confirmo = Callable[..., Coroutine[Any, Any, Ran]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current one; the environment holds no settings."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    path = tmp_path / "here"
    path.mkdir()
    monkeypatch.chdir(path)
    return path


@pytest.fixture
def anywhere(folder: Path) -> Iterator[Confirmo]:
    """Runs a command without settings: `await anywhere("templates", "show", PORT="1")`."""
    assert folder.is_dir()
    structlog_before, handlers = structlog.get_config(), logging.root.handlers[:]

    async def run(*arguments: str, **settings: str) -> Ran:
        # In a thread: the command runs a loop of its own.
        done = await asyncio.to_thread(CliRunner().invoke, app, arguments, env=settings, catch_exceptions=False)
        return Ran(code=done.exit_code, out=done.stdout, err=done.stderr)

    with time_machine.travel(NOW, tick=True):
        yield run
    logging.root.handlers[:] = handlers
    structlog.configure(**structlog_before)


@pytest.fixture
def confirmo(anywhere: Confirmo, database_url: str) -> Confirmo:
    """Runs a command on a fresh database, once of each kind."""

    async def run(*arguments: str, **settings: str) -> Ran:
        return await anywhere(*arguments, **{"DATABASE_URL": database_url, **settings})

    return run


@pytest.fixture
def meta() -> Iterator[Meta]:
    """Meta at the wire, where all is well."""
    with respx.mock(assert_all_called=False) as router:
        yield well(router)


@pytest.fixture
def csv_file(folder: Path) -> Callable[[str], str]:
    """Writes a file of appointments below the usual header and answers its name."""

    def write(lines: str) -> str:
        (folder / "some.csv").write_text(HEADER + lines, encoding="utf-8")
        return "some.csv"

    return write
