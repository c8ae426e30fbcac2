"""For whom is the appointment? Somebody who is named, somebody whose name must be asked, or the customer."""

import re
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib.resources import files

from bot.understanding.lexicon import lexicon
from bot.understanding.words import LANGUAGES, plain

MOST_WORDS = 3
"""So many words of a name are kept."""
_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+|[,;.!?()\n]")
_FILES = tuple(
    tomllib.loads((files(__package__) / "words" / f"people_{one}.toml").read_text("utf-8")) for one in LANGUAGES
)
_LEXICONS = tuple(lexicon(one) for one in LANGUAGES)
_KNOWN = frozenset(word for one in _LEXICONS for word in one.known)
_TIMES = frozenset(word for one in _LEXICONS for phrase in one.meanings for word in phrase)
"""Never a name: *Lunes*, *Abril*, *tarde*."""


def _phrases(key: str) -> tuple[tuple[str, ...], ...]:
    """Longest first."""
    found = {tuple(phrase.split()) for words in _FILES for phrase in words[key]}
    return tuple(sorted(found, key=len, reverse=True))


_LEAD, _FOR, _MY, _RELATIONS = (
    frozenset(word for words in _FILES for word in words[key]) for key in ("lead", "for", "my", "relations")
)
_ARTICLES = frozenset({"o", "a", "os", "as", "el", "la"})
_WANTS = _phrases("wants")
_UNDER, _CALLED, _ME = _phrases("under_name"), _phrases("called"), _phrases("me")
_FILLERS = frozenset({"", *(" ".join(one) for one in _phrases("fillers"))})
_WHOLE_ME = frozenset(" ".join(one) for one in _phrases("whole_me"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendee:
    """`name` is None for the customer (`me`), or where it must be asked; `rest` is the text without these words."""

    name: str | None = None
    me: bool = False
    rest: str = ""


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    plain: str
    start: int
    end: int


def attendee(text: str, *, taken: Collection[str] = (), known: Collection[str] = ()) -> Attendee | None:
    """What the text says of it; None when it says nothing. `taken` words name services or staff, `known` people."""
    words = tuple(_words(text))
    taken = frozenset(word for one in taken for word in plain(one).split())
    firsts = frozenset(plain(one).split()[0] for one in known if plain(one))
    shouted = sum(one.text[:1].isupper() for one in words) > len(words) // 2
    for at in range(len(words)):
        found = _relation(words, at, taken, shouted) or _by_name(words, at, taken, firsts, shouted=shouted)
        if found is not None:
            since, until, name = found
            rest = _without(text, words[since].start, words[until - 1].end)
            return Attendee(name=name, rest="" if plain(rest) in _FILLERS else rest)
    return _me(text, words)


def is_me(text: str) -> bool:
    """Nothing but *for me*."""
    return plain(text) in _WHOLE_ME


def _words(text: str) -> Iterator[_Word]:
    for match in _TOKEN.finditer(text):
        yield _Word(match[0], plain(match[0]), match.start(), match.end())


Found = tuple[int, int, str | None]
"""From which word to which, and the name."""


def _relation(words: tuple[_Word, ...], at: int, taken: frozenset[str], shouted: bool) -> Found | None:
    """`para mi hijo Mateo`, `marcar pra minha filha`, `mi mamá necesita…`."""
    if [one.plain in group for one, group in zip(words[at : at + 2], (_MY, _RELATIONS), strict=False)] != [True, True]:
        return None
    since = at - 1 if at and words[at - 1].plain in _ARTICLES and at > 1 and words[at - 2].plain in _LEAD else at
    led = since > 0 and words[since - 1].plain in _LEAD
    until = at + 2
    name_at = until + (until < len(words) and words[until].plain == "" and words[until].text == ",")
    name_at += _starts(words, name_at, _CALLED)
    length = _name(words, name_at, taken, shouted)
    ends = name_at + length if length else until
    whole = at == 0 and ends == len(words)
    if not (led or whole or (length and name_at > until) or _starts(words, ends, _WANTS)):
        return None
    since -= led and words[since - 1].plain in _FOR
    return since, ends, _joined(words[name_at : name_at + length])


def _by_name(
    words: tuple[_Word, ...], at: int, taken: frozenset[str], firsts: frozenset[str], *, shouted: bool
) -> Found | None:
    """`a nombre de Mateo`, `para Mateo`: a name that is known, or written as one."""
    under = _starts(words, at, _UNDER)
    if under and (length := _name(words, at + under, taken, shouted)):
        return at, at + under + length, _joined(words[at + under : at + under + length])
    if words[at].plain not in _FOR or at + 1 >= len(words):
        return None
    following = words[at + 1]
    told = following.plain in firsts or (following.text[0].isupper() and not shouted and following.plain not in _KNOWN)
    length = _name(words, at + 1, taken, shouted, lower=following.plain in firsts) if told else 0
    return (at, at + 1 + length, _joined(words[at + 1 : at + 1 + length])) if length else None


def _name(words: tuple[_Word, ...], at: int, taken: frozenset[str], shouted: bool, *, lower: bool = True) -> int:
    """How many words from here are a name."""
    length = 0
    for one in words[at : at + MOST_WORDS]:
        capital = one.text[:1].isupper() and not shouted
        if not one.plain.isalpha() or one.plain in _TIMES or one.plain in taken:
            break
        if not capital and (one.plain in _KNOWN or not lower or len(one.plain) == 1):
            break
        length += 1
        lower = lower and not capital
    return length


def _starts(words: tuple[_Word, ...], at: int, phrases: tuple[tuple[str, ...], ...]) -> int:
    """Length of the phrase that stands here; 0 for none."""
    first = words[at].plain if at < len(words) else None
    for phrase in phrases:
        if phrase[0] == first and tuple(one.plain for one in words[at : at + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def _joined(words: tuple[_Word, ...]) -> str | None:
    return " ".join(one.text if one.text[0].isupper() else one.text.capitalize() for one in words) or None


def _me(text: str, words: tuple[_Word, ...]) -> Attendee | None:
    """*Para mí*: with its accent, or at the end, else it may be *para mi corte*."""
    for at in range(len(words)):
        length = _starts(words, at, _ME)
        last = words[at + length - 1] if length else None
        if last is not None and (last.text != "mi" or at + length == len(words) or not words[at + length].plain):
            return Attendee(me=True, rest=_without(text, words[at].start, last.end))
    return None


def _without(text: str, start: int, end: int) -> str:
    return "\n".join(" ".join(line.split()) for line in f"{text[:start]} {text[end:]}".splitlines()).strip()
