"""Intents of phrases that mix wishes."""

import pytest

from bot.understanding.intent import Intent
from tests.understanding.world import read


@pytest.mark.parametrize(
    ("phrase", "context", "intent"),
    [
        ("no me manden más mensajes de facturas", "idle", Intent.UNKNOWN),
        ("cuánto cancelo con tarjeta?", "idle", Intent.UNKNOWN),
        ("no puedo ir, ahí estaré", "after_reminder", Intent.UNKNOWN),
        ("ya no, déjalo", "confirming", Intent.CANCEL),
        ("déjalo así", "confirming", Intent.CANCEL),
        ("cancela, mejor cámbiala", "after_reminder", Intent.UNKNOWN),
        ("cancela, mejor cámbiala al viernes", "after_reminder", Intent.RESCHEDULE),
        ("no cancelen, quiero moverla", "after_reminder", Intent.RESCHEDULE),
        ("no cancelen", "after_reminder", Intent.CONFIRM),
        ("no cancelen", "idle", Intent.UNKNOWN),
        ("no cancelen, cancelen la otra", "after_reminder", Intent.UNKNOWN),
        ("no puedo, otro día?", "after_reminder", Intent.RESCHEDULE),
        ("espera", "choosing_date", Intent.UNKNOWN),
        ("jajaja", "choosing_service", Intent.UNKNOWN),
        ("sí claro", "choosing_service", Intent.CONFIRM),
        ("🤷", "idle", Intent.UNKNOWN),
        ("???", "idle", Intent.HELP),
        ("esa hora está bien", "confirming", Intent.CONFIRM),
        ("esa hora está bien?", "confirming", Intent.UNKNOWN),
        ("7", "after_reminder", Intent.UNKNOWN),
        ("7", "idle", Intent.UNKNOWN),
        ("ninguna de esas", "choosing_time", Intent.ANSWER),
        ("ninguno", "choosing_date", Intent.ANSWER),
    ],
)
def test_what_is_meant(phrase: str, context: str, intent: Intent) -> None:
    assert read(phrase, "es", context).intent is intent
