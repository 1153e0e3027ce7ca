"""Weights of worlds, per agent: integers over a common denominator, so that probabilities are exact.

An agent without weights counts every world the same. Only the ratios inside one cell matter.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import ModelError, UnknownAgentError
from kripke_werewolf.language.formulas import rational
from kripke_werewolf.models.reading import read_agents
from kripke_werewolf.models.relation import Relation
from kripke_werewolf.models.worlds import WorldNames

__all__ = ["GivenWeights", "Weights", "is_uniform", "read_weights", "reduced", "scaled", "split"]

# int64 as long as all sums fit, Python integers (dtype object) beyond
Weights: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.object_]

# what an agent's weights are given as
GivenWeights: TypeAlias = Mapping[Hashable, object] | None

_SAFE = 2**31  # products of two weights stay inside int64


def scaled(weights: Iterable[Fraction]) -> Weights:
    """Return integers in the given ratios, as small as possible."""
    values = list(weights)
    common = lcm(*(v.denominator for v in values)) if values else 1
    integers = [int(v * common) for v in values]
    return reduced(np.array(integers, object))


def reduced(weights: Weights) -> Weights:
    """Divide by the greatest common divisor, and store as int64 where that is safe."""
    if weights.dtype != object:
        divisor = int(np.gcd.reduce(weights)) if len(weights) else 1
        return weights // divisor if divisor > 1 else weights
    divisor = gcd(*weights.tolist()) or 1
    weights = weights // divisor
    largest = max(weights.tolist(), default=0)
    return weights.astype(np.int64) if largest < _SAFE else weights


def is_uniform(weights: Weights) -> bool:
    """Return whether all worlds weigh the same, and something: then weights need not be kept."""
    return len(weights) == 0 or (weights[0] > 0 and bool((weights == weights[0]).all()))


def read_weights(
    given: Mapping[Any, GivenWeights] | None,
    names: WorldNames,
    relations: Mapping[str, Relation],
) -> dict[str, Weights]:
    """Read the weights of agents, given as {agent: {world: number}}; every world needs one.

    None instead leaves the agent without probabilities, which is stored as 0 everywhere.

    Raises `ModelError` for a missing or negative weight and for a cell in which all weights are 0.
    """
    found: dict[str, Weights] = {}
    for agent, weights in read_agents(given or {}).items():
        if agent not in relations:
            raise UnknownAgentError(agent, relations)
        if weights is None:
            found[agent] = np.zeros(len(names), np.int64)
        else:
            found[agent] = _read(agent, weights, names, relations[agent])
    return found


def _read(agent: str, given: Mapping[Hashable, object], names: WorldNames, relation: Relation) -> Weights:
    values = [Fraction(0)] * len(names)
    for world, weight in given.items():
        value = rational(weight)
        if value < 0:
            raise ModelError(
                f"the weight of world {world!r} for agent {agent!r} is {weight}; it must not be negative"
            )
        values[names.index(world)] = value
    if len(given) != len(names):
        missing = next(name for name in names if name not in given)
        raise ModelError(f"agent {agent!r} has weights, but none for world {missing!r}")
    weights = scaled(values)
    empty = np.flatnonzero(
        (relation.total(weights) == 0) & (relation.total(np.ones(len(names), np.int64)) > 0)
    )
    if len(empty):
        place = names[int(empty[0])]
        raise ModelError(
            f"the weights of agent {agent!r} sum to zero over what it considers possible at {place!r}"
        )
    return weights


def split(weights: Weights, among: npt.NDArray[np.integer]) -> Weights:
    """Divide each weight by a positive integer, and return integers in the same ratios."""
    common = lcm(*np.unique(among).tolist()) if len(among) else 1
    largest = max(map(int, (weights.max(initial=0),))) * common
    if largest >= 2**62:
        weights = weights.astype(object)
    return reduced(weights * (common // among))
