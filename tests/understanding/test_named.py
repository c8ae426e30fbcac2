"""Services and people that a customer names."""

import pytest

from bot.understanding.named import named

SERVICES = ("Corte de cabello", "Corte y barba", "Barba", "Limpieza facial", "Uñas")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("limpiesa", "facial"), (3,)),
        (("corte", "y", "barba"), (1,)),
        (("barba",), (2,)),
        (("quiero", "corte"), (0, 1)),
        (("UÑAS",), (4,)),
        (("masaje",), ()),
        ((), ()),
    ],
)
def test_a_service_is_named(words: tuple[str, ...], found: tuple[int, ...]) -> None:
    assert named(words, SERVICES) == found


def test_a_person_is_named() -> None:
    assert named(("con", "jose"), ("Ana", "José", "Jo")) == (1,)
    assert named(("con", "jo"), ("Ana", "José", "Jo")) == (2,)


def test_nobody_to_name() -> None:
    assert named(("ana",), ()) == ()
    assert named(("ana",), ("", "💈")) == ()
