"""Truth sets of probability formulas on symbolic structures, in exact arithmetic.

P_a(φ) at a state is the weight of φ among the states that a considers possible there, divided by
their total weight: both are sums over the variables that a does not observe. Where a considers
nothing possible, every P_a(φ) is 1, as every K_a φ is true.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from operator import add, eq, ge, gt, le, lt, mul, ne

from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.probability import Probability
from kripke_werewolf.symbolic.conjunction import Conjunction, Part
from kripke_werewolf.symbolic.relation import copied
from kripke_werewolf.symbolic.space import Space
from kripke_werewolf.symbolic.weights import Levels, combined, constant, indicator, mapped, total, weights

__all__ = ["probability_set"]

_COMPARE = {">=": ge, ">": gt, "<=": le, "<": lt, "=": eq, "!=": ne}


def probability_set(space: Space, node: Probability, memo: Mapping[Formula, Part]) -> Part:
    """Return where a linear comparison of probabilities is true."""
    bdds = space.bdds
    sums = constant(bdds, 0)
    for term in node.terms:
        share = _probability(space, term.agent, memo[term.body])
        scaled = mapped(bdds, share, lambda value, by=term.coefficient: by * value)  # type: ignore[misc]
        sums = combined(bdds, sums, scaled, add)
    compare, diagram, support = _COMPARE[node.relation], bdds.false, 0
    for value, p in sums.items():
        if compare(value, node.bound):
            diagram, support = diagram | p.diagram, support | p.support
    return Part(diagram, support)


def _probability(space: Space, agent: str, inside: Part) -> Levels:
    """Return an agent's probability of a truth set, as a function of the state."""
    bdds, law, relation = space.bdds, space.law, space.relations[agent]
    weight = weights(bdds, space.weightings, agent)
    unseen = law.scope & ~relation.observed
    # parts of the law that hang together with what is weighed through unobserved variables; the
    # others multiply both sums by the same number
    needed = (inside.support | relation.reach) & unseen
    for p in weight.values():
        needed |= p.support & unseen
    context: list[Part] = []
    others = list(law.all.parts)
    while joining := [p for p in others if p.support & needed]:
        context += joining
        others = [p for p in others if not p.support & needed]
        for p in joining:
            needed |= p.support & unseen
    there = Conjunction(bdds, tuple(context)).whole()
    if relation.link:
        there = Conjunction(bdds, (*relation.link, copied(bdds, there, needed))).whole()
        weight = {value: copied(bdds, p, needed) for value, p in weight.items()}
        inside = copied(bdds, inside, needed)
        needed <<= 1
    weighed = combined(bdds, weight, indicator(there), mul)
    whole = total(bdds, weighed, needed)
    part = total(bdds, combined(bdds, weighed, indicator(inside), mul), needed)
    return combined(bdds, part, whole, lambda n, d: n / d if d else Fraction(1))
