"""`confirmo understand`, through its function: what goes in, what comes out."""

import io
import json
import re
import sys
from datetime import datetime

import pytest

from bot.cli.understand import read_hours, run
from bot.core.business import Interval
from bot.understanding.meaning import Context

NOW = "2026-12-01T10:00"
ZONE = "America/Mexico_City"


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Feeds standard input, gives the objects that came out."""

    def call(text: str, **options: object) -> list[dict[str, object]]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        run(**{"now": NOW, "zone": ZONE, **options})  # type: ignore[arg-type]
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return call


def test_a_phrase_a_line(ask) -> None:  # type: ignore[no-untyped-def]
    booked, confirmed = ask("corte mañana a las 5\nsí voy\n")

    assert (booked["phrase"], booked["intent"], booked["when"]) == ("corte mañana a las 5", "book", "2026-12-02T17:00")
    assert (confirmed["intent"], confirmed["when"]) == ("confirm", None)
    assert set(booked) == {"phrase", "intent", "when", "confidence"}


def test_accents_stay_as_they_are(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("mañana 👍\n"))

    run(now=NOW)

    assert '"mañana 👍"' in capsys.readouterr().out


def test_rows_bring_their_language_and_context(ask) -> None:  # type: ignore[no-untyped-def]
    head = "language\tphrase\tintent\tcontext\texpected\n"
    rows = f"{head}en\t12/05\tanswer\tchoosing_date\tx\nes\t12/05/2027\t\tchoosing_date\n"

    english, spanish = ask(rows, tsv=True)

    assert english["when"] == "ambiguous"
    assert spanish["when"] == "2027-05-12"


def test_an_empty_row_has_its_line_too(ask) -> None:  # type: ignore[no-untyped-def]
    (nothing,) = ask("\n", tsv=True)

    assert (nothing["phrase"], nothing["intent"], nothing["when"]) == ("", "unknown", None)


def test_a_row_without_context_takes_the_option(ask) -> None:  # type: ignore[no-untyped-def]
    (answer,) = ask("\t15\t\t\t\n", tsv=True, context=Context.CHOOSING_DATE, lang="es")

    assert answer["when"] == "2026-12-15"


@pytest.mark.parametrize("row", ["es\thola", "es\thola\tgreet\tidle\t\tmore"])
def test_a_row_of_another_width_is_refused(ask, row: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=r"line 1 has \d columns, not 4 or 5"):
        ask(row, tsv=True)


def test_an_unknown_context_is_named(ask) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="line 2: 'asleep' is no context; known are idle, "):
        ask("es\thola\t\tidle\nes\thola\t\tasleep\n", tsv=True)


def test_a_time_without_an_offset_is_in_the_zone(ask) -> None:  # type: ignore[no-untyped-def]
    (local,) = ask("hoy", now="2026-12-01T23:30")
    (utc,) = ask("hoy", now="2026-12-02T05:30Z")
    (plain,) = ask("hoy", now="2026-12-01T23:30", zone="UTC")

    assert local["when"] == utc["when"] == plain["when"] == "2026-12-01"


def test_without_a_time_it_is_now(ask) -> None:  # type: ignore[no-untyped-def]
    (today,) = ask("hoy", now=None, context=Context.CHOOSING_DATE)

    assert datetime.fromisoformat(str(today["when"])).year >= 2026


def test_hours_decide_a_bare_hour(ask) -> None:  # type: ignore[no-untyped-def]
    (early,) = ask("a las 7", hours="06:00-14:00")
    (always,) = ask("a las 7", hours="00:00-24:00")

    assert early["when"] == "T07:00"
    assert always["when"] == "ambiguous"


def test_hours_may_cross_midnight() -> None:
    assert read_hours("22:00-02:00")[0] == (Interval(opens=1320, closes=1560),)


@pytest.mark.parametrize("text", ["9-19", "09:00", "24:00-25:00", "24:00-24:00", "09:00-24:30", "aa:bb-cc:dd"])
def test_what_are_no_hours(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{text!r} are no hours; write them like 09:00-19:00")):
        read_hours(text)


def test_an_unknown_zone(ask) -> None:  # type: ignore[no-untyped-def]
    for name in ("Mars/Olympus", "../etc", ""):
        with pytest.raises(ValueError, match="is no time zone"):
            ask("hola", zone=name)
