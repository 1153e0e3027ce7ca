"""Weights of states and probabilities: rational-valued functions, represented by their level sets.

All weights are 1 until an action splits them: an agent divides the weight of a state among the events that it
cannot tell apart there. Probabilities are computed on demand: the weight of φ among the states considered
possible, divided by their total weight. Both are sums over the variables that the agent does not observe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import add, mul
from typing import TYPE_CHECKING, TypeAlias

from kripke_werewolf.logic.semantics.bits import members
from kripke_werewolf.logic.semantics.space import Copy
from kripke_werewolf.logic.symbolic.bdd import Diagram, Oxidd, Variables
from kripke_werewolf.logic.symbolic.conjunction import Conjunction, Factor, joint_support
from kripke_werewolf.logic.symbolic.relation import Law, Relation, primed

if TYPE_CHECKING:
    from kripke_werewolf.logic.semantics.action import Sight

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
    found: Levels = {}
    for a, p in left.items():
        for b, q in right.items():
            both, value = p & q, operation(a, b)
            if both.diagram != bdds.false:
                found[value] = found[value] | both if value in found else both
    return found


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
    """The factors by which an update splits weights among its copies, each with its code.

    The factor of a copy is the weight of its events, divided by the weight of all possible events that the
    agent confuses with them. It is 1 for an event that the agent does not consider possible when it happens.
    """

    codes: Sequence[Factor]
    copies: Sequence[Copy[Factor]]
    sizes: Sequence[Fraction]
    sights: Mapping[str, Sight]

    def of(self, bdds: Oxidd, agent: str) -> Levels:
        """Return the agent's factor."""
        found, sight = constant(bdds, 0), self.sights[agent]

        def sums(parts: Sequence[tuple[Fraction, Factor]]) -> Levels:
            added = constant(bdds, 0)
            for size, worlds in parts:
                added = combined(bdds, added, _indicator(worlds, size), add)
            return added

        happening = [pair for copy in self.copies for pair in copy.merged]
        for at, copy in zip(self.codes, self.copies, strict=True):
            seen = sight[copy.event]
            alone = not seen >> copy.event & 1
            own = [(Fraction(1) if alone else self.sizes[e], worlds) for e, worlds in copy.merged]
            share = constant(bdds, own[0][0]) if len(own) == 1 else sums(own)
            if not alone:
                whole = sums([(self.sizes[e], worlds) for e, worlds in happening if seen >> e & 1])
                share = combined(bdds, share, whole, lambda n, d: n / d if d else Fraction(0))
            found = combined(bdds, found, combined(bdds, share, _indicator(at), mul), add)
        return found


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
