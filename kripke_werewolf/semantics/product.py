"""Public announcement and product update of explicit models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from math import lcm

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import FalseAnnouncement, FormulaError, ModelTooLarge, UnknownAtomError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.operators import disjunction
from kripke_werewolf.models.model import DEFAULT_LIMIT, KripkeModel
from kripke_werewolf.models.relation import Mask, Relation
from kripke_werewolf.models.weights import Weights, is_uniform, reduced
from kripke_werewolf.models.worlds import Paired
from kripke_werewolf.semantics.action import ActionModel

__all__ = ["Product", "announce", "product", "product_update"]

_SAFE = 2**62  # sums and products of weights below it stay inside int64


@dataclass(frozen=True, slots=True)
class Product:
    """An updated model and where its worlds come from.

    `world`: for each world of `model` the index of the old world. `chosen`: whether its event is a
    designated one. `size`: the number of old worlds.
    """

    model: KripkeModel
    world: npt.NDArray[np.integer]
    chosen: Mask
    size: int

    @classmethod
    def restriction(cls, model: KripkeModel, true: Mask) -> Product:
        """Return the update that keeps the worlds of a truth set: a public announcement."""
        kept = np.flatnonzero(true)
        return cls(model.restrict(kept), kept, np.ones(len(kept), bool), len(model))

    def some(self, inside: Mask) -> Mask:
        """Return the old worlds at which some designated event can happen that leads inside."""
        out = np.zeros(self.size, bool)
        out[self.world[inside & self.chosen]] = True
        return out


def announce(model: KripkeModel, f: Formula) -> KripkeModel:
    """Return the model after the public announcement of `f`; see `KripkeModel.announce`."""
    true = model.truth_set(f)
    if not true[model.designated_indices].any():
        raise FalseAnnouncement(f, model.designated)
    return model.restrict(true)


def product_update(model: KripkeModel, action: ActionModel, *, limit: int = DEFAULT_LIMIT) -> KripkeModel:
    """Return the product update of a model with an action model; see `KripkeModel.update`."""
    from kripke_werewolf.semantics.truth import truth_sets

    if not isinstance(action, ActionModel):
        raise FormulaError(f"expected an action model, got {action!r}; announce a formula with announce")
    for atom in sorted({p for event in action.events.values() for p in event.post} - model.valuation.keys()):
        raise UnknownAtomError(atom, model.atoms)
    formulas = action.formulas
    memo = dict(zip(formulas, truth_sets(model, formulas), strict=True))
    updated = product(model, action, memo, limit=limit).model
    if not len(updated.designated_indices):
        wanted = disjunction(action.events[e].pre for e in action.designated)
        raise FalseAnnouncement(wanted, model.designated, what=action.name.replace("_", " "))
    return updated


def product(
    model: KripkeModel, action: ActionModel, true: Mapping[Formula, Mask], *, limit: int = DEFAULT_LIMIT
) -> Product:
    """Return M ⊗ A, given the truth sets of all preconditions and postconditions in M.

    Worlds are the pairs (w, e) with w ⊨ pre(e), ordered by event, then by world. (w, e) R_a (v, f)
    iff w R_a v and e R_a f.
    """
    events = list(action.events.values())
    action.check_agents(model.relations)
    relations = {agent: action.relation(agent) for agent in model.agents}
    size = sum(int(np.count_nonzero(true[event.pre])) for event in events)
    if size > limit:
        advice = "use fewer events, announce something first, contract the model, or raise limit="
        raise ModelTooLarge(size, limit, f"the product with {action.name!r}", advice)
    happens = [np.flatnonzero(true[event.pre]).astype(np.int32) for event in events]
    ends = np.cumsum([0, *map(len, happens)])
    world = np.concatenate(happens)
    event = np.repeat(np.arange(len(events), dtype=np.int32), np.diff(ends))

    valuation = model.valuation.take(world)
    changed: dict[str, Mask] = {}
    for i, (e, old) in enumerate(zip(events, happens, strict=True)):
        for atom, value in e.post.items():
            if atom not in changed:
                changed[atom] = valuation[atom].copy()
            changed[atom][ends[i] : ends[i + 1]] = true[value][old]

    chosen = np.array([name in set(action.designated) for name in action.events], bool)[event]
    possible = np.zeros(len(model), bool)
    possible[model.designated_indices] = True
    designated = np.flatnonzero(chosen & possible[world])
    updated = KripkeModel.from_parts(
        Paired(model.names, tuple(action.events), world, event),
        {a: r.product(relations[a], world, event) for a, r in model.relations.items()},
        valuation.with_rows(changed),
        None if len(designated) == len(world) else designated,
        weights=_weights(model, action, true, world, event),
        variables=model.variables,
        before=model.relations,
    )
    return Product(updated, world, chosen, len(model))


def _weights(
    model: KripkeModel,
    action: ActionModel,
    true: Mapping[Formula, Mask],
    world: npt.NDArray[np.int32],
    event: npt.NDArray[np.int32],
) -> dict[str, Weights]:
    """Return the new weights: each agent splits a world's weight among the events it confuses there.

    w(w, e) = w(w) · weight(e) / Σ weight(e') over the events e' that the agent considers possible
    when e happens and that can happen at w.
    """
    events = list(action.events.values())
    scale = lcm(*(e.weight.denominator for e in events))
    counts = [int(e.weight * scale) for e in events]
    sizes = np.array(counts, np.int64 if sum(counts) < _SAFE else object)
    out: dict[str, Weights] = {}
    for agent in model.agents:
        old = model.weights.get(agent)
        relation = action.relation(agent)
        members = [cell.tolist() for cell in relation.members]
        sees = [sorted(chain(*(members[t] for t in targets))) for targets in _targets(relation)]
        if all(seen in (cell, []) and len(cell) <= 1 for cell, seen in zip(members, sees, strict=True)):
            if old is not None:
                out[agent] = reduced(old.take(world))
            continue
        totals = np.zeros(len(world), sizes.dtype)
        for cell, seen in zip(members, sees, strict=True):
            whole = np.zeros(len(model), sizes.dtype)
            for j in seen:
                whole += sizes[j] * true[events[j].pre].astype(sizes.dtype)
            for i in cell:
                here = slice(*np.searchsorted(event, [i, i + 1]))
                # an event that the agent would not consider possible has nothing to share with
                totals[here] = whole[world[here]] if i in seen else sizes[i]
        if not len(totals):
            continue
        if old is None and (sizes[event] == totals).all():
            continue  # nothing was split, and all worlds weigh the same
        common = lcm(*np.unique(totals).tolist())
        base = model.weight(agent)
        largest = int(base.max(initial=0)) * max(counts) * common
        dtype = np.int64 if largest < _SAFE else object
        shares = sizes.astype(dtype)[event] * (common // totals.astype(dtype))
        new = reduced(base.take(world).astype(dtype) * shares)
        if not is_uniform(new):
            out[agent] = new
    return out


def _targets(relation: Relation) -> list[list[int]]:
    """Return for each cell of a relation the cells it sees."""
    seen: list[list[int]] = [[] for _ in range(relation.cells)]
    for source, target in zip(relation.sources.tolist(), relation.targets.tolist(), strict=True):
        seen[source].append(target)
    return seen
