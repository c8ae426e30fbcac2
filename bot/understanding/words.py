"""The words that carry a meaning, per language, from `words/<language>.toml`, and how a phrase is made comparable."""

import tomllib
import unicodedata
from importlib.resources import files
from types import MappingProxyType

LANGUAGES = ("es", "pt", "en")
_FILES = MappingProxyType(
    {one: tomllib.loads((files(__package__) / "words" / f"{one}.toml").read_text("utf-8")) for one in LANGUAGES}
)


def plain(text: str) -> str:
    """Lower case, no accents, no punctuation, no emoji, single spaces."""
    bare = (char for char in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(char))
    return " ".join("".join(char if char.isalnum() else " " for char in bare).split())


def collect(section: str, key: str) -> frozenset[str]:
    """The words of one entry in all languages, made plain."""
    return frozenset(plain(word) for words in _FILES.values() for word in words[section].get(key, ()))


def per_language(section: str, key: str) -> dict[str, frozenset[str]]:
    """The same, kept apart by language."""
    return {one: frozenset(plain(word) for word in words[section].get(key, ())) for one, words in _FILES.items()}
