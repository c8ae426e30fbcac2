"""The words that carry a meaning, per language, from `words/<language>.toml`, and how a phrase is made comparable."""

import tomllib
import unicodedata
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

LANGUAGES = ("es", "pt", "en")
_FILES = MappingProxyType(
    {one: tomllib.loads((files(__package__) / "words" / f"{one}.toml").read_text("utf-8")) for one in LANGUAGES}
)


SHORT = 200
"""Names, labels, most phrases: each is asked for several times in a turn, so that these are worth keeping."""


def plain(text: str) -> str:
    """Lower case, no accents, no punctuation, no emoji, single spaces."""
    return _kept(text) if len(text) <= SHORT else _plain(text)


@lru_cache(maxsize=4096)
def _kept(text: str) -> str:
    return _plain(text)


def _plain(text: str) -> str:
    bare = (char for char in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(char))
    return " ".join("".join(char if char.isalnum() else " " for char in bare).split())


def collect(section: str, key: str) -> frozenset[str]:
    """The words of one entry in all languages, made plain."""
    return frozenset(plain(word) for words in _FILES.values() for word in words[section].get(key, ()))


def per_language(section: str, key: str) -> dict[str, frozenset[str]]:
    """The same, kept apart by language."""
    return {one: frozenset(plain(word) for word in words[section].get(key, ())) for one, words in _FILES.items()}
