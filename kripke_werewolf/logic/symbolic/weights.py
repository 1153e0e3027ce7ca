"""Weights of states and probabilities: rational-valued functions, represented by their level sets.

All weights are 1 until an action splits them: an agent divides the weight of a state among the events that it
cannot tell apart there. Probabilities are computed on demand: the weight of φ among the states considered
possible, divided by their total weight. Both are sums over the variables that the agent does not observe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add, mul, or_
from typing import TypeAlias

from kripke_werewolf.logic.semantics.action import Sight
from kripke_werewolf.logic.semantics.bits import members
from kripke_werewolf.logic.semantics.space import Copy, event_shares, level_sets
from kripke_werewolf.logic.symbolic.bdd import Diagram, Oxidd, Variables
from kripke_werewolf.logic.symbolic.conjunction import Conjunction, Factor, joint_support
from kripke_werewolf.logic.symbolic.relation import Law, Relation, primed

Levels: TypeAlias = dict[Fraction, Factor]
"""For each value, the set where it is taken; the sets are disjoint and cover everything."""


def constant(bdds: Oxidd, value: Fraction | int) -> Levels:
    """Return the function that has one value everywhere."""
    return {Fraction(value): Factor(bdds.true, 0)}


def _indicator(p: Factor, value: Fraction | int = 1) -> Levels:
    """Return the function that has the value where `p` is true, and is 0 elsewhere."""
    return {Fraction(value): p, Fraction(0): ~p}


def combined(
    bdds: Oxidd, left: Levels, right: Levels, operation: Callable[[Fraction, Fraction], Fraction]
) -> Levels:
    """Return the pointwise combination of two functions."""
    both = ((operation(a, b), p & q) for a, p in left.items() for b, q in right.items())
    return level_sets(both, lambda p: bool(p.diagram != bdds.false))


def _total(bdds: Oxidd, levels: Levels, variables: Variables) -> Levels:
    """Return the sum of a function over all values of the variables."""
    for v in sorted(members(variables), key=bdds.level, reverse=True):
        if any(p.support >> v & 1 for p in levels.values()):
            true = bdds.variable(v)
            levels = combined(bdds, _fixed(bdds, levels, v, true), _fixed(bdds, levels, v, ~true), add)
        else:
            levels = combined(bdds, levels, constant(bdds, 2), mul)
    return levels


def _fixed(bdds: Oxidd, levels: Levels, v: int, literal: Diagram) -> Levels:
    gone = 1 << v
    return {
        value: Factor(bdds.and_exists(p.diagram, literal, gone), p.support & ~gone)
        for value, p in levels.items()
    }


# --- weights -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GivenWeights:
    """Weights given for some agents; for the others 1."""

    given: Mapping[str, Levels]

    def of(self, bdds: Oxidd, agent: str) -> Levels:
        """Return the agent's weights."""
        return self.given.get(agent) or constant(bdds, 1)


@dataclass(frozen=True, slots=True)
class EventWeights:
    """The factors by which an update splits weights among its copies, each with its code."""

    codes: Sequence[Factor]
    copies: Sequence[Copy[Factor]]
    sizes: Sequence[Fraction]
    sights: Mapping[str, Sight]

    def of(self, bdds: Oxidd, agent: str) -> Levels:
        """Return the agent's factor; see `event_shares`."""

        def some(p: Factor) -> bool:
            return bool(p.diagram != bdds.false)

        everywhere, sights = Factor(bdds.true, 0), {agent: self.sights[agent]}
        shares = event_shares(self.sizes, sights, self.copies, everywhere, some)[agent]
        each = zip(self.codes, shares, strict=True)
        parts = ((Fraction(n) / d, at & here) for at, levels in each for (n, d), here in levels.items())
        found = level_sets(parts, some)
        return {**found, Fraction(0): ~reduce(or_, found.values())}


Weighting: TypeAlias = GivenWeights | EventWeights
"""A factor of the weights of the states, for each agent."""


def weights(bdds: Oxidd, weightings: Sequence[Weighting], agent: str) -> Levels:
    """Return an agent's weights of the states."""
    found = constant(bdds, 1)
    for weighting in weightings:
        found = combined(bdds, found, weighting.of(bdds, agent), mul)
    return found


# --- probabilities -------------------------------------------------------------------------------


def agent_probability(law: Law, relation: Relation, weight: Levels, inside: Factor) -> Levels:
    """Return an agent's probability of a truth set, as a function of the state.

    It is 1 where the agent considers no state possible, as every K_a φ is true.
    """
    bdds = law.bdds
    unseen = law.scope & ~relation.observed
    # parts of the law connected with the weighed set through unobserved variables; the
    # others multiply both sums by the same number
    needed = (inside.support | relation.reach | joint_support(weight.values())) & unseen
    context = law.all.connected(needed, through=unseen)
    needed |= joint_support(context) & unseen
    there = Conjunction(bdds, context).whole()
    if relation.link:
        there = Conjunction(bdds, (*relation.link, primed(bdds, there, needed))).whole()
        weight = {value: primed(bdds, p, needed) for value, p in weight.items()}
        inside = primed(bdds, inside, needed)
        needed <<= 1
    weighed = combined(bdds, weight, _indicator(there), mul)
    whole = _total(bdds, weighed, needed)
    part = _total(bdds, combined(bdds, weighed, _indicator(inside), mul), needed)
    return combined(bdds, part, whole, lambda n, d: n / d if d else Fraction(1))
