"""Planning tasks: a model, the actions that can be taken, and a goal.

Bolander and Andersen 2011 for planning tasks; Burigana and others 2025 for observability conditions.

States of a search: canonical forms, the actions between them, and the distance of a goal.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any, NamedTuple, TypeAlias

from kripke_werewolf.base.display import Displayed, drawn
from kripke_werewolf.base.errors import (
    FormulaError,
    ModelError,
    ModelTooLarge,
    UnknownActionError,
    UnknownAgentError,
    check_known,
)
from kripke_werewolf.base.reports.documents import Block
from kripke_werewolf.base.usage import set_parts
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, agent_name, formula, group_of
from kripke_werewolf.logic.models.model import KripkeModel, Model, Numbered
from kripke_werewolf.logic.semantics.action import ActionModel, public
from kripke_werewolf.logic.semantics.space import Needs, Together, Worlds, check_formula_names, needs

MOST_STATES = 1_000_000
"""The greatest number of states of a symbolic structure that are listed as worlds at the start of a task."""

Plan: TypeAlias = tuple[str, ...]
"""The names of actions, in order."""

Pattern: TypeAlias = tuple[str, ...]
"""Who sees what: for each agent of an observed action, in order, how they observe it."""


@dataclass(frozen=True, repr=False)
class ObservedAction(Displayed):
    """An action that each agent observes in one of several ways, depending on the state.

    `kind`: the events; its relations are those of the ways to observe it, such as `fully` and `oblivious`,
    instead of agents. `observers`: for each agent, pairs of a condition and a way. The first condition counts
    that is true at all designated worlds; where there is none, the action does not apply.

    >>> peek = ActionModel({"yes": "p", "no": "~p", "nothing": True},
    ...     {"fully": [(e, e) for e in ("yes", "no", "nothing")],
    ...      "oblivious": [(e, "nothing") for e in ("yes", "no", "nothing")]}, ["yes", "no"], name="peek")
    >>> seen = ObservedAction(peek, {"a": [(True, "fully")], "b": [("awake", "fully"), (True, "oblivious")]})
    >>> seen.instance(("fully", "oblivious"))._sight("b")
    (4, 4, 4)
    """

    kind: ActionModel
    observers: Mapping[str, tuple[tuple[Formula, str], ...]]
    _instances: dict[Pattern, ActionModel] = field(default_factory=dict, init=False, compare=False)

    def __init__(self, kind: ActionModel, observers: Mapping[str, Iterable[tuple[FormulaLike, str]]]) -> None:
        read = {agent_name(a): tuple((formula(f), way) for f, way in ways) for a, ways in observers.items()}
        for agent, ways in read.items():
            for _, way in ways:
                if way not in kind.relations:
                    raise ModelError(
                        f"action {kind.name!r}: agent {agent!r} cannot observe it {way!r}; the ways to "
                        f"observe it are {', '.join(kind.relations)}"
                    )
        set_parts(self, kind=kind, observers=read, _instances={})

    def __hash__(self) -> int:
        return hash((self.kind, tuple(self.observers.items())))

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """All preconditions, postconditions and conditions of observers."""
        return *self.kind.formulas, *(f for ways in self.observers.values() for f, _ in ways)

    def headline(self) -> str:
        """Return the action, and for each agent the ways to observe it."""
        seen = (
            f"{a}: {' or '.join(dict.fromkeys(w for _, w in ways))}" for a, ways in self.observers.items()
        )
        return f"{self.kind.headline()}; observed by {', '.join(seen)}"

    def pattern(self, holds: Callable[[Formula], bool]) -> Pattern | None:
        """Return how each agent observes it, None if this is not determined.

        `holds` says whether a formula is true at all designated worlds.
        """
        found = []
        for ways in self.observers.values():
            way = next((way for f, way in ways if f is s.TRUE or holds(f)), None)
            if way is None:
                return None
            found.append(way)
        return tuple(found)

    def instance(self, pattern: Pattern) -> ActionModel:
        """Return the action model for a pattern of who sees what, built once."""
        if pattern not in self._instances:
            sights = {a: self.kind._sight(way) for a, way in zip(self.observers, pattern, strict=True)}
            self._instances[pattern] = ActionModel._of_sights(
                self.kind.events, sights, self.kind.designated, name=self.kind.name
            )
        return self._instances[pattern]


PlannedAction: TypeAlias = "ActionModel | ObservedAction"
"""An action of a task: the same in all states, or observed depending on the state."""


def kind_of_action(action: PlannedAction) -> ActionModel:
    """Return the action model with the events of an action."""
    return action if isinstance(action, ActionModel) else action.kind


def _instance_in_state(action: PlannedAction, holds: Callable[[Formula], bool]) -> ActionModel | None:
    """Return the action model for an action in a state, None if it is not determined.

    `holds` says whether a formula is true at all designated worlds.
    """
    if isinstance(action, ActionModel):
        return action
    pattern = action.pattern(holds)
    return None if pattern is None else action.instance(pattern)


def needed_for(action: PlannedAction) -> Formula:
    """Return when one of the designated events of an action can happen."""
    kind = kind_of_action(action)
    return s.disjunction(dict.fromkeys(kind.events[event].pre for event in kind.designated))


@dataclass(frozen=True, repr=False)
class Task(Displayed):
    """An epistemic planning task.

    `model`: the start; its designated worlds are those that the planner considers possible. The reachable
    states of a symbolic structure are listed as worlds, since a diagram gives no order of states that is
    independent of the names of variables, which the search needs to recognise bisimilar states. `actions`: by
    name, action models, observed actions, or formulas to be announced publicly. `goal`: must be true at all
    designated worlds in the end. `by`: for some actions, the agents who carry them out. `sure`: an action
    applies only if at every designated world one of its designated events can happen; otherwise one such
    world is enough, and the others are dropped, as in `KripkeModel.update`. `everywhere`: states keep
    unreachable worlds, so that formulas may be about them.

    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"], "q": []}, ["w"])
    >>> task = Task(m, {"say p": "p", "say q": "q"}, "K_a p", name="tell")
    >>> [name for name in task.actions if task.applies(m, name)], task.after(m, "say p").holds(task.goal)
    (['say p'], True)
    """

    model: KripkeModel
    actions: Mapping[str, PlannedAction]
    goal: Formula
    name: str
    by: Mapping[str, tuple[str, ...]]
    sure: bool
    everywhere: bool

    def __init__(
        self,
        model: Model,
        actions: Mapping[str, PlannedAction | FormulaLike],
        goal: FormulaLike,
        *,
        name: str = "task",
        by: Mapping[str, object] | None = None,
        sure: bool = True,
        everywhere: bool = False,
    ) -> None:
        if not isinstance(actions, Mapping):
            raise ModelError(f"the actions must be a mapping, such as {{'tell': 'p'}}; got {actions!r}")
        read = {
            str(label): a if isinstance(a, ActionModel | ObservedAction) else public(a).named(str(label))
            for label, a in actions.items()
        }
        doers = {label: group_of(agents) for label, agents in (by or {}).items()}
        set_parts(self, model=_listed(model), actions=read, goal=formula(goal), name=name)
        set_parts(self, by=doers, sure=sure, everywhere=everywhere)
        self._check()

    def _check(self) -> None:
        spoken = [("the goal", self.goal)]
        for label, action in self.actions.items():
            changed = s.conjunction(map(s.Atom, sorted(kind_of_action(action).changed)))
            spoken += [(f"action {label!r}", f) for f in (*action.formulas, changed)]
        for where, f in spoken:
            check_formula_names(self.model.space, f)
            if not self.everywhere and needs(f, self.model.variables).whole:
                raise FormulaError(f"{where} cannot be planned with: {f} is about unreachable worlds")
        for label, action in self.actions.items():
            if isinstance(action, ActionModel):
                action.check_agents(self.model.agents)
                action.among(self.model.agents)
            elif wrong := set(action.observers) ^ set(self.model.agents):
                raise UnknownAgentError(min(wrong), self.model.agents, place=f"the observers of {label!r}")
        for label, agents in self.by.items():
            self.action(label)
            for agent in agents:
                self.model._agent(agent)

    def headline(self) -> str:
        """Return the name, the numbers of worlds and actions, and the goal."""
        return f"{self.name}: {len(self.model)} worlds, {len(self.actions)} actions; goal {self.goal}"

    def display(self) -> Iterator[Block]:
        """Yield the line and the picture of the start."""
        yield from super().display()
        yield drawn(self.model)

    def action(self, name: str) -> PlannedAction:
        """Return the action with a name; raises `UnknownActionError`."""
        return self.actions[check_known(name, self.actions, UnknownActionError)]

    def instance(self, model: KripkeModel, name: str) -> ActionModel:
        """Return the action model for an action in a state; `ModelError` if it is not determined."""
        action = self.action(name)
        instance = _instance_in_state(action, model.holds)
        if instance is None:
            assert isinstance(action, ObservedAction)
            unclear = [a for a, ways in action.observers.items() if not any(model.holds(f) for f, _ in ways)]
            raise ModelError(
                f"action {name!r}: no condition for how {', '.join(unclear)} observes it is true at all "
                "designated worlds"
            )
        return instance

    def impossible(self, model: KripkeModel, name: str) -> tuple[Hashable, ...]:
        """Return the designated worlds because of which an action cannot be taken; see `sure`."""
        true = set(model.where(needed_for(self.action(name))))
        false = tuple(world for world in model.designated if world not in true)
        return false if self.sure or len(false) == len(model.designated) else ()

    def applies(self, model: KripkeModel, name: str) -> bool:
        """Return whether an action can be taken in a state; see `sure`."""
        determined = _instance_in_state(self.action(name), model.holds) is not None
        return determined and not self.impossible(model, name)

    def after(self, model: KripkeModel, name: str) -> KripkeModel:
        """Return the state after an action: reachable worlds only, bisimilar ones merged.

        Raises `ModelError` for an action that cannot be taken; with `sure=False` it drops the worlds where it
        is impossible, if others are left.
        """
        if worlds := self.impossible(model, name):
            where, needed = ", ".join(map(str, worlds)), needed_for(self.action(name))
            raise ModelError(f"action {name!r}: impossible at {where}, which needs {needed}")
        after = model.update(self.instance(model, name), merge=True)
        if not self.everywhere:
            after = after.generated()
        return after.contract(keep_distributed=True, keep_probability=True)


def _listed(model: Model) -> KripkeModel:
    """Return a model with listed worlds; of a symbolic structure the reachable ones."""
    if isinstance(model, KripkeModel):
        return model
    reached: Any = model.generated()
    if reached.size > MOST_STATES:
        advice = "announce more of what is commonly known first, or leave out atoms that do not matter"
        raise ModelTooLarge(reached.size, MOST_STATES, "the start of the task", advice)
    listed: KripkeModel = reached.to_explicit()
    return listed


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
        action = _instance_in_state(self.task.actions[name], state.holds)
        if action is None:
            return None
        if action is not self.task.actions[name] and not self.task.everywhere:
            action = action.for_agents(self.task.model.agents, action.changed)  # events that matter
        given, (space, action) = action, space.prioritised(action)
        copies = [copy for copy in space.copies(action) if space.may_hold(copy.worlds)]
        space.check_size(action, copies, MOST_WORLDS)
        updated, there = space.paired(action, copies, points)
        if space.variables:
            updated.check_variables(repr(name), action.changed)
        return self.state(updated if action is given else updated.tidied(), there)

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
        case s.Modal(body) if f.mode is s.Mode.BOX and f.scope not in (s.Scope.WORLDS, *s.ORDERED):
            [relation] = f.scope.relations(space, f.label, f.within)
            return 1 + _distance(space, body, space.steps(relation, at))
    return space.count(false) / space.count(at)
