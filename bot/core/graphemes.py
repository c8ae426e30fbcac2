"""Cut text without tearing what a reader sees as one character; lengths in UTF-16 units, the strictest count of Meta's.

A small part of Unicode's text segmentation (UAX #29): marks, variation selectors, skin tones, tags, joiners, flags and
Hangul letters. Where it differs it keeps more together, which is safe for a cut.
"""

import unicodedata
from collections.abc import Iterator

_JOINER = "\u200d"
_SKIN = range(0x1F3FB, 0x1F400)
_FLAG = range(0x1F1E6, 0x1F200)
_TAG = range(0xE0020, 0xE0080)
_HANGUL_TAIL = range(0x1160, 0x1200)
_MARKS = {"Mn", "Mc", "Me"}


def units(text: str) -> int:
    """Length in UTF-16 code units: `👍🏽` is 4."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def clusters(text: str) -> Iterator[str]:
    """The text in pieces that must stay whole."""
    start = flags = 0
    for place, char in enumerate(text):
        flag = ord(char) in _FLAG
        if place and not _extends(text[place - 1], char) and not (flag and flags % 2):
            yield text[start:place]
            start = place
        flags = flags + 1 if flag else 0
    if text:
        yield text[start:]


def _extends(before: str, char: str) -> bool:
    if char < "\u0300":
        return before == _JOINER or (before == "\r" and char == "\n")
    code = ord(char)
    return (
        char in (_JOINER, "\u200c")
        or before == _JOINER
        or code in _SKIN
        or code in _TAG
        or code in _HANGUL_TAIL
        or unicodedata.category(char) in _MARKS
    )


def split_at(text: str, limit: int) -> tuple[str, str]:
    """The longest whole beginning of at most `limit` units, and the rest."""
    used = end = 0
    for cluster in clusters(text):
        used += units(cluster)
        if used > limit:
            break
        end += len(cluster)
    return text[:end], text[end:]


def cut(text: str, limit: int) -> str:
    """The text in at most `limit` units; `…` at the end says that something is missing."""
    if units(text) <= limit:
        return text
    return split_at(text, limit - 1)[0].rstrip() + "…"
