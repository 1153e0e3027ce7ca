"""Models too large to draw world by world: fewer nodes that stand for many worlds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kripke_werewolf.models import KripkeModel
from kripke_werewolf.models.relation import Mask, Partition, Relation, Total
from kripke_werewolf.models.valuation import Valuation
from kripke_werewolf.models.worlds import Listed
from visualise.text import world_text, world_texts

__all__ = ["Drawn", "small_enough"]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The model that is drawn in place of another, and how it came about.

    `block`: for each world of the whole model the number of the drawn one that stands for it, -1 for
    none; None if the model is drawn as it is. `remark`: what to say about it.
    """

    model: KripkeModel
    whole: KripkeModel
    block: npt.NDArray[np.int64] | None = None
    remark: str = ""

    def truth(self, inside: Mask) -> Mask:
        """Return which drawn worlds stand only for worlds of a truth set of the whole model."""
        if self.block is None:
            return inside
        out = np.ones(len(self.model), bool)
        out[self.block[(self.block >= 0) & ~inside]] = False
        return out


def small_enough(model: KripkeModel, agents: Sequence[str], limit: int) -> Drawn:
    """Return what to draw of a model: at most `limit` worlds.

    Tried in order: all worlds; one of each bisimilar lot (the contraction); one for all worlds that
    none of the agents can tell apart; the worlds closest to the designated ones, or to one of them if
    they are many; nothing but the numbers.
    """
    if len(model) <= limit:
        return Drawn(model, model)
    relations = [model.relation(agent) for agent in agents]
    return (
        _contracted(model, limit)
        or _by_classes(model, agents, relations, limit)
        or _closest(model, relations, limit)
        or _numbers(model, agents, relations)
    )


def _contracted(model: KripkeModel, limit: int) -> Drawn | None:
    small = model.contract()
    if len(small) > limit:
        return None
    block = np.full(len(model), -1)
    for number, world in enumerate(small.worlds):
        block[model.worlds.index(world)] = number
    return Drawn(small, model, block, _counted(small, model, "the bisimulation contraction"))


def _by_classes(
    model: KripkeModel, agents: Sequence[str], relations: Sequence[Relation], limit: int
) -> Drawn | None:
    if not all(isinstance(r.simplest(), Partition) for r in relations):
        return None
    meet: Relation = Total(len(model))
    for relation in relations:
        meet = meet.meet(relation.simplest())
    _, first, labels = np.unique(meet.labels, return_index=True, return_inverse=True)
    if len(first) > limit:
        return None
    order = np.argsort(first)
    rank = np.empty(len(first), np.int64)
    rank[order] = np.arange(len(first))
    block, first = rank[labels], first[order]
    count = np.bincount(block)
    names = world_texts(model.worlds[w] for w in first.tolist())
    names = [n if k == 1 else f"{n} +{k - 1}" for n, k in zip(names, count.tolist(), strict=True)]
    if len(set(names)) < len(names):
        names = [f"{name} #{k}" for k, name in enumerate(names)]
    # an atom is written where it is true at all worlds of the block
    rows = {atom: np.bincount(block, weights=~model.truth(atom)) == 0 for atom in model.atoms}
    pointed = np.unique(block[model.designated_indices])
    drawn = KripkeModel.from_parts(
        Listed(names),
        {a: r.restrict(first) for a, r in zip(agents, relations, strict=True)},
        Valuation(len(first), rows),
        None if len(pointed) == len(first) else pointed,
    )
    said = "a node (w +k) for all worlds that none of the agents drawn can tell apart"
    return Drawn(drawn, model, block, _counted(drawn, model, said))


def _closest(model: KripkeModel, relations: Sequence[Relation], limit: int) -> Drawn | None:
    designated = model.designated_indices
    if not relations or not len(designated):
        return None
    if len(designated) <= limit // 4:
        near, named = _around(relations, designated, limit), "the designated ones"
    else:  # of some spread evenly the one with most around it
        some = designated[np.linspace(0, len(designated) - 1, _TRIED).astype(np.int64)]
        found = [_around(relations, some[k : k + 1], limit) for k in range(len(some))]
        best = int(np.argmax([np.count_nonzero(near) for near in found]))
        near, designated = found[best], some[best : best + 1]
        named = world_text(model.worlds[int(some[best])])
    if np.count_nonzero(near) == len(designated):
        return None
    block = np.where(near, np.cumsum(near) - 1, -1)
    drawn = model.restrict(near)
    return Drawn(drawn, model, block, _counted(drawn, model, f"the worlds closest to {named}"))


_TRIED = 12


def _around(relations: Sequence[Relation], worlds: npt.NDArray[np.integer[Any]], limit: int) -> Mask:
    """Return some worlds and those that are so many steps away, for as many steps as there is room."""
    near = np.zeros(len(relations[0]), bool)
    near[worlds] = True
    while True:
        further = near.copy()
        for relation in relations:
            further |= ~relation.box(~near) | _seen(relation, near)
        if np.count_nonzero(further) > limit or np.array_equal(further, near):
            return near
        near = further


def _numbers(model: KripkeModel, agents: Sequence[str], relations: Sequence[Relation]) -> Drawn:
    known = [
        f"{agent} has {len(np.unique(relation.labels)):,} classes"
        for agent, relation in zip(agents, relations, strict=True)
        if isinstance(relation.simplest(), Partition)
    ]
    said = f"{len(model):,} worlds are too many to draw{': ' if known else ''}{', '.join(known)}."
    return Drawn(model.restrict(np.zeros(len(model), bool)), model, np.full(len(model), -1), said)


def _seen(relation: Relation, near: Mask) -> Mask:
    """Return the worlds that are seen from some of the given ones."""
    cells = np.zeros(relation.cells, bool)
    cells[relation.labels[near]] = True
    seen = np.zeros(relation.cells, bool)
    seen[relation.targets[cells[relation.sources]]] = True
    return seen[relation.labels]


def _counted(drawn: KripkeModel, model: KripkeModel, how: str) -> str:
    return f"Of {len(model):,} worlds {len(drawn):,} are drawn: {how}."
