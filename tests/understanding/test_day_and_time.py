"""A day and a time side by side, in each order and within the words around them: always just the two put together."""

from itertools import product

import pytest

from tests.understanding.world import when

DAYS = {
    "es": {
        "hoy": "01",
        "mañana": "02",
        "pasado mañana": "03",
        "vie": "04",
        "el lunes 7": "07",
        "el 15": "15",
        "el 9 de diciembre": "09",
        "el 5/12": "05",
        "en 3 días": "04",
        "el lunes que viene": "07",
        "el miércoles de la próxima semana": "09",
        "el viernes 11": "11",
    },
    "pt": {
        "hoje": "01",
        "amanhã": "02",
        "depois de amanhã": "03",
        "na sexta": "04",
        "segunda dia 7": "07",
        "dia 15": "15",
        "9 de dezembro": "09",
        "5/12": "05",
        "daqui a 3 dias": "04",
        "segunda que vem": "07",
        "quarta da semana que vem": "09",
    },
    "en": {
        "today": "01",
        "tmr": "02",
        "the day after tomorrow": "03",
        "on friday": "04",
        "monday the 7th": "07",
        "the 15th": "15",
        "december 9": "09",
        "in 3 days": "04",
        "next monday": "07",
        "wednesday next week": "09",
    },
}
TIMES = {
    "es": {
        "a las 5": "17:00",
        "5pm": "17:00",
        "17:30": "17:30",
        "a las 4 y media": "16:30",
        "a las seis menos cuarto": "17:45",
        "cuarto para las 6": "17:45",
        "16 hs": "16:00",
        "en la tarde": "12:00/20:00",
        "temprano": "06:00/12:00",
        "después de las 4": "16:00/23:59",
        "no antes de las 4": "16:00/23:59",
        "entre 3 y 5": "15:00/17:00",
        "al mediodía": "12:00",
    },
    "pt": {
        "às 5": "17:00",
        "17h30": "17:30",
        "às cinco e quinze": "17:15",
        "à tarde": "12:00/20:00",
        "cedo": "06:00/12:00",
        "depois das 16h": "16:00/23:59",
        "antes do meio-dia": "00:00/12:00",
        "das 15h às 17h": "15:00/17:00",
        "lá pelas 11": "11:00",
    },
    "en": {
        "at 5": "17:00",
        "at five": "17:00",
        "5:30pm": "17:30",
        "quarter past five": "17:15",
        "3ish": "15:00",
        "in the afternoon": "12:00/20:00",
        "after 4": "16:00/23:59",
        "but not before 4": "16:00/23:59",
        "between 3 and 5": "15:00/17:00",
        "at noon": "12:00",
    },
}
AROUND = (
    ("es", "idle", "necesito turno {} para mi mamá"),
    ("es", "idle", "buenas, {} tienes algo?"),
    ("es", "choosing_date", "{} está bien"),
    ("es", "after_reminder", "no puedo, puede ser {}?"),
    ("pt", "idle", "tem vaga {} pra minha filha?"),
    ("pt", "choosing_date", "pode ser {}"),
    ("pt", "after_reminder", "não posso, pode ser {}?"),
    ("en", "idle", "can you fit me in {} pls"),
    ("en", "choosing_date", "{} works"),
    ("en", "confirming", "yes but {}"),
)


def together(day: str, time: str) -> str:
    return "/".join(f"2026-12-{day}T{one}" for one in time.split("/"))


@pytest.mark.parametrize(("language", "context", "around"), AROUND)
def test_a_day_and_a_time_are_put_together(language: str, context: str, around: str) -> None:
    said = {
        around.format(both): together(date, hour)
        for (day, date), (time, hour) in product(DAYS[language].items(), TIMES[language].items())
        for both in (f"{day} {time}", f"{time} {day}", f"{day}, {time}")
    }

    read = {phrase: when(phrase, language, context) for phrase in said}

    silent = {phrase: found for phrase, found in read.items() if found not in (said[phrase], "ambiguous")}
    asked = [phrase for phrase, found in read.items() if found == "ambiguous"]
    assert not silent
    assert len(asked) <= len(said) // 50
