"""What holds for any text, and for any day and time that is written out."""

from datetime import date, datetime, time, timedelta

import pytest
from babel.dates import format_date
from hypothesis import given
from hypothesis import strategies as st

from bot.understanding.lexicon import lexicon
from bot.understanding.meaning import Ambiguous, Context, Day, Instant, Span, Time
from bot.understanding.read import every_day, understand
from bot.understanding.tokens import read_words
from bot.understanding.words import LANGUAGES
from tests.understanding.test_phrases import rows
from tests.understanding.world import NOW, ZONE, read, when

TODAY = NOW.date()
TABLES = {one: lexicon(one) for one in LANGUAGES}
WEEK = timedelta(days=7)
DATES = {
    "es": (
        "{d} de {month}",
        "el {d} de {month}",
        "el {weekday} {d} de {month}",
        "{weekday} {d} {month}",
        "{d}/{m}/{y}",
        "{d}-{m}-{y}",
        "para el día {d} de {month} de {y}",
        "{y}-{mm}-{dd}",
        "{d} {short}",
    ),
    "pt": (
        "{d} de {month}",
        "dia {d} de {month}",
        "{weekday}, {d} de {month}",
        "{d}/{m}/{y}",
        "no dia {d} de {month} de {y}",
        "{y}-{mm}-{dd}",
        "{d} de {short}",
    ),
    "en": (
        "{month} {d}",
        "{d} {month}",
        "the {d}th of {month}",
        "{weekday} {month} {d}th",
        "{weekday} {d} {month}",
        "on {month} {d}, {y}",
        "{y}-{mm}-{dd}",
        "{short} {d}",
    ),
}
TIMES = {
    "es": ("a las {h}:{mm}", "{h}:{mm}", "tipo {h}:{mm}", "{h}h{mm}", "{h}:{mm} hrs", "a las {h12}:{mm} {half}"),
    "pt": ("às {h}:{mm}", "{h}h{mm}", "{h}:{mm}", "umas {h}:{mm}", "às {h12}:{mm} {half}"),
    "en": ("at {h}:{mm}", "{h}:{mm}", "around {h12}:{mm} {half}", "{h12}:{mm}{half}", "{h12}.{mm} {half}"),
}
CASES = [(language, template) for language, templates in DATES.items() for template in templates]
days = st.dates(TODAY, TODAY + timedelta(days=300))
texts = st.text(max_size=200) | st.lists(
    st.sampled_from(sorted({word for row in rows() for word in row[1].split()} | {"a", "las", "no", ",", "12/5", "?"})),
    max_size=12,
).map(" ".join)


def written(template: str, day: date, language: str) -> str:
    return template.format(
        d=day.day,
        dd=f"{day.day:02}",
        m=day.month,
        mm=f"{day.month:02}",
        y=day.year,
        month=format_date(day, "MMMM", locale=language),
        short=format_date(day, "MMM", locale=language).rstrip("."),
        weekday=format_date(day, "EEEE", locale=language),
    )


@given(case=st.sampled_from(CASES), day=days)
def test_a_date_written_out_is_read_back(case: tuple[str, str], day: date) -> None:
    language, template = case

    assert when(written(template, day, language), language, "choosing_date") == day.isoformat()


@given(language=st.sampled_from(LANGUAGES), day=days, minute=st.integers(13 * 60, 24 * 60 - 1), data=st.data())
def test_a_date_with_a_time_is_read_back(language: str, day: date, minute: int, data: st.DataObject) -> None:
    at = data.draw(st.sampled_from(TIMES[language]))
    on = data.draw(st.sampled_from(DATES[language]))
    hour = minute // 60
    told = at.format(h=hour, h12=hour - 12, mm=f"{minute % 60:02}", half="pm")

    assert when(f"{written(on, day, language)} {told}", language) == f"{day}T{hour:02}:{minute % 60:02}"


@pytest.mark.parametrize("language", LANGUAGES)
@given(number=st.integers(1, 6))
def test_a_weekday_is_the_next_one(language: str, number: int) -> None:
    day = TODAY + timedelta(days=number)

    assert when(format_date(day, "EEEE", locale=language), language, "choosing_date") == day.isoformat()


@given(texts, st.sampled_from(Context), st.sampled_from([*LANGUAGES, None, "fr", ""]))
def test_no_text_is_too_odd(text: str, context: Context, language: str | None) -> None:
    meaning = read(text, language, context)

    assert 0 < meaning.confidence <= 1
    assert not any(word == "," or " " in word for word in meaning.rest), "a break, or several words in one"


@given(texts, st.sampled_from(Context), st.sampled_from(LANGUAGES))
def test_a_day_that_is_past_is_only_told_of(text: str, context: Context, language: str) -> None:
    found = read(text, language, context).when

    if isinstance(found, Day):
        assert found.date >= TODAY - timedelta(days=2)
    if isinstance(found, Instant):
        assert found.at.date() >= TODAY - timedelta(days=2)
    if isinstance(found, Span) and isinstance(found.since, datetime):
        assert found.since < found.until  # type: ignore[operator]  # both are instants


@given(st.integers(0, 23), st.integers(0, 23), st.integers(1, 12))
def test_a_bare_hour_is_inside_opening_hours_or_asked(opens: int, closes: int, hour: int) -> None:
    hours = every_day(opens * 60, closes * 60)
    found = understand(f"a las {hour}", now=NOW, zone=ZONE, hours=hours, language="es").when
    spans = [(opens, closes if closes > opens else closes + 24)]
    inside = {h % 24 for start, end in spans for h in range(start, end)} & {hour % 12, hour % 12 + 12}

    if len(inside) == 1:
        assert found == Time(time(inside.pop()))
    else:
        assert found == Ambiguous((Time(time(hour % 12)), Time(time(hour % 12 + 12))))


@given(texts, st.sampled_from(LANGUAGES))
def test_words_made_comparable_stay_as_they_are(text: str, language: str) -> None:
    table = TABLES[language]
    once = read_words(text, table).words
    again = read_words(" ".join(once), table).words

    assert read_words(" ".join(again), table).words == again


POLITE = {
    "es": ("hola buenas tardes {}", "Buenos días, {}", "{} por favor", "{} 🙏", "{}!!", "oiga {} gracias"),
    "pt": ("oi boa tarde {}", "bom dia, {}", "{} por favor", "{} 🙏", "{}!!", "{} obrigada"),
    "en": ("hi there {}", "good morning, {}", "{} please", "{} 🙏", "{}!!", "{} thank you"),
}


@given(row=st.sampled_from(rows()), data=st.data())
def test_politeness_changes_no_time(row: tuple[str, ...], data: st.DataObject) -> None:
    language, phrase, _, context, expected = row
    around = data.draw(st.sampled_from(POLITE[language[:2]]))

    assert when(around.format(phrase), language, context) in {expected or None, "ambiguous"}


@given(row=st.sampled_from(rows()))
def test_capitals_change_nothing(row: tuple[str, ...]) -> None:
    language, phrase, _, context, expected = row

    assert when(phrase.upper(), language, context) == (expected or None)


def test_hours_shut_all_week_leave_a_bare_hour_open() -> None:
    found = understand("a las 5", now=NOW, zone=ZONE, hours=((),) * 7, language="es").when

    assert found is not None
    assert found.text() == "ambiguous"
