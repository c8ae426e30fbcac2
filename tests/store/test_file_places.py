"""A mistake in a business's file is told with its line, however the file is written."""

from pathlib import Path

import pytest

from bot.store.business_file import parse, read

FILE = """\
name = "Uno"
zone = "America/Mexico_City"
service = [
  { name = "Corte", minutes = 30 },
  { name = "Barba", minutes = 20 },  # a line with [brackets]
]

[[resource]]
name = "Sillón"
kind = "silla"

[[staff]]
name = "Ana"
services = [
  "Corte",
  # not "Tinte"
  "Barba",
]
[staff.hours]
mon = ["09:00-14:00"]
tue = [
  "09:00-14:00",
  "15:00-19:00",
]

[[staff]]
name = "Beto"
hours.wed = ["10:00-12:00"]

[[time_off]]
from = 2026-12-28
to = 2026-12-30
staff = "Beto"
"""


@pytest.mark.parametrize(
    ("line", "old", "new", "said"),
    [
        (2, '"America/Mexico_City"', '"localtime"', "zone 'localtime' is no IANA time zone"),
        (2, 'zone = "', 'templates.24h.es = ["Bad"]\nzone = "', "templates, 24h, es 'Bad' is no template; write it"),
        (5, "minutes = 20 }", 'minutes = "20" }', "service 2, minutes is no whole number"),
        (5, "minutes = 20 }", 'minutes = 20, colour = "green" }', "service 2, colour 'green' is no colour; write it"),
        (5, "minutes = 20 }", 'minutes = 20, resources = ["Silla"] }', "service 2, resources name a resource that"),
        (5, "minutes = 20 }", f'minutes = 20, note = "{"x" * 201}" }}', "service 2, note should have at most 200"),
        (
            5,
            "minutes = 20 }",
            'minutes = 20, resource_kind = "sila" }',
            "service 2, resource_kind is no resource's kind: sila, did you mean silla?",
        ),
        (13, '"Ana"', '"An\u202ea"', "staff 1, name has a line break or a control character"),
        (13, '"Ana"', '"An\u2028a"', "staff 1, name has a line break or a control character"),
        (13, '"Ana"', '"\u200b"', "staff 1, name has nothing in it that can be seen"),
        (
            17,
            '  "Barba",',
            '  "Barva",',
            "staff 1, services name a service that is not listed: Barva, did you mean Barba?",
        ),
        (19, "[staff.hours]", "[staff.houses]", "staff 1, houses is not a key that is known here"),
        (20, 'mon = ["09', 'mon = 7 # ["09', "staff 1, hours, mon is no list: write it in square brackets"),
        (21, '"15:00-19:00"', '"13:00-19:00"', "staff 1, hours, tue overlap"),
        (23, '"15:00-19:00"', '"1500-1900"', "staff 1, hours, tue '1500-1900' is no interval; write it like"),
        (23, '"15:00-19:00"', '"19:00-15:00"', "staff 1, hours, tue '19:00-15:00' is reversed: write 15:00-19:00"),
        (26, 'name = "Beto"', 'name = "ana"', "staff 2 is there already: ana"),
        (28, "hours.wed", "hours.wen", "staff 2, hours, wen should be 'mon', 'tue'"),
        (28, '["10:00-12:00"]', '["22:00-11:00"]', "staff 2, hours, wed '22:00-11:00' is reversed"),
        (30, "[[time_off]]", "[[timeoff]]", "timeoff is not a key that is known here"),
        (31, "from = 2026-12-28", "from = 10:00:00", "time_off 1, from 10:00:00 is no time; write it like"),
        (32, "to = 2026-12-30", "to = 2026-12-20", "time_off 1, to is not after from"),
        (33, 'staff = "Beto"', 'staff = "Veto"', "time_off 1, staff is nobody who is listed: Veto, did you mean Beto?"),
    ],
)
def test_the_line_is_found(line: int, old: str, new: str, said: str) -> None:
    assert old in FILE
    with pytest.raises(ValueError, match="line") as caught:
        parse(FILE.replace(old, new, 1), "f.toml")
    assert f"f.toml, line {line}: {said}" in str(caught.value)


def test_all_mistakes_are_told_at_once_and_in_the_files_order() -> None:
    with pytest.raises(ValueError, match="line") as caught:
        parse(FILE.replace("minutes = 30", "minuten = 30").replace('  "09:00-14:00",', '  "9-14",'), "f.toml")
    assert str(caught.value).splitlines() == [
        "f.toml, line 4: service 1, minutes is missing",
        "f.toml, line 4: service 1, minuten is not a key that is known here",
        "f.toml, line 22: staff 1, hours, tue '9-14' is no interval; write it like 09:00-14:00",
    ]


def test_a_file_full_of_mistakes_does_not_fill_the_screen() -> None:
    with pytest.raises(ValueError, match="line") as caught:
        parse("\n".join(f"key{number} = 1" for number in range(30)), "f.toml")
    lines = str(caught.value).splitlines()
    assert (len(lines), lines[-1]) == (21, "f.toml: and 14 more")


@pytest.mark.parametrize("text", ["", "a = " + "[" * 5000 + "]" * 5000, "a = '''\n", "[[[", "\0", 'a = "\ud83d"'])
def test_what_is_hardly_a_file_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"^f.toml"):
        parse(text, "f.toml")


def test_a_fault_at_the_very_end_has_the_last_line() -> None:
    with pytest.raises(ValueError, match=r"f.toml, line 2: is not TOML: .*\(at end of document\)"):
        parse('name = "Uno"\nservice = [\n\n', "f.toml")


def test_hours_of_every_day_that_overlap_are_told_once() -> None:
    with pytest.raises(ValueError, match="line") as caught:
        parse(FILE.replace("hours.wed", 'every_day = ["09:00-12:00", "11:00-13:00"]\nhours.wed'), "f.toml")
    assert str(caught.value) == "f.toml, line 28: staff 2, every_day overlap with each other or the night before"


def test_windows_puts_a_mark_before_the_text(tmp_path: Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + FILE.replace("\n", "\r\n").encode())
    assert read(path).name == "Uno"
    path.write_bytes(path.read_bytes().replace(b"minutes = 20", b"minutes = 0"))
    with pytest.raises(ValueError, match="line 5: service 2, minutes should be greater"):
        read(path)


@pytest.mark.parametrize("night", ["22:00-10:00", "12:00-05:59", "10:00-00:00", "20:00-08:00", "23:00-11:00"])
def test_nights_are_not_taken_for_reversed(night: str) -> None:
    assert parse(FILE.replace('mon = ["09:00-14:00"]', f'sat = ["{night}"]'), "f.toml").staff[0].week[5]
