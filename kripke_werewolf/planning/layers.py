"""Sets of pointed models kept in one model, so that an action is done to all of them at once.

A state of the search is a model with designated worlds. All states of a layer share one model, the
union of theirs; each designates some of its worlds. States are merged if they are bisimilar: if
they designate the same blocks of the partition that refinement finds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from kripke_werewolf.models.common import reachable
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.models.numbering import Indices, dense
from kripke_werewolf.models.refinement import Refinement, View
from kripke_werewolf.models.relation import General, Mask, Partition, Relation
from kripke_werewolf.models.valuation import Valuation
from kripke_werewolf.models.worlds import Computed

__all__ = ["Layer", "blocks", "combined", "generated", "keys"]


@dataclass(frozen=True, slots=True)
class Layer:
    """States in one model: state `state[i]` designates world `world[i]`."""

    model: KripkeModel
    state: npt.NDArray[np.integer]
    world: npt.NDArray[np.integer]

    @property
    def designated(self) -> Mask:
        """The worlds that some state designates."""
        mask = np.zeros(len(self.model), bool)
        mask[self.world] = True
        return mask

    def holding(self, true: Mask, count: int) -> Mask:
        """Return which of the states 0..count-1 designate only worlds of a truth set."""
        states = np.ones(count, bool)
        states[self.state[~true[self.world]]] = False
        return states


def combined(models: Sequence[KripkeModel], *, weights: bool = False) -> KripkeModel:
    """Return the disjoint union of models with the same agents and atoms; its worlds are numbered.

    Their weights are left out unless asked for.
    """
    first, size = models[0], sum(map(len, models))
    return KripkeModel.from_parts(
        Computed(size, int, lambda name: name if isinstance(name, int) and 0 <= name < size else None),
        {a: _side_by_side([m.relations[a] for m in models]) for a in first.agents},
        Valuation(size, {p: np.concatenate([m.valuation[p] for m in models]) for p in first.atoms}),
        weights={
            a: np.concatenate([m.weight(a) for m in models])
            for a in first.agents
            if weights and any(a in m.weights for m in models)
        },
        variables=first.variables,
    )


def _side_by_side(relations: Sequence[Relation]) -> Relation:
    offset = np.cumsum([0, *(r.cells for r in relations)])
    labels = np.concatenate([r.labels + k for r, k in zip(relations, offset[:-1], strict=True)])
    if all(isinstance(r, Partition) for r in relations):
        return Partition(labels, int(offset[-1]))
    sources = np.concatenate([r.sources + k for r, k in zip(relations, offset[:-1], strict=True)])
    targets = np.concatenate([r.targets + k for r, k in zip(relations, offset[:-1], strict=True)])
    return General(labels, int(offset[-1]), sources, targets)


def generated(layer: Layer) -> tuple[Layer, npt.NDArray[np.integer]]:
    """Return the layer on the submodel its states generate, and which worlds those are."""
    start = layer.designated
    mask = start | reachable(tuple(layer.model.relations.values()), start)
    number = np.cumsum(mask) - 1
    kept = np.flatnonzero(mask)
    return Layer(layer.model.restrict(kept), layer.state, number[layer.world]), kept


def blocks(model: KripkeModel) -> Indices:
    """Return the number of each world's block, bisimilar worlds sharing one."""
    start = reduce(_split, model.valuation.values(), np.zeros(len(model), np.int32))
    views = [View(relation) for relation in model.relations.values()]
    return Refinement(views, start).run().block


def _split(labels: Indices, row: Mask) -> Indices:
    key = labels.astype(np.int64) * 2 + row
    return dense(key, 2 * (int(labels.max(initial=0)) + 1))[0]


def keys(layer: Layer, block: npt.NDArray[np.integer]) -> Mapping[int, bytes]:
    """Return for each state the blocks it designates, as something to compare."""
    pairs = np.unique(np.stack([layer.state, block[layer.world]]).astype(np.int64), axis=1)
    starts = np.flatnonzero(np.diff(pairs[0], prepend=-1))
    parts = np.split(pairs[1], starts[1:]) if len(starts) else []
    return {int(s): part.tobytes() for s, part in zip(pairs[0][starts], parts, strict=True)}
