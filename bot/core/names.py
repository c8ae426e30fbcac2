"""What people call themselves, made fit to be said: nothing hidden in it, one line, cut between what a reader sees."""

import re

from bot.core.graphemes import split_at

LONGEST = 120
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0]"
)
"""Turns the direction of what follows, or shows as nothing at all; joiners stay, whole scripts and emoji need them."""
_MARKUP = str.maketrans("", "", "*_~`{}")


def visible(text: str) -> str:
    """The text without what nobody sees."""
    return _HIDDEN.sub("", text)


def name_of(text: str, longest: int = LONGEST) -> str:
    """A name on one line, empty when nothing can be seen of it."""
    return split_at(" ".join(visible(text).split()), longest)[0].rstrip()


def sayable(name: str) -> str:
    """The name inside a line of ours: nothing that WhatsApp would take for bold, or a template for a place."""
    return " ".join(name.translate(_MARKUP).split())


def called(name: str) -> str:
    """What to greet somebody by: the first word of their name that can be said aloud; empty when there is none."""
    return next((word for word in sayable(name).split() if any(letter.isalpha() for letter in word)), "")
