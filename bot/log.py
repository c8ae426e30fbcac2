"""One line per event: a short constant message and fields. Never a message's text, a phone number or a token."""

import hashlib
import logging
import re
import sys
from functools import lru_cache
from typing import TextIO

import structlog

from bot.settings import LogFormat, Settings

_ROW = re.compile(r"DETAIL:.*?(?=\n\n|\n\[SQL|\Z)", re.DOTALL)


def configure(settings: Settings, stream: TextIO | None = None) -> None:
    """Set the format and level for our own lines and for those of the libraries, once per process."""
    out = stream if stream is not None else sys.stderr
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: structlog.typing.Processor = structlog.processors.JSONRenderer()
    if (settings.log_format or (LogFormat.CONSOLE if out.isatty() else LogFormat.JSON)) is LogFormat.CONSOLE:
        last = structlog.dev.ConsoleRenderer(colors=out.isatty(), exception_formatter=structlog.dev.plain_traceback)
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                _without_rows,
                last,
            ],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    # Its lines hold the query, and the handshake's query holds the verify token.
    logging.getLogger("uvicorn.access").disabled = True
    for name in ("bot", "jobs"):
        logging.getLogger(name).setLevel(settings.log_level.value)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def _without_rows(logger: object, name: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """PostgreSQL quotes the refused row in its errors: a customer's words and number."""
    del logger, name
    for key in ("event", "exception"):
        if "DETAIL:" in str(event.get(key)):
            event[key] = _ROW.sub("DETAIL: …", str(event[key]))
    return event


@lru_cache(maxsize=4096)
def person(customer_id: int | None) -> str:
    """A customer in the log: the same person is the same token, and no more is told."""
    return hashlib.sha256(f"customer:{customer_id}".encode()).hexdigest()[:10]
