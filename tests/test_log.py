"""One line per event, whatever a customer or a database puts into it."""

import json
import logging

import structlog

from bot.log import person
from bot.settings import LogFormat, LogLevel
from tests.stack.told import told

log = structlog.get_logger("bot.test")


def test_a_line_is_json_with_time_level_and_fields() -> None:
    with told() as out:
        log.info("message kept", action="webhook", kind="text")
        log.debug("not at this level")
    (line,) = out.getvalue().splitlines()
    event = json.loads(line)
    assert event.pop("timestamp").endswith("Z")
    assert event == {"event": "message kept", "action": "webhook", "kind": "text", "level": "info"}


def test_what_is_logged_cannot_forge_a_line() -> None:
    with told() as out:
        log.info("ignored", field="hola\n2026-12-01 ERROR payment accepted\x1b[31m")
    assert len(out.getvalue().splitlines()) == 1
    assert "\x1b" not in out.getvalue()


def test_libraries_speak_from_warning_on_and_in_the_same_form() -> None:
    with told() as out:
        logging.getLogger("httpx").info("HTTP Request: POST https://graph/15550001")
        logging.getLogger("uvicorn.access").error("GET /webhook?hub.verify_token=sekret")
        logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    (line,) = out.getvalue().splitlines()
    assert json.loads(line)["event"] == "Invalid HTTP request received."


def test_an_exception_comes_with_its_traceback_but_without_values() -> None:
    secret = "sekret"
    with told() as out:
        try:
            raise ZeroDivisionError("our bug")
        except ZeroDivisionError:
            log.exception("a message could not be handled", action="answer")
    assert "ZeroDivisionError: our bug" in out.getvalue()
    assert secret not in out.getvalue()
    assert len(out.getvalue().splitlines()) == 1


def test_the_row_that_postgresql_quotes_is_left_out() -> None:
    with told() as out:
        logging.getLogger("arq.worker").error("answer failed: x\nDETAIL:  Failing row contains (5215550001, hola)")
        try:
            raise ValueError("null value\nDETAIL:  Failing row contains (5215550001, hola).\n[SQL: INSERT]")
        except ValueError:
            log.exception("set aside")
    assert "5215550001" not in out.getvalue()
    first, second = map(json.loads, out.getvalue().splitlines())
    assert first["event"] == "answer failed: x\nDETAIL: …"
    assert "[SQL: INSERT]" in second["exception"]


def test_a_person_reads_the_console_form() -> None:
    with told(LogLevel.DEBUG, LogFormat.CONSOLE) as out:
        log.debug("message kept", kind="text")
        try:
            raise ValueError("x")
        except ValueError:
            log.exception("oh")
    assert "message kept" in out.getvalue()
    assert "kind=text" in out.getvalue()
    assert "Traceback" in out.getvalue()


def test_a_customer_is_the_same_token_and_no_more() -> None:
    assert person(7) == person(7) != person(8)
    assert person(7) != "7"
    assert len(person(None)) == 10
