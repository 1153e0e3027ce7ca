"""Policies: plans whose next action depends on what is seen.

Bolander and Andersen 2011 for strong policies; Cimatti, Pistore, Roveri and Traverso 2003 for strong cyclic
ones; Engesser, Bothe, Mattmueller and Nebel 2017 for implicit coordination.

Check plans step by step with updates, independently of the search, and tell them as stories.
"""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import chain
from operator import or_
from typing import Any, NamedTuple

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FormatError, FormulaError, ModelError, Undecided
from kripke_werewolf.base.files import parse_json, read_text
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.reports.documents import Block, Items
from kripke_werewolf.logic.english.sentences import clause, names
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula, formula, group_of
from kripke_werewolf.logic.models.history import History
from kripke_werewolf.logic.models.model import KripkeModel, Numbered
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.research.planning.announcement import described
from kripke_werewolf.research.planning.task import Moves, ObservedAction, Plan, State, Task, needed_for

DONE = -1
"""The place where a policy ends: the goal is true."""


class PolicyBranch(NamedTuple):
    """What is seen, a formula that is false in the other branches, and the step to continue with."""

    seen: Formula
    step: int


class PolicyStep(NamedTuple):
    """An action, and the branches after it."""

    action: str
    branches: tuple[PolicyBranch, ...]


@dataclass(frozen=True, repr=False)
class Policy(Displayed):
    """A plan with sensing.

    `start`: the branches at the start; `steps`: each an action with branches, which name the next step by its
    number, or `DONE`. `depth`: the largest number of actions needed, None if a strong cyclic policy may
    repeat some until it succeeds.
    """

    start: tuple[PolicyBranch, ...]
    steps: tuple[PolicyStep, ...]
    depth: int | None

    def headline(self) -> str:
        """Return the numbers of steps and of actions needed at most."""
        most = "as many as it takes" if self.depth is None else f"at most {self.depth}"
        return f"{len(self.steps)} steps, {most} in a row"

    def display(self) -> Iterator[Block]:
        """Yield the policy as indented lines."""
        yield Items(tuple(str(self).splitlines()))

    def __str__(self) -> str:
        return "\n".join(self._lines(self.start, 0, set())) or "nothing to do"

    def _lines(self, branches: Sequence[PolicyBranch], depth: int, told: set[int]) -> Iterator[str]:
        for seen, number in branches:
            inner = depth
            if len(branches) > 1:
                yield f"{'  ' * depth}if {seen}:{' done' if number == DONE else ''}"
                inner += 1
            if number in told:
                yield f"{'  ' * inner}continue with step {number + 1}"
            elif number != DONE:
                told.add(number)
                yield f"{'  ' * inner}{number + 1}. {self.steps[number].action}"
                yield from self._lines(self.steps[number].branches, inner, told)

    def to_dict(self) -> dict[str, Any]:
        """Return the policy as plain data: branches with what is seen, and the numbers of the steps."""

        def told(branches: Sequence[PolicyBranch]) -> list[dict[str, Any]]:
            return [{"if": str(seen), "step": None if k == DONE else k} for seen, k in branches]

        steps = [{"action": action, "then": told(branches)} for action, branches in self.steps]
        return {"start": told(self.start), "steps": steps, "depth": self.depth}

    @classmethod
    def from_dict(cls, data: Any) -> Policy:
        """Return the policy described by plain data; raises `FormatError`."""
        try:
            last = len(data["steps"])
            steps = [PolicyStep(str(x["action"]), _read_branches(x["then"], last)) for x in data["steps"]]
            return cls(_read_branches(data["start"], last), tuple(steps), data.get("depth"))
        except (KeyError, TypeError) as error:
            raise FormatError(f"a policy has 'start' and 'steps', as in `plan --json`: {error}") from None


def _read_branches(given: Any, last: int) -> tuple[PolicyBranch, ...]:
    found = []
    for branch in given:
        number = branch["step"]
        if number is not None and not (isinstance(number, int) and 0 <= number < last):
            steps = f"a step, 0 to {last - 1}, or with null" if last else "null (this policy has no steps)"
            raise FormatError(f"a branch of a policy continues with {steps}, got {number!r}")
        found.append(PolicyBranch(formula(branch["if"]), DONE if number is None else number))
    return tuple(found)


def read_plan(path: str | os.PathLike[str]) -> Plan | Policy:
    """Return the plan or the policy in a file: in JSON, or a plan with an action on every line.

    Raises `FormatError` for anything else, and `OSError` for a file that cannot be read.
    """
    text = read_text(path)
    if text.lstrip().startswith(("{", "[")):
        content = parse_json(text, str(path))
        given = content if isinstance(content, dict) else {"plan": content}
        if isinstance(given.get("policy"), dict):
            try:
                return Policy.from_dict(given["policy"])
            except (FormatError, FormulaError) as error:
                raise FormatError(f"{path}: {error}") from None
        plan = given.get("plan")
        if not isinstance(plan, list) or not all(isinstance(name, str) for name in plan):
            raise FormatError(f"{path}: expected a 'plan', a list of actions, or a 'policy'; got {plan!r}")
        return tuple(plan)
    lines = (re.sub(r"^\s*(\d+[.:])?\s*|;.*", "", line).strip() for line in text.splitlines())
    return tuple("_".join(line.strip("()").split()) for line in lines if line)


def find_policy(
    task: Task,
    agents: object = None,
    *,
    cyclic: bool = False,
    coordinated: bool = False,
    deepest: int | None = None,
    states: int = 100_000,
) -> Policy | None:
    """Return a policy that reaches the goal whatever the actual world is; None if there is none.

    `agents`: those who carry the policy out and tell each other what they see; by default those who act
    (`Task.by`), or everybody. After every action they distinguish two designated worlds iff one of them sees
    other worlds there. A strong policy takes at most a number of steps, here the least, and `deepest` at
    most; a `cyclic` one may repeat steps, and reaches the goal if no outcome is avoided for ever. With
    `coordinated`, nobody tells anything: the agent who acts (`Task.by`) knows that the action is possible,
    and that in every case that they consider possible some agent knows how to go on.

    Raises `Undecided` after `states` states.

    >>> m = KripkeModel.from_partitions(["h", "t"], {"a": [["h", "t"]]}, {"heads": ["h"]})
    >>> from kripke_werewolf.logic.semantics.action import assign, observe
    >>> print(find_policy(Task(m, {"look": observe("a", "heads"), "turn": assign(heads="~heads")}, "heads")))
    1. look
    if K_a ~heads:
      2. turn
    if K_a heads: done
    """
    group = tuple(dict.fromkeys(chain(*task.by.values()))) if agents is None else group_of(agents)
    for agent in group:
        task.model._agent(agent)
    if coordinated and (missing := [name for name in task.actions if name not in task.by]):
        raise FormulaError(f"coordination needs to know who acts; by= names nobody for {', '.join(missing)}")
    together = task.model.agents if coordinated or not group else group
    graph = _Graph(Moves(task), together, coordinated)
    depth = 0
    while True:
        chosen = graph.chosen(cyclic=cyclic)
        if all(number in chosen for _, number in graph.start):
            return graph.policy(chosen, cyclic)
        if not graph.open or depth == deepest:
            return None
        if len(graph.states) > states:
            raise Undecided(f"no policy of depth {depth}; the limit on states ({states:,}) is reached")
        graph.grow()
        depth += 1


class _Choice(NamedTuple):
    """An action chosen in a state, the parts of the state after it, and how good this is."""

    move: str
    outcomes: tuple[int, ...]
    cost: tuple[int, int]


class _Graph:
    """The states reached so far, and for each what every action leads to."""

    def __init__(self, moves: Moves, agents: Sequence[str], coordinated: bool) -> None:
        self.moves, self.agents, self.coordinated = moves, agents, coordinated
        self.states: list[State] = []
        self.numbers: dict[Hashable, int] = {}
        self.choices: dict[int, list[tuple[str, tuple[int, ...]]]] = {}
        self.open: list[int] = []
        self.goals: set[int] = set()
        self.start = [(points, self.number(moves.start, points)) for points in self.parts(moves.start)]

    def number(self, state: State, points: Any) -> int:
        """Return the number of the state with some of the designated worlds."""
        part = self.moves.state(state.space, points)
        if part.key not in self.numbers:
            number = self.numbers[part.key] = len(self.states)
            self.states.append(part)
            if self.moves.reached(part):
                self.goals.add(number)
            else:
                self.open.append(number)
        return self.numbers[part.key]

    def parts(self, state: State) -> list[Any]:
        """Return the designated worlds in parts that are told apart."""
        space = state.space
        relations = [space.relations[agent] for agent in self.agents]

        def seen(world: int) -> Hashable:
            return tuple(tuple(space.members(space.sees(relation, world))) for relation in relations)

        found = grouped((seen(world), world) for world in space.members(state.points))
        return list(map(space.set_of, found.values()))

    def seen_by(self, state: State, move: str) -> State:
        """Return the state from the view of those who act; without coordination, the state itself."""
        if not self.coordinated:
            return state
        space = state.space
        views = [space.steps(space.relations[agent], state.points) for agent in self.moves.task.by[move]]
        return state._replace(points=reduce(or_, views, state.points))

    def grow(self) -> None:
        """Add the states that actions lead to from the open ones."""
        now, self.open = self.open, []
        for number in now:
            found = self.choices[number] = []
            for move in self.moves.possible:
                after = self.moves.after(self.seen_by(self.states[number], move), move)
                if after is not None:
                    outcomes = tuple(dict.fromkeys(self.number(after, p) for p in self.parts(after)))
                    if outcomes != (number,):
                        found.append((move, outcomes))

    def chosen(self, *, cyclic: bool) -> dict[int, _Choice]:
        """Return for each state where a policy begins its best choice, by depth and then by size.

        All outcomes of a choice lead to the goal. In a strong cyclic policy some outcome does, and the goal
        stays within reach from all the others: states without a choice are left out until all have one.
        """
        among = {*self.choices, *self.goals}
        while True:
            new = chosen = {number: _Choice("", (), (0, 0)) for number in self.goals}
            while new:
                new = {}
                for number in among - chosen.keys():
                    for move, outcomes in self.choices[number]:
                        costs = [chosen[outcome].cost for outcome in outcomes if outcome in chosen]
                        if costs and among.issuperset(outcomes) and (cyclic or len(costs) == len(outcomes)):
                            depth = (min if cyclic else max)(depth for depth, _ in costs) + 1
                            cost = depth, sum(size for _, size in costs) + 1
                            if number not in new or cost < new[number].cost:
                                new[number] = _Choice(move, outcomes, cost)
                chosen = chosen | new
            if not cyclic or len(chosen) == len(among):
                return chosen
            among = set(chosen)

    def policy(self, chosen: Mapping[int, _Choice], cyclic: bool) -> Policy:
        """Return the part of the choices that the start leads to."""
        order: list[int] = []

        def placed(parts: Sequence[tuple[Any, int]]) -> list[tuple[Any, int]]:
            order.extend(dict.fromkeys(k for _, k in parts if k not in self.goals and k not in order))
            return [(points, DONE if k in self.goals else order.index(k)) for points, k in parts]

        first, steps = self.branches(self.moves.start, placed(self.start)), []
        for number in order:  # which grows
            move = chosen[number].move
            after = self.moves.after(self.seen_by(self.states[number], move), move)
            assert after is not None
            parts = placed([(points, self.number(after, points)) for points in self.parts(after)])
            steps.append(PolicyStep(move, self.branches(after, parts)))
        depth = max((chosen[number].cost[0] for _, number in self.start), default=0)
        return Policy(first, tuple(steps), None if cyclic else depth)

    def branches(self, state: State, parts: Sequence[tuple[Any, int]]) -> tuple[PolicyBranch, ...]:
        """Return the branches for parts of a state, each with a formula for what is seen."""
        if len(parts) == 1 or len({number for _, number in parts}) == 1:
            return (PolicyBranch(s.TRUE, parts[0][1]),)
        agents, found = self.moves.task.model.agents, []
        space = state.space.with_relations({agent: state.space.relations[agent] for agent in agents})
        model = KripkeModel.from_space(space, state.points)  # type: ignore[arg-type]
        for points, number in parts:
            others = [other for other, _ in parts if other is not points]
            known: list[Formula] = []
            for agent in self.agents:
                cell, *cells = (space.steps(space.relations[agent], worlds) for worlds in (points, *others))
                apart = {
                    other: seen
                    for other, seen in zip(others, cells, strict=True)
                    if space.some(seen) and not space.some(seen & cell)
                }
                if apart:
                    known.append(s.Knows(agent, described(model, cell, list(apart.values()))))
                    others = [other for other in others if other not in apart]
            if others:
                known.append(described(model, points, others))
            found.append(PolicyBranch(s.conjunction(known), number))
        return tuple(found)


_MOST_LEARNT = 4  # things learnt in a step that are told


@dataclass(frozen=True, repr=False)
class StepCheck(Displayed):
    """The check of one step: its action, and why it does not apply, empty if it does.

    `worlds`: the designated worlds where it is impossible. `views`: how it looks to each agent. `after`: the
    model after it. `told`: what has become true, as clauses.
    """

    action: str
    problem: str = ""
    worlds: tuple[Hashable, ...] = ()
    views: Mapping[str, str] = field(default_factory=dict)
    after: KripkeModel | None = None
    told: tuple[str, ...] = ()

    def headline(self) -> str:
        """Return the action, how it looks to each agent, or why it does not apply."""
        if self.problem:
            return f"{self.action}: {self.problem}"
        return f"{self.action}: {'; '.join(f'{names([a])} {view}' for a, view in self.views.items())}"


@dataclass(frozen=True, repr=False)
class GoalCheck(Displayed):
    """The check of a conjunct of the goal: the designated worlds where it is false in the end."""

    goal: Formula
    worlds: tuple[Hashable, ...]

    def headline(self) -> str:
        """Return the conjunct, and whether or where it is true."""
        where = f"false at {', '.join(map(str, self.worlds))}" if self.worlds else "true"
        return f"goal {self.goal}: {where}"


@dataclass(frozen=True, repr=False)
class Validation(Displayed):
    """The check of a plan: its steps up to the first one that does not apply, and then the goal.

    `history`: the updates that applied; its `draw` makes a film. For a policy, the steps and goals of all its
    branches, in order.
    """

    task: Task
    steps: tuple[StepCheck, ...]
    goals: tuple[GoalCheck, ...]
    history: History[KripkeModel]

    @property
    def valid(self) -> bool:
        """Whether every step applies and the goal is true in the end."""
        return not any(step.problem for step in self.steps) and not any(goal.worlds for goal in self.goals)

    def headline(self) -> str:
        """Return the verdict, with the first problem."""
        wrong = [step.headline() for step in self.steps if step.problem]
        wrong += [goal.headline() for goal in self.goals if goal.worlds]
        return wrong[0] if wrong else f"valid: {len(self.steps)} steps"

    def display(self) -> Iterator[Block]:
        """Yield a line for every step and goal, and the pictures."""
        yield Items(tuple(str(self).splitlines()))
        yield from self.history.display()

    def __str__(self) -> str:
        numbered = (f"{number}. {step.headline()}" for number, step in enumerate(self.steps, 1))
        verdict = "valid" if self.valid else "not valid"
        return "\n".join([*numbered, *(goal.headline() for goal in self.goals), verdict])

    def sentences(self) -> Iterator[str]:
        """Yield for every step that applies a sentence about what has become true."""
        for step in self.steps:
            if not step.problem:
                yield f"After {step.action.replace('_', ' ')}, {'; '.join(step.told)}."


def validate(task: Task, plan: Plan | Sequence[str] | Policy) -> Validation:
    """Check a plan or a policy by updating the start step by step.

    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]}, ["w"])
    >>> print(validate(Task(m, {"say p": "p", "deny p": "~p"}, "K_a p"), ["say p"]))
    1. say p: a sees what happens
    goal K_a p: true
    valid
    >>> print(validate(Task(m, {"say p": "p", "deny p": "~p"}, "K_a p"), ["deny p"]))
    1. deny p: impossible at w, which needs ~p
    not valid
    """
    policy = plan if isinstance(plan, Policy) else _always(plan)
    steps: list[StepCheck] = []
    goals: list[GoalCheck] = []
    history = History(task.model)
    visited: set[tuple[int, Hashable]] = set()
    waiting: list[tuple[KripkeModel, Sequence[PolicyBranch]]] = [(task.model, policy.start)]
    moves = Moves(task)  # for the keys of states that a cyclic policy visits again
    while waiting:
        model, branches = waiting.pop()
        left = list(dict.fromkeys(model.designated))
        for seen, number in branches:
            there = [world for world in model.where(seen) if world in left]
            if not there:
                continue
            left = [world for world in left if world not in there]
            part = model.point(*there)
            if number == DONE:
                for goal in s.conjuncts(task.goal):
                    false = set(part.where(~goal))
                    goals.append(GoalCheck(goal, tuple(w for w in part.designated if w in false)))
                continue
            reached = Numbered(part)
            key = moves.state(reached.space, reached.space.set_of(reached.points)).key
            if (number, key) in visited:
                continue
            visited.add((number, key))
            action, following = policy.steps[number]
            later = dict.fromkeys(step.action for step in policy.steps if step.action != action)
            steps.append(_step(task, part, action, later))
            after = steps[-1].after
            if after is not None:
                if policy is not plan:
                    history = history.then(task.instance(part, action), name=action)
                waiting.append((after, following))
        if left:
            missing = f"no branch for {', '.join(map(str, left))}"
            steps.append(StepCheck("policy", missing, tuple(left)))
    return Validation(task, tuple(steps), tuple(goals), history)


def _always(plan: Sequence[str]) -> Policy:
    """Return the policy that follows a plan whatever is seen."""
    branches = [(PolicyBranch(s.TRUE, k),) for k in range(len(plan))]
    branches.append((PolicyBranch(s.TRUE, DONE),))
    return Policy(branches[0], tuple(map(PolicyStep, plan, branches[1:])), len(plan))


def _step(task: Task, model: KripkeModel, name: str, later: Iterable[str]) -> StepCheck:
    """Return the check of a step; `later`: the other actions of the plan, which it may make possible."""
    action = task.action(name)
    try:
        after = task.after(model, name)
    except ModelError as error:
        problem = str(error).removeprefix(f"action {name!r}: ")
        return StepCheck(name, problem, task.impossible(model, name))
    instance = task.instance(model, name)
    views = {agent: _view(instance, agent) for agent in model.agents}
    if isinstance(action, ObservedAction):
        for agent, way in zip(action.observers, action.pattern(model.holds) or (), strict=True):
            views[agent] += f" ({way})"
    return StepCheck(name, views=views, after=after, told=tuple(_news(task, name, model, after, later)))


def _view(action: ActionModel, agent: str) -> str:
    """Return the words for how an agent sees the designated events."""
    actual = set(action.designated)
    views = {event: set(action.successors(agent, event)) for event in action.designated}
    if all(view == {event} for event, view in views.items()):
        return "sees what happens"
    seen = set[Hashable]().union(*views.values())
    if not seen:
        return "believes anything"
    if actual.isdisjoint(seen):
        return f"believes that this happens: {' or '.join(sorted(map(str, seen)))}"
    if all(actual <= view for view in views.values()):
        return "does not see what happens"
    return "sees a part of it"


def _news(
    task: Task, name: str, before: KripkeModel, after: KripkeModel, later: Iterable[str]
) -> Iterator[str]:
    """Yield clauses for what an action has made true: goals, which of other actions are possible, and facts.

    Then for who has learnt a fact, and if nobody has, that its own condition is known.
    """
    believers = {agent for agent in after.agents if after.classes(agent) is None}

    def said(formulas: Iterable[Formula]) -> list[str]:
        new = [f for f in dict.fromkeys(formulas) if after.holds(f) and not before.holds(f)]
        return [clause(f, believers=believers).replace('"', "") for f in new]

    goals, atoms = s.conjuncts(task.goal), [*map(s.Atom, after.atoms)]
    possible = [x for x in later if task.applies(after, x) and not task.applies(before, x)]
    found = [*said(goals), *(f"{x.replace('_', ' ')} is possible" for x in possible)]
    learnt = (s.KnowsWhether(agent, atom) for agent in after.agents for atom in atoms)
    facts = said(f for f in (*atoms, *(~atom for atom in atoms), *learnt) if f not in goals)
    needed = needed_for(task.action(name))
    heard = said([s.Common(after.agents, needed)]) or said(s.Knows(agent, needed) for agent in after.agents)
    found += (facts or heard)[:_MOST_LEARNT]
    yield from found or ["nobody has learnt a fact, and no other step has become possible"]
