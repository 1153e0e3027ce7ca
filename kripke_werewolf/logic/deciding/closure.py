"""Types: the subformulas true at a world, and the relations possible between types.

The types of a formula determine the truth of its atoms and boxes, hence of all its subformulas (Hintikka
sets). Between types there is a largest relation that respects the boxes in the given logic; it contains the
relation between the types of any real model, and a set of types in which every false box has a witness is
itself a model (Fagin, Halpern, Moses, Vardi 1995, chapter 3).

Common knowledge C_G φ is a fixed point: for every member a of G, the box K_a (φ & C_G φ). An automaton of
paths (`core.Paths`) is a system of such fixed points, one for each state. "Everywhere" is the box of the
empty group, which every relation respects.

Distributed knowledge is the box of a further relation, contained in those of the members. It can be smaller
than their intersection (see `extraction`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kripke_werewolf.logic.deciding.core import (
    TRUE,
    AndNode,
    Core,
    Necessity,
    Paths,
    PathStep,
    Proposition,
    image_of,
    renamed,
)
from kripke_werewolf.logic.formulas.logics import Logic
from kripke_werewolf.logic.semantics.bits import gathered


class _BoxLiteral(NamedTuple):
    """A box of `group` over the literal `target`."""

    group: tuple[str, ...]
    target: int


class Eventuality(NamedTuple):
    """The promises of an automaton: where `knowns[x]` is false, a path from state x ends at a false body."""

    knowns: tuple[int, ...]
    edges: tuple[tuple[PathStep, ...], ...]


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


class Laws(NamedTuple):
    """What a step of a group preserves besides the truth of its boxes: sets of boxes, as bits.

    `kept`: true boxes stay true; `equal`: their truth values stay the same; `back`: the targets of boxes that
    are true there are true here; `entered`: the targets of boxes that are true there are true there.
    `inside`: boxes that are there as in all worlds that see each other, each with its twin (`Closure.twins`).
    """

    kept: int
    equal: int
    back: int
    entered: int
    inside: tuple[int, ...] = ()


class Closure(NamedTuple):
    """The subformulas of a formula as nodes 1 to `size`, of which node 1 is true.

    The values of atoms and boxes are free, those of conjunctions follow. Literals are as in the core
    language.
    """

    logic: Logic
    agents: tuple[str, ...]
    size: int
    atoms: Mapping[int, str]
    boxes: Mapping[int, _BoxLiteral]
    conjunctions: Mapping[int, tuple[int, ...]]
    root: int
    eventualities: Sequence[Eventuality]
    below: Mapping[tuple[str, ...], int]
    """For each group, the boxes that its relation respects, as bits: those of its nonempty subsets."""
    laws: Mapping[tuple[str, ...], Laws]
    twins: Mapping[int, int]
    """For each box of a euclidean relation that need not be transitive a node: whether the target is true at
    all of the worlds that see each other and of which some are seen here. A step keeps its value, which is
    that of the box where the step leads."""
    everywhere: int
    """The boxes of the empty group, as bits."""
    reflexive: int
    """The boxes whose targets are true where they are, as bits."""
    lookers: tuple[str, ...]
    """The agents who see some world, which need not be the current one."""
    literals: Mapping[int, int]
    """The literal here of each node of the core."""

    def related(self, group: tuple[str, ...], source: Type, target: Type) -> bool:
        """Return whether the largest relation of the group in this logic relates the source to the target."""
        if (source.truth ^ target.truth) & self.everywhere:
            return False
        if not group:
            return True
        true, laws = source.truth & self.below[group], self.laws[group]
        if true & ~target.targets or true & laws.kept & ~target.truth:
            return False
        if (source.truth ^ target.truth) & laws.equal:
            return False
        if laws.inside and any(target.truth & twins not in (0, twins) for twins in laws.inside):
            return False
        return not (target.truth & (laws.back & ~source.targets | laws.entered & ~target.targets))


def closure_of(core: Core, logic: Logic) -> Closure:
    """Return the closure of a formula."""
    size = 1
    atoms: dict[int, str] = {}
    boxes: dict[int, _BoxLiteral] = {}
    conjunctions: dict[int, tuple[int, ...]] = {}
    eventualities: list[Eventuality] = []
    automata: dict[object, tuple[int, ...]] = {}
    new = {TRUE: TRUE}
    for number, node in core.nodes.items():
        size += 1
        new[number] = size
        match node:
            case Proposition(name):
                atoms[size] = name
            case AndNode(parts):
                conjunctions[size] = tuple([image_of(new, part) for part in parts])
            case Necessity(group, body):
                boxes[size] = _BoxLiteral(group, image_of(new, body))
            case Paths(old, start):
                # a node with one state is alone: the prover tells it from others that say the same
                if old not in automata or len(old) == 1:
                    edges = tuple(tuple(renamed(new, edge) for edge in out) for out in old)
                    system = _System(edges, size)
                    boxes |= system.boxes
                    conjunctions |= system.conjunctions
                    eventualities.append(system.eventuality)
                    automata[old], size = system.eventuality.knowns, system.size
                else:
                    size -= 1
                new[number] = automata[old][start]
    twins: dict[int, int] = {}
    for number, box in boxes.items():
        of = logic.of(box.group)
        if box.group and of.euclidean and not of.introspective:
            size += 1
            twins[number] = size
    alone = [((agent,), 0) for agent in core.agents]
    of_group = gathered([*alone, *((box.group, 1 << n) for n, box in boxes.items())])
    everywhere = of_group.pop((), 0)
    below = {g: sum(n for h, n in of_group.items() if set(h) <= set(g)) for g in of_group}
    return Closure(
        logic,
        core.agents,
        size,
        atoms,
        boxes,
        conjunctions,
        image_of(new, core.root),
        eventualities,
        below,
        {g: _laws(g, of_group, logic, twins) for g in below},
        twins,
        everywhere,
        everywhere | sum(n for g, n in of_group.items() if logic.of(g).reflexive),
        tuple(a for a in core.agents if logic.of((a,)).serial and not logic.of((a,)).reflexive),
        new,
    )


class _System:
    """The nodes of an automaton, numbered from `size` on: boxes that refer to their own conjunctions."""

    def __init__(self, edges: tuple[tuple[PathStep, ...], ...], size: int) -> None:
        self.boxes: dict[int, _BoxLiteral] = {}
        self.conjunctions: dict[int, tuple[int, ...]] = {}
        free = [[(e, PathStep(e.agent, TRUE, *e[2:])) for e in out] for out in edges]
        steps = dict.fromkeys(step for out in free for _, step in out)
        at = {step: size + n for n, step in enumerate(steps)}
        self.size = size + len(steps) - 1
        parts = [[self._guarded(e.guard, at[step]) for e, step in out] for out in free]
        knowns = tuple(self._conjunction(known) for known in parts)
        targets: dict[tuple[int, int, int], int] = {}
        for step, box in at.items():
            end = step.within, step.body, step.state
            if end not in targets:
                targets[end] = self._guarded(step.within, self._conjunction((step.body, knowns[step.state])))
            self.boxes[box] = _BoxLiteral((step.agent,), targets[end])
        self.eventuality = Eventuality(knowns, edges)

    def _conjunction(self, parts: Iterable[int]) -> int:
        self.size += 1
        self.conjunctions[self.size] = tuple(parts) or (TRUE,)  # where no step leads on
        return self.size

    def _guarded(self, guard: int, literal: int) -> int:
        """Return the literal that a guard implies a literal."""
        return literal if guard == TRUE else -self._conjunction((guard, -literal))


def _laws(
    group: tuple[str, ...], boxes: Mapping[tuple[str, ...], int], logic: Logic, twins: Mapping[int, int]
) -> Laws:
    """Return the laws of a group; `boxes`: those of each group alone."""
    below = {g: (n, logic.of(g)) for g, n in boxes.items() if set(g) <= set(group)}
    # whom a step leads to worlds that they themselves see
    seeing = {a for g in boxes for a in g if logic.of((a,)).reflexive}
    seeing |= {agent for agent in group if logic.of((agent,)).euclidean}
    own = sum(n for n, _ in below.values())
    seen = sum(n for g, n in boxes.items() if seeing.issuperset(g))
    return Laws(
        sum(n for n, of in below.values() if of.transitive),
        sum(n for n, of in below.values() if of.introspective)
        | sum(1 << twins[n] for n in twins if own >> n & 1),
        sum(n for n, of in below.values() if of.symmetric),
        sum(
            n
            for g, n in boxes.items()
            if seeing.issuperset(g)
            and not (logic.of(g).reflexive or (g in below and logic.of(g).introspective))
        ),
        tuple(1 << n | 1 << twin for n, twin in twins.items() if seen >> n & 1),
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
