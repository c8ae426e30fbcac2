"""The Dockerfile, followed step by step in a fresh folder: what it copies and installs is enough to serve."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.services.process import free_port, start, stop

ROOT = Path(__file__).parents[1]
REQUIRED = {
    "WHATSAPP_APP_SECRET": "invented-secret",
    "WHATSAPP_VERIFY_TOKEN": "invented-word",
    "WHATSAPP_ACCESS_TOKEN": "invented-token",
    "WHATSAPP_PHONE_NUMBER_ID": "106540352242922",
    "WHATSAPP_BUSINESS_ACCOUNT_ID": "102290129340398",
}


@dataclass(frozen=True, slots=True)
class Instruction:
    """One line of a Dockerfile: `RUN` and what follows."""

    name: str
    rest: str


def instructions() -> Iterator[Instruction]:
    """The Dockerfile's, in order, continued lines joined."""
    lines = (line for line in (ROOT / "Dockerfile").read_text().splitlines() if not line.startswith("#"))
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            name, rest = line.split(maxsplit=1)
            yield Instruction(name, rest)


def only(name: str) -> str:
    """What follows the one instruction of that name."""
    (rest,) = (step.rest for step in instructions() if step.name == name)
    return rest


def copy(rest: str, folder: Path) -> None:
    """`COPY a b ./` or `COPY folder folder`."""
    *sources, target = rest.split()
    for source in sources:
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, folder / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, folder / target)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `src`, as the build leaves it, and `venv`, which stands for the image's Python."""
    folder = tmp_path_factory.mktemp("image")
    (folder / "src").mkdir()
    (folder / "data").mkdir()
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)  # noqa: S603 - our own Python
    for step in instructions():
        if step.name == "COPY":
            copy(step.rest, folder / "src")
        elif step.name == "RUN" and step.rest.startswith("pip "):
            command = [str(folder / "venv" / "bin" / "pip"), *shlex.split(step.rest)[1:], "--quiet"]
            subprocess.run(command, cwd=folder / "src", check=True)  # noqa: S603 - the Dockerfile's own words
    shutil.rmtree(folder / "src")
    return folder


@pytest.mark.timeout(300)  # it installs every package anew
def test_its_command_serves_and_its_health_check_agrees(image: Path) -> None:
    settings = dict(pair.split("=", 1) for step in instructions() if step.name == "ENV" for pair in step.rest.split())
    settings |= REQUIRED | {"PATH": f"{image / 'venv' / 'bin'}{os.pathsep}{os.defpath}", "HOME": str(image)}
    # The image's own folder and network are not here: our folder, the loopback and a free port stand in.
    settings["DATABASE_URL"] = settings["DATABASE_URL"].replace("/data", str(image / "data"), 1)
    settings |= {"HOST": "127.0.0.1", "PORT": str(free_port())}
    alone = ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in settings.items())]
    health = [*alone, *json.loads(only("HEALTHCHECK").partition("CMD ")[2])]

    server = start(
        [*alone, *json.loads(only("CMD"))],
        log=image / "data" / "log",
        ready=lambda: subprocess.run(health, check=False, capture_output=True).returncode == 0,  # noqa: S603 - as above
    )
    stop(server)

    assert server.returncode in {0, -15, 143}
    assert (image / "data" / "bot.db").exists()


def test_it_does_not_run_as_root() -> None:
    assert only("USER") == "confirmo"


def test_every_copied_file_reaches_the_engine() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {source for step in instructions() if step.name == "COPY" for source in step.rest.split()[:-1]}

    assert copied == allowed
