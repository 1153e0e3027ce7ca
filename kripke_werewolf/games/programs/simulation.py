"""Simulated games: in chunks with their own seeds, in this process or by an executor, such as Dask's."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from multiprocessing import get_context
from numbers import Integral
from pickle import PicklingError
from threading import Lock
from types import FrameType
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from kripke_werewolf.base.errors import GameError, KripkeError
from kripke_werewolf.base.randomness import generator
from kripke_werewolf.games.programs.match import Match, check_match
from kripke_werewolf.games.programs.outcomes import Simulation, as_hashable

# --- the match as a Markov chain, its states tabulated --------------------------------------------

N = TypeVar("N", bound=Simulation)
T = TypeVar("T")
Table: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]
_ENDED = np.iinfo(np.int64).max


class MarkovChain:
    """A match as a Markov chain: its states numbered, their transitions tabulated when first needed.

    Many games are played at once. All games at the lowest stage move together; those in the same state use
    one table, so the cost of a step depends on the number of states, not of games.
    """

    def __init__(self, match: Match[Any, Any]) -> None:
        self.match = check_match(match)
        match.current()
        self._places: list[Any] = []
        self._numbers: dict[Any, int] = {}
        self._stages: list[int] = []  # of every place
        self._tables: dict[int, Table] = {}
        self._start = self._table(match.starts())
        self._lock = Lock()

    @property
    def visited(self) -> frozenset[Any]:
        """The states visited by any game so far."""
        return frozenset(self._places[n] for n in self._tables)

    def walk(self, games: int, rng: np.random.Generator) -> Counter[Any]:
        """Play a number of games and return the count of each outcome.

        The draws depend only on `rng`, not on the states visited before.
        """
        with self._lock:
            places = _drawn(self._start, rng.random(games))
            while True:
                stages = np.array(self._stages)[places]
                lowest = stages.min()
                if lowest == _ENDED:
                    break
                here = np.flatnonzero(stages == lowest)
                places[here] = self._step(places[here], rng.random(len(here)))
            found, counts = np.unique(places, return_counts=True)
        pairs = zip(found.tolist(), counts.tolist(), strict=True)
        return Counter({self._places[n]: count for n, count in pairs})

    def _step(self, places: npt.NDArray[np.int64], chances: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """Return the next places of games."""
        out = np.empty_like(places)
        order = np.argsort(places, kind="stable")
        found, counts = np.unique(places, return_counts=True)
        for number, games in zip(found.tolist(), np.split(order, np.cumsum(counts)), strict=False):
            out[games] = _drawn(self._of(number), chances[games])
        return out

    def _of(self, number: int) -> Table:
        if number not in self._tables:
            self._tables[number] = self._table(self.match.successors(self._places[number]))
        return self._tables[number]

    def _table(self, following: Mapping[Any, Fraction]) -> Table:
        """Return the cumulative probabilities of the next places, and these places."""
        for place in following:
            if place not in self._numbers:
                self._numbers[place] = len(self._places)
                self._places.append(place)
                going = self.match.is_state(place)
                self._stages.append(self.match.stage(place) if going else _ENDED)
                if not going:
                    as_hashable(place)
        bounds = np.cumsum(np.array([float(p) for p in following.values()]))
        bounds[-1] = 1
        return bounds, np.array([self._numbers[place] for place in following])


def _drawn(table: Table, chances: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    bounds, places = table
    return places[np.searchsorted(bounds, chances, side="right")]


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


def check_number(name: str, value: object) -> int:
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
    number = check_number("games", games)
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
    kind = match.simulation
    try:
        for done in _played(executor, chunks):
            counts += done
            if progress is not None:
                progress(done.total())
    except KripkeError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        raise SimulationStopped(kind(counts, about, match), number, cause(error)) from error
    match.unchanged()
    return kind(counts, about, match)


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


@contextmanager
def stoppable() -> Iterator[None]:
    """Treat SIGTERM, which schedulers send, like a keyboard interrupt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


# --- where they are played ------------------------------------------------------------------------


class ExecutorBroken(KripkeError, RuntimeError):
    """An executor that did not finish its work."""


def cause(error: BaseException) -> str:
    """Return the reason why work on an executor stopped, in words."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    if isinstance(error, CancelledError):
        return "the executor has cancelled its work, as a cluster does when its scheduler is gone"
    if isinstance(error, BrokenProcessPool):
        return (
            "a process ended abruptly: it was killed, or could not import what it needs (a strategy must be "
            "in a module; a script must start processes under `if __name__ == '__main__':`)"
        )
    if "deserialization of the task graph" in str(error) or isinstance(error, ModuleNotFoundError):
        missing = error if isinstance(error, ModuleNotFoundError) else error.__cause__ or error
        return (
            f"{missing}: the scheduler or a worker cannot import what it needs (a module with strategies "
            "must be importable there: install it, or copy it into the folder where they were started)"
        )
    if isinstance(error, PicklingError) or any(word in str(error) for word in ("pickle", "local object")):
        return f"{error}: it cannot be sent to another process (a strategy must be a class of a module)"
    return f"{type(error).__name__}: {error}"


@contextmanager
def open_executor(*, workers: int | None = None) -> Iterator[Executor | None]:
    """Open worker processes, and close them at the end of the block.

    `workers`: the number of processes. Without it the block gets None, for this process. SIGTERM, which
    schedulers send, is treated like a keyboard interrupt. Raises GameError for an impossible number.
    """
    opened = None
    if workers is not None:
        try:
            # spawned, not forked: a fork would copy the threads of a progress bar half
            opened = ProcessPoolExecutor(check_number("workers", workers), mp_context=get_context("spawn"))
        except ValueError as error:  # Windows cannot wait for more than 61
            raise GameError(f"workers={workers!r} is not possible ({error})") from None
    with stoppable(), opened or nullcontext() as pool:
        yield pool
