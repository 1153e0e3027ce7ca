"""A match as a Markov chain: solved exactly and measured, or simulated, here or by an executor."""

from __future__ import annotations

import gc
import signal
import threading
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from multiprocessing import get_context
from numbers import Integral
from pickle import PicklingError
from threading import Lock
from types import FrameType
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from kripke_werewolf.base.errors import GameError, KripkeError, check_known
from kripke_werewolf.base.randomness import generator
from kripke_werewolf.games.programs.chance import ZERO, add
from kripke_werewolf.games.programs.decisions import timeless
from kripke_werewolf.games.programs.knowledge import Knowledge
from kripke_werewolf.games.programs.match import Match, State, check_match
from kripke_werewolf.games.programs.outcomes import Outcomes, Simulation, as_record, by_number
from kripke_werewolf.logic.formulas import Formula
from kripke_werewolf.logic.formulas.syntax import FormulaLike

N = TypeVar("N", bound=Simulation)
S = TypeVar("S", bound="Solution")
Numbers: TypeAlias = npt.NDArray[np.int64]
Table: TypeAlias = tuple[npt.NDArray[np.float64], Numbers]
"""The cumulative probabilities of the next places, and these places."""
_ENDED = np.iinfo(np.int64).max
_LOCK = Lock()


class MarkovChain:
    """A match as a Markov chain: its states and outcomes numbered, states followed up when first needed.

    Many games are played at once. All games at the lowest stage move together; those in the same state use
    one table, so the cost of a step depends on the number of states, not of games.
    """

    def __init__(self, match: Match[Any, Any]) -> None:
        self.match = check_match(match)
        match.current()
        self.places: list[Any] = []
        self.rows: dict[int, dict[int, Fraction]] = {}
        """The successors of each state that was followed up, with their probabilities."""
        self._numbers: dict[Any, int] = {}
        self._stages: list[int] = []  # of every place
        self._start = self._row(match.starts())
        self._tables: dict[int, Table] = {}
        self.reached: dict[str, dict[Any, Fraction]] = {}
        """The states in which plays first reach a moment, with their probabilities, as far as was asked."""

    def _row(self, following: Mapping[Any, Fraction]) -> dict[int, Fraction]:
        """Return successors by their numbers; new places get the next numbers."""
        found = {}
        for place, p in following.items():
            number = self._numbers.setdefault(place, len(self.places))
            if number == len(self.places):
                self.places.append(place)
                going = isinstance(place, State)
                self._stages.append(self.match.stage(place) if going else _ENDED)
            found[number] = p
        return found

    def _follow(self, number: int) -> dict[int, Fraction]:
        if number not in self.rows:
            self.rows[number] = self._row(self.match.successors(self.places[number]))
        return self.rows[number]

    @property
    def visited(self) -> frozenset[Any]:
        """The states that were followed up: those visited by any game so far."""
        return frozenset(self.places[n] for n in self.rows)

    # --- many games at once ----------------------------------------------------------------------

    def walk(self, games: int, rng: np.random.Generator) -> Counter[Any]:
        """Play a number of games and return the count of each outcome.

        The draws depend only on `rng`, not on the states visited before.
        """
        with _LOCK:
            places = _drawn(_tabulated(self._start), rng.random(games))
            while True:
                stages = np.array(self._stages)[places]
                lowest = stages.min()
                if lowest == _ENDED:
                    break
                here = np.flatnonzero(stages == lowest)
                places[here] = self._step(places[here], rng.random(len(here)))
            found, counts = np.unique(places, return_counts=True)
        pairs = zip(found.tolist(), counts.tolist(), strict=True)
        return Counter({self.places[n]: count for n, count in pairs})

    def _step(self, places: Numbers, chances: npt.NDArray[np.float64]) -> Numbers:
        """Return the next places of games."""
        out = np.empty_like(places)
        order = np.argsort(places, kind="stable")
        found, counts = np.unique(places, return_counts=True)
        for number, games in zip(found.tolist(), np.split(order, np.cumsum(counts)), strict=False):
            if number not in self._tables:
                self._tables[number] = _tabulated(self._follow(number))
            out[games] = _drawn(self._tables[number], chances[games])
        return out

    # --- all plays -------------------------------------------------------------------------------

    def explore(self, limit: int) -> None:
        """Follow up all states; raise GameError for more than `limit` of them."""
        for number, _ in enumerate(self.places):  # grows during the loop
            if self._stages[number] != _ENDED:
                if len(self.rows) == limit:
                    raise GameError(
                        f"the game has more than {limit:,} states, too many to solve; simulate it, or allow "
                        "more (limit=…), or let it end after a number of steps if players may go on for ever"
                    )
                self._follow(number)

    @cached_property
    def order(self) -> list[Collection[int]]:
        """The numbers of the places in groups that plays visit one after the other; large ones are cycles."""
        after = {n: self.rows.get(n, {}).keys() for n, _ in enumerate(self.places)}
        try:
            return [(n,) for n in reversed([*TopologicalSorter(after).static_order()])]
        except CycleError:
            import networkx as nx

            condensed = nx.condensation(nx.DiGraph(after))
            return [condensed.nodes[group]["members"] for group in nx.topological_sort(condensed)]

    def first(self, chosen: Callable[[Any], bool]) -> dict[Any, Fraction]:
        """Return the probability that plays first meet the chosen places at each of them, all explored.

        The other states are left out one by one: what arrives there goes on to the places that follow.
        """
        wanted = [chosen(place) for place in self.places]
        flow = [self._start.get(n, ZERO) for n, _ in enumerate(self.places)]
        for group in self.order:
            if any(flow[n] for n in group):
                rows = {n: self.rows[n] for n in group if n in self.rows and not wanted[n]}
                for n in [*rows]:
                    row = rows.pop(n)
                    if stays := row.get(n):
                        if stays == 1:
                            raise GameError("some plays of the game never end, so it has no solution")
                        row = {m: p / (1 - stays) for m, p in row.items() if m != n}
                    for m, p in row.items():
                        flow[m] += flow[n] * p
                    for other, ways in rows.items():
                        if n in ways:
                            rows[other] = {m: p for m, p in ways.items() if m != n}
                            for m, p in row.items():
                                add(rows[other], m, ways[n] * p)
        return {place: flow[n] for n, place in enumerate(self.places) if wanted[n] and flow[n]}


def _tabulated(row: Mapping[int, Fraction]) -> Table:
    bounds = np.cumsum([float(p) for p in row.values()])
    bounds[-1] = 1
    return bounds, np.array([*row])


def _drawn(table: Table, chances: npt.NDArray[np.float64]) -> Numbers:
    bounds, places = table
    return places[np.searchsorted(bounds, chances, side="right")]


# --- the exact solution ----------------------------------------------------------------------------

LIMIT = 1_000_000
"""The default limit on the states of a solution."""


@dataclass(frozen=True, repr=False)
class Solution(Outcomes):
    """The exact distribution of outcomes, with rational probabilities; and measurements on the way there."""

    about: Mapping[str, Any] = field(compare=False)
    """The description of the game: rules, strategies with their parameters, identity, version."""
    chain: MarkovChain = field(compare=False)
    """The states in the order of visits, with their transitions."""

    @cached_property
    def states(self) -> frozenset[Any]:
        """All reachable states, without the outcomes."""
        return self.chain.visited

    # --- moments ---------------------------------------------------------------------------------

    @cached_property
    def moments(self) -> list[str]:
        """The moments at which measurements are possible, in order."""
        return sorted({*map(self.chain.match.moment, self.states)}, key=by_number)

    def _reached(self, at: str) -> dict[Any, Fraction]:
        """Return the states in which plays first reach a moment, with their probabilities."""
        chain, found, here = self.chain, self.chain.reached, self.chain.match.moment
        if check_known(at, self.moments, kind="moment") not in found:
            found[at] = chain.first(lambda place: isinstance(place, State) and here(place) == at)
        return found[at]

    def reached(self, at: str) -> Fraction:
        """Return the probability that a play reaches a moment."""
        return sum(self._reached(at).values(), ZERO)

    # --- measurements ----------------------------------------------------------------------------

    def probability(self, f: FormulaLike, *, at: str) -> Fraction:
        """Return the probability that a formula is true at a moment, in plays that reach it.

        Moments are named by the game, such as "quest 2": the beginning of the second quest; `moments`
        lists them. If plays pass several states of a moment, the first counts. Raises UnknownNameError for a
        moment that no play reaches.
        """
        return self._mean(self._reader(f), at)

    def expected(self, player: Hashable, f: FormulaLike, *, at: str) -> Fraction:
        """Return the mean of the probability that a player gives to a formula at a moment."""
        asked, knowledge = self._read(f)
        return self._mean(lambda s: knowledge(s).chance(player, asked, s.world), at)

    def first(self, f: FormulaLike) -> dict[str | None, Fraction]:
        """Return the distribution of the first moment at which a formula is true; None: never.

        Of states with the same moment any may be the first where it is true.
        """
        holds, found = self._reader(f), dict[str, Fraction]()
        for state, p in self.chain.first(lambda place: isinstance(place, State) and holds(place)).items():
            add(found, self.chain.match.moment(state), p)
        ordered: dict[str | None, Fraction] = {m: found[m] for m in sorted(found, key=by_number)}
        if never := 1 - sum(found.values(), ZERO):
            ordered[None] = never
        return ordered

    def timeline(self, f: FormulaLike) -> dict[str, Fraction]:
        """Return the probability of a formula at each moment, without the steps between moments."""
        return {m: self.probability(f, at=m) for m in self.moments if ", " not in m}

    def _mean(self, value: Callable[[Any], Any], at: str) -> Fraction:
        """Return the mean of a value at a moment."""
        return sum((p * value(s) for s, p in self._reached(at).items()), ZERO) / self.reached(at)

    def _read(self, f: FormulaLike) -> tuple[Formula, Callable[[Any], Knowledge]]:
        """Return a formula, and the function that returns the knowledge of a state with all its atoms."""
        asked = timeless(f, next(iter(self.states)).knowledge.space.relations)
        known = {atom for state in self.states for atom in state.knowledge.points.valuation}
        complete = cache(lambda knowledge: knowledge.with_atoms(asked.atoms & known))
        return asked, lambda state: complete(state.knowledge)

    def _reader(self, f: FormulaLike) -> Callable[[Any], bool]:
        asked, knowledge = self._read(f)
        return lambda state: knowledge(state).holds(asked, state.world)

    def to_dict(self) -> dict[str, Any]:
        """Return the solution for JSON: fractions as strings such as "2/3", and the same as decimals."""
        outcomes = [{**as_record(o), "probability": str(p), "decimal": float(p)} for o, p in self.rows()]
        return {"about": dict(self.about), "outcomes": outcomes, "states": len(self.states)}


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

    Every reachable state is examined once. Games with cycles are solved as well, if plays end at last.

    >>> from kripke_werewolf.games.avalon import Avalon, published
    >>> solve(Avalon(published())).good
    Fraction(6067, 12960)

    Raises GameError for anything but a game and for more than `limit` states; `IllegalMove` for a strategy
    that breaks a rule.
    """
    chain = MarkovChain(match)
    with without_collection():
        chain.explore(limit)
        ends = chain.first(lambda place: not isinstance(place, State))
    match.unchanged()
    return match.solution(ends, match.about(), chain)


# --- many games, in chunks -----------------------------------------------------------------------

CHUNK = 20_000
"""Games per chunk; another number would change what a seed means."""
_PENDING = 64  # chunks that an executor has at a time


class SimulationStopped(KripkeError, RuntimeError):
    """A simulation that was interrupted, or whose workers died.

    Attribute `simulation`: the results of the finished games.
    """

    def __init__(self, simulation: Simulation, games: int, reason: str) -> None:
        self.simulation: Any = simulation
        super().__init__(f"the simulation stopped after {simulation.games:,} of {games:,} games: {reason}")


def _check_number(name: str, value: object) -> int:
    """Return a number of games, rounds or processes; raise GameError unless it is a positive integer."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise GameError(f"{name}={value!r} is not possible (allowed: a whole number from 1)")
    return int(value)


def simulate(
    match: Match[Any, N],
    games: int,
    *,
    rng: np.random.Generator | int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], object] | None = None,
) -> N:
    """Play games and return the counted outcomes.

    The games are played in chunks, each with a seed spawned from `rng`; the result depends only on the seed
    and the number of games. `executor`: any `concurrent.futures.Executor` to run the chunks, such as that of
    a Dask cluster, `distributed.Client(address).get_executor()`; by default this process. `progress` is
    called with the number of games of every finished chunk.

    >>> from kripke_werewolf.games.avalon import Avalon, published
    >>> result = simulate(Avalon(published()), 1000, rng=1)
    >>> result.games, result.interval()[0] < 6067 / 12960 < result.interval()[1]
    (1000, True)

    Raises GameError for a number of games below 1 and for anything but a game, seed or executor;
    `IllegalMove` for a strategy that breaks a rule, and `SimulationStopped` (with the results so far) when
    the executor breaks or the user interrupts.
    """
    number = _check_number("games", games)
    check_match(match)
    if executor is not None and not isinstance(executor, Executor):
        raise GameError(f"executor={executor!r} is not a concurrent.futures.Executor")
    chance = generator(rng)
    seed = chance.bit_generator.seed_seq
    assert isinstance(seed, np.random.SeedSequence)  # as that of every generator of ours
    match.current()
    name = [str(seed.entropy), [int(n) for n in seed.spawn_key], int(seed.n_children_spawned)]
    about = {**match.about(), "seeds": [name]}
    sizes = (min(CHUNK, number - first) for first in range(0, number, CHUNK))
    chunks = ((match, size, seed.spawn(1)[0]) for size in sizes)
    counts: Counter[Any] = Counter()
    try:
        for done in _played(executor, chunks):
            counts += done
            if progress is not None:
                progress(done.total())
    except KripkeError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        raise SimulationStopped(match.simulation(counts, about), number, _cause(error)) from error
    match.unchanged()
    return match.simulation(counts, about)


def _played(
    executor: Executor | None, chunks: Iterator[tuple[Match[Any, Any], int, np.random.SeedSequence]]
) -> Iterator[Counter[Any]]:
    """Yield the results of chunks as they finish.

    Without an executor they are played here, in order; otherwise at most 64 are submitted at a time.
    """
    if executor is None:
        yield from (_play_chunk(*chunk) for chunk in chunks)
        return
    waiting: set[Future[Counter[Any]]] = set()
    try:
        while True:
            more = islice(chunks, _PENDING - len(waiting))
            waiting |= {executor.submit(_play_chunk, *chunk) for chunk in more}
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    finally:
        for future in waiting:
            future.cancel()


def _play_chunk(match: Match[Any, Any], games: int, seed: np.random.SeedSequence) -> Counter[Any]:
    return _chain(match).walk(games, np.random.default_rng(seed))


@lru_cache(maxsize=4)
def _chain(match: Match[Any, Any]) -> MarkovChain:
    """Return the chain of a match; a process that plays many of its chunks builds it once."""
    return MarkovChain(match)


# --- where they are played ------------------------------------------------------------------------


def _cause(error: BaseException) -> str:
    """Return the reason why work on an executor stopped, in words."""
    said = f"{type(error).__name__}: {error}"
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    if isinstance(error, BrokenProcessPool):
        return (
            "a process ended abruptly: it was killed, or could not import what it needs (a strategy must be "
            "in a module; a script must start processes under `if __name__ == '__main__':`)"
        )
    if isinstance(error, PicklingError) or any(word in str(error) for word in ("pickle", "local object")):
        return f"{said}: it cannot be sent to another process (a strategy must be a class of a module)"
    return said


@contextmanager
def open_executor(*, workers: int | None = None) -> Iterator[Executor | None]:
    """Open worker processes, and close them at the end of the block.

    `workers`: the number of processes. Without it the block gets None, for this process. SIGTERM, which
    schedulers send, is treated like a keyboard interrupt. Raises GameError for an impossible number.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    opened = None
    if workers is not None:
        try:
            # spawned, not forked: a fork would copy the threads of a progress bar half
            opened = ProcessPoolExecutor(_check_number("workers", workers), mp_context=get_context("spawn"))
        except ValueError as error:  # Windows cannot wait for more than 61
            raise GameError(f"workers={workers!r} is not possible ({error})") from None
    main = threading.current_thread() is threading.main_thread()  # others cannot take signals
    before = signal.signal(signal.SIGTERM, stop) if main else None
    try:
        with opened or nullcontext() as pool:
            yield pool
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)
