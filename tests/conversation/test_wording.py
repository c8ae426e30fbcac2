"""The three languages say the same things, and all of it fits on a phone."""

import re
import tomllib
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import bot.conversation
from bot.conversation.replies import Cancel, Change, Confirm
from bot.conversation.wording import ACTIONS, LANGUAGES, Wording
from bot.core.graphemes import units
from bot.whatsapp import templates
from bot.whatsapp.outbound import BUTTON_TITLE_LIMIT, LIST_BUTTON_LIMIT, ROW_TITLE_LIMIT

COPY = {
    one: tomllib.loads((files("bot.conversation") / "copy" / f"{one}.toml").read_text("utf-8")) for one in LANGUAGES
}
KEYS = sorted(COPY["es"])
BUTTONS = [
    *("confirm", "change", "cancel", "undo", "keep", "yes_cancel", "book", "book_another", "a_person", "see_mine"),
]
LIST_BUTTONS = [key for key in KEYS if key.endswith("_button") and key != "unknown_button"]
ROWS = ["more_times", "other_day"]
LONGEST = 600
PLACE = re.compile(r"\{(\w*)\}")
MEXICO = ZoneInfo("America/Mexico_City")
GENDERED = re.compile(
    r"\b(bienvenid[oa]|estimad[oa]|querid[oa]|bem-vind[oa]|prezad[oa]|car[oa]|obrigad[oa]|dear|sir|madam)s?\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_lines(language: str) -> None:
    assert sorted(COPY[language]) == KEYS


@pytest.mark.parametrize("key", KEYS)
def test_a_line_has_the_same_places_in_every_language(key: str) -> None:
    places = {one: sorted(PLACE.findall(COPY[one][key])) for one in LANGUAGES}
    assert places["es"] == places["pt"] == places["en"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", KEYS)
def test_a_line_is_short_plain_and_neutral(key: str, language: str) -> None:
    line = COPY[language][key]
    assert line == line.strip() != ""
    assert len(line) <= LONGEST
    assert not GENDERED.search(line)
    assert "\n" not in line


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_tapped_fits(language: str) -> None:
    line = COPY[language]
    assert not [key for key in BUTTONS if units(line[key]) > BUTTON_TITLE_LIMIT]
    assert not [key for key in LIST_BUTTONS if units(line[key]) > LIST_BUTTON_LIMIT]
    assert not [key for key in ROWS if units(line[key]) > ROW_TITLE_LIMIT]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_buttons_of_one_message_are_called_the_same(language: str) -> None:
    line = COPY[language]
    for together in (("confirm", "change", "cancel"), ("change", "cancel", "book_another"), ("yes_cancel", "keep")):
        assert len({line[key] for key in together}) == len(together)


def test_every_line_is_said_somewhere() -> None:
    package = Path(bot.conversation.__file__).parents[1]
    code = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    statuses = {"status_SCHEDULED", "status_CONFIRMED", "left_one", "left_other"}
    assert [key for key in KEYS if f'"{key}"' not in code and key not in statuses] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_time_on_a_button_fits_on_every_day_and_half_hour_of_a_year(language: str) -> None:
    words, start = Wording(language), datetime(2026, 1, 1, tzinfo=UTC)
    halves = range(366 * 48)
    titles = {words.short(start + timedelta(minutes=30 * half), MEXICO) for half in halves}
    assert len(titles) == len(halves)
    assert max(units(title) for title in titles) <= BUTTON_TITLE_LIMIT
    assert not [title for title in titles if not title.isprintable() or "\u00a0" in title]


@pytest.mark.parametrize(
    ("language", "when", "short"),
    [
        ("es", "miércoles 2 de diciembre, 17:00", "mié 2 dic, 17:00"),
        ("pt", "quarta-feira, 2 de dezembro, 17:00", "qua 2 dez, 17:00"),
        ("en", "Wednesday, December 2, 5:00 PM", "Wed 2 Dec, 5:00 PM"),
    ],
)
def test_times_are_written_as_a_person_writes_them(language: str, when: str, short: str) -> None:
    start = datetime(2026, 12, 2, 23, 0, tzinfo=UTC)
    assert Wording(language).when(start, MEXICO) == when
    assert Wording(language).short(start, MEXICO) == short


def test_what_fills_a_place_is_not_expanded_again() -> None:
    text = Wording("en").say("greet_new", name="{business}", business="{{1}} {name}")
    assert text == "Hi {business}! 👋 You can book with {{1}} {name} right here."


@pytest.mark.parametrize("kind", templates.KINDS)
@pytest.mark.parametrize("language", templates.LANGUAGES)
def test_the_labels_of_the_reminders_are_understood(language: str, kind: str) -> None:
    labels = templates.definition(kind, language).buttons
    assert [ACTIONS[label.casefold()] for label in labels] == [Confirm, Change, Cancel]
