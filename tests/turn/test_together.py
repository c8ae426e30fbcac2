"""What is read together, and from which instant."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.conversation.events import About, Said, Unreadable
from bot.turn.events import Heard
from bot.turn.together import together
from tests.conftest import NOW

ZONE = ZoneInfo("America/Mexico_City")
MINUTE = timedelta(minutes=1)


def typed(wamid: str, text: str, at: datetime = NOW, about: About | None = None) -> Heard:
    return Heard(message_id=wamid, at=at, event=Said(text=text, at=at, about=about))


def reads(*waiting: Heard, now: datetime = NOW) -> tuple[list[str], str | None]:
    """Which messages the first turn takes, and its words."""
    taken, event = together(waiting, now, ZONE)
    return [one.message_id for one in taken], event.text if isinstance(event, Said) else None


def change(original: str, text: str | None) -> Heard:
    return Heard(message_id=f"change of {original}", at=NOW, event=None, changes=original, text=text)


def test_what_was_typed_in_a_row_is_one() -> None:
    voice = Heard(message_id="c", at=NOW, event=Unreadable(kind="audio", at=NOW))
    assert reads(typed("a", "corte"), typed("b", "mañana"), voice, typed("d", "a las 5")) == (
        ["a", "b"],
        "corte\nmañana",
    )
    assert together([voice], NOW, ZONE) == ((voice,), voice.event)


def test_a_quote_speaks_for_itself() -> None:
    quote = typed("b", "sí", about=About(1, 1, True))
    assert reads(typed("a", "hola"), quote) == (["a"], "hola")
    assert reads(quote, typed("a", "hola")) == (["b"], "sí")


def test_words_of_hours_ago_are_not_read_as_if_they_were_new() -> None:
    old = typed("a", "mañana a las 5", NOW - timedelta(hours=4))
    assert reads(old, typed("b", "¿hola?")) == (["a"], "mañana a las 5")
    taken, event = together([old, replace(old, message_id="b", at=NOW - timedelta(hours=3, minutes=1))], NOW, ZONE)
    assert len(taken) == 2
    assert event is not None
    assert event.at == NOW - timedelta(hours=3, minutes=1)


def test_tomorrow_is_another_day_after_midnight() -> None:
    midnight = datetime(2026, 12, 2, tzinfo=ZONE)
    before, after = typed("a", "mañana", midnight - MINUTE), typed("b", "a las 5", midnight)
    assert reads(before, after, now=midnight + MINUTE) == (["a"], "mañana")


def test_a_message_that_waits_is_read_as_it_was_edited() -> None:
    assert reads(typed("a", "a las 5"), change("a", "a las 6")) == (["a", "change of a"], "a las 6")
    assert reads(typed("a", "mañana"), change("a", "pasado mañana"), typed("b", "5 pm"))[1] == "pasado mañana\n5 pm"


def test_a_message_that_was_deleted_before_we_read_it_says_nothing() -> None:
    assert reads(typed("a", "cancelar"), typed("b", "hola"), change("a", None)) == (["a"], None)
    assert reads(typed("b", "hola"), typed("a", "cancelar"), change("a", None)) == (["b"], "hola")


def test_an_edit_or_deletion_of_what_was_answered_says_nothing() -> None:
    assert reads(change("long ago", "cancelar")) == (["change of long ago"], None)
    assert reads(change("long ago", None), typed("b", "hola")) == (["change of long ago"], None)
