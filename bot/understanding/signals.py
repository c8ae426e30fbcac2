"""Which wishes sound in a phrase, each by its patterns; negated ones are heard before the plain ones."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from bot.understanding.lexicon import Lexicon
from bot.understanding.tokens import Words

_FIRST = ("keep", "stay", "absent")
"""Heard in this order, each in what is left without the ones before: *no voy a faltar* is no absence."""
_AS_TYPED = frozenset({"retract", "cond", "mixed", "torn", "stop", "list", "ask", "maybe", "help"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What is heard."""

    heard: frozenset[str]
    only: str | None
    """The phrase is nothing but greeting, thanks, yes or no, small talk apart."""
    starts: str | None
    """It begins with yes or no."""
    refuses: bool
    """It begins with no, and says something else after that."""
    question: bool
    words: int

    def __contains__(self, name: str) -> bool:
        return name in self.heard

    def any(self, *names: str) -> bool:
        return not self.heard.isdisjoint(names)


def listen(words: Words, lexicon: Lexicon) -> Signals:
    """All signals of a phrase."""
    say = lexicon.say
    line = say["clean"].sub(", ", core(words.line(), lexicon))
    heard = {name for name in _AS_TYPED if say[name].search(line)}
    rest = line
    for name in _FIRST:
        if say[name].search(rest):
            heard.add(name)
            rest = say[name].sub(", ", rest)
    others = say.keys() - _AS_TYPED - {*_FIRST, "clean", "noise", "polite"}
    heard |= {name for name in others if say[name].search(rest)}
    heard |= {name for name in ("greet", "thanks") if say[name].search(words.line())}
    asked = words.question or "wait_question" in heard
    heard |= {"present"} if "stay" in heard or ("attends" in heard and not asked) else set()
    if "stop" in heard and "not_stop" in heard:
        heard -= {"stop"}
    return Signals(
        heard=frozenset(heard),
        only=_only(words.line(), say),
        starts=_starts(line, say),
        refuses=_refuses(line, say),
        question=asked,
        words=sum(word != "," for word in words.words),
    )


def core(line: str, lexicon: Lexicon) -> str:
    """Without the greetings, thanks and pleases around it; all of it when it is nothing else."""
    rest = line
    while (shorter := _peeled(rest, lexicon)) != rest:
        rest = shorter
    return rest or line


def _peeled(line: str, lexicon: Lexicon) -> str:
    found = chain.from_iterable(lexicon.say[name].finditer(line) for name in ("greet", "thanks", "polite"))
    at_an_end = (match for match in found if match.start() == 0 or match.end() == len(line))
    match = next(at_an_end, None)
    if match is None:
        return line
    return (line[: match.start()] + line[match.end() :]).removeprefix(", ").removesuffix(", ")


def _only(line: str, say: Mapping[str, re.Pattern[str]]) -> str | None:
    """What is left when small talk is taken away, if it is one thing: yes, no, thanks, greet."""
    polite = say["clean"].sub(", ", line)
    for name in ("yes", "no", "thanks", "greet"):
        others = [other for other in ("noise", "thanks", "greet") if other != name]
        found = say[name].search(polite)
        left = say[name].sub(", ", polite)
        for other in others:
            left = _all_out(say[other], left)
        if found and not left.replace(",", "").strip():
            return name
    return None if say["noise"].sub(", ", polite).replace(",", "").strip() else "noise"


def _all_out(pattern: re.Pattern[str], line: str) -> str:
    return pattern.sub(", ", line)


def _refuses(line: str, say: Mapping[str, re.Pattern[str]]) -> bool:
    match = say["no"].match(line.removeprefix(", "))
    return match is not None and line.removeprefix(", ")[match.end() :].startswith(",")


def _starts(line: str, say: Mapping[str, re.Pattern[str]]) -> str | None:
    start = line.removeprefix(", ")
    if say["weak"].match(start):
        return None  # *ya pasó*, *good question*: more is said than yes
    return next((name for name in ("no", "yes") if say[name].match(start)), None)
