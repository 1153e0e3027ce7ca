"""Chance: mixed decisions, exact distributions, random draws, confidence intervals."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf, prod, sqrt
from numbers import Rational
from statistics import NormalDist
from typing import Generic, TypeVar

import numpy as np

from kripke_werewolf.base.errors import FormulaError, GameError
from kripke_werewolf.logic.formulas.syntax import rational

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

_SIMPLE = 10**6  # the largest denominator of the fraction that a float is read as


@dataclass(frozen=True, slots=True, repr=False)
class Mixed(Generic[T]):
    """A mixed decision: options with exact weights that sum to 1. Made by `choose`."""

    weights: tuple[tuple[T, Fraction], ...]

    def __repr__(self) -> str:
        return "choose({" + ", ".join(f"{option!r}: {str(p)!r}" for option, p in self.weights) + "})"


def choose(weights: Mapping[T, object]) -> Mixed[T]:
    """Return a mixed decision: options with exact probabilities.

    A weight is a whole number, a Fraction, a string such as `"1/3"`, or the float nearest to a fraction with
    a small denominator, such as `2/3` or `0.1`.

    >>> choose({"a": 2/3, "b": 1/3})
    choose({'a': '2/3', 'b': '1/3'})

    Raises GameError for weights that are negative, inexact or do not sum to 1.
    """
    if not isinstance(weights, Mapping) or not weights:
        raise GameError(f"choose takes options with weights, such as {{a: 2/3, b: 1/3}}; got {weights!r}")
    found = [(option, _weight(option, value)) for option, value in weights.items()]
    total = sum(p for _, p in found)
    if total != 1:
        raise GameError(f"the weights of choose({dict(weights)!r}) sum to {total}, not to 1")
    return Mixed(tuple((option, p) for option, p in found if p))


def _weight(option: object, value: object) -> Fraction:
    if isinstance(value, float) and not isinstance(value, Rational):
        exact = Fraction(value).limit_denominator(_SIMPLE) if abs(value) < 2 else Fraction(0)
        if float(exact) != value:
            raise GameError(
                f"the weight {value!r} of {option!r} is not exact: write a Fraction or a string like '1/3'"
            )
    else:
        try:
            exact = rational(value)
        except FormulaError as error:
            raise GameError(f"the weight of {option!r}: {error}") from None
    if exact < 0:
        raise GameError(f"the weight of {option!r} is {value!r}, below 0")
    return exact


@cache
def uniform(number: int) -> Fraction:
    """Return the probability of each of `number` equally likely choices."""
    return Fraction(1, number)


ZERO, ONE = Fraction(0), uniform(1)


def equally(options: Iterable[K]) -> dict[K, Fraction]:
    """Return the distribution in which options are equally likely; an option listed twice is twice as likely.

    >>> equally("aab")
    {'a': Fraction(2, 3), 'b': Fraction(1, 3)}
    """
    listed = list(options)
    share = uniform(max(1, len(listed)))
    found: dict[K, Fraction] = {}
    for option in listed:
        add(found, option, share)
    return found


def add(weights: dict[K, Fraction], option: K, probability: Fraction) -> None:
    """Add probability to an option of a distribution."""
    weights[option] = weights[option] + probability if option in weights else probability


def jointly(decided: Mapping[K, Mapping[T, Fraction]]) -> Iterator[tuple[dict[K, T], Fraction]]:
    """Yield the joint choices of several who decide independently of each other, with the probabilities.

    >>> list(jointly({"a": {1: Fraction(1)}, "b": {0: Fraction(1, 3), 1: Fraction(2, 3)}}))
    [({'a': 1, 'b': 0}, Fraction(1, 3)), ({'a': 1, 'b': 1}, Fraction(2, 3))]
    """
    for chosen in product(*(options.items() for options in decided.values())):
        chance = prod((p for _, p in chosen if p is not ONE), start=ONE)
        yield dict(zip(decided, (option for option, _ in chosen), strict=True)), chance


# --- draws ---------------------------------------------------------------------------------------


def sample(weights: Mapping[T, Fraction], rng: np.random.Generator) -> T:
    """Return a key, drawn by the weights."""
    outcomes = list(weights)
    bounds = np.cumsum([float(p) for p in weights.values()])
    return outcomes[min(int(np.searchsorted(bounds, rng.random(), side="right")), len(outcomes) - 1)]


# --- intervals ------------------------------------------------------------------------------------


def wilson(successes: int, trials: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of a probability (Wilson 1927).

    >>> low, high = wilson(46, 100)
    >>> round(low, 4), round(high, 4)
    (0.3656, 0.5574)

    Raises GameError for impossible numbers.
    """
    if not 0 <= successes <= trials or trials < 1:
        raise GameError(
            f"{successes!r} successes in {trials!r} trials: expected 0 <= successes <= trials, trials >= 1"
        )
    z, p = deviations(confidence), successes / trials
    centre = p + z * z / (2 * trials)
    spread = z * sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    low, high = (centre - spread) / scale, (centre + spread) / scale
    if not successes:
        low = 0.0
    if successes == trials:
        high = 1.0
    return low, high


def clustered(groups: Iterable[Sequence[float]], *, confidence: float = 0.95) -> tuple[float, float]:
    """Return the mean of all values, and half the width of its interval; values of a group may be alike.

    A ratio estimator with groups as clusters (Cochran 1977, chapter 6). With fewer than two groups the width
    is infinite.

    >>> mean, half = clustered([[0, 0], [1, 1], [1]])
    >>> round(mean, 3), round(half, 3)
    (0.6, 0.719)
    """
    known = [(sum(group), len(group)) for group in groups if group]
    number, size = len(known), sum(n for _, n in known)
    mean = sum(total for total, _ in known) / size
    if number < 2:
        return mean, inf
    squares = sum((total - mean * n) ** 2 for total, n in known) * number / (number - 1)
    return mean, deviations(confidence) * sqrt(squares) / size


def deviations(confidence: float) -> float:
    """Return the number of standard deviations that contain this share of a normal distribution."""
    if not 0 < confidence < 1:
        raise GameError(f"confidence={confidence!r} is not possible (allowed: above 0 and below 1)")
    return NormalDist().inv_cdf((1 + confidence) / 2)
