"""How long the explanation of a formula is at each world, so that the shortest witness can be chosen.

The counterpart of the truth sets: one array per subformula. The numbers are estimates; they guide
the choice among witnesses and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from kripke_werewolf.language import operators as s
from kripke_werewolf.models.relation import Mask, Partition, Relation
from kripke_werewolf.semantics.truth import Frame

__all__ = ["FEW", "Lengths"]

Costs: TypeAlias = npt.NDArray[np.int64]

FEW = 3  # worlds or parts that are explained one by one where all of them matter
_NONE = 10**6  # no witness, or longer than anybody reads
_PATH = 4  # a path or a table of numbers


_Found: TypeAlias = dict[tuple[Frame, s.Formula], Costs]


class Lengths:
    """The lengths found so far, for every frame of a query and every formula evaluated there."""

    def __init__(self) -> None:
        self._found: _Found = {}

    def of(self, frame: Frame, formula: s.Formula) -> Costs:
        """Return the length of the explanation of a formula at each world of a frame."""
        found, tasks = self._found, [(frame, formula)]
        while tasks:
            place = tasks[-1]
            missing = [part for part in _parts(*place) if part not in found]
            if missing:
                tasks.extend(missing)
                continue
            if place not in found:
                found[place] = np.minimum(_cost(*place, found), _NONE)
            tasks.pop()
        return found[frame, formula]

    def shortest(self, frame: Frame, formula: s.Formula, worlds: npt.NDArray[np.integer]) -> int:
        """Return the world, of several, at which the explanation of a formula is shortest."""
        return int(worlds[int(np.argmin(self.of(frame, formula)[worlds]))])


def _parts(frame: Frame, node: s.Formula) -> list[tuple[Frame, s.Formula]]:
    match node:
        case s.Box(update, body) | s.Diamond(update, body):
            return [(frame.after[update][0], body)]
        case s.Forall() | s.Exists():
            return [(frame, f) for f in frame.expanded(node)]
        case s.Common() | s.CommonWhether() | s.DistributedWhether() | s.KnowsValue():
            return []
        case _:
            return [(frame, f) for f in node.children]


def _cost(frame: Frame, node: s.Formula, found: _Found) -> Costs:
    true, n = frame.memo[node], len(frame.model)
    one = np.ones(n, np.int64)
    match node:
        case s.Not(f):
            return found[frame, f]
        case s.And(parts):
            return 1 + np.where(true, _sum(frame, found, parts), _least_part(frame, found, parts, False))
        case s.Or(parts):
            return 1 + np.where(true, _least_part(frame, found, parts, True), _sum(frame, found, parts))
        case s.Forall():
            instances = frame.expanded(node)
            return 1 + np.where(
                true, _sum(frame, found, instances), _least_part(frame, found, instances, False)
            )
        case s.Exists():
            instances = frame.expanded(node)
            return 1 + np.where(
                true, _least_part(frame, found, instances, True), _sum(frame, found, instances)
            )
        case s.Implies(f, g):
            left = np.where(frame.memo[f], _NONE, found[frame, f])
            right = np.where(frame.memo[g], found[frame, g], _NONE)
            return 1 + np.where(true, np.minimum(left, right), found[frame, f] + found[frame, g])
        case s.Xor() | s.Iff() | s.Count():
            return 1 + _sum(frame, found, node.children)
        case s.Knows(agent, f):
            return 1 + _along(frame, found, frame.model.relations[agent], f, true, False)
        case s.Possible(agent, f):
            return 1 + _along(frame, found, frame.model.relations[agent], f, ~true, True)
        case s.Distributed(group, f):
            return 1 + _along(frame, found, frame.meet(group), f, true, False)
        case s.KnowsWhether(agent, f):
            relation, inside = frame.model.relations[agent], frame.memo[f]
            both = _least(relation, found[frame, f], inside) + _least(relation, found[frame, f], ~inside)
            return 1 + np.where(true, _all(relation, found[frame, f]), both)
        case s.Everyone(group, f):
            relations = [frame.model.relations[a] for a in group]
            least = reduce(np.minimum, (_least(r, found[frame, f], ~frame.memo[f]) for r in relations))
            return 1 + np.where(true, sum(_all(r, found[frame, f]) for r in relations), 1 + least)
        case s.Everywhere(f):
            return 2 + np.full(n, found[frame, f].min(where=~frame.memo[f], initial=_NONE)) * ~true
        case s.Somewhere(f):
            return 2 + np.full(n, found[frame, f].min(where=frame.memo[f], initial=_NONE)) * true
        case s.Box(update, f) | s.Diamond(update, f):
            after, updated = frame.after[update]
            wanted = after.memo[f] if isinstance(node, s.Diamond) else ~after.memo[f]
            out = np.full(n, _NONE)
            there = wanted & updated.chosen
            np.minimum.at(out, updated.world[there], found[after, f][there])
            return 2 + np.where(out < _NONE, out, one)
        case s.Atom() | s.Constant():
            return one
    return one * _PATH


def _sum(frame: Frame, found: _Found, parts: Sequence[s.Formula]) -> Costs:
    return sum((found[frame, f] for f in parts), np.zeros(len(frame.model), np.int64))


def _least_part(frame: Frame, found: _Found, parts: Iterable[s.Formula], value: bool) -> Costs:
    return reduce(np.minimum, (np.where(frame.memo[f] == value, found[frame, f], _NONE) for f in parts))


def _along(
    frame: Frame, found: _Found, relation: Relation, f: s.Formula, every: Mask, witness: bool
) -> Costs:
    """Cost of looking along a relation: at all worlds where `every`, else at the cheapest witness."""
    least = _least(relation, found[frame, f], frame.memo[f] == witness)
    return np.where(every, _all(relation, found[frame, f]), least)


def _all(relation: Relation, cost: Costs) -> Costs:
    number = relation.total(np.ones(len(relation), np.int64))
    return np.where(number <= FEW, relation.total(cost), 1).astype(np.int64)


def _least(relation: Relation, cost: Costs, where: Mask) -> Costs:
    """Return for each world the least cost among its successors in a set of worlds."""
    cells = np.full(relation.cells, _NONE)
    np.minimum.at(cells, relation.labels[where], cost[where])
    if not isinstance(relation, Partition):
        seen = np.full(relation.cells, _NONE)
        np.minimum.at(seen, relation.sources, cells[relation.targets])
        cells = seen
    return cells[relation.labels]
