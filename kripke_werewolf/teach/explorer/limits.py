"""Limits on the size of a board and on the effort of one answer."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sized
from contextlib import contextmanager
from types import FrameType

from kripke_werewolf.base.errors import FormatError, ModelTooLarge, Undecided

MOST_WORLDS = 3_000
"""The largest number of worlds in a model."""
MOST_LISTED = 400
"""The largest number of worlds that the view lists, with agents' cells."""
MOST_EDITED = 200
"""The largest number of worlds in a model that can be edited."""
MOST_DRAWN = 60
"""The largest number of worlds drawn one by one."""
MOST_STEPS = 300
"""The largest number of steps in all branches."""
MOST_TEXT = 1_000_000
"""The largest number of characters in a file."""
MOST_LINE = 4_000
"""The largest number of characters in a formula or a name."""
MOST_ANSWER = 50_000
"""The largest number of characters in an answer to an exercise."""
MOST_PINS = 20
"""The largest number of formulas that are kept."""
MOST_EXERCISES = 200
"""The largest number of exercises in a set."""
MOST_LINK = 400_000
"""The largest number of characters in a link."""
MOST_STATE = 4_000_000
"""The largest number of characters in a state in a link."""

EFFORT = 5_000_000
"""The largest number of Python function calls for one answer: a few seconds, the same on every machine."""
EFFORT_OF_PART = 1_500_000
"""The largest number of calls for one part of an answer, such as the formula in the line."""


@contextmanager
def limited(calls: int, doing: str) -> Iterator[None]:
    """Raise `Undecided` after this many calls of Python functions within the block.

    >>> with limited(1000, "counting"):
    ...     sum(map(lambda n: n, range(10)))
    45
    >>> with limited(1000, "counting"):
    ...     sum(map(lambda n: n, range(10_000)))
    Traceback (most recent call last):
    ...
    kripke_werewolf.errors.Undecided: counting takes too long for this page; try something smaller
    """
    left = calls

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Undecided(f"{doing} takes too long for this page; try something smaller")

    before = sys.gettrace()
    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)


def check_length(value: Sized, most: int, what: str) -> None:
    """Raise `FormatError` for a value that is too long for the page."""
    if len(value) > most:
        raise FormatError(f"{what} is too long: {len(value):,}, and this page accepts at most {most:,}")


def check_worlds(size: int, what: str) -> None:
    """Raise `ModelTooLarge` for too many worlds for the page."""
    if size > MOST_WORLDS:
        raise ModelTooLarge(size, MOST_WORLDS, what, "use the library in Python for larger models")
