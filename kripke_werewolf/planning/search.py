"""Search for plans: breadth-first, greedy by the distance of the goal, and by the width of what is new.

Lipovetzky and Geffner 2017 for best-first width search. States are canonical forms (`Worlds.canonical`), so
that bisimilar ones are visited once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import islice
from math import inf
from typing import Any, Literal, TypeAlias, get_args

from kripke_werewolf.display import Displayed
from kripke_werewolf.errors import FormulaError, ModelTooLarge, Undecided
from kripke_werewolf.language.formulas import Formula, FormulaLike, natural
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.planning.states import Moves, State, facts_of
from kripke_werewolf.planning.task import PlannedAction, Task

Plan: TypeAlias = tuple[str, ...]
"""The names of actions, in order."""

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

    `plan`: None if none was found. `states`: the number of different states seen; `steps`: of actions tried
    that applied. `stopped`: why the search ended too early, empty if it did not: then a `plan` of None means
    that there is none. `best`: the plan to the seen state that is nearest to the goal.
    """

    plan: Plan | None
    states: int
    steps: int
    how: How
    stopped: str = ""
    best: Plan = ()

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
    longest: int | None = None,
    depth: int | None = None,
    states: int = 1_000_000,
    megabytes: int = 2_000,
    progress: Progress | None = None,
) -> PlanFound:
    """Search for a plan of a task.

    `how`: `"optimal"` finds a shortest plan, of several the first in the order of the actions; `"greedy"` and
    `"width"` find some plan, usually sooner. The search stops at plans of `longest` actions, after `states`
    states or about `megabytes` of memory, and when it is interrupted with Ctrl-C; the outcome then has the
    best plan so far.

    Private messages can make new states for ever. With `depth`, states are cut off: they agree with the exact
    ones on formulas of at most this modal depth. A plan found so is checked without the bound, and that none
    is found proves nothing.

    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"], "q": []}, ["w"])
    >>> find_plan(Task(m, {"say p": "p", "wait": True}, "K_a p"))
    <PlanFound: say p; 2 states>
    """
    if how not in get_args(How):
        raise FormulaError(f"how= is one of {', '.join(get_args(How))}; got {how!r}")
    natural(states, "states")
    search = Search(Moves(task, depth=depth), how)
    try:
        plan, stopped = search.run(inf if longest is None else longest, states, megabytes * 1e6, progress)
        if depth is not None and not stopped and (plan is None or not Moves(task).reach(plan)):
            told = "there is no plan" if plan is None else f"the plan {', '.join(plan)} fails in the end"
            plan, stopped = None, f"{told} if only what formulas of depth {depth} say counts (depth=…)"
    except KeyboardInterrupt:
        plan, stopped = None, f"interrupted after {len(search.nodes):,} states"
    best = () if plan is not None or not stopped else search.best()
    return PlanFound(plan, len(search.nodes), search.steps, how, stopped, best)


class Search:
    """A search: its states as nodes, each with its parent, the action that led to it, and its depth."""

    def __init__(self, moves: Moves, how: How = "optimal") -> None:
        self.moves, self.how, self.steps = moves, how, 0
        self.facts = facts_of(moves.task)
        self.known: dict[float, set[Formula]] = {}
        self.nodes: list[tuple[int, str, int]] = [(0, "", 0)]
        self.seen: set[Hashable] = {moves.start.key}
        self.open: list[tuple[Any, int, State]] = [((), 0, moves.start)]

    def run(
        self, longest: float = inf, states: float = inf, memory: float = inf, progress: Progress | None = None
    ) -> tuple[Plan | None, str]:
        """Return the plan if one is found, and why the search stopped early, if it did."""
        moves, bytes_seen, cut = self.moves, 0, ""
        if moves.start.holds(moves.goal):
            return (), ""
        while self.open:
            _, number, state = heappop(self.open)
            depth = self.nodes[number][2] + 1
            if depth > longest:
                cut = f"there is no plan of at most {longest} actions; a longer one may exist"
                continue
            try:
                for name, after in moves.successors(state):
                    self.steps += 1
                    if after.key in self.seen:
                        continue
                    if after.holds(moves.goal):
                        self.nodes.append((number, name, depth))
                        return self.plan(len(self.nodes) - 1), ""
                    if after.key is None:
                        continue
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
                return None, f"{len(self.nodes):,} states, plans of up to {depth} actions (states=…)"
            if bytes_seen >= memory:
                used = f"about {bytes_seen // 1_000_000:,} MB"
                return None, f"{used} for {len(self.nodes):,} states (megabytes=…)"
        return None, cut

    def priority(self, state: State) -> Any:
        """Return the place of a state in the search: the least first."""
        if self.how == "optimal":
            return ()
        distance = self.moves.distance(state)
        if self.how == "greedy":
            return distance
        known = self.known.setdefault(round(distance, 2), set())
        new = set(filter(state.holds, self.facts)) - known
        known |= new
        return not new, distance

    def plan(self, number: int) -> Plan:
        """Return the actions that lead to a node."""
        found = []
        while number:
            number, name, _ = self.nodes[number]
            found.append(name)
        return tuple(reversed(found))

    def best(self) -> Plan:
        """Return the plan to the open state that is nearest to the goal, among the first ones."""
        some = list(islice(self.open, _LOOKED_AT))
        return self.plan(min(some, key=lambda e: self.moves.distance(e[2]))[1]) if some else ()


def _bytes(key: Any) -> int:
    inner = sum(map(_bytes, key)) if isinstance(key, tuple) else 0
    return sys.getsizeof(key) + inner


def shortest_plan(
    model: KripkeModel,
    actions: Mapping[str, PlannedAction | FormulaLike],
    goal: FormulaLike,
    *,
    limit: int = 10,
) -> Plan | None:
    """Return a shortest sequence of actions after which the goal is true; None if there is none.

    `actions`: action models, or formulas to be announced publicly, by name. An action is possible if some
    designated event can happen at some designated world; the other designated worlds are then removed, as in
    `KripkeModel.update`. The goal must be true at all designated worlds. Of several shortest plans the first
    in the order of the actions is returned. `find_plan` has more options.

    Bisimilar models are tried once; if a formula has D or P, only models that agree on these as well are
    identified. Raises `Undecided` if there is no plan of at most `limit` actions but there may be a longer
    one, and `FormulaError` for `everywhere` and `somewhere`, whose truth depends on unreachable worlds.

    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"], "q": []}, ["w"])
    >>> shortest_plan(m, {"say p": "p", "say p or q": "p | q", "wait": "true"}, "K_a p")
    ('say p',)
    """
    natural(limit, "limit")
    task = Task(model, actions, goal, sure=False)
    found = find_plan(task, longest=limit)
    if found.plan is None and found.stopped:
        raise Undecided(f"{task.goal} was not reached: {found.stopped}")
    return found.plan
