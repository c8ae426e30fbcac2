"""The program as a whole: its help, its one-line errors, its exit codes."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli import COMMANDS
from bot.store.database import Database
from tests.cli.conftest import Confirmo
from tests.services.process import free_port
from tests.store.rows import sql

PROGRAM = "from bot.cli import main; main()"


async def test_the_help_names_every_command(anywhere: Confirmo) -> None:
    done = await anywhere("--help")

    assert done.code == 0
    assert {name.split()[0] for name in COMMANDS} <= set(done.out.split())


@pytest.mark.parametrize("name", COMMANDS)
async def test_every_command_has_help(anywhere: Confirmo, name: str) -> None:
    done = await anywhere(*name.split(), "--help")

    assert done.code == 0
    assert f" {name} [OPTIONS]" in done.out
    assert COMMANDS[name].help in " ".join(done.out.split())


@pytest.mark.parametrize("group", sorted({name.split()[0] for name in COMMANDS if " " in name}))
async def test_a_group_lists_its_commands(anywhere: Confirmo, group: str) -> None:
    done = await anywhere(group, "--help")

    assert done.code == 0
    assert {name.split()[1] for name in COMMANDS if name.startswith(f"{group} ")} <= set(done.out.split())


@pytest.mark.parametrize("arguments", [(), ("appointments",)])
async def test_half_a_command_shows_the_help_and_is_a_usage_error(
    anywhere: Confirmo, arguments: tuple[str, ...]
) -> None:
    done = await anywhere(*arguments)

    assert (done.code, done.out) == (2, "")
    assert "Commands:" in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nonsense",), "No such command 'nonsense'"),
        (("outbox", "nonsense"), "No such command 'nonsense'"),
        (("outbox", "db"), "No such command 'db'"),
        (("attention", "done", "one"), "'ID'"),
        (("outbox", "list", "--state", "lost"), "'lost'"),
        (("db", "upgrade", "now"), "unexpected extra argument"),
        (("appointments", "import"), "FILE.csv"),
        (("--nonsense",), "--nonsense"),
    ],
)
async def test_a_usage_error_is_one_line(anywhere: Confirmo, arguments: tuple[str, ...], said: str) -> None:
    done = await anywhere(*arguments)

    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert said in done.err
    assert "--help" in done.err


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        pytest.param({"PORT": "many"}, "PORT takes", id="a wrong setting"),
        pytest.param({}, "run `confirmo db upgrade`", id="no file"),
        pytest.param({"DATABASE_URL": "mysql://u:hush@h/d"}, "DATABASE_URL takes", id="another database"),
        pytest.param({"DATABASE_URL": "sqlite+aiosqlite:///not.db"}, "file is not a database", id="another file"),
        pytest.param(
            {"DATABASE_URL": f"postgresql+asyncpg://u:hush@127.0.0.1:{free_port()}/d"},
            "does not answer",
            id="no server",
        ),
    ],
)
async def test_what_the_operator_must_mend_is_one_line(
    anywhere: Confirmo, folder: Path, settings: dict[str, str], said: str
) -> None:
    (folder / "not.db").write_text("appointments\n" * 100)

    done = await anywhere("appointments", "list", **settings)

    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1
    assert said in done.err
    assert "hush" not in done.err
    assert not (folder / "bot.db").exists()


async def test_a_database_that_does_not_exist_is_one_line(confirmo: Confirmo, postgres_url: str) -> None:
    done = await confirmo("outbox", "list", DATABASE_URL=f"{postgres_url}_nowhere")

    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "does not exist" in done.err


async def test_an_old_schema_names_the_command_that_helps(confirmo: Confirmo, db: Database) -> None:
    async with db.write() as session:
        await sql(session, "UPDATE alembic_version SET version_num = '0001'")

    done = await confirmo("outbox", "list")

    assert (done.code, done.err) == (
        1,
        "confirmo: the database is not up to date: run `confirmo db upgrade` first\n",
    )


async def test_settings_come_from_the_current_folder(anywhere: Confirmo, folder: Path, sqlite_url: str) -> None:
    (folder / ".env").write_text(f"DATABASE_URL={sqlite_url}\n")

    done = await anywhere("attention", "list")

    assert (done.code, done.out) == (0, "nothing to look at\n")


def test_the_help_loads_nothing_heavy() -> None:
    check = (
        "import sys\nfrom bot.cli import app\ntry: app(['--help'])\nexcept SystemExit: pass\n"
        "sys.exit(', '.join({'sqlmodel', 'sqlalchemy', 'pydantic', 'httpx', 'arq'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=False)  # noqa: S603 - ours

    assert (done.returncode, done.stderr) == (0, "")


async def test_ctrl_c_ends_it_without_a_word(folder: Path) -> None:
    # A test run started in the background hands down an ignored SIGINT; a terminal does not.
    at_a_terminal = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {PROGRAM}"
    (folder / "body.json").write_text("{}")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            at_a_terminal,
            "replay",
            "--as-is",
            "--url",
            f"http://127.0.0.1:{silent.getsockname()[1]}/webhook",
            "body.json",
            env={**os.environ, "WHATSAPP_APP_SECRET": "secret"},
            stderr=asyncio.subprocess.PIPE,
        )
        connection, _ = await asyncio.to_thread(silent.accept)
        with connection:
            process.send_signal(signal.SIGINT)
            _, err = await process.communicate()

    assert (process.returncode, err) == (130, b"")


async def test_a_demo_on_a_port_that_is_taken_says_so_in_one_line(anywhere: Confirmo) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        done = await anywhere("demo", "--port", str(port))

    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines() == [
        f"confirmo: port {port}: Address already in use; name another as in PORT=8001 or --port 8001"
    ]
