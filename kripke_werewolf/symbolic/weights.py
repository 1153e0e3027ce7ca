"""Weights of states: rational-valued functions of the variables, kept as their level sets.

All weights are 1 until an action splits them: an agent divides the weight of a state among the
events that it confuses there. Nothing is computed before somebody asks for a probability.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import add, mul
from typing import Protocol, TypeAlias

from kripke_werewolf.symbolic.bdd import BDDs, Diagram, Variables, members
from kripke_werewolf.symbolic.conjunction import Part

__all__ = [
    "EventWeights",
    "GivenWeights",
    "Levels",
    "Weighting",
    "combined",
    "constant",
    "indicator",
    "mapped",
    "total",
    "weights",
]

# for each value where it is taken; the diagrams are disjoint and cover everything
Levels: TypeAlias = dict[Fraction, Part]


def constant(bdds: BDDs, value: Fraction | int) -> Levels:
    """Return the function that has one value everywhere."""
    return {Fraction(value): Part(bdds.true, 0)}


def indicator(p: Part, value: Fraction | int = 1) -> Levels:
    """Return the function that has a value where `p` is true, and is 0 elsewhere."""
    return {Fraction(value): p, Fraction(0): Part(~p.diagram, p.support)}


def mapped(bdds: BDDs, levels: Levels, change: Callable[[Fraction], Fraction]) -> Levels:
    """Return the function with every value changed."""
    found: Levels = {}
    for value, p in levels.items():
        _put(bdds, found, change(value), p)
    return found


def combined(
    bdds: BDDs, left: Levels, right: Levels, operation: Callable[[Fraction, Fraction], Fraction]
) -> Levels:
    """Return the function whose values are those of two functions combined."""
    found: Levels = {}
    for a, p in left.items():
        for b, q in right.items():
            _put(bdds, found, operation(a, b), Part(p.diagram & q.diagram, p.support | q.support))
    return found


def total(bdds: BDDs, levels: Levels, variables: Variables) -> Levels:
    """Return the sum of a function over all values of some variables."""
    for v in sorted(members(variables), key=bdds.level, reverse=True):
        if any(p.support >> v & 1 for p in levels.values()):
            true = bdds.variable(v)
            levels = combined(bdds, _fixed(bdds, levels, v, true), _fixed(bdds, levels, v, ~true), add)
        else:
            levels = mapped(bdds, levels, lambda value: 2 * value)
    return levels


def _fixed(bdds: BDDs, levels: Levels, v: int, literal: Diagram) -> Levels:
    gone = 1 << v
    return {
        value: Part(bdds.and_exists(p.diagram, literal, gone), p.support & ~gone)
        for value, p in levels.items()
    }


def _put(bdds: BDDs, levels: Levels, value: Fraction, p: Part) -> None:
    if p.diagram == bdds.false:
        return
    old = levels.get(value)
    levels[value] = p if old is None else Part(old.diagram | p.diagram, old.support | p.support)


class Weighting(Protocol):
    """A factor of the weights of the states, for each agent."""

    def of(self, bdds: BDDs, agent: str) -> Levels:
        """Return the agent's factor."""
        ...


@dataclass(frozen=True, slots=True)
class GivenWeights:
    """Weights given for some agents; for the others 1."""

    given: Mapping[str, Levels]

    def of(self, bdds: BDDs, agent: str) -> Levels:
        """Return the agent's weights."""
        return self.given.get(agent) or constant(bdds, 1)


@dataclass(frozen=True, slots=True)
class EventWeights:
    """The factors by which an action model splits weights.

    For event e, weight(e) / Σ weight(e') over the events e' that the agent considers possible when
    e happens and that can happen at the state. `sees`: for each agent and event their numbers.
    """

    codes: Sequence[Part]
    preconditions: Sequence[Part]
    sizes: Sequence[Fraction]
    sees: Mapping[str, Sequence[Sequence[int]]]

    def of(self, bdds: BDDs, agent: str) -> Levels:
        """Return the agent's factor."""
        found = constant(bdds, 0)
        for i, (at, size, seen) in enumerate(zip(self.codes, self.sizes, self.sees[agent], strict=True)):
            # an event that the agent never considers possible is never weighed
            sums = constant(bdds, 0 if i in seen else size)
            for j in seen if i in seen else ():
                sums = combined(bdds, sums, indicator(self.preconditions[j], self.sizes[j]), add)
            shares = mapped(bdds, sums, _divides(size))
            found = combined(bdds, found, combined(bdds, shares, indicator(at), mul), add)
        return found


def _divides(size: Fraction) -> Callable[[Fraction], Fraction]:
    return lambda whole: size / whole if whole else Fraction(0)


def weights(bdds: BDDs, weightings: Sequence[Weighting], agent: str) -> Levels:
    """Return an agent's weights of the states."""
    found = constant(bdds, 1)
    for weighting in weightings:
        found = combined(bdds, found, weighting.of(bdds, agent), mul)
    return found
