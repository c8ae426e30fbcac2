"""Once a program has started, what it has loaded stays: the garbage collector need not look at it again and again."""

import gc

YOUNG = 10_000
"""Objects made before the next look; Python's own 700 is a look every few requests."""


def settled() -> None:
    """Call it when the program is about to serve: a full look takes it a tenth of a second otherwise."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG)
