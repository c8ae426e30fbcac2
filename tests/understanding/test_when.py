"""Times that are rarely said so, each for one rule; the common ones stand in fixtures/phrases."""

from datetime import date, datetime, time

import pytest

from bot.understanding.meaning import Ambiguous, Day, Instant, Time
from bot.understanding.read import understand
from tests.understanding.world import HOURS, NOW, ZONE, read, when


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("08:00", "ambiguous"),
        ("09:00", "T09:00"),
        ("0:30", "T00:30"),
        ("5 1/2", "T17:30"),
        ("5½", "T17:30"),
        ("5:30 y pico", "ambiguous"),
        ("después de las 5 y algo", "ambiguous"),
        ("de 4 y pico a 6", "ambiguous"),
        ("de 4 a mi casa", None),
        ("después", None),
        ("de 11 a 1", "T11:00/T13:00"),
        ("de 4 a 25", "ambiguous"),
        ("después de las 8", "ambiguous"),
        ("a las 24:00", "ambiguous"),
        ("13 am", "ambiguous"),
        ("0 pm", "ambiguous"),
        ("12 del día", "T12:00"),
        ("las 5 menos 70", "ambiguous"),
        ("el 5 de corte", "ambiguous"),
        ("no antes de las 3", "T15:00/T23:59"),
        ("ni antes de las 3", "ambiguous"),
        ("salgo a las 5", "T17:00/T23:59"),
        ("no puedo hasta las 4", "T16:00/T23:59"),
        ("después de comer", "ambiguous"),
        ("después de comer, a las 4", "T16:00"),
        ("4 y media de la mañana", "T04:30"),
        ("15 cuarto para las 6", "ambiguous"),
        ("un cuarto para las 6", "T17:45"),
        ("una hora antes", "ambiguous"),
        ("la una", "T13:00"),
        ("10 minutos antes de las 5", "ambiguous"),
        ("mañana", "2026-12-02"),
    ],
)
def test_times_of_day(phrase: str, expected: str | None) -> None:
    assert when(phrase, "es", "choosing_time") == expected


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("semana del 1", "ambiguous"),
        ("mañana de mañana", "2026-12-02T06:00/2026-12-02T12:00"),
        ("el lunes de hoy", "ambiguous"),
        ("un sábado", "ambiguous"),
        ("1 sábado", "ambiguous"),
        ("el día de la madre patria", "ambiguous"),
        ("después del 15", "ambiguous"),
        ("el 4 sino el 5", "ambiguous"),
        ("no el 4 sino el 5", "2026-12-05"),
        ("el último día del mes", "ambiguous"),
        ("cualquier día de la otra semana menos el viernes", "ambiguous"),
        ("del 7 al 11", "2026-12-07T00:00/2026-12-11T23:59"),
        ("del 14 al 18 de enero", "2027-01-14T00:00/2027-01-18T23:59"),
        ("del 11 al 7", "ambiguous"),
        ("el 15 cuarto para las 6", "2026-12-15T17:45"),
        ("el viernes 11 16 hs", "2026-12-11T16:00"),
        ("el viernes 5 30 pm", "2026-12-04T17:30"),
        ("el 9 de diciembre a las ocho de la noche", "2026-12-09T20:00"),
        ("el lunes que viene en una semana", "ambiguous"),
        ("el lunes en una semana", "2026-12-14"),
        ("de mañana en una semana", "2026-12-09"),
        ("semana del 3", "2026-12-01T00:00/2026-12-06T23:59"),
        ("el finde, el sábado", "2026-12-05"),
        ("el finde, el lunes", "ambiguous"),
        ("la próxima semana, el 9", "2026-12-09"),
        ("la próxima semana, el 15", "ambiguous"),
        ("este finde o en enero", "ambiguous"),
        ("jueves 3 y viernes", "ambiguous"),
        ("el martes por la tarde", "ambiguous"),
        ("en un mes", "2027-01-01"),
        ("el 1 de diciembre", "2026-12-01"),
        ("1/12", "2026-12-01"),
        ("03/02", "2027-02-03"),
        ("01/11/2026", "ambiguous"),
        ("0/5", "ambiguous"),
        ("el 0", "ambiguous"),
        ("100", "ambiguous"),
        ("12345", None),
        ("1.2.3.4", None),
        ("a partir del 10 de diciembre", "ambiguous"),
        ("el puente", None),
        ("viernes 4 por la tarde", "ambiguous"),
        ("el viernes 4 por la tarde", "2026-12-04T12:00/2026-12-04T20:00"),
        ("el viernes 4 de la tarde", "ambiguous"),
        ("miércoles 9 por la tarde", "2026-12-09T12:00/2026-12-09T20:00"),
        ("de mañana", "ambiguous"),
        ("de hoy", "2026-12-01"),
        ("no puede ser el jueves", "ambiguous"),
        ("no puede ser el jueves?", "2026-12-03"),
        ("el viernes o antes", "ambiguous"),
        ("mañana a las 5 no, a las 6", "2026-12-02T18:00"),
        ("jukio el viernes", "ambiguous"),
    ],
)
def test_days(phrase: str, expected: str | None) -> None:
    assert when(phrase, "es", "choosing_date") == expected


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("cita para 2 mañana", "ambiguous"),
        ("mañana dos cortes", "2026-12-02"),
        ("el jueves a las 5 no puedo", "2026-12-03T17:00"),
        ("quiero cambiar la cita, mañana no", "ambiguous"),
        ("quiero cita para ayer", None),
        ("cita en 2 horas o mañana", "ambiguous"),
        ("cita ahora", "2026-12-01"),
        ("cita ahora mismo", "2026-12-01"),
    ],
)
def test_wishes(phrase: str, expected: str | None) -> None:
    assert when(phrase) == expected


@pytest.mark.parametrize(
    ("language", "phrase", "expected"),
    [
        ("en", "the 2", "ambiguous"),
        ("en", "10 to 5", "ambiguous"),
        ("en", "is 4 ok tomorrow", "ambiguous"),
        ("en", "ten minutes to five", "T16:50"),
        ("en", "half 5", "T17:30"),
        ("en", "the 5th or 6th", "ambiguous"),
        ("pt", "dia 31", "2026-12-31"),
        ("pt", "10 de dez", "2026-12-10"),
    ],
)
def test_other_languages(language: str, phrase: str, expected: str | None) -> None:
    assert when(phrase, language, "choosing_date") == expected


def test_what_cannot_be_ends_where_a_wish_begins() -> None:
    phrase = "can't do tomorrow got anything in the afternoon on monday"

    assert when(phrase, "en") == "ambiguous"
    assert (
        when("can't do mornings, got anything in the afternoon on monday", "en") == "2026-12-07T12:00/2026-12-07T20:00"
    )


def test_a_wish_ends_the_refusal_for_what_follows() -> None:
    assert when("no puedo mañana el viernes si a las 5", context="after_reminder") == "2026-12-04T17:00"


def test_a_no_without_a_comma_is_asked() -> None:
    assert when("no a las 6", context="confirming") == "ambiguous"
    assert when("no, a las 6", context="confirming") == "T18:00"


@pytest.mark.parametrize(
    ("language", "phrase", "expected"),
    [
        ("es", "prefiero el jueves que el viernes", "2026-12-03"),
        ("es", "a las 4 mejor que a las 5", "T16:00"),
        ("es", "hoy trabajo, mañana descanso", "2026-12-02"),
        ("es", "el jueves después del trabajo", "ambiguous"),
        ("pt", "terça dia 8 não, quinta", "2026-12-03"),
        ("pt", "dia 8 terça não dá, quinta dá", "2026-12-03"),
        ("en", "rather friday than thursday", "2026-12-04"),
        ("en", "i work tuesday the 8th, friday is better", "2026-12-04"),
        ("en", "tuesday the 9th", "ambiguous"),
    ],
)
def test_the_better_of_two_is_wished(language: str, phrase: str, expected: str) -> None:
    assert when(phrase, language, "choosing_date") == expected


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("la cambiamos de las 3 a las 5?", "T17:00"),
        ("pasar mi cita del 10 al 11", "2026-12-11"),
        ("la cambiamos de las 3 en adelante?", "T15:00/T23:59"),
        ("la podemos cambiar para hoy de 3 a 5?", "2026-12-01T15:00/2026-12-01T17:00"),
        ("me la pasas el viernes de 3 a 5", "ambiguous"),
        ("cambiar la del viernes de 3 a 5", "ambiguous"),
    ],
)
def test_two_hours_of_a_move_are_old_and_new_unless_a_day_stands_before(phrase: str, expected: str) -> None:
    assert when(phrase, "es", "after_reminder") == expected


def test_the_old_day_is_told_apart() -> None:
    moved = read("se puede pasar el turno del jueves para el lunes?")

    assert moved.about == Day(date(2026, 12, 3))
    assert moved.when == Day(date(2026, 12, 7))


def test_readings_come_with_the_doubt() -> None:
    assert read("a las 8").when == Ambiguous((Time(time(8)), Time(time(20))))
    assert read("el martes a las 5").when == Ambiguous(
        (Instant(datetime(2026, 12, 1, 17, tzinfo=ZONE)), Instant(datetime(2026, 12, 8, 17, tzinfo=ZONE)))
    )


def test_another_language_is_read_where_the_known_one_says_nothing() -> None:
    meaning = read("I would like to book for tomorrow at 5pm please", "es")

    assert meaning.language == "en"
    assert meaning.when == Instant(datetime(2026, 12, 2, 17, tzinfo=ZONE))


def test_the_known_language_counts_where_the_other_finds_less() -> None:
    meaning = read("please please thanks el viernes", "es")

    assert (meaning.language, meaning.when) == ("es", Day(date(2026, 12, 4)))


def test_a_time_that_cannot_be_read_does_not_matter_in_a_question() -> None:
    assert when("abren en navidad?") is None


def test_a_known_language_stays() -> None:
    assert read("ok", "pt").language == "pt"
    assert read("mañana a las 5", "es-MX").language == "es"


def test_the_usual_and_what_else_was_said() -> None:
    meaning = read("corte mañana tipo 5, con la de siempre")

    assert meaning.usual
    assert "corte" in meaning.rest
    assert "5" not in meaning.rest


def test_a_closed_day_takes_the_hours_of_the_week() -> None:
    hours = (*HOURS[:6], ())
    found = understand("el domingo a las 5", now=NOW, zone=ZONE, hours=hours, language="es").when

    assert found == Instant(datetime(2026, 12, 6, 17, tzinfo=ZONE))


@pytest.mark.parametrize(
    ("phrase", "readings"),
    [
        ("a las 5 o a las 6", ["T17:00", "T18:00"]),
        ("5 o 6", ["T17:00", "T18:00"]),
        ("mañana a las 5 o a las 6", ["2026-12-02T17:00", "2026-12-02T18:00"]),
        ("jueves o viernes", ["2026-12-03", "2026-12-04"]),
        ("el próximo viernes o el sábado", []),
        ("a las 7 o a las 8", []),
        ("jueves, viernes o sábado", []),
    ],
)
def test_two_that_are_sure_are_both_kept(phrase: str, readings: list[str]) -> None:
    found = read(phrase, "es", "choosing_time").when
    assert isinstance(found, Ambiguous)
    assert [one.text() for one in found.readings] == readings


@pytest.mark.parametrize(
    ("language", "phrase", "stands", "wished"),
    [
        ("es", "quiero cambiar mi cita de las 5pm", "T17:00", None),
        ("es", "tengo cita mañana a las 5, la puedo cambiar?", "2026-12-02T17:00", None),
        ("es", "tengo cita el jueves a las 4 y la quiero el viernes a las 5", "2026-12-03T16:00", "2026-12-04T17:00"),
        ("es", "cámbiame la de las 5 al viernes", "T17:00", "2026-12-04"),
        ("es", "cámbiala para la de las 5", None, "T17:00"),
        ("es", "la podemos cambiar a la semana que viene, martes o miércoles", None, "ambiguous"),
        ("pt", "dá pra mudar minha consulta das 15h pra sexta?", "T15:00", "2026-12-04"),
        ("pt", "quero trocar para o das 16h", None, "T16:00"),
        ("en", "can i change my 3pm to friday", "T15:00", "2026-12-04"),
        ("en", "move my 3pm appointment", "T15:00", None),
        ("en", "can i change to a 3pm appointment", None, "T15:00"),
    ],
)
def test_where_an_appointment_stands_is_not_where_it_goes(
    language: str, phrase: str, stands: str | None, wished: str | None
) -> None:
    found = read(phrase, language)

    assert found.intent == "reschedule"
    assert (found.about.text() if found.about else None) == stands
    assert (found.when.text() if found.when else None) == wished
