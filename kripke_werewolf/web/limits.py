"""How large a board may be, and how long one answer may take."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sized
from contextlib import contextmanager
from types import FrameType

from kripke_werewolf.errors import FormatError, ModelTooLarge, Undecided

MOST_WORLDS = 3_000
"""Worlds of a model."""
MOST_LISTED = 400
"""Worlds up to which the view lists them, and what agents confuse."""
MOST_EDITED = 200
"""Worlds up to which a model can be edited."""
MOST_DRAWN = 60
"""Worlds drawn one by one."""
MOST_STEPS = 300
"""Steps of all branches."""
MOST_TEXT = 1_000_000
"""Characters of a file."""
MOST_LINE = 4_000
"""Characters of a formula or a name."""
MOST_ANSWER = 50_000
"""Characters of an answer to an exercise."""
MOST_PINS = 20
"""Formulas that are kept."""
MOST_EXERCISES = 200
"""Exercises of a set."""
MOST_LINK = 400_000
"""Characters of a link."""
MOST_STATE = 4_000_000
"""Characters of a state that a link holds."""

EFFORT = 5_000_000
"""Calls of Python functions that one answer may take: some seconds, and the same number everywhere."""
EFFORT_OF_PART = 1_500_000
"""Calls for one part of an answer, such as the formula in the line."""


@contextmanager
def limited(calls: int, doing: str) -> Iterator[None]:
    """Stop what is done inside after so many calls of Python functions, with `Undecided`.

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
    """Raise `FormatError` for something that is longer than the page takes."""
    if len(value) > most:
        raise FormatError(f"{what} is too long: {len(value):,}, and this page takes at most {most:,}")


def check_worlds(size: int, what: str) -> None:
    """Raise `ModelTooLarge` for more worlds than the page takes."""
    if size > MOST_WORLDS:
        raise ModelTooLarge(size, MOST_WORLDS, what, "use the library in Python for larger models")
