"""A phrase as comparable words: no accents, abbreviations written out, slips mended, breaks kept as commas."""

import re
import unicodedata
from dataclasses import dataclass
from types import MappingProxyType

from bot.understanding.lexicon import Lexicon

LONGEST = 500
"""Letters that are read of a message: nobody names a time after so many."""
_EMOJI = MappingProxyType(
    {
        **dict.fromkeys("👍👌✅✔☑🆗💯🤝🙌💪🤙", " _yes_ "),
        **dict.fromkeys("👎❌✖🚫🙅❎⛔", " _no_ "),
        **dict.fromkeys("🙏🙇", " _pray_ "),
        **dict.fromkeys("👋", " _wave_ "),
        "½": " 1/2 ",
        "°": "o",
        "%": " percent ",
        "\u00b4": "",  # typed for an accent
        "`": "",
        "'": "",
        "’": "",
        "‘": "",
        "–": "-",
        "—": " , ",
        "…": " , ",
        "\n": " , ",
    }
)
_TABLE = str.maketrans(dict(_EMOJI))
_MERIDIAN = re.compile(r"(?<![a-z])([ap])\s?[.,]?\s?m(?![a-z])\.?")
_HOUR_MINUTE = re.compile(r"(?<![\d:.])(\d{1,2})\s?(?:h|hs|hrs)\s?(\d{2})(?![\d:])(?:min|m(?![a-z]))?")
_TOKEN = re.compile(
    r"\d+(?:st|nd|rd|th|ro|ero|er|do|ra|to|o|a)(?![^\W_])|\d+(?:[:./,-]\d+)*|_[a-z]+_|[^\W\d_]+|[@]|[,;.!?()\n]+"
)
_LONG_RUN = re.compile(r"(.)\1{2,}")
_RUN = re.compile(r"(.)\1+")
_LAST_RUN = re.compile(r"(.)\1+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What was typed, word by word; `,` is a break."""

    words: tuple[str, ...]
    question: bool
    mended: int
    """Words that were not known and read as their neighbour."""
    strange: int
    """Words that are not known."""

    def line(self) -> str:
        """With a space after each, as the patterns want it."""
        return "".join(word + " " for word in self.words)


_POSSESSIVE = re.compile(r"(?<=day|row)[\u00b4`'\u2018\u2019]s(?!\w)", re.IGNORECASE)
"""*Friday's*, *tomorrow's*: no plural."""
_GLUED = re.compile(r"(?<!\w)\d[a-z]{2,7}(?!\w)")


def bare(text: str) -> str:
    """Lower case without accents; what an emoji says is put in words."""
    told = unicodedata.normalize("NFKC", _POSSESSIVE.sub("", text[:LONGEST]).translate(_TABLE)).casefold()
    letters = "".join(char for char in unicodedata.normalize("NFD", told) if not unicodedata.combining(char))
    return _HOUR_MINUTE.sub(r"\1:\2h", _MERIDIAN.sub(r"\1m ", letters))


def read_words(text: str, lexicon: Lexicon) -> Words:
    """The words of a phrase in one language."""
    words: list[str] = []
    mended = strange = 0
    plain = lexicon.dotted.sub(r"\1 ", bare(text))
    whole = _GLUED.sub(lambda match: " ".join(lexicon.short.get(match[0], (match[0],))), plain)
    found: list[str] = _TOKEN.findall(whole)
    for token in found:
        if not token[0].isalpha():
            words += _marked(token, words)
            continue
        word, slip = _known(token, lexicon)
        mended += slip
        strange += not (slip or word in lexicon.known or word in lexicon.short)
        words += lexicon.short.get(word, (word,))
    if words[-1:] == [","]:
        words.pop()
    return Words(words=tuple(words), question=any("?" in token for token in found), mended=mended, strange=strange)


def _marked(token: str, before: list[str]) -> tuple[str, ...]:
    if token[0] in "@_" or token[0].isdigit():
        return (token,)
    return (",",) if before and before[-1] != "," else ()


def _known(token: str, lexicon: Lexicon) -> tuple[str, bool]:
    """The word as it stands, without letters that were only held down, or mended: then True."""
    for word in (token, _LONG_RUN.sub(r"\1", token), _LAST_RUN.sub(r"\1", token), _RUN.sub(r"\1", token)):
        if word in lexicon.known or word in lexicon.short:
            return word, False
    mended = lexicon.typos.mended(_LONG_RUN.sub(r"\1", token))
    return (token, False) if mended is None else (mended, True)
