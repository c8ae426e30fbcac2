"""A wish for another language: *english please*, *¿hablan portugués?*. It must be all that the phrase says."""

import tomllib
from importlib.resources import files

from bot.understanding.words import plain

_FILE = tomllib.loads((files(__package__) / "words" / "speak.toml").read_text("utf-8"))
_NAMES = {word: language for language, words in _FILE["names"].items() for word in words}
_AROUND = frozenset(_FILE["around"]["words"])


def asked_language(text: str, *, services: str = "") -> str | None:
    """`es`, `pt` or `en`; None when none is asked for, or when a business teaches it: then it may be the lesson."""
    words = plain(text).split()
    named = [word for word in words if word in _NAMES]
    if len({_NAMES[word] for word in named}) != 1 or any(word not in _AROUND for word in words if word not in named):
        return None
    return None if set(named) & set(plain(services).split()) else _NAMES[named[0]]
