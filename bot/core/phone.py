"""Phone numbers: kept as they came, compared in a canonical form, and a first guess at the language."""

import re

# Copied contacts carry invisible direction marks; they and the usual separators mean nothing.
_SEPARATORS = re.compile("[\\s.()\\-\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
_EXTRA = re.compile(r"(52(?=1)|54(?=9))\d(\d{10})", re.ASCII)
"""Mexico and Argentina: a digit that marks mobiles, or does not."""
_SHORT = re.compile(r"(55\d\d)([6-9]\d{7})", re.ASCII)
"""Brazil: area code and an eight-digit mobile; landlines begin with 2 to 5."""
_DIGITS = re.compile(r"\d{8,15}", re.ASCII)


def clean(text: str) -> str | None:
    """The digits of a number as somebody entered it with its country code; None when it is not 8 to 15 digits.

    A leading `'` (spreadsheets), a leading `+` and separators are dropped; nothing is added or rewritten.
    """
    bare = _SEPARATORS.sub("", text)
    digits = bare.removeprefix("'").removeprefix("+")
    return digits if _DIGITS.fullmatch(digits) else None


def canonical(digits: str) -> str:
    """One form for the two ways in which some countries' mobiles are reported. For matching only, never to send to.

    Mexico 521… = 52…; Brazil's mobiles with the ninth digit; Argentina 549… = 54….
    """
    if found := _EXTRA.fullmatch(digits):
        return found[1] + found[2]
    if found := _SHORT.fullmatch(digits):
        return f"{found[1]}9{found[2]}"
    return digits


_SPOKEN = {
    "pt": "55 351 238 239 244 245 258 670",
    "es": "34 51 52 53 54 56 57 58 240 502 503 504 505 506 507 591 593 595 598 1787 1809 1829 1849 1939",
    "en": "1 27 44 61 64 65 234 254 353",
}
_LANGUAGES = {prefix: language for language, prefixes in _SPOKEN.items() for prefix in prefixes.split()}


def language_of(digits: str) -> str | None:
    """`es`, `pt` or `en` by the country code (longest match), None when it says nothing."""
    return next((_LANGUAGES[digits[:n]] for n in (4, 3, 2, 1) if digits[:n] in _LANGUAGES), None)
