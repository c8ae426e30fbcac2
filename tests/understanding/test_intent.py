"""What fixed words tell: short answers, wishes while choosing, the language, and the words of our own buttons."""

import tomllib
from importlib.resources import files
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.understanding.intent import Brief, Intent, Wish, another, brief, language, place, wish
from bot.understanding.meaning import Context
from bot.understanding.read import every_day, understand
from bot.understanding.words import LANGUAGES, collect, per_language, plain
from tests.conftest import NOW


def meant(text: str, code: str, context: Context = Context.IDLE) -> Intent:
    hours = every_day(9 * 60, 19 * 60)
    return understand(text, now=NOW, zone=ZoneInfo("UTC"), hours=hours, context=context, language=code).intent


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("no", Brief.NO),
        ("No, gracias.", Brief.NO),
        ("não", Brief.NO),
        ("no, keep it", Brief.NO),
        ("ok 👍", Brief.NOD),
        ("tá bom", Brief.NOD),
        ("Deshacer", Brief.UNDO),
        ("desfazer", Brief.UNDO),
        ("sí", None),
        ("no voy a poder", None),
        ("", None),
    ],
)
def test_a_short_answer_is_the_whole_phrase(phrase: str, meant: Brief | None) -> None:
    assert brief(phrase) is meant


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("otro día por favor", Wish.OTHER_DAY),
        ("outra data", Wish.OTHER_DAY),
        ("another day", Wish.OTHER_DAY),
        ("Otro servicio", Wish.OTHER_SERVICE),
        ("outro serviço", Wish.OTHER_SERVICE),
        ("más horarios", Wish.MORE_TIMES),
        ("¿más tarde?", Wish.MORE_TIMES),
        ("later", Wish.MORE_TIMES),
        ("corte", None),
    ],
)
def test_wishes_while_choosing(phrase: str, meant: Wish | None) -> None:
    assert wish(phrase) is meant


@pytest.mark.parametrize(
    ("phrase", "row"), [("la segunda", 1), ("o primeiro", 0), ("the last one", -1), ("la de siempre", None)]
)
def test_a_row_of_those_shown(phrase: str, row: int | None) -> None:
    assert place(phrase) == row


def test_a_further_appointment_is_not_another_time() -> None:
    assert another("quiero otra cita")
    assert not another("quiero otra hora")


@pytest.mark.parametrize(
    ("phrase", "known", "told"),
    [
        ("hola", None, "es"),
        ("bom dia", None, "pt"),
        ("hello there", None, "en"),
        ("ok", None, None),
        ("ok", "pt", "pt"),
        ("para", None, None),
        ("gracias", "pt", "pt"),
        ("muchas gracias por la cita", "pt", "es"),
        ("obrigada", "es", "es"),
        ("quero marcar um horário", "es", "pt"),
        ("I would like an appointment", "es", "en"),
        ("", "en", "en"),
    ],
)
def test_the_language_is_told_by_the_words_but_a_single_one_flips_nothing(
    phrase: str, known: str | None, told: str | None
) -> None:
    assert language(phrase, known) == told


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("  ¡Ahí   estaré! 👍🏽 ", "ahi estare"),
        ("AMANHÃ às 15h", "amanha as 15h"),
        ("can\u2019t", "can t"),
        ("Jose\u0301", "jose"),
        ("", ""),
    ],
)
def test_phrases_are_made_comparable(text: str, bare: str) -> None:
    assert plain(text) == bare


def test_what_we_tell_customers_to_type_is_understood() -> None:
    for code, back, book in (("es", "alta", "cita"), ("pt", "voltar", "agendar"), ("en", "start", "book")):
        copy = tomllib.loads((files("bot.conversation") / "copy" / f"{code}.toml").read_text("utf-8"))
        assert f"*{back}*" in copy["opted_out"]
        assert f"*{book}*" in copy["dropped"]
        assert meant(back, code) is Intent.START
        assert meant(book, code) is Intent.BOOK


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_words_of_the_buttons_mean_what_they_do(code: str) -> None:
    copy = tomllib.loads((files("bot.conversation") / "copy" / f"{code}.toml").read_text("utf-8"))
    understood = {
        "confirm": Intent.CONFIRM,
        "change": Intent.RESCHEDULE,
        "cancel": Intent.CANCEL,
        "yes_cancel": Intent.CANCEL,
        "book": Intent.BOOK,
        "a_person": Intent.HUMAN,
        "see_mine": Intent.LIST,
    }
    assert {key: meant(copy[key], code) for key in understood} == understood
    confirming = {key: meant(copy[key], code, Context.CONFIRMING) for key in ("yes_book", "yes_go_on")}
    assert set(confirming.values()) == {Intent.CONFIRM}, confirming
    assert brief(copy["keep"]) is Brief.NO
    assert brief(copy["undo"]) is Brief.UNDO
    assert [wish(copy["other_day"]), wish(copy["more_times"])] == [Wish.OTHER_DAY, Wish.MORE_TIMES]


@given(st.text())
def test_any_text_is_told_or_not_but_never_an_error(text: str) -> None:
    assert brief(text) in (None, *Brief)
    assert wish(text) in (None, *Wish)
    assert language(text) in (None, *LANGUAGES)


def test_words_are_collected_over_all_languages() -> None:
    assert {"ok", "beleza", "sure"} <= collect("whole", "nod")
    assert collect("whole", "nothing of that name") == frozenset()
    assert "obrigada" in per_language("language", "marks")["pt"]
