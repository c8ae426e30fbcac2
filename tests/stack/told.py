"""The log of a test, as the real programs write it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO

import structlog

from bot.log import configure
from bot.settings import LogFormat, LogLevel, load


@contextmanager
def told(level: LogLevel = LogLevel.INFO, form: LogFormat = LogFormat.JSON) -> Iterator[StringIO]:
    """What is logged in the meantime; afterwards all is as before."""
    root, access = logging.getLogger(), logging.getLogger("uvicorn.access")
    loggers = [root, logging.getLogger("bot"), logging.getLogger("jobs")]
    handlers, levels = root.handlers[:], [one.level for one in loggers]
    stream = StringIO()
    configure(load(_env_file=None, log_level=level, log_format=form), stream)
    try:
        yield stream
    finally:
        structlog.reset_defaults()
        root.handlers[:] = handlers
        access.disabled = False
        for logger, before in zip(loggers, levels, strict=True):
            logger.setLevel(before)
