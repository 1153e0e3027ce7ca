"""Search for plans: breadth-first, greedy by the distance of the goal, and by the width of what is new.

Lipovetzky and Geffner 2017 for best-first width search. States are canonical forms (`Worlds.canonical`), so
that bisimilar ones are visited once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import islice, permutations
from math import inf
from typing import Any, Literal, TypeAlias, get_args

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FormulaError, ModelTooLarge
from kripke_werewolf.base.settings import Positive
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, natural
from kripke_werewolf.logic.models.model import Model
from kripke_werewolf.research.planning.policies import validate
from kripke_werewolf.research.planning.task import Moves, Plan, PlannedAction, State, Task, kind_of_action

How: TypeAlias = Literal["optimal", "greedy", "width"]
"""A way to search: breadth-first, which finds a shortest plan; nearest goal first; newest facts first."""

Progress: TypeAlias = Callable[[int, int], object]
"""Called now and then with the number of states so far and the length of the plan to the latest one."""

_REPORTED = 1000  # states between two reports of progress
_LOOKED_AT = 1000  # open states among which an interrupted search looks for the nearest to the goal
_OVERHEAD = 3  # bytes of a state, as a multiple of those of its key


@dataclass(frozen=True, repr=False)
class PlanFound(Displayed):
    """The outcome of a search for a plan.

    `plan`: None if none was found. `states`: the number of different states seen. `stopped`: why the search
    ended too early, empty if it did not: then a `plan` of None means that there is none. `best`: the plan to
    the seen state that is nearest to the goal. True in conditions iff there is a plan.
    """

    plan: Plan | None
    states: int
    how: How
    stopped: str = ""
    best: Plan = ()

    def __bool__(self) -> bool:
        return self.plan is not None

    def headline(self) -> str:
        """Return the plan, or why there is none."""
        if self.plan is not None:
            return f"{', '.join(self.plan) or 'nothing to do'}; {self.states:,} states"
        if not self.stopped:
            return f"no plan exists; {self.states:,} states"
        return f"no plan found: {self.stopped}; the best so far: {', '.join(self.best) or 'nothing'}"


def find_plan(
    task: Task,
    how: How = "optimal",
    *,
    longest: Positive | None = None,
    depth: Positive | None = None,
    states: Positive = 1_000_000,
    megabytes: int = 2_000,
    progress: Progress | None = None,
) -> PlanFound:
    """Search for a plan of a task.

    `how`: `"optimal"` finds a shortest plan, of several the first in the order of the actions; `"greedy"` and
    `"width"` find some plan, usually sooner. The search stops at plans of `longest` actions, after `states`
    states or about `megabytes` of memory, and when it is interrupted with Ctrl-C; the outcome then has the
    best plan so far.

    Private messages can make new states forever. With `depth`, states are cut off: they agree with the exact
    ones on formulas of at most this modal depth. A plan found in this way is checked without the bound; if
    none is found, there may still be one.

    >>> from kripke_werewolf.logic.models import KripkeModel
    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"], "q": []}, ["w"])
    >>> find_plan(Task(m, {"say p": "p", "wait": True}, "K_a p"))
    <PlanFound: say p; 2 states>
    """
    if how not in get_args(How):
        raise FormulaError(f"how= is one of {', '.join(get_args(How))}; got {how!r}")
    natural(states, "states")
    most = inf if longest is None else natural(longest, "longest")
    search = _Search(Moves(task, depth=depth), how)
    try:
        plan, stopped = search.run(most, states, megabytes * 1e6, progress)
        if depth is not None and not stopped:
            if plan is None:
                stopped = "there is no plan"
            elif not validate(task, plan).valid:
                stopped = f"the plan {', '.join(plan)} misses the goal"
            if stopped:
                plan, stopped = None, f"{stopped} if only formulas up to depth {depth} count"
    except KeyboardInterrupt:
        plan, stopped = None, f"interrupted after {len(search.nodes):,} states"
    best = search.best() if stopped else ()
    return PlanFound(plan, len(search.nodes), how, stopped, best)


def plan(
    model: Model, actions: Mapping[str, PlannedAction | FormulaLike], goal: FormulaLike, **search: Any
) -> PlanFound:
    """Search for actions after which a goal is true in a model; `search`: the options of `find_plan`.

    >>> from kripke_werewolf.logic.models import KripkeModel
    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"], "q": []}, ["w"])
    >>> plan(m, {"say p": "p", "wait": True}, "K_a p")
    <PlanFound: say p; 2 states>
    """
    return find_plan(Task(model, actions, goal), **search)


class _Search:
    """A search: its states as nodes, each with its parent, the action that led to it, and its depth."""

    def __init__(self, moves: Moves, how: How = "optimal") -> None:
        self.moves, self.how = moves, how
        self.facts = _facts(moves.task) if how == "width" else []
        self.unseen: dict[float, list[Formula]] = {}
        self.nodes: list[tuple[int, str, int]] = [(0, "", 0)]
        self.seen: set[Hashable] = {moves.start.key}
        self.open: list[tuple[Any, int, State]] = [((), 0, moves.start)]

    def run(
        self, longest: float = inf, states: float = inf, memory: float = inf, progress: Progress | None = None
    ) -> tuple[Plan | None, str]:
        """Return the plan if one is found, and why the search stopped early, if it did."""
        moves, bytes_seen, cut = self.moves, 0, ""
        if moves.reached(moves.start):
            return (), ""
        while self.open:
            _, number, state = heappop(self.open)
            depth = self.nodes[number][2] + 1
            if depth > longest:
                cut = f"there is no plan of length at most {longest}; a longer one may exist"
                continue
            try:
                for name, after in moves.successors(state):
                    if after.key in self.seen:
                        continue
                    if moves.reached(after):
                        self.nodes.append((number, name, depth))
                        return self.plan(len(self.nodes) - 1), ""
                    self.seen.add(after.key)
                    self.nodes.append((number, name, depth))
                    heappush(self.open, (self.priority(after), len(self.nodes) - 1, after))
                    if len(self.nodes) % _REPORTED == 0:
                        bytes_seen += _OVERHEAD * _REPORTED * _bytes(after.key)
                        if progress is not None:
                            progress(len(self.nodes), depth)
            except ModelTooLarge as error:
                cut = (
                    f"a state after {depth} actions would have {error.worlds:,} worlds, more than the "
                    f"{error.limit:,} allowed; use fewer actions, or actions with fewer events"
                )
            state.space.forget()
            if len(self.nodes) >= states:
                return None, f"the limit on states ({states:,}) is reached, with plans of {depth} actions"
            if bytes_seen >= memory:
                return None, f"the limit on megabytes ({memory / 1e6:,.0f}) is reached"
        return None, cut

    def priority(self, state: State) -> Any:
        """Return the place of a state in the search: the least first."""
        if self.how == "optimal":
            return ()
        distance = self.moves.distance(state)
        if self.how == "greedy":
            return distance
        unseen = self.unseen.get(round(distance, 2), self.facts)
        left = self.unseen[round(distance, 2)] = [f for f in unseen if not state.holds(f)]
        return len(left) == len(unseen), distance

    def plan(self, number: int) -> Plan:
        """Return the actions that lead to a node."""
        found = []
        while number:
            number, name, _ = self.nodes[number]
            found.append(name)
        return tuple(reversed(found))

    def best(self) -> Plan:
        """Return the plan to the open state that is nearest to the goal, among the first ones."""
        start = (), 0, self.moves.start
        some = islice(self.open, _LOOKED_AT)
        return self.plan(min(some, key=lambda entry: self.moves.distance(entry[2]), default=start)[1])


def _bytes(key: Any) -> int:
    parts = key if isinstance(key, tuple) else ()
    return sys.getsizeof(key) + sum(map(_bytes, parts))


def _facts(task: Task) -> list[Formula]:
    """Return the facts by which a state can be new to a width-based search: what is true, and who knows it.

    Atoms, and negated ones; that each agent knows them; and, for atoms that no action changes, that they know
    that another agent knows whether they are true.
    """
    changed = frozenset[str]().union(*(kind_of_action(action).changed for action in task.actions.values()))
    literals = [f for atom in map(s.Atom, task.model.atoms) for f in (atom, ~atom)]
    lasting = [s.Atom(atom) for atom in task.model.atoms if atom not in changed]
    known = [s.Knows(agent, f) for agent in task.model.agents for f in literals]
    pairs = permutations(task.model.agents, 2)
    return [*literals, *known, *(s.Knows(a, s.KnowsWhether(b, f)) for a, b in pairs for f in lasting)]
