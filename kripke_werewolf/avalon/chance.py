"""Chance: what a seed may be, and draws by exact probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

import numpy as np

from kripke_werewolf.errors import GameError

__all__ = ["draw", "generator"]

T = TypeVar("T")


def generator(rng: np.random.Generator | int | None) -> np.random.Generator:
    """Return the generator of a seed, or the one given; raises GameError for what is neither.

    >>> int(generator(7).integers(1000)) == int(generator(7).integers(1000))
    True
    """
    try:
        made = np.random.default_rng(rng)
    except (TypeError, ValueError):
        made = None
    # a generator without a seed sequence, as that of an old RandomState, cannot spawn others
    if made is None or not isinstance(made.bit_generator.seed_seq, np.random.SeedSequence):
        raise GameError(f"rng={rng!r} is not possible (allowed: a whole number from 0, a Generator, None)")
    return made


def draw(weights: Mapping[T, Fraction], rng: np.random.Generator) -> T:
    """Return one of the keys, drawn by its probability."""
    outcomes = list(weights)
    bounds = np.cumsum([float(p) for p in weights.values()])
    return outcomes[min(int(np.searchsorted(bounds, rng.random(), side="right")), len(outcomes) - 1)]
