"""Small finite models as bit masks: what the searches build before it becomes a `KripkeModel`.

Worlds are 0 .. size-1 and the formula is read at world 0. A set of worlds is an integer whose bit w
stands for world w.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kripke_werewolf.deciding.core import CommonNode, Conjunction, Core, Necessity, Proposition
from kripke_werewolf.language.logics import Logic

__all__ = ["Structure", "in_class", "reduced", "satisfies"]

# trying each world, and each arrow, costs a check of the formula every time: above these sizes not
_MOST_REDUCED = 120
_MOST_PRUNED = 16


@dataclass(frozen=True, slots=True)
class Structure:
    """A pointed model: per agent the successors of each world, per atom the worlds where it is true."""

    size: int
    successors: Mapping[str, tuple[int, ...]]
    true: Mapping[str, int]


def satisfies(model: Structure, core: Core) -> bool:
    """Return whether the formula is true at world 0."""
    everything = (1 << model.size) - 1
    sets = [0, everything]

    def where(literal: int) -> int:
        return sets[literal] if literal > 0 else everything & ~sets[-literal]

    for _, node in core.numbered():
        match node:
            case Proposition(name):
                sets.append(model.true.get(name, 0))
            case Conjunction(parts):
                found = everything
                for part in parts:
                    found &= where(part)
                sets.append(found)
            case Necessity(group, body):
                sets.append(_box(model, group, where(body)))
            case CommonNode(group, within, body):
                outside, good = everything & ~where(within), where(body)
                found, before = everything, -1
                while found != before:
                    before = found
                    for agent in group:
                        found &= _box(model, (agent,), outside | (good & before))
                sets.append(found)
    return bool(where(core.root) & 1)


def _box(model: Structure, group: tuple[str, ...], inside: int) -> int:
    found = 0
    for world in range(model.size):
        reached = (1 << model.size) - 1
        for agent in group:
            reached &= model.successors[agent][world]
        if not reached & ~inside:
            found |= 1 << world
    return found


def in_class(model: Structure, logic: Logic) -> bool:
    """Return whether every agent's relation has the properties that the logic asks for."""
    return all(_has_properties(after, logic) for after in model.successors.values())


def _has_properties(after: tuple[int, ...], logic: Logic) -> bool:
    for world, reached in enumerate(after):
        if logic.reflexive and not reached >> world & 1:
            return False
        if logic.serial and not reached:
            return False
        if not (logic.transitive or logic.euclidean):
            continue
        for other, beyond in enumerate(after):
            if reached >> other & 1:
                if logic.transitive and beyond & ~reached:
                    return False
                if logic.euclidean and reached & ~beyond:
                    return False
    return True


def reduced(model: Structure, core: Core, logic: Logic) -> Structure:
    """Drop worlds, then arrows, one by one as long as the formula stays true and the class is kept.

    The result has no superfluous single world, though it need not be the smallest model there is.
    """

    def fits(candidate: Structure) -> bool:
        return in_class(candidate, logic) and satisfies(candidate, core)

    if model.size <= _MOST_REDUCED:
        for world in range(model.size - 1, 0, -1):
            smaller = _without_world(model, world)
            if fits(smaller):
                model = smaller
    if model.size <= _MOST_PRUNED:
        for agent in model.successors:
            for world in range(model.size):
                # first all at once: single arrows of an equivalence cannot go alone
                for others in (-1, *(1 << other for other in range(model.size))):
                    fewer = _without_arrows(model, agent, world, others & ~(1 << world))
                    if fewer != model and fits(fewer):
                        model = fewer
    return model


def _without_world(model: Structure, world: int) -> Structure:
    low = (1 << world) - 1

    def squeezed(mask: int) -> int:
        return mask & low | mask >> 1 & ~low

    return Structure(
        model.size - 1,
        {
            agent: tuple(squeezed(mask) for w, mask in enumerate(after) if w != world)
            for agent, after in model.successors.items()
        },
        {name: squeezed(mask) for name, mask in model.true.items()},
    )


def _without_arrows(model: Structure, agent: str, world: int, others: int) -> Structure:
    """Cut the arrows from the world to the others; where the relation is symmetric, also back."""
    after = list(model.successors[agent])
    for other in range(model.size):
        if others >> other & 1 and after[other] >> world & 1 and after[world] >> other & 1:
            after[other] &= ~(1 << world)
    after[world] &= ~others
    return Structure(model.size, {**model.successors, agent: tuple(after)}, model.true)
