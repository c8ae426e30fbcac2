"""What the words of one language mean: the data files made into tables, once, when the program starts."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from bot.understanding.patterns import compile_all, words_of
from bot.understanding.typos import Typos

CODES = MappingProxyType(
    {
        "am": "q", "pm": "q", "of_noon": "q", "at": "A", "after": "F", "before": "B", "onwards": "J", "between": "E",
        "until": "t", "of": "f", "from": "G", "skip": "2", "target": "R", "break": ",", "noise": ".", "article": "e",
        "day_word": "D", "this": "z", "next": "x", "other": "3", "last": "X", "week": "k", "fortnight": "k",
        "weekend": "K", "month_word": "Y", "in": "i", "from_now": "G", "half": "l", "quarter": "g", "and": "a",
        "or": "v", "minus": "j", "to": "T", "an": "1", "past": "S", "missing": "M", "sharp": "o", "hours": "H",
        "minutes": "I", "days_unit": "U", "in_eight": "8", "every": "L", "nth": "7", "except": "9", "something": "5",
        "vague": "Z", "fuzzy": "Q", "daypart": "Q", "lift": "b", "fix": "6", "but": "u", "not": "N", "cant": "0",
        "yes": "V", "have": "h", "could_be": "%", "filler_noun": "4", "appointment": "=",
        "stated": "&", "counts": "#", "told": "'",
    }
)  # fmt: skip
"""Each kind of word as one letter, so that the grammar of dates and times can be written as regular expressions."""
LONGEST_CUT = 4
"""Letters of a day's name that is cut short."""
MINUTES = MappingProxyType({"minutes": 1, "hours": 60, "days_unit": 1440, "week": 10080, "fortnight": 20160})

Meanings = Mapping[tuple[str, ...], tuple[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """One language."""

    language: str
    short: Mapping[str, tuple[str, ...]]
    """Chat abbreviations and common slips: what is typed, what is meant."""
    meanings: Meanings
    """Phrases of time: letter and value."""
    longest: int
    """Words in the longest of them."""
    also_months: Mapping[str, int]
    """Numbers that shorten a month too: *10 dez*."""
    dotted: re.Pattern[str]
    """A day or month cut short, its point no break: *dec. 20*, *vie. 4*."""
    say: Mapping[str, re.Pattern[str]]
    """How wishes sound."""
    known: frozenset[str]
    """Words that need no mending."""
    typos: Typos
    times: Typos
    """For words that look like a word of time and cannot be mended: then it is asked."""


def lexicon(language: str) -> Lexicon:
    """The tables of a language."""
    say, when, real = (_read(f"{name}_{language}.toml") for name in ("say", "when", "real"))
    short = {word: tuple(meant.split()) for word, meant in say["short"].items()}
    meanings = {_spelled(phrase, short): meaning for phrase, meaning in _meanings(when)}
    classes: dict[str, list[str]] = say["classes"]
    patterns: dict[str, list[str]] = say["say"]
    lines = [line for lines in patterns.values() for line in lines]
    spoken = words_of((*lines, *(word for words in classes.values() for phrase in words for word in phrase.split())))
    key_words = frozenset(word for phrase in meanings for word in phrase if word.isalpha())
    known = spoken | key_words | frozenset(word for meant in short.values() for word in meant)
    return Lexicon(
        language=language,
        short=MappingProxyType(short),
        meanings=MappingProxyType(meanings),
        longest=max(map(len, meanings)),
        also_months=MappingProxyType(
            {word: at for word, at in when["short_months"].items() if word in when["numbers"]}
        ),
        dotted=_cut_short(when),
        say=MappingProxyType({name: compile_all(lines, classes) for name, lines in patterns.items()}),
        known=known | frozenset(real["words"]),
        typos=Typos({*say["mend"]["words"], *_time_words(when)}),
        times=Typos({word for word in _time_words(when) if len(word) > 3}, shortest=3, long=7),  # noqa: PLR2004 - *hoy* is like many
    )


def _cut_short(when: dict[str, Any]) -> re.Pattern[str]:
    names = [*when["short_months"], *(name for name in when["weekdays"] if len(name) <= LONGEST_CUT)]
    return re.compile(rf"(?<!\w)({'|'.join(names)})\.(?=\s?\w)")


def _time_words(when: dict[str, Any]) -> Iterator[str]:
    """Names of days, months, numbers and parts of the day: worth mending, for nothing else looks like them."""
    for tag in (
        "half",
        "quarter",
        "after",
        "before",
        "between",
        "onwards",
        "next",
        "last",
        "minus",
        "weekend",
        "past",
        "week",
        "fortnight",
    ):
        yield from (word for phrase in when["tags"][tag] for word in phrase.split())
    for section in ("weekdays", "months", "numbers", "days", "this_parts", "noons"):
        yield from (word for phrase in when[section] for word in phrase.split() if word.isalpha())
    for section in ("part_nouns", "parts"):
        yield from (word for phrases in when[section].values() for phrase in phrases for word in phrase.split())


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "words" / name).read_text("utf-8"))


def _spelled(phrase: str, short: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """As a customer's words will look: abbreviations written out in both alike."""
    return tuple(word for typed in phrase.split() for word in short.get(typed, (typed,)))


def _meanings(when: dict[str, Any]) -> Iterator[tuple[str, tuple[str, Any]]]:
    for key, code in _SECTIONS.items():
        yield from ((phrase, (code, value)) for phrase, value in when[key].items())
    yield from ((phrase, ("W", 0)) for phrase in when["now"]["words"])
    yield from _families(when["families"])
    for part, phrases in when["parts"].items():
        yield from ((phrase, ("p", part)) for phrase in (*phrases, *_with_before(part, when)))
    for tag, phrases in when["tags"].items():
        yield from ((phrase, (CODES[tag], MINUTES.get(tag, tag))) for phrase in phrases)


_SECTIONS = MappingProxyType(
    {
        "weekdays": "w", "months": "m", "short_months": "s", "numbers": "n", "ordinals": "O", "days": "r",
        "bare_parts": "P", "this_parts": "y", "noons": "c",
    }
)  # fmt: skip


def _families(families: Iterable[dict[str, Any]]) -> Iterator[tuple[str, tuple[str, Any]]]:
    """*After lunch*, *saliendo del trabajo*: each of the first words with each that may follow."""
    for family in families:
        meaning = CODES[family["tag"]], family["tag"]
        yield from ((f"{first} {then}", meaning) for first in family["first"] for then in family["then"])


def _with_before(part: str, when: dict[str, Any]) -> Iterable[str]:
    nouns = when["part_nouns"].get(part, ())
    return (f"{before} {noun}" for before in when["part_before"]["words"] for noun in nouns)
