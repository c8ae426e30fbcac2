"""`confirmo understand`: what the bot would read from a phrase, one JSON line each. Needs no settings."""

import json
import re
import sys
from collections.abc import Iterator
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from bot.cli import times
from bot.clock import Clock
from bot.core.business import Week
from bot.understanding.meaning import Context
from bot.understanding.read import Meaning, every_day, understand

HEADING = "language\tphrase"
_HOURS = re.compile(r"([01]?\d|2[0-4]):([0-5]\d)-([01]?\d|2[0-4]):([0-5]\d)")


def run(
    *,
    now: Annotated[
        str | None, typer.Option(help="As if it were this time: ISO 8601, without an offset in --zone. [default: now]")
    ] = None,
    zone: Annotated[str, typer.Option(help="The business's time zone.")] = "UTC",
    hours: Annotated[str, typer.Option(help="When it is open, every day.")] = "09:00-19:00",
    context: Annotated[Context, typer.Option(help="What was just asked.")] = Context.IDLE,
    lang: Annotated[
        str | None, typer.Option(help="The customer's language: es, pt or en. [default: told by words]")
    ] = None,
    tsv: Annotated[
        bool,
        typer.Option("--tsv", help="Rows of language, phrase, intent, context, expected; the third and fifth unread."),
    ] = False,
) -> None:
    """Reads phrases from standard input, one a line."""
    local = read_zone(zone)
    at = Clock().now() if now is None else times.read(now, local)
    week = read_hours(hours)
    for phrase, language, asked in _rows(context, lang) if tsv else _phrases(context, lang):
        meaning = understand(phrase, now=at, zone=local, hours=week, context=asked, language=language)
        typer.echo(told(phrase, meaning))
        sys.stdout.flush()


def told(phrase: str, meaning: Meaning) -> str:
    """The JSON line for one phrase."""
    found = {
        "phrase": phrase,
        "intent": meaning.intent.value,
        "when": meaning.when.text() if meaning.when is not None else None,
        "confidence": meaning.confidence,
    }
    return json.dumps(found, ensure_ascii=False)


def read_zone(name: str) -> ZoneInfo:
    """The zone of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        message = f"{name!r} is no time zone; write it like America/Mexico_City"
        raise ValueError(message) from None


def read_hours(text: str) -> Week:
    """`09:00-19:00`; past midnight when the end is not later than the beginning."""
    match = _HOURS.fullmatch(text)
    opens, closes = (int(match[i]) * 60 + int(match[i + 1]) for i in (1, 3)) if match else (1, 0)
    if not match or opens >= 24 * 60 or closes > 24 * 60:
        message = f"{text!r} are no hours; write them like 09:00-19:00"
        raise ValueError(message)
    return every_day(opens, closes)


def _lines() -> Iterator[str]:
    for line in sys.stdin:
        yield line.rstrip("\r\n")


def _phrases(context: Context, language: str | None) -> Iterator[tuple[str, str | None, Context]]:
    for line in _lines():
        yield line, language, context


def _rows(context: Context, language: str | None) -> Iterator[tuple[str, str | None, Context]]:
    for number, line in enumerate(_lines(), 1):
        if line.startswith(HEADING):
            continue
        columns = line.split("\t") if line else ["", "", "", ""]
        if len(columns) not in (4, 5):
            message = f"line {number} has {len(columns)} columns, not 4 or 5"
            raise ValueError(message)
        named = columns[3].strip()
        if named and named not in set(Context):
            message = f"line {number}: {named!r} is no context; known are {', '.join(Context)}"
            raise ValueError(message)
        yield columns[1], columns[0].strip() or language, Context(named) if named else context
