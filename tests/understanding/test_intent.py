"""What typed phrases mean: a modest table per language, and what is never guessed."""

import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.understanding.intent import Brief, Intent, Wish, brief, intent, language, wish
from bot.understanding.words import LANGUAGES, collect, per_language, plain

PHRASES = {
    "es": {
        Intent.GREET: ["hola", "¡Hola!", "HOLA 👋", "buenos días", "buenas tardes"],
        Intent.BOOK: ["quiero una cita", "me gustaría agendar", "¿tienen turno para hoy?", "reservar"],
        Intent.CONFIRM: ["sí", "si", "Sí, confirmo", "ok voy", "ahí estaré", "perfecto", "vale"],
        Intent.CANCEL: [
            "cancelar",
            "quiero cancelar mi cita",
            "no puedo ir",
            "No puedo",
            "ya no voy",
            "anula mi turno",
        ],
        Intent.RESCHEDULE: ["quiero cambiar mi cita", "reprogramar", "¿la podemos mover? mover", "reagendar por favor"],
        Intent.LIST: ["mis citas", "¿a qué hora es mi cita?", "cuándo es mi cita"],
        Intent.HUMAN: ["quiero hablar con alguien", "persona", "tengo una queja"],
        Intent.STOP: ["STOP", "stop.", "baja", "no me manden más mensajes"],
        Intent.START: ["alta", "darme de alta"],
        Intent.THANKS: ["gracias", "muchas gracias!!"],
        Intent.HELP: ["ayuda", "menú"],
        Intent.UNKNOWN: [
            "no cancelen, sí voy",
            "cancelar o cambiar",
            "no quiero cambiar mi cita",
            "quiero dejar de fumar",
            "no me manden más facturas",
            "voy 15 min tarde",
            "👍",
            "",
        ],
    },
    "pt": {
        Intent.GREET: ["oi", "Olá!", "bom dia", "oi, tudo bem?"],
        Intent.BOOK: ["quero marcar", "gostaria de agendar", "tem horário amanhã?", "quero uma consulta"],
        Intent.CONFIRM: ["sim", "Confirmo!", "estarei lá", "beleza", "tá bom"],
        Intent.CANCEL: ["cancelar", "quero desmarcar", "não posso ir", "não posso", "cancelar agendamento"],
        Intent.RESCHEDULE: ["remarcar", "quero mudar o horário", "preciso adiar"],
        Intent.LIST: ["meus horários", "minha consulta"],
        Intent.HUMAN: ["falar com alguém", "atendente", "quero fazer uma reclamação"],
        Intent.STOP: ["sair", "PARAR", "não quero mais mensagens"],
        Intent.START: ["voltar"],
        Intent.THANKS: ["obrigada", "valeu"],
        Intent.HELP: ["ajuda", "opções"],
        Intent.UNKNOWN: ["não cancela", "não quero remarcar", "vou sair mais cedo", "parar o tratamento", "kkkk"],
    },
    "en": {
        Intent.GREET: ["hi", "Hello!", "good morning", "hey"],
        Intent.BOOK: ["I'd like to book", "can I get an appointment", "any slot today?"],
        Intent.CONFIRM: ["yes", "Yes please", "I'll be there", "sure", "ok"],
        Intent.CANCEL: ["cancel", "please cancel my appointment", "I can't make it", "can't", "not coming"],
        Intent.RESCHEDULE: ["reschedule", "can we move it?", "change my appointment", "another time"],
        Intent.LIST: ["my appointments", "when is my appointment?"],
        Intent.HUMAN: ["talk to someone", "human", "I have a complaint"],
        Intent.STOP: ["STOP", "unsubscribe"],
        Intent.START: ["start"],
        Intent.THANKS: ["thanks!", "thank you"],
        Intent.HELP: ["help", "menu"],
        Intent.UNKNOWN: ["don't cancel, I'm coming", "cancel or move it", "nice weather", "stop by later?"],
    },
}
TABLE = [
    (phrase, meant) for by_intent in PHRASES.values() for meant, phrases in by_intent.items() for phrase in phrases
]


@pytest.mark.parametrize(("phrase", "meant"), TABLE)
def test_a_phrase_means_one_thing(phrase: str, meant: Intent) -> None:
    assert intent(phrase) is meant


def test_an_appointment_for_another_person_is_no_wish_to_talk_to_one() -> None:
    assert intent("quiero una cita para otra persona") is Intent.BOOK


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


@given(st.text())
def test_any_text_is_understood_or_not_but_never_an_error(text: str) -> None:
    assert intent(text) in Intent
    assert brief(text) in (None, *Brief)
    assert wish(text) in (None, *Wish)
    assert language(text) in (None, *LANGUAGES)


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
        assert intent(back) is Intent.START
        assert intent(book) is Intent.BOOK


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
    assert {key: intent(copy[key]) for key in understood} == understood
    assert brief(copy["keep"]) is Brief.NO
    assert brief(copy["undo"]) is Brief.UNDO
    assert [wish(copy["other_day"]), wish(copy["more_times"])] == [Wish.OTHER_DAY, Wish.MORE_TIMES]


def test_words_are_collected_over_all_languages() -> None:
    assert {"hola", "oi", "hi"} <= collect("whole", "greet")
    assert collect("whole", "nothing of that name") == frozenset()
    assert "obrigada" in per_language("language", "marks")["pt"]
