"""Types: which atoms and boxes are true at a world, and how types may be related.

The types of a formula fix the truth of its atoms and of its boxes, hence of all its subformulas
(Hintikka sets). Between types there is a largest relation that respects what the boxes say in the
given logic; on the types of a real model it contains the real relation, and a set of types in which
every false box has a witness is itself a model (Fagin, Halpern, Moses, Vardi 1995, chapter 3).

Common knowledge C_G φ is a fixed point: for every member a of G, the box K_a (φ & C_G φ).
Everywhere is the box of the empty group, which every relation respects.

Distributed knowledge is here the box of one more relation, contained in those of the members. That
relation can be smaller than their intersection; `covers` turns it into the intersection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kripke_werewolf.deciding.core import TRUE, CommonNode, Conjunction, Core, Necessity, Proposition
from kripke_werewolf.language.logics import Logic

__all__ = ["Closure", "Eventuality", "Type", "Variable", "closure_of", "steps_needed"]


@dataclass(frozen=True, slots=True)
class Variable:
    """What a type fixes freely: an atom (`name`), or a box of `group` over the literal `target`."""

    name: str | None = None
    group: tuple[str, ...] = ()
    target: int = TRUE


@dataclass(frozen=True, slots=True)
class Eventuality:
    """What `known`, if false, promises: a path of the group through `within` to a false `body`."""

    known: int
    group: tuple[str, ...]
    within: int
    body: int


@dataclass(frozen=True, slots=True)
class Type:
    """The truth of everything: bit n of `truth` is that of node n of the closure.

    Bit k of `values` is the truth of variable k, and of `targets` that of its target (boxes only).
    """

    truth: int
    values: int
    targets: int

    def holds(self, literal: int) -> bool:
        """Return whether a literal is true."""
        return bool(self.truth >> abs(literal) & 1) == (literal > 0)


@dataclass(frozen=True, slots=True)
class Closure:
    """The variables of a formula and its subformulas as functions of them.

    `nodes[n]` is the number of a variable or the parts of a conjunction; literals, node 1 and the
    order are those of the core language.
    """

    logic: Logic
    agents: tuple[str, ...]
    variables: tuple[Variable, ...]
    nodes: tuple[int | tuple[int, ...], ...]
    root: int
    eventualities: tuple[Eventuality, ...]
    below: Mapping[tuple[str, ...], int]
    """By group: the boxes that its relation respects, as bits; those of its nonempty subsets."""
    everywhere: int
    """The boxes of the empty group, as bits."""

    def related(self, group: tuple[str, ...], source: Type, target: Type) -> bool:
        """Return whether the largest relation of the group that the logic allows leads there."""
        if (source.values ^ target.values) & self.everywhere:
            return False
        if not group:
            return True
        boxes = self.below[group]
        true = source.values & boxes
        if true & ~target.targets:
            return False
        if self.logic.euclidean:
            return true == target.values & boxes
        return not (self.logic.transitive and true & ~target.values)


def closure_of(core: Core, logic: Logic) -> Closure:
    """Return the closure of a formula."""
    variables: list[Variable] = []
    nodes: list[int | tuple[int, ...]] = [(), ()]
    eventualities: list[Eventuality] = []
    new = {1: 1}

    def literal(old: int) -> int:
        return new[old] if old > 0 else -new[-old]

    def add(node: int | tuple[int, ...]) -> int:
        nodes.append(node)
        return len(nodes) - 1

    def free(variable: Variable) -> int:
        variables.append(variable)
        return add(len(variables) - 1)

    for number, node in core.numbered():
        match node:
            case Proposition(name):
                new[number] = free(Variable(name))
            case Conjunction(parts):
                new[number] = add(tuple(literal(p) for p in parts))
            case Necessity(group, body):
                new[number] = free(Variable(None, group, literal(body)))
            case CommonNode(group, old_within, old_body):
                within, body = literal(old_within), literal(old_body)
                # the boxes speak of C itself, which is their conjunction: the numbers are known
                first = len(nodes)
                known = first + len(group)
                target = known + 1 if within == TRUE else -(known + 2)
                new[number] = known
                for agent in group:
                    free(Variable(None, (agent,), target))
                add(tuple(range(first, known)))
                add((body, known))
                if within != TRUE:
                    add((within, -(known + 1)))
                eventualities.append(Eventuality(known, group, within, body))

    groups = {v.group for v in variables if v.name is None and v.group} | {(a,) for a in core.agents}
    boxes = [(k, v.group) for k, v in enumerate(variables) if v.name is None]
    return Closure(
        logic,
        core.agents,
        tuple(variables),
        tuple(nodes),
        literal(core.root),
        tuple(eventualities),
        {g: sum(1 << k for k, h in boxes if h and set(h) <= set(g)) for g in groups},
        sum(1 << k for k, h in boxes if not h),
    )


def steps_needed(closure: Closure, types: Sequence[Type], promise: Eventuality) -> dict[Type, int]:
    """Return how many steps among the types keep the promise, for each type from which some do."""
    goal = [t for t in types if t.holds(promise.within) and not t.holds(promise.body)]
    found: dict[Type, int] = {}
    for steps in range(1, len(types) + 1):
        new = [
            t
            for t in types
            if t not in found
            and any(closure.related((agent,), t, g) for g in goal for agent in promise.group)
        ]
        found.update(dict.fromkeys(new, steps))
        goal = [t for t in new if t.holds(promise.within)]
    return found
