"""Sources of randomness: a seed, a generator of numpy or of the standard library, or None for a new one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, TypeVar

from kripke_werewolf.base.errors import GameError

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")


def generator(rng: np.random.Generator | Random | int | None) -> np.random.Generator:
    """Return the generator of a seed, or the generator given; raises GameError for anything else.

    A `random.Random` gives the seed.

    >>> int(generator(7).integers(1000)) == int(generator(7).integers(1000))
    True
    """
    import numpy as np

    try:
        made = np.random.default_rng(rng.getrandbits(64) if isinstance(rng, Random) else rng)
    except (TypeError, ValueError):
        made = None
    # a generator without a seed sequence, such as that of an old RandomState, cannot spawn others
    if made is None or not isinstance(made.bit_generator.seed_seq, np.random.SeedSequence):
        raise GameError(f"rng={rng!r} is not possible (allowed: a whole number from 0, a generator, None)")
    return made


class Draws:
    """Random choices that follow from a named seed: the same on every platform and every version of Python.

    Only `random()` of the standard library's generator is used; its sequence is documented to stay the same.

    >>> draws = Draws("7/0")
    >>> [draws.below(6) for _ in range(5)], draws.sample("abcd", 2)
    ([4, 3, 0, 5, 0], ['b', 'c'])
    """

    def __init__(self, name: str) -> None:
        self.random = Random(name).random

    def below(self, number: int) -> int:
        """Return an integer from 0, below a number."""
        return int(self.random() * number)

    def choice(self, things: Sequence[T]) -> T:
        """Return one of some things."""
        return things[int(self.random() * len(things))]

    def sample(self, things: Sequence[T], number: int) -> list[T]:
        """Return some of these things, all different, in random order."""
        left = list(things)
        for place in range(number):
            other = place + self.below(len(left) - place)
            left[place], left[other] = left[other], left[place]
        return left[:number]
