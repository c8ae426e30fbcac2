"""A business as TOML: what is understood, and how a mistake is told."""

import re
from datetime import datetime
from pathlib import Path

import pytest

from bot.core.business import Interval
from bot.store.business_entries import (
    HolidaysEntry,
    ResourceEntry,
    ServiceEntry,
    SpecialDayEntry,
    StaffEntry,
    TimeOffEntry,
)
from bot.store.business_file import BusinessFile, parse, read
from tests.conftest import FIXTURES

GOOD = """\
name = "Taller"
zone = "America/Mexico_City"

[[service]]
name = "Afinación"
minutes = 60

[[staff]]
name = "Beto"
every_day = ["09:00-14:00", "16:00-19:00"]
"""


def hours(text: str) -> tuple[tuple[Interval, ...], ...]:
    return parse(GOOD.replace('every_day = ["09:00-14:00", "16:00-19:00"]', text), "f.toml").staff[0].week


def between(*pairs: tuple[int, int]) -> tuple[Interval, ...]:
    return tuple(Interval(opens=opens, closes=closes) for opens, closes in pairs)


@pytest.mark.parametrize("path", sorted((FIXTURES / "businesses").glob("*.toml")), ids=lambda path: path.stem)
def test_every_fixture_can_be_read(path: Path) -> None:
    assert read(path).service


def test_the_starter_explains_every_key() -> None:
    text = (Path(__file__).parents[2] / "bot/businesses/starter.toml").read_text(encoding="utf-8")
    parts = (BusinessFile, ServiceEntry, StaffEntry, ResourceEntry, HolidaysEntry, SpecialDayEntry, TimeOffEntry)
    keys = [info.alias or key for part in parts for key, info in part.model_fields.items()]
    ways = ("{} =", "[[{}]]", "[{}]", "{}.")
    assert [key for key in keys if not any(way.format(key) in text for way in ways)] == []


def test_the_hints_of_the_starter_are_valid() -> None:
    lines = (Path(__file__).parents[2] / "bot/businesses/starter.toml").read_text(encoding="utf-8").splitlines()
    hints = [line.removeprefix("# ") if " = " in line or line.startswith("# [") else line for line in lines]
    known = parse("\n".join(hints), "hints")
    assert (known.max_active, known.service[0].capacity, known.resource[0].kind) == (2, 8, "sillón")
    assert known.time_off[0].span == (datetime(2026, 12, 28), datetime(2026, 12, 31))  # noqa: DTZ001 - wall clock


def test_a_day_that_is_named_differs_from_every_day() -> None:
    week = hours('every_day = ["09:00-10:00"]\nhours = { tue = ["12:00-13:00", "08:00-09:00"], sun = [] }')
    assert week[0] == week[2] == between((540, 600))
    assert week[1] == between((480, 540), (720, 780))
    assert week[6] == ()


@pytest.mark.parametrize(
    ("written", "interval"),
    [
        ("22:00-02:00", (1320, 1560)),
        ("20:00-24:00", (1200, 1440)),
        ("20:00-00:00", (1200, 1440)),
        ("00:00-24:00", (0, 1440)),
        ("9:00 - 10:30", (540, 630)),
        ("09:00–10:00", (540, 600)),
    ],
)
def test_intervals(written: str, interval: tuple[int, int]) -> None:
    assert hours(f'hours = {{ mon = ["{written}"] }}')[0] == between(interval)


@pytest.mark.parametrize(
    "written", ["9-14", "09:00", "25:00-26:00", "24:00-02:00", "09:60-10:00", "09:00-24:01", "09:00-09:00", ""]
)
def test_what_is_no_interval_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"f.toml, line 10: staff 1, every_day"):
        hours(f'every_day = ["{written}"]')


@pytest.mark.parametrize(
    "written",
    [
        'every_day = ["09:00-12:00", "11:00-13:00"]',
        'every_day = ["22:00-02:00", "01:00-03:00"]',
        'hours = { mon = ["22:00-02:00"], tue = ["01:00-03:00"] }',
        'hours = { sun = ["22:00-02:00"], mon = ["01:00-03:00"] }',
    ],
)
def test_hours_that_overlap_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"f.toml, line (10|11): staff 1, (every_day|hours, \w+) overlap"):
        hours(written)


def test_hours_may_touch() -> None:
    assert hours('every_day = ["00:00-12:00", "12:00-24:00"]')[0] == between((0, 720), (720, 1440))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("minutes = 60", "minutos = 60", "f.toml, line 4: service 1, minutes is missing"),
        ("minutes = 60", "minutes = 60\ncolor = 1", "f.toml, line 7: service 1, color is not a key"),
        ("minutes = 60", "minutes = 0", "f.toml, line 6: service 1, minutes should be greater than or equal to 1"),
        ("minutes = 60", 'minutes = "60"', "f.toml, line 6: service 1, minutes is no whole number"),
        ("minutes = 60", "minutes = true", "f.toml, line 6: service 1, minutes is no whole number"),
        ("minutes = 60", "minutes 60", r"f.toml, line 6: is not TOML: .*\(column 9\)"),
        ('name = "Taller"', "", "f.toml: name is missing"),
        ('name = "Taller"', 'name = ""', "f.toml, line 1: name"),
        ('name = "Taller"', 'name = "a\\u0000b"', "f.toml, line 1: name has a line break or a control"),
        ('name = "Taller"', 'name = "x"\nlanguage = "fr"', "f.toml, line 2: language should be 'es', 'pt' or 'en'"),
        ('name = "Taller"', 'name = "x"\ntimezone = "UTC"', "f.toml, line 2: timezone is not a key"),
        ("America/Mexico_City", "America/Mexico", "f.toml, line 2: zone 'America/Mexico' is no IANA time zone"),
        ("America/Mexico_City", "America", "f.toml, line 2: zone 'America' is no IANA time zone"),
        ("America/Mexico_City", "../etc", "f.toml, line 2: zone '../etc' is no IANA time zone"),
        ("Afinación", "x" * 61, "f.toml, line 5: service 1, name should have at most 60 characters"),
        (
            'name = "Beto"',
            'name = "Beto"\nservices = ["Frenos"]',
            "f.toml, line 10: staff 1, services name a service that is not listed: Frenos",
        ),
        ("every_day", "every", "f.toml, line 10: staff 1, every is not a key"),
        ('every_day = ["09:00-14:00", "16:00-19:00"]', "", "f.toml, line 8: staff 1 is never there"),
        ("every_day = [", "hours = { lun = [", "f.toml, line 10: is not TOML"),
        (
            'every_day = ["09:00-14:00", "16:00-19:00"]',
            'hours = { lun = ["09:00-14:00"] }',
            "f.toml, line 10: staff 1, hours, lun should be 'mon'",
        ),
        (
            '[[staff]]\nname = "Beto"',
            '[[service]]\nname = "afinación"\nminutes = 5\n[[staff]]\nname = "Beto"',
            "f.toml, line 8: service 2 is there already: afinación",
        ),
        (
            '[[staff]]\nname = "Beto"',
            '[[service]]\nname = "Frenos"\nminutes = 5\n[[staff]]\nname = "Beto"\nservices = ["Frenos"]',
            "f.toml, line 4: service 1 is offered by nobody: Afinación",
        ),
    ],
)
def test_a_mistake_is_told_with_its_place(old: str, new: str, said: str) -> None:
    assert old in GOOD
    with pytest.raises(ValueError, match=said):
        parse(GOOD.replace(old, new, 1), "f.toml")


SPEAKING = """
[wording.es]
booked = "¡Va! {service}, {when}, en {business}."
thanks = "¡De nada!"

[wording.en]
"see_mine" = "My bookings"
"""


def test_a_business_may_say_it_in_its_own_words() -> None:
    business = parse(GOOD.replace("\n\n", '\nform_of_address = "vos"\n', 1) + SPEAKING, "f.toml")
    assert business.form_of_address == "vos"
    assert business.wording["es"]["thanks"] == "¡De nada!"
    assert business.wording["en"] == {"see_mine": "My bookings"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("thanks", "thank", "f.toml, line 14: wording, es, thank is no line that we say; did you mean thanks?"),
        ("{when}", "{cuando}", "f.toml, line 13: wording, es, booked has a place {cuando} that nothing fills; it has"),
        (", {when}", "", "f.toml, line 13: wording, es, booked leaves out {when}"),
        ("¡Va!", "¡Va! {", "f.toml, line 13: wording, es, booked has a brace that is not closed"),
        ("¡Va!", "¡Va!" * 100, "f.toml, line 13: wording, es, booked should have at most 290 characters with its"),
        ("My bookings", "All of my appointments", "f.toml, line 17: wording, en, see_mine should have at most 20"),
        ("wording.en", "wording.fr", "f.toml, line 16: wording, fr should be 'es', 'pt' or 'en'"),
        ('"¡De nada!"', "1", "f.toml, line 14: wording, es, thanks is no text: write it in quotes"),
        ('"¡De nada!"', '" "', "f.toml, line 14: wording, es, thanks is empty"),
    ],
)
def test_a_line_that_cannot_be_said_is_told_with_its_place(old: str, new: str, said: str) -> None:
    assert old in SPEAKING
    with pytest.raises(ValueError, match=re.escape(said)) as caught:
        parse(GOOD + SPEAKING.replace(old, new, 1), "f.toml")
    assert "\n" not in str(caught.value)


def test_a_line_is_found_however_its_key_is_written() -> None:
    flat = 'wording.es.thanks = "¡Gracias!"\nwording.es.which_day = "{dia}"\n'
    with pytest.raises(ValueError, match=r"f.toml, line 2: wording, es, which_day has a place"):
        parse(flat + GOOD, "f.toml")
    nested = '[wording]\nes.thanks = "¡Gracias!"\nes.which_day = "{dia}"\n'
    with pytest.raises(ValueError, match=r"f.toml, line 13: wording, es, which_day has a place"):
        parse(GOOD + nested, "f.toml")
    with pytest.raises(ValueError, match=r"f.toml, line 2: form_of_address should be 'tú', 'usted' or 'vos'"):
        parse(GOOD.replace("\n", '\nform_of_address = "vosotros"\n', 1), "f.toml")


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be read: No such file"):
        read(tmp_path / "missing.toml")
    (tmp_path / "latin.toml").write_bytes('name = "Peña"'.encode("latin-1"))
    with pytest.raises(ValueError, match="not UTF-8"):
        read(tmp_path / "latin.toml")


def test_a_number_of_thousands_of_digits_is_named_with_its_file() -> None:
    with pytest.raises(ValueError, match=r"^f\.toml: cannot be read: a number in it has thousands of digits$"):
        parse(f"grid_minutes = {'9' * 5000}", "f.toml")
