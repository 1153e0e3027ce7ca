"""Check plans step by step with updates, independently of the search, and tell them as stories."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kripke_werewolf.display import Displayed
from kripke_werewolf.errors import ModelError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.sentences import clause, subject
from kripke_werewolf.models.history import History
from kripke_werewolf.models.model import KripkeModel, Numbered
from kripke_werewolf.planning.announcement import described
from kripke_werewolf.planning.policies import DONE, Policy, PolicyBranch, PolicyStep
from kripke_werewolf.planning.states import Moves
from kripke_werewolf.planning.task import ObservedAction, Plan, Task, needed_for
from kripke_werewolf.semantics.action import ActionModel

if TYPE_CHECKING:
    from kripke_werewolf.reports.documents import Block

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
        return f"{self.action}: {'; '.join(f'{subject(a)} {view}' for a, view in self.views.items())}"


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
        from kripke_werewolf.reports.documents import Items

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
                news = "; ".join(step.told) or "nothing that matters for the goal has changed"
                yield f"After {step.action.replace('_', ' ')}, {news}."

    def to_story(self) -> str:
        """Return the plan as a story file, for `kripke-werewolf story`.

        Raises `ModelError` if an agent is not S5 at the start.
        """
        from kripke_werewolf.stories.actions import action_lines
        from kripke_werewolf.stories.writing import model_lines

        model = self.history.start
        space, points = model.space, Numbered(model).points
        actual: Formula | str = ""
        if len(points) > 1:
            others = [space.set_of([k]) for k in range(len(model)) if k not in points]
            actual = described(model, space.set_of(points), others)
        lines = [f"title: {self.task.name}", *model_lines(model, actual=actual)]
        for number, step in enumerate(self.history.steps, 1):
            assert isinstance(step.action, ActionModel)
            mattering = step.action.for_agents(model.agents, model.atoms)
            lines += [f"action step_{number}:", *(f"    {line}" for line in action_lines(mattering))]
            lines.append(f'do "{step.name}": step_{number}')
        lines += [f"expect {'mixed' if check.worlds else 'yes'}: {check.goal}" for check in self.goals]
        return "\n".join(lines)


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
            steps.append(_step(task, part, action))
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


def _step(task: Task, model: KripkeModel, name: str) -> StepCheck:
    action = task.action(name)
    possible = task.possible(model, name)
    worlds = tuple(w for w, can in zip(model.designated, possible, strict=True) if not can)
    if worlds and (task.sure or not any(possible)):
        problem = f"impossible at {', '.join(map(str, worlds))}, which needs {needed_for(action)}"
        return StepCheck(name, problem, worlds)
    try:
        instance = task.instance(model, name)
    except ModelError as error:
        return StepCheck(name, str(error))
    after = task.after(model, name)
    views = {agent: _view(instance, agent) for agent in model.agents}
    if isinstance(action, ObservedAction):
        for agent, way in zip(action.observers, action.pattern(model.holds) or (), strict=True):
            views[agent] += f" ({way})"
    return StepCheck(name, views=views, after=after, told=tuple(_news(task, model, after)))


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


def _news(task: Task, before: KripkeModel, after: KripkeModel) -> Iterator[str]:
    """Yield clauses for the goals that have become true, and for atoms that agents have come to know."""
    believers = {agent for agent in after.agents if after.classes(agent) is None}
    for f in s.conjuncts(task.goal):
        if after.holds(f) and not before.holds(f):
            yield clause(f, believers=believers)
    learnt = (s.KnowsWhether(agent, s.Atom(atom)) for agent in after.agents for atom in after.atoms)
    new = [f for f in learnt if f not in s.conjuncts(task.goal) and after.holds(f) and not before.holds(f)]
    yield from (clause(f, believers=believers) for f in new[:_MOST_LEARNT])


def state_space(task: Task, *, states: int = 40) -> KripkeModel:
    """Return the states that a task can reach as a model, to be drawn: an agent is an action.

    Atom `goal`: the goal is reached; the designated world is the start. At most `states` states, breadth
    first.

    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]}, ["w"])
    >>> state_space(Task(m, {"say p": "p"}, "K_a p"))
    <KripkeModel: 2 worlds; agents say p (KD45); atoms goal; designated 0>
    """
    moves = Moves(task)
    found = [moves.start]
    numbers: dict[Hashable, int] = {moves.start.key: 0}
    pairs: dict[str, list[tuple[int, int]]] = {name: [] for name in task.actions}
    for number, state in enumerate(found):
        for name, after in moves.successors(state):
            if after.key not in numbers and len(found) < states:
                numbers[after.key] = len(found)
                found.append(after)
            if after.key in numbers:
                pairs[name].append((number, numbers[after.key]))
    reached = [number for number, state in enumerate(found) if moves.reached(state)]
    used = {name: edges for name, edges in pairs.items() if edges}
    return KripkeModel(range(len(found)), used or pairs, {"goal": reached}, [0])
