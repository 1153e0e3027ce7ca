"""Sources of randomness: a seed, a generator of numpy or of the standard library, or None for a new one."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from kripke_werewolf.errors import GameError

if TYPE_CHECKING:
    import numpy as np


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
