"""The exact solution of a match, a Markov chain with rational probabilities, and measurements on it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeAlias, TypeVar

import numpy as np

from kripke_werewolf.base.errors import GameError, check_known
from kripke_werewolf.base.randomness import generator
from kripke_werewolf.games.programs.chance import ONE, ZERO, add
from kripke_werewolf.games.programs.decisions import timeless
from kripke_werewolf.games.programs.knowledge import Knowledge
from kripke_werewolf.games.programs.match import Match, check_match
from kripke_werewolf.games.programs.outcomes import Outcomes, Simulation, as_hashable, as_record, by_number
from kripke_werewolf.games.programs.simulation import check_number
from kripke_werewolf.logic.formulas import Formula
from kripke_werewolf.logic.formulas.syntax import FormulaLike

S = TypeVar("S", bound="Solution")
Row: TypeAlias = list[tuple[int, Fraction]]
"""The successors of a place: pairs of a place number and a probability."""
LIMIT = 1_000_000
"""The default limit on the states of a solution."""


@dataclass(frozen=True, repr=False)
class Solution(Outcomes):
    """The exact distribution of outcomes, with rational probabilities; and measurements on the way there."""

    states: frozenset[Any]
    """All reachable states, without the outcomes."""
    about: Mapping[str, Any] = field(compare=False)
    """The description of the game: rules, strategies with their parameters, identity, version."""
    chain: _Solved = field(compare=False)
    """The states in the order of visits, with their transitions."""

    @property
    def match(self) -> Any:
        """The game."""
        return self.chain.match

    # --- moments ---------------------------------------------------------------------------------

    @property
    def moments(self) -> list[str]:
        """Return the moments at which measurements are possible, in order.

        If plays can pass several states of one moment, the later ones are "round 1 (2)", "round 1 (3)", …
        """
        return sorted(self.chain.moments, key=by_number)

    def _at(self, at: str) -> dict[Any, Fraction]:
        """Return the states in which plays first reach a moment, with their probabilities."""
        return self.chain.at(check_known(at, self.moments, kind="moment"))

    def reached(self, at: str) -> Fraction:
        """Return the probability that a play reaches a moment."""
        return sum(self._at(at).values(), ZERO)

    # --- measurements ----------------------------------------------------------------------------

    def probability(self, f: FormulaLike, *, at: str) -> Fraction:
        """Return the probability that a formula is true at a moment, in plays that reach it.

        Moments are named by the game, such as "quest 2": the beginning of the second quest; `moments`
        lists them. Raises UnknownNameError for a moment that no play reaches.
        """
        return self._mean(self._reader(f), at)

    def expected(self, player: Hashable, f: FormulaLike, *, at: str) -> Fraction:
        """Return the mean of the probability that a player gives to a formula at a moment."""
        asked, knowledge = self._read(f)
        return self._mean(lambda s: knowledge(s).chance(player, asked, s.world), at)

    def first(self, f: FormulaLike) -> dict[str | None, Fraction]:
        """Return the distribution of the first moment at which a formula is true; None: never.

        Raises GameError where it is a moment that some plays have passed before, in another state.
        """
        found: dict[str | None, Fraction] = {}
        for state, p in self.chain.first(self._reader(f)).items():
            if self.chain.moment(state) in self.chain.ambiguous:
                raise GameError(
                    f"{f} is first true at {self.chain.moment(state)!r}, which some plays have visited "
                    "before: give these states different moments (Game.moment)"
                )
            add(found, self.chain.moment(state), p)
        ordered = {m: found[m] for m in sorted(found, key=lambda m: by_number(str(m)))}
        if never := 1 - sum(found.values(), ZERO):
            ordered[None] = never
        return ordered

    def timeline(self, f: FormulaLike, *, every: bool = False) -> dict[str, Fraction]:
        """Return the probability of a formula at each moment; `every`: at steps between moments, too."""
        return {m: self.probability(f, at=m) for m in self.moments if every or ", " not in m}

    def _mean(self, value: Callable[[Any], Any], at: str) -> Fraction:
        """Return the mean of a value at a moment."""
        return sum((p * value(s) for s, p in self._at(at).items()), ZERO) / self.reached(at)

    def _read(self, f: FormulaLike) -> tuple[Formula, Callable[[Any], Knowledge]]:
        """Return a formula, and the function that returns the knowledge of a state with all its atoms."""
        asked = timeless(f, next(iter(self.states)).knowledge.space.relations)
        known = self.chain.atoms()
        complete = cache(lambda knowledge: knowledge.with_atoms(asked.atoms & known))
        return asked, lambda state: complete(state.knowledge)

    def _reader(self, f: FormulaLike) -> Callable[[Any], bool]:
        asked, knowledge = self._read(f)
        return lambda state: knowledge(state).holds(asked, state.world)

    # --- simulation and files --------------------------------------------------------------------

    def simulate(self, games: int, *, rng: np.random.Generator | int | None = None) -> Simulation:
        """Return the counted outcomes of games drawn from the solution, in one multinomial draw.

        Raises GameError for a number of games below 1.
        """
        number, rows = check_number("games", games), self.rows()
        shares = [float(p) for _, p in rows]
        counts = generator(rng).multinomial(number, [p / sum(shares) for p in shares]).tolist()
        drawn = {o: n for (o, _), n in zip(rows, counts, strict=True) if n}
        about = {**self.about, "seeds": [["multinomial", str(rng)]]}
        made: Simulation = self.match.simulation(drawn, about, self.match)
        return made

    def to_dict(self) -> dict[str, Any]:
        """Return the solution for JSON: fractions as strings such as "2/3", and the same as decimals."""
        outcomes = [{**as_record(o), "probability": str(p), "decimal": float(p)} for o, p in self.rows()]
        return {"about": dict(self.about), "outcomes": outcomes, "states": len(self.states)}


class _Solved:
    """The reachable part of a match as a Markov chain, its places (states and outcomes) numbered."""

    def __init__(self, match: Match[Any, Any], limit: int) -> None:
        self.match = match
        self.places: list[Any] = []
        self._numbers: dict[Any, int] = {}
        self._moments: list[str | None] = []  # of every place; None for outcomes
        is_state, moment, size = match.is_state, match.moment, 0
        start = self._row(match.starts())
        rows: list[Row] = []
        for place in self.places:  # grows during the loop
            if not is_state(place):
                self._moments.append(None)
                rows.append([])
                continue
            size += 1
            if size > limit:
                raise GameError(
                    f"the game has more than {limit:,} states, too many to solve; simulate it, or allow "
                    "more (limit=…), or let it end after a number of steps if players may go on for ever"
                )
            self._moments.append(moment(place))
            rows.append(self._row(match.successors(place)))
        self._reached: dict[str, dict[Any, Fraction]] = {}
        self._start, self._rows = start, rows
        self.order = _components(rows)
        """The places in groups that plays visit one after the other; larger groups are cycles."""
        self.ambiguous = {m for m in self._repeated() if not self._count(m)}
        """The moments whose states cannot be numbered: the number of them that plays have passed varies."""
        self.moments = frozenset(m for m in self._moments if m is not None)

    def _row(self, following: Mapping[Any, Fraction]) -> Row:
        """Return successors as pairs of a number and a probability; new places get the next numbers."""
        numbers, found = self._numbers, []
        for place, p in following.items():
            number = numbers.setdefault(place, len(numbers))
            if number == len(self.places):
                self.places.append(place)
            found.append((number, p))
        return found

    def _repeated(self) -> list[str]:
        """Return the moments to which plays may come back in another state."""
        names = list(dict.fromkeys(m for m in self._moments if m is not None))
        number: dict[str | None, int] = {name: n for n, name in enumerate(names)}
        after: list[dict[int, Fraction]] = [{} for _ in names]
        for n, row in enumerate(self._rows):
            for m, _ in row:
                if m != n and self._moments[m] is not None:
                    after[number[self._moments[n]]][number[self._moments[m]]] = ONE
        groups = _components([list(row.items()) for row in after])
        return [names[n] for group in groups for n in group if len(group) > 1 or n in after[n]]

    def _count(self, moment: str) -> bool:
        """Number the states of a moment by how many of them plays have passed; return whether that works."""
        passed: list[set[int]] = [set() for _ in self._rows]
        for n, _ in self._start:
            passed[n].add(0)
        numbers: dict[int, int] = {}
        for group in self.order:
            before = set[int]().union(*(passed[n] for n in group))
            here = [n for n in group if self._moments[n] == moment]
            if here and len(before) + len(here) > 2:
                return False
            numbers |= {n: 1 + count for n in here for count in before}
            beyond = {count + len(here) for count in before}
            for m in {m for n in group for m, _ in self._rows[n]}.difference(group):
                passed[m] |= beyond
        for n, count in numbers.items():
            self._moments[n] = nth(moment, count)
        return True

    def atoms(self) -> set[str]:
        """Return all atoms of the knowledge in some state."""
        return {atom for state in self.states for atom in state.knowledge.points.valuation}

    @property
    def states(self) -> list[Any]:
        """The states: the places from which the game continues."""
        return [place for place, moment in zip(self.places, self._moments, strict=True) if moment is not None]

    def moment(self, state: Any) -> str:
        """Return the name of the moment of a state."""
        return self._moments[self._numbers[state]] or ""

    def outcomes(self) -> dict[Any, Fraction]:
        """Return the probability of every outcome."""
        return self._first([moment is None for moment in self._moments])

    def at(self, moment: str) -> dict[Any, Fraction]:
        """Return the states in which plays first reach a moment, with their probabilities."""
        if moment not in self._reached:
            self._reached[moment] = self._first([m == moment for m in self._moments])
        return self._reached[moment]

    def first(self, chosen: Callable[[Any], bool]) -> dict[Any, Fraction]:
        """Return the probability that plays first meet the chosen states at each of them."""
        pairs = zip(self.places, self._moments, strict=True)
        return self._first([moment is not None and chosen(place) for place, moment in pairs])

    def _first(self, chosen: list[bool]) -> dict[Any, Fraction]:
        """Return the probability that plays first meet the chosen places at each of them."""
        flow = [ZERO] * len(self.places)
        for n, p in self._start:
            flow[n] += p
        for group in self.order:
            n = group[0]
            if len(group) > 1 or any(m == n for m, _ in self._rows[n]):
                if any(flow[n] for n in group):
                    self._circulate(group, chosen, flow)
            elif (visits := flow[n]) and not chosen[n]:
                for m, p in self._rows[n]:
                    flow[m] += visits * p
        return {place: flow[n] for n, place in enumerate(self.places) if chosen[n] and flow[n]}

    def _circulate(self, group: tuple[int, ...], chosen: list[bool], flow: list[Fraction]) -> None:
        """Solve a cycle: the visits v satisfy v = inflow + v Q, by Gaussian elimination."""
        going = [n for n in group if not chosen[n]]
        numbers = {n: row for row, n in enumerate(going)}
        rows: list[dict[int, Fraction]] = [{row: ONE} for row in range(len(going))]
        for n in going:
            for m, p in self._rows[n]:
                if m in numbers:
                    row = rows[numbers[m]]
                    row[numbers[n]] = row.get(numbers[n], ZERO) - p
        for n, visits in zip(going, _solved(rows, [flow[n] for n in going]), strict=True):
            for m, p in self._rows[n]:
                if m not in numbers:
                    flow[m] += visits * p


def nth(moment: str, number: int) -> str:
    """Return the name of the `number`-th state of a moment that plays pass."""
    return moment if number == 1 else f"{moment} ({number})"


def _solved(rows: list[dict[int, Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Return the solution of linear equations, given by their nonzero coefficients."""
    size = len(rows)
    for n in range(size):
        pivot = next((m for m in range(n, size) if rows[m].get(n)), None)
        if pivot is None:
            raise GameError("some plays of the game never end, so it has no solution")
        rows[n], rows[pivot], right[n], right[pivot] = rows[pivot], rows[n], right[pivot], right[n]
        for m in range(size):
            if m != n and (factor := rows[m].get(n, ZERO) / rows[n][n]):
                for column, value in rows[n].items():
                    rows[m][column] = rows[m].get(column, ZERO) - factor * value
                right[m] -= factor * right[n]
    return [right[n] / rows[n][n] for n in range(size)]


def _components(rows: Sequence[Row]) -> list[tuple[int, ...]]:
    """Return groups of place numbers, each before its successors."""
    after = {n: [m for m, _ in row] for n, row in enumerate(rows)}
    try:
        return [(n,) for n in reversed([*TopologicalSorter(after).static_order()])]
    except CycleError:
        import networkx as nx

        condensed = nx.condensation(nx.DiGraph(after))
        return [tuple(condensed.nodes[group]["members"]) for group in nx.topological_sort(condensed)]


@contextmanager
def without_collection() -> Iterator[None]:
    """Do not look for garbage meanwhile: objects made here are kept, and would be scanned again and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def solve(match: Match[S, Any], *, limit: int = LIMIT) -> S:
    """Return the exact distribution of outcomes, in rational arithmetic.

    Every reachable state is examined once. Games with cycles are solved as well: the expected visits to the
    states of a cycle solve linear equations.

    >>> from kripke_werewolf.games.avalon import Avalon, published
    >>> solve(Avalon(published())).good
    Fraction(6067, 12960)

    Raises GameError for anything but a game and for more than `limit` states; `IllegalMove` for a strategy
    that breaks a rule.
    """
    check_match(match)
    match.current()
    with without_collection():
        chain = _Solved(match, limit)
        ends = {as_hashable(o): p for o, p in chain.outcomes().items()}
    match.unchanged()
    if sum(ends.values(), ZERO) != 1:
        raise GameError("some plays of the game never end, so it has no solution")
    return match.solution(ends, frozenset(chain.states), match.about(), chain)
