"""A server that must not outlive the test run."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

STARTS_WITHIN = 20.0
ENDS_WITHIN = 10.0
PR_SET_PDEATHSIG = 1


def start(
    command: Sequence[str], *, log: Path, ready: Callable[[], bool], user: str | None = None
) -> subprocess.Popen[bytes]:
    """Starts it in the folder of its log and waits until it is ready; RuntimeError with the log when it is not."""
    with log.open("wb") as out:
        process = subprocess.Popen(  # noqa: S603 - our own command line
            command,
            cwd=log.parent,
            user=user,
            group=user,
            extra_groups=[] if user else None,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509 - one call, no lock taken
        )
    until = time.monotonic() + STARTS_WITHIN
    while process.poll() is None and time.monotonic() < until:
        if ready():
            return process
        time.sleep(0.01)
    stop(process)
    message = f"{command[0]} did not start: {log.read_text(errors='replace')[-2000:]}"
    raise RuntimeError(message)


def stop(process: subprocess.Popen[bytes], sign: signal.Signals = signal.SIGTERM) -> None:
    """Ends it and waits for it."""
    if process.poll() is None:
        process.send_signal(sign)
    try:
        process.wait(ENDS_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port() -> int:
    """A TCP port of the loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _die_with_parent() -> None:
    # A killed test run cannot tidy up: the kernel ends the server instead (SIGINT is PostgreSQL's fast shutdown too).
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)
    if os.getppid() == 1:
        os._exit(1)
