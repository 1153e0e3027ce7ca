"""All moves that some solution of the constraints has, and all ways to attack.

Attacks and numbers of worlds are excluded table by table, so that few are left for the whole game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from kripke_werewolf.werewolf.inference.plan import Plan, Published
from kripke_werewolf.werewolf.inference.scenarios import deals_of, worlds_behind
from kripke_werewolf.werewolf.inference.solver import Attacks, OutOfTime, PlacedMove, Problem, seconds_left
from kripke_werewolf.werewolf.roles import Role
from kripke_werewolf.werewolf.rules import Action


def attack_maps(problem: Problem, *, deadline: float | None) -> Iterator[Attacks]:
    """Yield the attacks of all solutions, each once; raise OutOfTime if they could not all be found."""
    while True:
        solution = problem.solve(seconds=seconds_left(deadline))
        if solution.found is None:
            raise OutOfTime
        if not solution.found:
            return
        made = [c for c in solution.made if c.action == "attack"]
        yield {(c.step, c.actor): c.target for c in sorted(made)}
        if not made:
            return
        problem.model.add_bool_or([problem.choices[c].Not() for c in made])


class Case(NamedTuple):
    """A player's information for one numbering of the players, and given drawn roles."""

    plan: Plan
    place: Mapping[str, int]
    roles: Mapping[tuple[int, int], Role]


class Findings(NamedTuple):
    """What some solution has: moves, and numbers of worlds that are left."""

    moves: frozenset[PlacedMove]
    sizes: frozenset[int]
    """Empty if they were not asked for, are many, or hard to find."""
    behind: tuple[Mapping[int, int], ...] = ({},)
    """The numbers of worlds that can be behind tables, by their steps; others are impossible."""


_MOST_SIZES = 20
"""The most numbers of worlds that are tried one by one, or listed."""
_SIZE_EFFORT = 0.5
"""The solver's effort for a solution that may be new only in its size; see `Problem.solve`."""
_FEW_DEALS = 60
"""The most deals for which one problem is solved sooner than one for each table and number of worlds."""
_EARLY_EFFORT = 1.5
"""The solver's effort for a question about the game up to an early table, whose answer need not be known."""


def possible_choices(
    case: Case, *, deadline: float | None, actions: Collection[Action], sizes: bool = False
) -> Findings:
    """Return all moves of some kinds that some solution has; raise OutOfTime if not finished.

    Attacks and numbers of worlds that are impossible up to some table are impossible in the whole game:
    excluding them table by table makes the next problem easier. `sizes`: return also all numbers of worlds
    that some solution leaves, unless it is hard to prove that there are no others: that can take much longer
    than to find all moves.
    """
    plan = case.plan
    steps = plan.steps[: plan.collapsed]
    few = len(deals_of(plan.setup.deck).roles) <= _FEW_DEALS
    tables = [] if few else [n for n, s in enumerate(steps) if isinstance(s, Published) and s.cells]
    excluded, attacks = set[PlacedMove](), frozenset[Action]({"attack"})
    behind: list[Mapping[int, int]] = [{}]
    for end in [n + 1 for n in tables if n + 1 < len(steps)]:  # the whole game comes last
        early = case._replace(plan=replace(plan, steps=steps[:end]))
        found, every, known, open_ = set[PlacedMove](), set[PlacedMove](), True, list[Mapping[int, int]]()
        for given in _sized(early.plan, behind):
            problem = _problem(early, given, excluded)
            explored = _explore(problem, attacks, found, deadline=deadline, effort=_EARLY_EFFORT)
            every |= {c for c in problem.choices if c.action == "attack"}
            known = known and explored.finished
            open_ += [given] if explored.sizes or not explored.finished else []
        excluded |= every - found if known else set()
        behind = open_
    found, left, counted, open_ = set(), set[int](), sizes, []
    for given in behind if few else _sized(replace(plan, steps=steps), behind):
        problem = _problem(case, given, excluded)
        if counted or any(c not in found for c in problem.choices if c.action in actions):
            open_size = counted and len(steps) - 1 not in given
            explored = _explore(problem, actions, found, deadline=deadline, counted=open_size)
            left |= explored.sizes
            counted = counted and (explored.finished or not open_size)
            if not explored.sizes:
                continue
        open_.append(given)
    return Findings(frozenset(found), frozenset(left if counted else ()), tuple(open_))


def attack_maps_of(case: Case, possible: Findings, *, deadline: float | None) -> Iterator[Attacks]:
    """Yield all combinations of the attacks found possible; raise OutOfTime if they were not all found."""
    for behind in possible.behind:
        problem = _problem(case, behind, ())
        for choice in problem.choices:
            if choice.action == "attack" and choice not in possible.moves:
                problem.without(choice)
        yield from attack_maps(problem, deadline=deadline)


def _problem(case: Case, behind: Mapping[int, int], excluded: Collection[PlacedMove]) -> Problem:
    """Return the constraints with given numbers of worlds behind tables, and without some moves."""
    problem = Problem(case.plan.with_sizes(behind), case.place, case.roles)
    for choice in excluded:
        problem.without(choice)
    return problem


def _sized(plan: Plan, behind: Sequence[Mapping[int, int]]) -> Sequence[Mapping[int, int]]:
    """Return the numbers of worlds behind the tables, the last table included if there are few."""
    at, step = len(plan.steps) - 1, plan.steps[-1]
    if not isinstance(step, Published) or not step.cells:
        return behind
    found: list[Mapping[int, int]] = []
    for given in behind:
        most = min(given.values(), default=plan.setup.deck.worlds)
        found += [{**given, at: size} for size in worlds_behind(plan, step, most)]
    return found if len(found) <= _MOST_SIZES else behind


class _Explored(NamedTuple):
    """The numbers of worlds that some solutions leave."""

    sizes: frozenset[int]
    finished: bool
    """Whether all has been found that was looked for."""


def _explore(
    problem: Problem,
    actions: Collection[Action],
    found: set[PlacedMove],
    *,
    deadline: float | None,
    effort: float | None = None,
    counted: bool = False,
) -> _Explored:
    """Add to `found` all moves of some kinds that some solution has; raise OutOfTime if not finished.

    `effort`: stop when an answer takes longer than that. `counted`: look for all numbers of worlds, too, as
    long as that is easy.
    """
    left, limit = set[int](), effort
    while True:
        solution = problem.solve(seconds=seconds_left(deadline), effort=limit)
        if solution.found:
            found |= {c for c in solution.made if c.action in actions}
            left.add(solution.worlds)
        elif solution.found is None and limit is None:
            raise OutOfTime
        elif solution.found is None and effort is not None:
            return _Explored(frozenset(left), False)
        counted = counted and solution.found is not None and len(left) <= _MOST_SIZES
        limit = _SIZE_EFFORT if counted else effort
        new = [v for c, v in problem.choices.items() if c.action in actions and c not in found]
        if solution.found is False or not (new or counted):
            return _Explored(frozenset(left), counted or effort is not None)
        if counted:
            other = problem.model.new_bool_var("")
            for size in left:
                problem.model.add(problem.worlds != size).only_enforce_if(other)
            new.append(other)
        problem.model.add_bool_or(new)


__all__ = ["Case", "Findings", "attack_maps", "attack_maps_of", "possible_choices"]
