"""The three languages say the same things, and all of it fits on a phone."""

import re
import tomllib
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import bot.conversation
from bot.conversation.lines import (
    FORMS_OF_ADDRESS,
    LONGEST,
    LONGEST_LINE,
    ROW,
    VARIANTS,
    fault,
    line,
    room,
)
from bot.conversation.replies import Cancel, Change, Confirm
from bot.conversation.wording import ACTIONS, LANGUAGES, Wording
from bot.core.graphemes import units
from bot.whatsapp import templates
from bot.whatsapp.outbound import BUTTON_TITLE_LIMIT


def read(name: str) -> dict[str, str]:
    return tomllib.loads((files("bot.conversation") / "copy" / f"{name}.toml").read_text("utf-8"))


COPY = {one: read(one) for one in LANGUAGES}
KEYS = sorted(COPY["es"])
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
@pytest.mark.parametrize("key", KEYS)
def test_our_lines_keep_the_rules_that_a_business_has_to_keep(key: str, language: str) -> None:
    assert fault(language, key, COPY[language][key]) is None


@pytest.mark.parametrize(("of", "name"), list(VARIANTS.items()), ids=VARIANTS.values())
def test_a_form_of_address_changes_lines_that_there_are_and_nothing_else(of: tuple[str, str], name: str) -> None:
    language, form = of
    assert form in FORMS_OF_ADDRESS
    for key, text in read(name).items():
        assert fault(language, key, text) is None
        assert text != COPY[language][key]


TU = "tú|ti|toca|elige|escribe|dime|quieres|prefieres|tienes|puedes|necesitas|agendas|cambia|cancela"
FAMILIAR = rf"\b({TU}|tu|tus|te|quieras)\b"
NOT_VOS = rf"\b({TU}|aquí)\b"
TITLE = re.compile(r'Option\([^"=]*view\.copy\("(\w+)"\)')


@pytest.mark.parametrize(("form", "foreign"), [("usted", FAMILIAR), ("vos", NOT_VOS)])
def test_who_is_called_usted_or_vos_is_called_so_in_every_line(form: str, foreign: str) -> None:
    lines = {key: line(key, "es", form, {}) for key in KEYS}
    assert {key: text for key, text in lines.items() if re.search(foreign, text, re.IGNORECASE)} == {}


@pytest.mark.parametrize("form", FORMS_OF_ADDRESS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_is_long_whatever_fills_it(language: str, form: str) -> None:
    wording = Wording(language, form)
    for key in KEYS:
        said = wording.say(key, **dict.fromkeys(PLACE.findall(COPY[language][key]), "\U0001f469" * 400))
        assert units(said) <= LONGEST_LINE
    assert 2 * LONGEST_LINE + 2 <= LONGEST


def test_a_business_says_it_in_its_own_words_in_that_language_only() -> None:
    own = {"es": {"thanks": "¡Cuando quieras, {{sic}}!", "which_day": "¿Cuándo caes?"}}
    assert Wording("es", "usted", own).say("thanks") == "¡Cuando quieras, {sic}!"
    assert Wording("es", "usted", own).say("which_service") == "¿Qué le gustaría agendar?"
    assert Wording("pt", "usted", own).say("thanks") == COPY["pt"]["thanks"]
    assert Wording("es", "vos").speaking("en").say("thanks") == COPY["en"]["thanks"]


@pytest.mark.parametrize(
    ("key", "text", "told"),
    [
        ("bookd", "x", "is no line that we say; did you mean booked?"),
        ("qqqqqq", "x", "is no line that we say"),
        ("thanks", " ", "is empty"),
        ("thanks", "a\nb", "has a line break or a sign that cannot be seen in it"),
        ("which_day", "{dia}", "has a place {dia} that nothing fills; it has no places"),
        ("stands", "{service} {cuando}", "has a place {cuando} that nothing fills; it has {service}, {when}"),
        ("stands", "{service.x} {when}", "has a place {service.x} that"),
        ("stands", "{service!r} {when}", "has a place {service} that"),
        ("stands", "{} {when}", "has a place {} that"),
        ("stands", "{service} {when:>900}", "has a place {when} that"),
        ("stands", "{service", "has a brace that is not closed"),
        ("stands", "{service}", "leaves out {when}"),
        ("confirm", "Confirmo mi asistencia", "should have at most 20 characters, as WhatsApp counts them, and has 22"),
        ("more_times", "Más horarios para escoger", "should have at most 24"),
        ("more_times_hint", "x" * 73, "should have at most 72"),
        ("stands", "{service} {when}" + "x" * 200, "should have at most 290 characters with its places filled"),
    ],
)
def test_what_cannot_be_said_is_told(key: str, text: str, told: str) -> None:
    assert (fault("es", key, text) or "").startswith(told)


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        ("es", 1, "Queda 1 por ver"),
        ("es", 2, "Quedan 2 por ver"),
        ("pt", 31, "Restam 31 para ver"),
        ("en", 1, "1 more"),
    ],
)
def test_what_is_counted_is_said_in_the_right_number(language: str, count: int, said: str) -> None:
    assert Wording(language).counted("left", count) == said


@pytest.mark.parametrize(
    ("language", "minutes", "said"),
    [("es", 45, "45 min"), ("es", 60, "1 h"), ("pt", 150, "2 h 30 min"), ("en", 90, "1 hr 30 min")],
)
def test_lengths_are_said_in_hours_and_minutes(language: str, minutes: int, said: str) -> None:
    assert Wording(language).length(minutes) == said


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


def test_what_stands_on_a_button_or_row_is_known_to_be_short() -> None:
    package = Path(bot.conversation.__file__).parent
    titles = {key for path in package.rglob("*.py") for key in TITLE.findall(path.read_text(encoding="utf-8"))}
    assert len(titles) > 10
    assert [key for key in sorted(titles) if room(key) > ROW] == []


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
        ("en", "Wednesday, December 2, 5:00 PM", "Wed Dec 2, 5:00 PM"),
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
