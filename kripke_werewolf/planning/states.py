"""States of a search: canonical forms, the actions between them, and the distance of a goal."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_, or_
from typing import Any, NamedTuple

from kripke_werewolf.errors import FormulaError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.model import Numbered
from kripke_werewolf.planning.task import ObservedAction, PlannedAction, Task
from kripke_werewolf.semantics.action import ActionModel, Event
from kripke_werewolf.semantics.space import Needs, Worlds, needs

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


class PlannedMove(NamedTuple):
    """An action of a search: its name, the action, and when one of its designated events can happen."""

    name: str
    action: PlannedAction
    possible: Formula


class Moves:
    """The start, the actions and the goal of a task, for a search.

    Distributed knowledge is that of an additional agent for each group, who sees what all its members see:
    bisimilar states then agree on it, and contraction preserves it. With `depth`, states are cut off so that
    they agree with the exact ones on formulas up to this modal depth only.
    """

    def __init__(self, task: Task, *, depth: int | None = None) -> None:
        self.task, self.depth = task, depth
        kinds = {
            name: action if isinstance(action, ActionModel) else action.kind
            for name, action in task.actions.items()
        }
        every = [task.goal, *(f for action in task.actions.values() for f in action.formulas)]
        need: Needs = reduce(or_, [needs(f, task.model.variables) for f in every])
        self.probable = need.probable
        if self.probable and depth is not None:
            raise FormulaError(f"depth={depth} cuts off probabilities, of which {task.name} speaks")
        groups = sorted(set(_groups(every))) if need.distributed else []
        self._together = {group: f"D_{{{','.join(group)}}}" for group in groups}
        self._rewritten: dict[ActionModel, ActionModel] = {}
        self.goal = self._formula(task.goal)
        self.moves = []
        for name, action in task.actions.items():
            kind = kinds[name]
            possible = s.disjunction(dict.fromkeys(kind.events[event].pre for event in kind.designated))
            self.moves.append(PlannedMove(name, self._action(action), self._formula(possible)))
        space = task.model.space
        points = space.set_of(Numbered(task.model).points)
        if groups:
            met = {name: space.met(group) for group, name in self._together.items()}
            space = space.with_relations({**space.relations, **met})
        if not self.probable:
            space = space.unweighted()
        self.start = self.state(space, points)

    def state(self, space: Worlds[Any], points: Any) -> State:
        """Return the state with some designated worlds of a space."""
        if self.depth is not None:
            space, points = space.near(points, self.depth)
        return State(*space.canonical(points, probable=self.probable))

    def _formula(self, f: Formula) -> Formula:
        return f.rewrite(self._step) if self._together else f

    def _step(self, f: Formula) -> Formula:
        if isinstance(f, s.Modal) and f.scope is s.Scope.MEET and f.label in self._together:
            alone = s.modal(s.Scope.AGENT, f.mode)
            assert alone is not None
            return alone._make((self._together[f.label],), f.children)
        if isinstance(f, s.Dynamic) and f.action is not None:
            event = f.update.event if isinstance(f.update, s.Act) else None
            return type(f)(s.Act(f.action.name, event, self._known(f.action)), f.body)
        return f

    def _known(self, action: ActionModel) -> ActionModel:
        """Return an action that the additional agents see as well."""
        if action not in self._rewritten:
            events = {}
            for name, event in action.events.items():
                post = {atom: self._formula(f) for atom, f in event.post.items()}
                events[name] = Event(self._formula(event.pre), post, weight=event.weight)
            sights = {agent: action._sight(agent) for agent in self.task.model.agents}
            for group, together in self._together.items():
                seen = zip(*(sights[agent] for agent in group), strict=True)
                sights[together] = tuple(reduce(and_, views) for views in seen)
            self._rewritten[action] = ActionModel._of_sights(
                events, sights, action.designated, name=action.name
            )
        return self._rewritten[action]

    def _action(self, action: PlannedAction) -> PlannedAction:
        if not self._together:
            return action
        if isinstance(action, ActionModel):
            return self._known(action)
        conditions = {
            agent: [(self._formula(f), way) for f, way in ways] for agent, ways in action.observers.items()
        }
        return ObservedAction(action.kind, conditions)

    def instance(self, state: State, move: PlannedMove) -> ActionModel | None:
        """Return the action model that an action is in a state, None if it is not determined."""
        action = move.action
        if isinstance(action, ActionModel):
            return action
        pattern = action.pattern(state.holds)
        if pattern is None:
            return None
        instance = action.instance(pattern)
        if self._together:
            return self._known(instance)
        return instance.for_agents(self.task.model.agents, instance.changed)  # events that matter

    def after(self, state: State, move: PlannedMove) -> State | None:
        """Return the state after an action; None if it does not apply."""
        space, points = state.space, state.points
        possible = space.truth(move.possible)
        if self.task.sure:
            if space.some(points & space.complement(possible)):
                return None
        else:
            points = points & possible
            if not space.some(points):
                return None
        action = self.instance(state, move)
        if action is None:
            return None
        copies = space.copies(action)
        space.check_size(action, copies, MOST_WORLDS)
        updated, there = space.paired(action, copies, points)
        if space.variables:
            updated.check_variables(repr(move.name), action.changed)
        return self.state(updated, there)

    def successors(self, state: State) -> Iterator[tuple[str, State]]:
        """Yield the actions that apply in a state, each with the state after it."""
        for move in self.moves:
            after = self.after(state, move)
            if after is not None:
                yield move.name, after

    def distance(self, state: State) -> float:
        """Return an estimate of how far the goal is from true: 0 iff it is reached."""
        return _distance(state.space, self.goal, state.points)


def _groups(formulas: Iterable[Formula]) -> Iterator[tuple[str, ...]]:
    """Yield the groups of distributed knowledge in formulas and in the actions that they name."""
    pending, seen = list(formulas), set[ActionModel]()
    while pending:
        for node in pending.pop().subformulas():
            if isinstance(node, s.Modal) and node.scope is s.Scope.MEET and len(node.label) > 1:
                yield node.label
            if isinstance(node, s.Dynamic) and node.action is not None and node.action not in seen:
                seen.add(node.action)
                pending += node.action.formulas


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
        case s.Modal(body) if f.mode is s.Mode.WHETHER or f.scope in (s.Scope.EACH, s.Scope.SOME):
            if f.mode is s.Mode.WHETHER and f.scope is s.Scope.AGENT:
                known = [s.Knows(f.label[0], g) for g in (body, s.Not(body))]
                return min(_distance(space, g, at) for g in known)
            unfolded = f.unfolded()
            return 1 if unfolded is None else _distance(space, unfolded, at)
        case s.Modal(body) if f.mode is s.Mode.BOX and f.scope is not s.Scope.WORLDS:
            [relation] = f.scope.relations(space, f.label, f.within)
            return 1 + _distance(space, body, space.steps(relation, at))
    return space.count(false) / space.count(at)


class Facts:
    """Facts by which a state can be new to a width-based search: what is true, and who knows it.

    Atoms at the designated worlds; what each agent knows about atoms; and, for atoms that no action changes,
    whether they know that another agent knows them.
    """

    def __init__(self, moves: Moves) -> None:
        kinds = [a if isinstance(a, ActionModel) else a.kind for a in moves.task.actions.values()]
        changed = frozenset[str]().union(*(kind.changed for kind in kinds))
        self.agents: Sequence[str] = moves.task.model.agents
        self.atoms: Mapping[str, Formula] = {atom: s.Atom(atom) for atom in moves.task.model.atoms}
        self.lasting: Sequence[str] = [atom for atom in self.atoms if atom not in changed]

    def of(self, state: State) -> set[Hashable]:
        """Return the facts of a state."""
        space, found = state.space, set[Hashable]()
        sets = [(atom, space.truth(f)) for atom, f in self.atoms.items()]
        true = [(atom, inside, space.complement(inside)) for atom, inside in sets]
        known = {
            other: [
                (atom, space.complement(space.truth(s.KnowsWhether(other, self.atoms[atom]))))
                for atom in self.lasting
            ]
            for other in self.agents
        }
        seen_by = {agent: space.steps(space.relations[agent], state.points) for agent in self.agents}
        for who, worlds in {"": state.points, **seen_by}.items():
            for atom, inside, outside in true:
                if not space.some(worlds & outside):
                    found.add((who, atom, True))
                elif not space.some(worlds & inside):
                    found.add((who, atom, False))
        for agent, worlds in seen_by.items():
            for other, unknown in known.items():
                if other != agent:
                    found.update(
                        (agent, other, atom) for atom, out in unknown if not space.some(worlds & out)
                    )
        return found
