"""Types: the subformulas true at a world, and the relations possible between types.

The types of a formula determine the truth of its atoms and boxes, hence of all its subformulas (Hintikka
sets). Between types there is a largest relation that respects the boxes in the given logic; it contains the
relation between the types of any real model, and a set of types in which every false box has a witness is
itself a model (Fagin, Halpern, Moses, Vardi 1995, chapter 3).

Common knowledge C_G φ is a fixed point: for every member a of G, the box K_a (φ & C_G φ). "Everywhere" is the
box of the empty group, which every relation respects.

Distributed knowledge is the box of a further relation, contained in those of the members. It can be smaller
than their intersection; `extraction` turns it into the intersection.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kripke_werewolf.deciding.core import TRUE, AndNode, CommonNode, Core, Necessity, Proposition
from kripke_werewolf.language.logics import Logic


class BoxLiteral(NamedTuple):
    """A box of `group` over the literal `target`."""

    group: tuple[str, ...]
    target: int


class Eventuality(NamedTuple):
    """The promise of a false `known`: a path of the group through `within` ends at a false `body`."""

    known: int
    group: tuple[str, ...]
    within: int
    body: int


class Type(NamedTuple):
    """A truth assignment: bit n of `truth` is the truth of node n of the closure.

    Bit n of `targets` is the truth of the target of box n, that of `known` whether the value of node n is
    known: a whole type knows all.
    """

    truth: int
    targets: int
    known: int = -1

    def holds(self, literal: int) -> bool:
        """Return whether a literal is true."""
        return bool(self.known >> abs(literal) & 1) and bool(self.truth >> abs(literal) & 1) == (literal > 0)

    def satisfies(self, true: int, false: int) -> bool:
        """Return whether some nodes are true and some false, given as bits."""
        return self.truth & true == true and (self.known ^ self.truth) & false == false


class Closure(NamedTuple):
    """The subformulas of a formula as nodes 1 to `size`, of which node 1 is true.

    The values of atoms and boxes are free, those of conjunctions follow. Literals are as in the core
    language.
    """

    logic: Logic
    agents: tuple[str, ...]
    size: int
    atoms: Mapping[int, str]
    boxes: Mapping[int, BoxLiteral]
    conjunctions: Mapping[int, tuple[int, ...]]
    root: int
    eventualities: Sequence[Eventuality]
    below: Mapping[tuple[str, ...], int]
    """For each group, the boxes that its relation respects, as bits: those of its nonempty subsets."""
    everywhere: int
    """The boxes of the empty group, as bits."""
    literals: Mapping[int, int]
    """The literal here of each node of the core."""

    def related(self, group: tuple[str, ...], source: Type, target: Type) -> bool:
        """Return whether the largest relation of the group in this logic relates the source to the target."""
        if (source.truth ^ target.truth) & self.everywhere:
            return False
        if not group:
            return True
        boxes = self.below[group]
        true = source.truth & boxes
        if true & ~target.targets:
            return False
        if self.logic.euclidean:
            return true == target.truth & boxes
        return not (self.logic.transitive and true & ~target.truth)


def closure_of(core: Core, logic: Logic) -> Closure:
    """Return the closure of a formula."""
    size = 1
    atoms: dict[int, str] = {}
    boxes: dict[int, BoxLiteral] = {}
    conjunctions: dict[int, tuple[int, ...]] = {}
    eventualities: list[Eventuality] = []
    new = {TRUE: TRUE}

    def literal(old: int) -> int:
        return new[old] if old > 0 else -new[-old]

    for number, node in core.nodes.items():
        size += 1
        new[number] = size
        match node:
            case Proposition(name):
                atoms[size] = name
            case AndNode(parts):
                conjunctions[size] = tuple(map(literal, parts))
            case Necessity(group, body):
                boxes[size] = BoxLiteral(group, literal(body))
            case CommonNode(group, old_within, old_body):
                within, body = literal(old_within), literal(old_body)
                # the boxes refer to C, which is their conjunction: its number is known
                members = range(size, size + len(group))
                known, both = members.stop, members.stop + 1
                new[number] = known
                conjunctions |= {known: tuple(members), both: (body, known)}
                size = target = both
                if within != TRUE:
                    size, target = both + 1, -(both + 1)
                    conjunctions[size] = (within, -both)
                boxes |= {n: BoxLiteral((agent,), target) for n, agent in zip(members, group, strict=True)}
                eventualities.append(Eventuality(known, group, within, body))
    of_group: dict[tuple[str, ...], int] = {(agent,): 0 for agent in core.agents}
    for n, box in boxes.items():
        of_group[box.group] = of_group.get(box.group, 0) | 1 << n
    everywhere = of_group.pop((), 0)
    root = literal(core.root)
    below = {g: sum(n for h, n in of_group.items() if set(h) <= set(g)) for g in of_group}
    return Closure(
        logic, core.agents, size, atoms, boxes, conjunctions, root, eventualities, below, everywhere, new
    )


def as_bits(literals: Iterable[int]) -> tuple[int, int]:
    """Return literals as two sets of nodes: the true ones and the false ones."""
    true = false = 0
    for literal in literals:
        if literal > 0:
            true |= 1 << literal
        else:
            false |= 1 << -literal
    return true, false


def steps_needed(closure: Closure, types: Sequence[Type], promise: Eventuality) -> dict[Type, int]:
    """Return the number of steps that each type needs to keep the promise, if it can."""
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
