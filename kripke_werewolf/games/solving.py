"""The exact solution of a match: a Markov chain with rational probabilities, and what is measured on it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from kripke_werewolf.errors import GameError, UnknownNameError
from kripke_werewolf.games.chance import ONE, add, generator
from kripke_werewolf.games.match import Match, check_match
from kripke_werewolf.games.outcomes import Outcomes, Simulation, as_hashable, as_record, by_number
from kripke_werewolf.language import Formula
from kripke_werewolf.language.formulas import FormulaLike, asked_formula

if TYPE_CHECKING:
    import numpy as np

S = TypeVar("S", bound="Solution")
Transitions = Mapping[Any, Mapping[Any, Fraction]]
_ZERO = Fraction(0)
LIMIT = 1_000_000
"""How many states a solution may have unless the caller allows more."""


@dataclass(frozen=True, repr=False)
class Solution(Outcomes):
    """The exact distribution of outcomes: rational probabilities; and what holds on the way there."""

    states: frozenset[Any]
    """All states that a game can reach, up to the outcome."""
    about: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """What was solved: the game, its rules, strategies with their parameters, identity, version."""
    chain: Solved | None = field(default=None, compare=False)
    """The states in an order in which plays visit them, with their transitions."""

    # --- moments ---------------------------------------------------------------------------------

    @property
    def moments(self) -> list[str]:
        """The moments at which something can be measured, in order."""
        return sorted(self._solved.moments, key=by_number)

    @property
    def _solved(self) -> Solved:
        if self.chain is None:
            raise GameError("this solution was made without its states, so nothing can be measured on it")
        return self.chain

    def _at(self, at: str) -> dict[Any, Fraction]:
        """Return the states in which plays first are at a moment, with their probabilities."""
        if at not in self._solved.moments:
            raise UnknownNameError(at, self.moments, kind="moment")
        return self._solved.first(lambda state: self._solved.moment(state) == at)

    def reached(self, at: str) -> Fraction:
        """Return the probability that a play reaches a moment."""
        return sum(self._at(at).values(), _ZERO)

    # --- measurements ----------------------------------------------------------------------------

    def probability(self, f: FormulaLike, *, at: str) -> Fraction:
        """Return the probability that a formula is true at a moment, in plays that reach it.

        Moments are named by the game, such as "quest 2": the beginning of the second quest; `moments`
        lists them. Raises UnknownNameError for a moment that no play reaches.
        """
        holds = self._reader(f)
        here = self._at(at)
        return sum((p for state, p in here.items() if holds(state)), _ZERO) / sum(here.values())

    def expected(self, player: Hashable, f: FormulaLike, *, at: str) -> Fraction:
        """Return the mean of the probability that a player gives to a formula at a moment."""
        asked, here = self._read(f), self._at(at)
        total = sum((p * s.knowledge.chance(player, asked, s.world) for s, p in here.items()), _ZERO)
        return total / sum(here.values())

    def first(self, f: FormulaLike) -> dict[str | None, Fraction]:
        """Return the distribution of the first moment at which a formula is true; None: never."""
        holds = self._reader(f)
        found: dict[str | None, Fraction] = {}
        for state, p in self._solved.first(holds).items():
            add(found, self._solved.moment(state), p)
        ordered = {m: found[m] for m in sorted(found, key=lambda m: by_number(str(m)))}
        never = 1 - sum(found.values(), _ZERO)
        return ordered | ({None: never} if never else {})

    def timeline(self, f: FormulaLike, *, every: bool = False) -> dict[str, Fraction]:
        """Return the probability of a formula at each moment; `every`: at those between them too."""
        return {m: self.probability(f, at=m) for m in self.moments if every or ", " not in m}

    def _read(self, f: FormulaLike) -> Formula:
        agents = next(iter(self.states)).knowledge.space.relations
        return asked_formula(f, agents)

    def _reader(self, f: FormulaLike) -> Callable[[Any], bool]:
        asked = self._read(f)
        return lambda state: state.knowledge.holds(asked, state.world)

    # --- simulation and files --------------------------------------------------------------------

    def simulate(self, games: int, *, rng: np.random.Generator | int | None = None) -> Simulation:
        """Return the counted outcomes of games drawn from the solution, in one multinomial draw.

        Raises GameError for a number of games below 1.
        """
        from kripke_werewolf.games.simulation import check_games

        number, rows = check_games(games), self.rows()
        shares = [float(p) for _, p in rows]
        counts = generator(rng).multinomial(number, [p / sum(shares) for p in shares]).tolist()
        drawn = {o: n for (o, _), n in zip(rows, counts, strict=True) if n}
        kind: type[Simulation] = self.chain.match.simulated_as() if self.chain else Simulation
        return kind(drawn, {**self.about, "seeds": [["multinomial", str(rng)]]})

    def to_dict(self) -> dict[str, Any]:
        """Return the solution for JSON: fractions as strings such as "2/3", and the same as decimals."""
        outcomes = [{**as_record(o), "probability": str(p), "decimal": float(p)} for o, p in self.rows()]
        return {"about": dict(self.about), "outcomes": outcomes, "states": len(self.states)}


class Solved:
    """The reachable part of a match as a Markov chain."""

    def __init__(self, match: Match[Any, Any], limit: int) -> None:
        self.match = match
        self.starts: Mapping[Any, Fraction] = dict(match.starts())
        self.transitions: dict[Any, Mapping[Any, Fraction]] = {}
        is_state, moments = match.is_state, set()
        todo = [s for s in self.starts if is_state(s)]
        found = set(todo)
        for state in todo:  # grows meanwhile
            moments.add(match.moment(state))
            following = self.transitions[state] = match.successors(state)
            for place in following:
                if place not in found and is_state(place):
                    found.add(place)
                    todo.append(place)
            if len(found) > limit:
                raise GameError(
                    f"the game has more than {limit:,} states, too many to solve; simulate it, or allow "
                    "more (limit=…)"
                )
        self.moments = frozenset(moments)
        self.order = list(_components(self.transitions))
        """The states in groups that plays visit one after the other; groups of several are cycles."""

    def moment(self, state: Any) -> str:
        """Return the name of the moment of a state."""
        return self.match.moment(state)

    def outcomes(self) -> dict[Any, Fraction]:
        """Return the probability of every outcome."""
        return self.first(lambda place: False, ends=True)

    def first(self, chosen: Callable[[Any], bool], *, ends: bool = False) -> dict[Any, Fraction]:
        """Return with which probability plays come first to each of the chosen states (or outcomes)."""
        found: dict[Any, Fraction] = {}
        flow: dict[Any, Fraction] = {}
        for place, p in self.starts.items():
            add(flow if place in self.transitions else found, place, p)
        if not ends:
            found.clear()
        for group in self.order:
            inflow = {state: flow.pop(state) for state in group if state in flow}
            if not inflow:
                continue
            stopped = [state for state in inflow if chosen(state)]
            for state in stopped:
                add(found, state, inflow.pop(state))
            if len(group) == 1 and group[0] not in self.transitions[group[0]]:
                visits = inflow
            else:
                visits = self._visits([s for s in group if not chosen(s)], inflow)
            for state, visit in visits.items():
                inside = group if len(group) > 1 else (state,)
                for place, p in self.transitions[state].items():
                    share = visit if p == 1 else visit * p
                    if place in self.transitions:
                        if place not in inside:
                            add(flow, place, share)
                        elif chosen(place):
                            add(found, place, share)
                    elif ends:
                        add(found, place, share)
        return found

    def _visits(self, group: list[Any], inflow: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
        """Return how often plays visit the states of a cycle: v = inflow + v Q, by Gaussian elimination."""
        numbers = {state: n for n, state in enumerate(group)}
        rows: list[dict[int, Fraction]] = [{n: ONE} for n in range(len(group))]
        for state in group:
            for place, p in self.transitions[state].items():
                if place in numbers:
                    row, n = rows[numbers[place]], numbers[state]
                    row[n] = row.get(n, _ZERO) - p
        right = [inflow.get(state, _ZERO) for state in group]
        return dict(zip(group, _solved(rows, right), strict=True))


def _solved(rows: list[dict[int, Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Return the solution of linear equations, given by their nonzero coefficients."""
    size = len(rows)
    for n in range(size):
        pivot = next((m for m in range(n, size) if rows[m].get(n)), None)
        if pivot is None:
            raise GameError("some plays of the game never end, so it has no solution")
        rows[n], rows[pivot], right[n], right[pivot] = rows[pivot], rows[n], right[pivot], right[n]
        for m in range(size):
            if m != n and (factor := rows[m].get(n, _ZERO) / rows[n][n]):
                for column, value in rows[n].items():
                    rows[m][column] = rows[m].get(column, _ZERO) - factor * value
                right[m] -= factor * right[n]
    return [right[n] / rows[n][n] for n in range(size)]


def _components(transitions: Transitions) -> Iterator[tuple[Any, ...]]:
    """Yield the states in groups, every group before those that can follow it."""
    indegree = dict.fromkeys(transitions, 0)
    for following in transitions.values():
        for place in following:
            if place in indegree:
                indegree[place] += 1
    ready = [state for state, number in indegree.items() if not number]
    while ready:
        state = ready.pop()
        del indegree[state]
        yield (state,)
        for place in transitions[state]:
            if place in indegree:
                indegree[place] -= 1
                if not indegree[place]:
                    ready.append(place)
    if indegree:  # what is left has cycles
        import networkx as nx

        graph: Any = nx.DiGraph()
        graph.add_nodes_from(indegree)
        graph.add_edges_from((s, t) for s in indegree for t in transitions[s] if t in indegree)
        condensed = nx.condensation(graph)
        for n in nx.topological_sort(condensed):
            yield tuple(condensed.nodes[n]["members"])


def solve(match: Match[S, Any], *, limit: int = LIMIT) -> S:
    """Return the exact distribution of outcomes, in rational arithmetic.

    Every state that a play can reach is looked at once. Games with cycles are solved as well: how often
    a play visits the states of a cycle is the solution of linear equations.

    >>> from kripke_werewolf.avalon import Avalon, published
    >>> solve(Avalon(published())).good
    Fraction(6067, 12960)

    Raises GameError for anything but a game and for more than `limit` states, and `IllegalMove` for a
    strategy that breaks a rule.
    """
    check_match(match)
    match.current()
    collecting = gc.isenabled()
    gc.disable()  # all that is made here is kept, and would be looked through again and again
    try:
        chain = Solved(match, limit)
        ends = {as_hashable(o): p for o, p in chain.outcomes().items()}
    finally:
        if collecting:
            gc.enable()
    match.unchanged()
    if sum(ends.values(), _ZERO) != 1:
        raise GameError("some plays of the game never end, so it has no solution")
    return match.solved_as()(ends, frozenset(chain.transitions), match.about(), chain)


def records(
    match: Match[Any, Any],
    games: int,
    *,
    rng: np.random.Generator | int | None = None,
    measure: Mapping[str, FormulaLike] | None = None,
    at: Iterable[str] = (),
) -> Records:
    """Play games one by one and return a table with a row per game.

    A row has the number of the game, how it ended, how many states it went through, and for each formula
    of `measure` at each moment of `at` whether it was true there (empty if the game did not get there).
    """
    from kripke_werewolf.games.chance import draw
    from kripke_werewolf.games.simulation import check_games

    check_match(match)
    identity = match.current()
    chance, wanted = generator(rng), list(at)
    asked: dict[str, Formula] | None = None
    rows: list[dict[str, Any]] = []
    for number in range(1, check_games(games) + 1):
        place: Any = draw(match.starts(), chance)
        length, seen = 0, dict[str, bool | None]()
        while match.is_state(place):
            length += 1
            if asked is None:
                agents = place.knowledge.space.relations
                asked = {name: asked_formula(f, agents) for name, f in (measure or {}).items()}
                columns = [f"{name} at {moment}" for name in asked for moment in wanted]
            moment = match.moment(place)
            if moment in wanted:
                for name, f in asked.items():
                    seen.setdefault(f"{name} at {moment}", place.knowledge.holds(f, place.world))
            place = draw(match.successors(place), chance)
        rows.append(
            {"game": number, **as_record(place), "states": length} | {c: seen.get(c) for c in columns}
        )
    return Records(tuple(rows), {**match.about(), "identity": identity, "rng": str(rng)})


@dataclass(frozen=True, repr=False)
class Records:
    """A table with a row per game played."""

    rows: tuple[Mapping[str, Any], ...]
    """The rows: values by the name of their column."""
    about: Mapping[str, Any]
    """What was played."""

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<Records: {len(self.rows)} games of {self.about.get('game')}>"

    def to_csv(self) -> str:
        """Return the table as CSV."""
        from kripke_werewolf.games.outcomes import csv_text

        return csv_text([dict(row) for row in self.rows])

    def to_pandas(self) -> Any:
        """Return the table as a pandas DataFrame; raises GameError without pandas."""
        return _pandas().DataFrame([dict(row) for row in self.rows])

    def to_parquet(self, path: Any) -> None:
        """Write the table as a Parquet file; raises GameError without pandas and pyarrow."""
        try:
            self.to_pandas().to_parquet(path)
        except ImportError:
            raise GameError("Parquet needs the package pyarrow; install kripke-werewolf[tables]") from None


def _pandas() -> Any:
    from importlib import import_module

    try:
        return import_module("pandas")
    except ImportError:
        raise GameError("a DataFrame needs the package pandas; install kripke-werewolf[tables]") from None
