"""Truth sets of probability formulas, in exact integer arithmetic.

P_a(φ) at a world is the weight of φ among the worlds that a considers possible there, divided by
their total weight. Where a considers nothing possible, every P_a(φ) is 1, as every K_a φ is true.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from operator import eq, ge, gt, le, lt, ne

import numpy as np

from kripke_werewolf.errors import ModelError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.probability import Probability
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.relation import Mask
from kripke_werewolf.models.weights import Weights

__all__ = ["probabilities", "probability_set"]

_COMPARE = {">=": ge, ">": gt, "<=": le, "<": lt, "=": eq, "!=": ne}
_SAFE = 2**62


def probabilities(model: KripkeModel, agent: str, true: Mask) -> tuple[Weights, Weights]:
    """Return, per world, numerator and denominator of the agent's probability of a truth set.

    Raises `ModelError` if the agent considers something possible somewhere, but all of weight 0.
    """
    relation, weights = model.relation(agent), model.weight(agent)
    part = relation.total(np.where(true, weights, 0))
    whole = relation.total(weights)
    blind = whole == 0
    if blind.any():
        undefined = np.flatnonzero(blind & ~relation.box(np.zeros(len(model), bool)))
        if len(undefined):
            raise ModelError(
                f"agent {agent!r} has no probabilities at {model.worlds[int(undefined[0])]!r}: all that it "
                "considers possible there has weight 0 (so it is after an announcement of what had "
                "probability 0, or after a contraction without keep_probability=True)"
            )
    return np.where(blind, 1, part), np.where(blind, 1, whole)


def probability_set(model: KripkeModel, node: Probability, memo: Mapping[Formula, Mask]) -> Mask:
    """Return where a linear comparison of probabilities is true."""
    # sum of c_i n_i / d_i compared with b: multiply by the denominators of the numbers and, per
    # world, by the product of the agents' totals, all of which are positive
    scale = lcm(node.bound.denominator, *(t.coefficient.denominator for t in node.terms))
    parts = {t: probabilities(model, t.agent, memo[t.body]) for t in node.terms}
    totals = {t.agent: parts[t][1] for t in node.terms}
    size = Fraction(1)
    for total in totals.values():
        size *= max(1, *map(int, (total.max(initial=1),)))
    size *= scale * (abs(node.bound) + sum(abs(t.coefficient) for t in node.terms))
    dtype = np.int64 if size < _SAFE else object  # Python integers where int64 could overflow

    def times(factor: Fraction, *arrays: Weights) -> Weights:
        out = np.full(len(model), int(factor * scale), dtype)
        for array in arrays:
            out = out * array.astype(dtype)
        return out

    left = times(Fraction(0))
    for term in node.terms:
        others = [total for agent, total in totals.items() if agent != term.agent]
        left = left + times(term.coefficient, parts[term][0], *others)
    right = times(node.bound, *totals.values())
    return np.asarray(_COMPARE[node.relation](left, right), bool)
