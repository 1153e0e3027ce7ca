"""Bisimulation: contraction of a model, and bisimilarity of two pointed models."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import ModelError
from kripke_werewolf.language.formulas import natural
from kripke_werewolf.models.frames import failures
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.numbering import Indices, Longs, dense, distinct, ranges, row_numbers
from kripke_werewolf.models.refinement import Refinement, View
from kripke_werewolf.models.relation import General, Mask, Partition, Relation
from kripke_werewolf.models.weights import Weights, is_uniform, reduced
from kripke_werewolf.models.worlds import Computed, Selected

__all__ = ["Union", "bisimilar", "contract", "union"]


def contract(
    model: KripkeModel, *, keep_distributed: bool = False, keep_probability: bool = False
) -> KripkeModel:
    """Return the bisimulation contraction of a model; see `KripkeModel.contract`."""
    weights = _probable(model, model.agents if keep_probability else tuple(model.weights))
    start = _by_atoms(model)
    for agent in weights:
        if not _pools(model.relations[agent]):
            # one number per world cannot weigh a world differently for each of its observers:
            # worlds with different observers stay apart
            relation = model.relations[agent].canonical()
            start = _refined(start, relation.labels, relation.cells)
    views = {a: View(r, weights.get(a)) for a, r in model.relations.items()}
    refinement = Refinement(list(views.values()), start).run()
    while keep_distributed:
        finer = _apart_for_distributed(list(views.values()), refinement)
        if finer is None:
            break
        refinement = Refinement(list(views.values()), finer).run()
    return _quotient(model, refinement, weights)


def _probable(model: KripkeModel, agents: tuple[str, ...]) -> dict[str, Weights]:
    """Return the weights of those agents that have probabilities at all."""
    return {a: weights for a in agents if (weights := model.weight(a)).any()}


def _by_atoms(model: KripkeModel) -> Indices:
    """Number the worlds so that those with the same true atoms have the same number."""
    key, bound = np.zeros(len(model), np.int64), 1
    for row in model.valuation.values():
        key <<= 1
        key |= row
        bound *= 2
        if bound >= 2**32:
            labels, found = dense(key, bound)
            key, bound = labels.astype(np.int64), len(found)
    return dense(key, bound)[0]


def _refined(labels: Indices, others: npt.NDArray[np.integer] | Mask, bound: int) -> Indices:
    """Number the pairs of a label and another, which is below the bound."""
    size = int(labels.max(initial=0)) + 1
    return dense(labels.astype(np.int64) * bound + others, size * max(bound, 1))[0]


def _pools(relation: Relation) -> bool:
    """Return whether what two worlds see is the same or disjoint, and seen so from inside as well."""
    return not failures(relation).keys() & {"transitive", "euclidean"}


# --- the quotient ----------------------------------------------------------------------------------


def _quotient(model: KripkeModel, refinement: Refinement, weights: Mapping[str, Weights]) -> KripkeModel:
    size, count = len(model), refinement.count
    first = np.full(count, size)
    np.minimum.at(first, refinement.block, np.arange(size))
    order = np.argsort(first)
    rank = np.empty(count, np.int32)
    rank[order] = np.arange(count, dtype=np.int32)
    first, block = first[order], rank[refinement.block]
    found: dict[str, Weights] = {}
    relations: dict[str, Relation] = {}
    for agent, relation in model.relations.items():
        relations[agent] = _quotient_relation(relation, block, first)
        if agent in model.weights and agent not in weights:
            found[agent] = np.zeros(count, np.int64)
        elif count < size or agent in weights:
            new = _quotient_weights(relation, relations[agent], block, first, weights.get(agent))
            if new is not None and not is_uniform(new):
                found[agent] = new
    designated = model._designated
    return KripkeModel.from_parts(
        Selected(model.names, first),
        relations,
        model.valuation.take(first),
        None if designated is None else distinct(block[designated], count),
        weights=found,
        variables=model.variables,
    )


def _quotient_relation(relation: Relation, block: Indices, first: Longs) -> Relation:
    """Return which blocks see which; `first` is a world of each block."""
    count = len(first)
    cells = distinct(relation.labels[first], relation.cells)
    row, seen, _ = View(relation).rows(cells, block, count)
    place = np.searchsorted(cells, relation.labels[first])
    if isinstance(relation, Partition):
        # cells with the same blocks become one: name each by its first block
        least = np.zeros(len(cells), np.int64)
        least[row[::-1]] = seen[::-1]
        labels, found = dense(least[place], count)
        return Partition(labels, len(found))
    # blocks share a cell if they see the same blocks and are seen from the same rows
    number = row_numbers(row, seen, len(cells))
    pairs = distinct(number[row].astype(np.int64) * count + seen, len(cells) * count)
    row, seen = pairs // max(count, 1), pairs % max(count, 1)
    back = np.lexsort((row, seen))
    observers = row_numbers(seen[back], row[back], count)
    sees = number[place].astype(np.int64)
    labels, found = dense(sees * max(count, 1) + observers, len(cells) * count)
    some = np.zeros(len(found), np.int64)
    some[labels] = np.arange(count)  # a block of each new cell
    edges = distinct(row * len(found) + labels[seen], len(cells) * len(found))
    row, seen = edges // max(len(found), 1), edges % max(len(found), 1)
    length = np.bincount(row, minlength=len(cells))
    begin = np.cumsum(length) - length
    of_cell = sees[some]
    sources = np.repeat(np.arange(len(found)), length[of_cell])
    return General(labels, len(found), sources, seen[ranges(begin[of_cell], length[of_cell])]).simplest()


def _quotient_weights(
    relation: Relation, quotient: Relation, block: Indices, first: Longs, weights: Weights | None
) -> Weights | None:
    """Return the weights of the blocks: those of their worlds, added up where they are seen together.

    None if all blocks weigh the same. All 0, which leaves probabilities undefined, for an agent
    without weights who finds worlds that were merged differently probable.
    """
    count = len(first)
    if weights is not None and not _pools(relation):
        total: Any = np.zeros_like(weights, shape=count)
        np.add.at(total, block, weights)
        return reduced(total)
    cells = distinct(relation.labels, relation.cells)
    rows = View(relation, np.ones(len(block), np.int64) if weights is None else weights).rows(
        cells, block, count
    )
    assert rows.mass is not None
    if not _pools(relation):
        return None if (rows.mass == 1).all() else np.zeros(count, np.int64)
    # cells that became one cell of the quotient must agree on the shares: compare each with one of them
    world = np.empty(relation.cells, np.int64)
    world[relation.labels] = np.arange(len(block))
    merged = quotient.labels[block[world[cells]]]
    some = np.empty(quotient.cells, np.int64)
    some[merged] = np.arange(len(cells))
    length = np.bincount(rows.row, minlength=len(cells))
    begin = np.cumsum(length) - length
    if not np.array_equal(rows.mass, rows.mass[ranges(begin[some[merged]], length)]):
        return np.zeros(count, np.int64)
    found: Any = np.ones_like(rows.mass, shape=count)
    found[rows.block] = rows.mass
    return reduced(found)


# --- distributed knowledge -------------------------------------------------------------------------


def _apart_for_distributed(views: list[View], refinement: Refinement) -> Indices | None:
    """Return finer blocks to start from if merging the present ones would change D; else None.

    D is kept if whenever several agents at a world see worlds of some block, they see one of them
    together: then the agents' quotients intersect where the relations do.
    """
    block, count = refinement.block, refinement.count
    joint = np.zeros(len(block), np.int32)
    for view in views:
        joint = _refined(joint, view.labels, view.cells)
    worlds = np.unique(joint, return_index=True)[1]  # one for each combination of cells
    keys, who = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for number, view in enumerate(views):
        row, seen, _ = View(view.relation).rows(np.arange(view.cells), block, count)
        length = np.bincount(row, minlength=view.cells)
        cells = view.labels[worlds]
        every = seen[ranges((np.cumsum(length) - length)[cells], length[cells])]
        keys.append(np.repeat(np.arange(len(worlds)), length[cells]) * count + every)
        who.append(np.full(len(every), number))
    key, agent = np.concatenate(keys), np.concatenate(who)
    order = np.lexsort((agent, key))
    pair, found = dense(key[order], len(worlds) * count)
    group = row_numbers(pair, agent[order], len(found))
    world, target = worlds[found // max(count, 1)], found % max(count, 1)
    split = np.full(count, -1)
    for number in range(int(group.max(initial=-1)) + 1):
        here = np.flatnonzero(group == number)
        members = agent[order][pair == here[0]]
        together = reduce(Relation.meet, (views[a].relation for a in members.tolist()))
        row, seen, _ = View(together).rows(np.arange(together.cells), block, count)
        wanted = together.labels[world[here]].astype(np.int64) * count + target[here]
        lacking = distinct(target[here][~np.isin(wanted, row * count + seen)], count)
        for a in members.tolist()[::-1]:
            split[lacking[_varies(views[a].labels, block, count)[lacking]]] = a
    if (split < 0).all():
        return None
    out = block
    for number, view in enumerate(views):
        out = _refined(out, np.where(split[block] == number, view.labels + 1, 0), view.cells + 1)
    return out


def _varies(labels: Indices, block: Indices, count: int) -> Mask:
    """Return the blocks whose worlds are in more than one cell."""
    some = np.zeros(count, np.int32)
    some[block] = labels
    out = np.zeros(count, bool)
    out[block[labels != some[block]]] = True
    return out


# --- two models ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Union:
    """Two pointed models side by side in one: `left` and `right` are the indices of their points."""

    model: KripkeModel
    left: int
    right: int

    def refinement(self) -> Refinement:
        """Return the partition of the worlds by their atoms, to be refined."""
        weights = _probable(self.model, tuple(self.model.weights))
        views = [View(r, weights.get(a)) for a, r in self.model.relations.items()]
        return Refinement(views, _by_atoms(self.model))


def union(m: KripkeModel, w: Hashable, n: KripkeModel, v: Hashable) -> Union:
    """Return the worlds that the two points reach, in one model."""
    for what, ours, theirs in (("agents", m.agents, n.agents), ("atoms", m.atoms, n.atoms)):
        if odd := sorted(set(ours) ^ set(theirs)):
            raise ModelError(
                f"the models must have the same {what} to be compared; only one of them has {', '.join(odd)}"
            )
    if m is n:
        part = m.point(w, v).generated()
        return Union(part, part.names.index(w), part.names.index(v))
    left, right = m.point(w).generated(), n.point(v).generated()
    # an agent that has no probabilities in one of the models is compared without them
    weighted = [a for a in _probable(left, left.agents) if a in _probable(right, right.agents)]
    size = len(left) + len(right)
    both = KripkeModel.from_parts(
        Computed(size, lambda i: i, lambda name: name if isinstance(name, int) else None),
        {a: _side_by_side(left.relations[a], right.relations[a]) for a in left.agents},
        type(left.valuation)(
            size, {p: np.concatenate([left.valuation[p], right.valuation[p]]) for p in left.atoms}
        ),
        weights={
            a: np.concatenate([left.weight(a), right.weight(a)])
            for a in weighted
            if a in left.weights or a in right.weights
        },
        variables=m.variables,
    )
    return Union(both, left.names.index(w), len(left) + right.names.index(v))


def _side_by_side(left: Relation, right: Relation) -> Relation:
    labels = np.concatenate([left.labels, right.labels + left.cells])
    cells = left.cells + right.cells
    if isinstance(left, Partition) and isinstance(right, Partition):
        return Partition(labels, cells)
    sources = np.concatenate([left.sources, right.sources + left.cells])
    targets = np.concatenate([left.targets, right.targets + left.cells])
    return General(labels, cells, sources, targets)


def bisimilar(m: KripkeModel, w: Hashable, n: KripkeModel, v: Hashable, *, depth: int | None = None) -> bool:
    """Return whether world w of m and world v of n are bisimilar: the same formulas without D are true.

    With `depth`: whether they are so up to that depth, which is to say that the same formulas of
    at most that modal depth are true (an E or C counts as the steps it looks along). For agents with
    weights, P counts as well: the same probabilities of the same formulas.

    D may still tell bisimilar worlds apart, since it looks at which worlds several agents consider
    possible together.

    >>> one = KripkeModel(["w"], {"a": [("w", "w")]}, {"p": ["w"]})
    >>> two = KripkeModel(["u", "v"], {"a": [("u", "v"), ("v", "u")]}, {"p": ["u", "v"]})
    >>> bisimilar(one, "w", two, "u")
    True

    Raises `ModelError` if the models differ in their agents or atoms.
    """
    both = union(m, w, n, v)
    refinement = both.refinement()
    if depth is None:
        refinement.run()
    else:
        for _ in range(natural(depth, "depth")):
            if not refinement.exact_round():
                break
    return bool(refinement.block[both.left] == refinement.block[both.right])
