"""States of a search: canonical forms, the actions between them, and the distance of a goal."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from kripke_werewolf.errors import FormulaError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.model import Numbered
from kripke_werewolf.planning.task import Task, instance_in_state, needed_for
from kripke_werewolf.semantics.space import Needs, Together, Worlds, needs

MOST_WORLDS = 4_000_000  # of a product, before it is contracted


class State(NamedTuple):
    """A state: a space, its designated worlds, and a key that bisimilar states share."""

    space: Worlds[Any]
    points: Any
    key: Hashable

    def holds(self, f: Formula) -> bool:
        """Return whether a formula is true at all designated worlds."""
        space = self.space
        return not space.some(self.points & space.complement(space.truth(f)))

    def within(self, kept: Any) -> State:
        """Return the state with some of the worlds only, without a key."""
        return State(self.space.with_worlds(kept), self.space.taken(self.points, kept), None)


class Moves:
    """The start, the actions and the goal of a task, for a search.

    Distributed knowledge is that of an additional agent for each group, who sees what all its members see:
    bisimilar states then agree on it, and contraction preserves it. With `depth`, states are cut off so that
    they agree with the exact ones on formulas up to this modal depth only. For formulas about all worlds an
    additional agent sees all.
    """

    def __init__(self, task: Task, *, depth: int | None = None) -> None:
        self.task, self.depth = task, depth
        every = [task.goal, *(f for action in task.actions.values() for f in action.formulas)]
        need: Needs = reduce(or_, [needs(f, task.model.variables) for f in every])
        self.probable = need.probable
        if self.probable and depth is not None:
            raise FormulaError(f"depth={depth} ignores probabilities, which {task.name} uses")
        groups = {
            node.label
            for node in s.nodes_within(*every)  # also in the actions that formulas name
            if isinstance(node, s.Modal) and node.scope is s.Scope.MEET and len(node.label) > 1
        }
        if task.everywhere:
            groups.add(())
        self.goals = s.conjuncts(task.goal)
        self.possible = {name: needed_for(action) for name, action in task.actions.items()}
        space = task.model.space
        points = space.set_of(Numbered(task.model).points)
        if groups:
            met: dict[str, Any] = {Together(group): space.met(group) for group in groups}
            space = space.with_relations({**space.relations, **met})
        if not self.probable:
            space = space.unweighted()
        self.start = self.state(space, points)

    def state(self, space: Worlds[Any], points: Any) -> State:
        """Return the state with some designated worlds of a space."""
        if self.depth is not None:
            space, points = space.near(points, self.depth)
        return State(*space.canonical(points, probable=self.probable))

    def reached(self, state: State) -> bool:
        """Return whether the goal is true."""
        return all(map(state.holds, self.goals))

    def after(self, state: State, name: str) -> State | None:
        """Return the state after an action; None if it does not apply."""
        space, points = state.space, state.points
        possible = space.truth(self.possible[name])
        if not self.task.sure:
            points = points & possible
        if not space.some(points) or space.some(points & space.complement(possible)):
            return None
        action = instance_in_state(self.task.actions[name], state.holds)
        if action is None:
            return None
        if action is not self.task.actions[name] and not self.task.everywhere:
            action = action.for_agents(self.task.model.agents, action.changed)  # events that matter
        copies = [copy for copy in space.copies(action) if space.is_kept(copy)]
        space.check_size(action, copies, MOST_WORLDS)
        updated, there = space.paired(action, copies, points)
        if space.variables:
            updated.check_variables(repr(name), action.changed)
        return self.state(updated, there)

    def successors(self, state: State) -> Iterator[tuple[str, State]]:
        """Yield the actions that apply in a state, each with the state after it."""
        for name in self.possible:
            after = self.after(state, name)
            if after is not None:
                yield name, after

    def distance(self, state: State) -> float:
        """Return an estimate of how far the goal is from true: 0 iff it is reached."""
        return _distance(state.space, self.task.goal, state.points)


def _distance(space: Worlds[Any], f: Formula, at: Any) -> float:
    """Return an estimate of how far a formula is from being true at all worlds of a set: 0 iff it is.

    Conjuncts add up, the nearest disjunct counts; knowledge is as far as its content at the worlds that are
    seen, and one more step.
    """
    false = at & space.complement(space.truth(f))
    if not space.some(false):
        return 0
    match f:
        case s.And():
            return sum(_distance(space, g, at) for g in f.children)
        case s.Or():
            return min(_distance(space, g, at) for g in f.children)
        case s.Modal() if f.mode is s.Mode.WHETHER or f.scope in (s.Scope.EACH, s.Scope.SOME):
            unfolded = f.unfolded()
            return 1 if unfolded is None else _distance(space, unfolded, at)
        case s.Modal(body) if f.mode is s.Mode.BOX and f.scope is not s.Scope.WORLDS:
            [relation] = f.scope.relations(space, f.label, f.within)
            return 1 + _distance(space, body, space.steps(relation, at))
    return space.count(false) / space.count(at)
