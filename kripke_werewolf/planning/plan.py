"""Shortest plans: breadth-first search over the models that actions lead to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import FormulaError, Undecided
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import FormulaLike, formula, natural
from kripke_werewolf.language.probability import Probability
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.planning.layers import Layer, blocks, combined, generated, keys
from kripke_werewolf.semantics.action import ActionModel, public
from kripke_werewolf.semantics.product import product
from kripke_werewolf.semantics.truth import check_names, truth_sets

__all__ = ["shortest_plan"]

_MOST_WORLDS = 4_000_000


class _Made(NamedTuple):
    """How a state came about: from which state, by which action."""

    parent: int
    action: str


def shortest_plan(
    model: KripkeModel,
    actions: Mapping[str, ActionModel | FormulaLike],
    goal: FormulaLike,
    *,
    limit: int = 10,
) -> tuple[str, ...] | None:
    """Return a shortest sequence of actions after which the goal holds; None if there is none at all.

    `actions`: action models, or formulas to be announced publicly, by name. An action can be done
    where some designated event can happen at some designated world; the worlds where none can are
    then out of the question, as in `KripkeModel.update`. The goal has to hold at all designated
    worlds. Of several shortest plans the first in the order of the actions is returned.

    Models that are bisimilar are tried once (not where a formula has D or P, which tell such models
    apart). Raises `Undecided` if there is no plan of at most `limit` actions but there may be a
    longer one, and `FormulaError` for `everywhere` and `somewhere`, whose truth depends on worlds
    out of reach.

    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"], "q": []}, ["w"])
    >>> shortest_plan(m, {"say p": "p", "say p or q": "p | q", "wait": "true"}, "K_a p")
    ('say p',)
    """
    natural(limit, "limit")
    asked = formula(goal)
    acts = [a if isinstance(a, ActionModel) else public(a) for a in actions.values()]
    names = list(actions)
    needed = [f for act in acts for f in act.formulas]
    check_names(model, asked)
    for name, act in zip(names, acts, strict=True):
        check_names(model, s.Box(s.Act(str(name), None, act), s.TRUE))
    merging = _bisimulation_is_enough([asked, *needed], model)

    start = combined([model], weights=not merging)
    chosen = model.designated_indices
    layer, _ = generated(Layer(start, np.zeros(len(chosen), np.int64), chosen))
    made: list[list[_Made]] = [[_Made(0, "")]]
    past: list[Layer] = []
    for length in range(limit + 1):
        count = len(made[-1])
        reached = np.flatnonzero(layer.holding(truth_sets(layer.model, [asked])[0], count))
        if len(reached):
            return _plan(made, int(reached[0]))
        if not acts:
            return None
        if length == limit:
            break
        past = [*past, layer] if merging else []
        found = _next(layer, acts, needed, length, weights=not merging)
        if merging:
            found = _unseen(past, found)
        if not len(found.state):
            return None
        old, state = np.unique(found.state, return_inverse=True)
        made.append([_Made(int(k) // len(acts), names[int(k) % len(acts)]) for k in old])
        layer = Layer(found.model, state, found.world)
    raise Undecided(f"no plan of at most {limit} actions reaches {asked}; a longer one may (limit=…)")


def _plan(made: list[list[_Made]], state: int) -> tuple[str, ...]:
    names = []
    for layer in reversed(made[1:]):
        names.append(layer[state].action)
        state = layer[state].parent
    return tuple(reversed(names))


def _next(
    layer: Layer, acts: list[ActionModel], needed: list[s.Formula], length: int, *, weights: bool
) -> Layer:
    """Return all states after one more action; action k done to state i makes state i * len(acts) + k."""
    true = dict(zip(needed, truth_sets(layer.model, needed), strict=True))
    size = sum(int(np.count_nonzero(true[e.pre])) for act in acts for e in act.events.values())
    if size > _MOST_WORLDS:
        raise Undecided(
            f"the search for a plan came to {size:,} worlds after {length + 1} actions, more than the "
            f"{_MOST_WORLDS:,} allowed; use fewer actions, or actions with fewer events"
        )
    models, states, worlds, offset = [], [], [], 0
    for k, act in enumerate(acts):
        made = product(layer.model, act, true)
        there = np.flatnonzero(made.chosen)
        there = there[np.argsort(made.world[there], kind="stable")]
        sorted_worlds = made.world[there]
        begin = np.searchsorted(sorted_worlds, layer.world, side="left")
        number = np.searchsorted(sorted_worlds, layer.world, side="right") - begin
        place = np.repeat(begin - (np.cumsum(number) - number), number) + np.arange(int(number.sum()))
        models.append(made.model)
        states.append(np.repeat(layer.state, number) * len(acts) + k)
        worlds.append(there[place] + offset)
        offset += len(made.model)
    found = Layer(combined(models, weights=weights), np.concatenate(states), np.concatenate(worlds))
    return generated(found)[0]


def _unseen(past: list[Layer], found: Layer) -> Layer:
    """Return the states that are bisimilar to no earlier one and to no other that is kept, contracted."""
    block = blocks(combined([*(layer.model for layer in past), found.model]))
    seen, offset = set[bytes](), 0
    for layer in past:
        seen.update(keys(layer, block[offset : offset + len(layer.model)]).values())
        offset += len(layer.model)
    here = block[offset:]
    kept = []
    for state, key in keys(found, here).items():
        if key not in seen:
            seen.add(key)
            kept.append(state)
    mask = np.isin(found.state, kept)
    part, worlds = generated(Layer(found.model, found.state[mask], found.world[mask]))
    return _contracted(part, here[worlds])


def _contracted(layer: Layer, block: npt.NDArray[np.integer]) -> Layer:
    """Return the layer with bisimilar worlds made one."""
    _, first, number = np.unique(block, return_index=True, return_inverse=True)
    order = np.sort(first)  # a contraction lists the first world of each block, in order
    world = np.searchsorted(order, first[number])[layer.world]
    pairs = np.unique(np.stack([layer.state, world]), axis=1)
    return Layer(layer.model.contract(), pairs[0], pairs[1])


def _bisimulation_is_enough(formulas: list[s.Formula], model: KripkeModel) -> bool:
    """Return whether bisimilar models satisfy the same of the formulas; refuse those it cannot tell."""
    enough, pending, seen = True, list(formulas), set[object]()
    while pending:
        for node in pending.pop().subformulas():
            match node:
                case s.Everywhere() | s.Somewhere():
                    raise FormulaError(f"a plan cannot be made with {node}: it speaks of worlds out of reach")
                case s.Distributed() | s.DistributedWhether() | Probability():
                    enough = False
                case s.KnowsValue(_, variable) if variable not in seen:
                    seen.add(variable)
                    pending.extend(model.variables[variable].values())
                case s.Box(s.Act(_, _, ActionModel() as act), _) | s.Diamond(
                    s.Act(_, _, ActionModel() as act), _
                ):
                    if act not in seen:
                        seen.add(act)
                        pending.extend(act.formulas)
    return enough
