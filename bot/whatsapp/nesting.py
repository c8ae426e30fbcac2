"""JSON nested deeper than Python reads: what lies too deep becomes null, so that the rest is not lost with it."""

import re
from types import MappingProxyType

DEEPEST = 64
"""Meta's own bodies are nested about twelve levels deep."""
_STEPS = MappingProxyType({"[": 1, "{": 1, "]": -1, "}": -1})
_MARKS = re.compile(r'\\.|["\[\]{}]', re.DOTALL)


def shallow(text: str) -> str:
    """The same JSON without what is nested deeper than DEEPEST."""
    kept: list[str] = []
    depth, done, quoted = 0, 0, False
    for mark in _MARKS.finditer(text):
        quoted ^= mark[0] == '"'
        if quoted or mark[0] not in _STEPS:
            continue
        depth += _STEPS[mark[0]]
        if mark[0] in "[{" and depth == DEEPEST + 1:
            kept.append(text[done : mark.start()])
        elif mark[0] in "]}" and depth == DEEPEST:
            kept.append("null")
            done = mark.end()
    return "".join((*kept, text[done:]))
