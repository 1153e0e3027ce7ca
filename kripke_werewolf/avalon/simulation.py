"""Simulated games: in chunks with seeds of their own, in this process, in others, or on a Dask cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from itertools import islice
from math import sqrt
from multiprocessing import get_context
from numbers import Integral
from pickle import PicklingError
from threading import Lock
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from kripke_werewolf.avalon.game import Avalon, Next, State, check_game, generator
from kripke_werewolf.avalon.outcomes import Outcomes, deviations, wilson
from kripke_werewolf.avalon.rules import PARTY_SIZES, PROPOSALS, Outcome, Side
from kripke_werewolf.errors import GameError, KripkeError

# --- the game as a Markov chain ------------------------------------------------------------------

Table: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]


class Chain:
    """The game as a Markov chain: its states numbered, their transitions tabulated when first needed.

    Many games are walked at once. All games at the same attempt of the same quest move together, those in
    the same state by one table, so that every state is visited once in a walk, however many games are in it.
    """

    def __init__(self, game: Avalon) -> None:
        check_game(game)
        self.game = game
        self._places: list[Next] = []
        self._numbers: dict[Next, int] = {}
        self._quests: list[int] = []  # of every place; 0 for an outcome
        self._tables: dict[int, Table] = {}
        self._start = self._table(game.starts())
        self._lock = Lock()

    @property
    def visited(self) -> frozenset[State]:
        """The states in which a game has been so far."""
        return frozenset(p for n in self._tables if isinstance(p := self._places[n], State))

    def walk(self, games: int, rng: np.random.Generator) -> Counter[Outcome]:
        """Play a number of games and return how often each outcome occurred.

        What is drawn depends on `rng` alone, not on the states visited before.
        """
        with self._lock:
            places = _drawn(self._start, rng.random(games))
            for quest in range(1, len(PARTY_SIZES) + 1):
                here = np.flatnonzero(np.array(self._quests)[places] == quest)
                for _ in range(PROPOSALS):
                    places[here] = self._step(places[here], rng.random(len(here)))
                    here = here[np.array(self._quests)[places[here]] == quest]
            found, counts = np.unique(places, return_counts=True)
        ends = ((self._places[n], count) for n, count in zip(found.tolist(), counts.tolist(), strict=True))
        return Counter({end: count for end, count in ends if isinstance(end, Outcome)})

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
            state = self._places[number]
            assert isinstance(state, State)  # games that have ended do not move
            self._tables[number] = self._table(self.game.successors(state))
        return self._tables[number]

    def _table(self, following: Mapping[State, Fraction] | Mapping[Next, Fraction]) -> Table:
        """Return the upper bounds of the chances of the next places, and these places."""
        for place in following:
            if place not in self._numbers:
                self._numbers[place] = len(self._places)
                self._places.append(place)
                self._quests.append(place.now.quest if isinstance(place, State) else 0)
        bounds = np.cumsum(np.array([float(p) for p in following.values()]))
        bounds[-1] = 1
        return bounds, np.array([self._numbers[place] for place in following])


def _drawn(table: Table, chances: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    bounds, places = table
    return places[np.searchsorted(bounds, chances, side="right")]


# --- many games, in chunks -----------------------------------------------------------------------

CHUNK = 20_000
"""Games per chunk; part of what a seed means."""
_PENDING = 64
"""Chunks handed to an executor at a time."""


@dataclass(frozen=True, repr=False)
class Simulation(Outcomes):
    """Counted outcomes of simulated games, with confidence intervals."""

    @property
    def games(self) -> int:
        """The number of games played."""
        return int(self.total)

    def interval(self, winner: Side = "good", *, confidence: float = 0.95) -> tuple[float, float]:
        """Return the Wilson interval of the share of games that a side won."""
        return wilson(int(self.weight(winner)), self.games, confidence=confidence)

    def quests_interval(
        self, winner: Side | None = None, *, confidence: float = 0.95
    ) -> tuple[float, float] | None:
        """Return the interval of the mean number of quests (normal approximation); None without games."""
        lengths = {n: float(share) for n, share in self.lengths(winner).items()}
        if not lengths:
            return None
        mean = sum(n * share for n, share in lengths.items())
        variance = sum(share * (n - mean) ** 2 for n, share in lengths.items())
        spread = deviations(confidence) * sqrt(variance / int(self.weight(winner)))
        return mean - spread, mean + spread

    def to_dict(self) -> dict[str, Any]:
        """Return the results for JSON: shares with 95% intervals, and the counts themselves."""
        sides: dict[str, Side | None] = {"all": None, "good": "good", "evil": "evil"}
        return {
            "games": self.games,
            "good": float(self.good),
            "good_interval": self.interval("good") if self.games else None,
            "evil": float(self.evil),
            "quests": self.decimal_means(),
            "quests_interval": {who: self.quests_interval(side) for who, side in sides.items()},
            "outcomes": [{**outcome._asdict(), "games": count} for outcome, count in self.rows()],
        }

    def to_csv(self) -> str:
        """Return the counts as CSV: winner, quests, by, games."""
        lines = [f"{outcome.winner},{outcome.quests},{outcome.by},{count}" for outcome, count in self.rows()]
        return "\n".join(["winner,quests,by,games", *lines, ""])


class SimulationStopped(KripkeError, RuntimeError):
    """A simulation that was interrupted, or whose executor broke.

    Attribute `simulation`: the results of the chunks that were finished.
    """

    def __init__(self, simulation: Simulation, games: int, reason: str) -> None:
        self.simulation = simulation
        super().__init__(f"the simulation stopped after {simulation.games:,} of {games:,} games: {reason}")


def simulate(
    game: Avalon,
    games: int,
    *,
    rng: np.random.Generator | int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], object] | None = None,
) -> Simulation:
    """Play games and return the counted outcomes.

    The games are played in chunks, each with a seed spawned from `rng`; the result depends on the seed and
    the number of games alone. `executor`: where the chunks are played, any `concurrent.futures.Executor`;
    by default in this process. `progress` is called with the number of games of every chunk finished.

    >>> from kripke_werewolf.avalon import published
    >>> result = simulate(Avalon(published()), 1000, rng=1)
    >>> result.games, result.interval()[0] < 6067 / 12960 < result.interval()[1]
    (1000, True)

    Raises GameError for a number of games below 1, for what is no game, seed or executor, and for strategies
    that are not values, `IllegalMove` for a strategy that breaks a rule, and `SimulationStopped` (with the
    results so far) when the executor breaks or the user interrupts.
    """
    check_game(game)
    if isinstance(games, bool) or not isinstance(games, Integral) or games < 1:
        raise GameError(f"games={games!r} is not possible (allowed: a whole number from 1)")
    if executor is not None and not isinstance(executor, Executor):
        raise GameError(f"executor={executor!r} is not a concurrent.futures.Executor")
    try:
        hash(game)
    except TypeError as error:
        raise GameError(f"a strategy must be a hashable value, such as a frozen dataclass: {error}") from None
    chunks = _chunks(int(games), generator(rng))
    results = (_play(game, *chunk) for chunk in chunks) if executor is None else _on(executor, game, chunks)
    counts: Counter[Outcome] = Counter()
    try:
        for done in results:
            counts += done
            if progress is not None:
                progress(done.total())
    except KripkeError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        raise SimulationStopped(Simulation(counts), games, reason(error)) from error
    return Simulation(counts)


Chunk: TypeAlias = tuple[int, np.random.SeedSequence]


def _chunks(games: int, rng: np.random.Generator) -> Iterator[Chunk]:
    seed = rng.bit_generator.seed_seq
    assert isinstance(seed, np.random.SeedSequence)  # as that of every generator of ours
    for first in range(0, games, CHUNK):
        yield min(CHUNK, games - first), seed.spawn(1)[0]


def _on(executor: Executor, game: Avalon, chunks: Iterator[Chunk]) -> Iterator[Counter[Outcome]]:
    """Yield the results of chunks as they are finished; never more than some are handed out."""
    pending: set[Future[Counter[Outcome]]] = set()
    try:
        while True:
            for chunk in islice(chunks, _PENDING - len(pending)):
                pending.add(executor.submit(_play, game, *chunk))
            if not pending:
                return
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        for future in pending:
            future.cancel()


def _play(game: Avalon, games: int, seed: np.random.SeedSequence) -> Counter[Outcome]:
    return _chain(game).walk(games, np.random.default_rng(seed))


@lru_cache(maxsize=4)
def _chain(game: Avalon) -> Chain:
    """Return the chain of a game; a process that plays many chunks of it tabulates it once."""
    return Chain(game)


# --- where they are played ------------------------------------------------------------------------


class ClusterError(KripkeError, ConnectionError):
    """A Dask scheduler that cannot be reached."""


class ExecutorBroken(KripkeError, RuntimeError):
    """An executor that did not finish what it was given."""


def reason(error: BaseException) -> str:
    """Return why work on an executor stopped, in words."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    if isinstance(error, CancelledError):
        return "the executor has cancelled its work, as a cluster does when its scheduler is gone"
    if isinstance(error, BrokenProcessPool):
        return (
            "a process ended abruptly: it was killed, or could not import what it needs (a strategy must be "
            "in a module; a script must start processes under `if __name__ == '__main__':`)"
        )
    if isinstance(error, PicklingError) or "pickle" in str(error):
        return f"{error}: it cannot be sent to another process (a strategy must be a class of a module)"
    return f"{type(error).__name__}: {error}"


@contextmanager
def open_executor(
    *, workers: int | None = None, scheduler: str | None = None, timeout: float = 5
) -> Iterator[Executor | None]:
    """Open the executor that the arguments ask for, and close it at the end of the block.

    `workers`: that many processes. `scheduler`: the address of a running Dask scheduler (extra `cluster`),
    given up on after `timeout` seconds. Neither: None, for this process.

    Raises `ClusterError` for a scheduler that cannot be reached, and GameError for impossible arguments.
    """
    if workers is not None and scheduler is not None:
        raise GameError("give workers or a scheduler, not both: a cluster has its own workers")
    if workers is not None:
        if workers < 1:
            raise GameError(f"workers={workers!r} is not possible (allowed: a whole number from 1)")
        # spawned, not forked: a fork would copy the threads of a progress bar half
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            yield pool
    elif scheduler is not None:
        with _cluster(scheduler, timeout) as executor:
            yield executor
    else:
        yield None


@contextmanager
def _cluster(address: str, timeout: float) -> Iterator[Executor]:
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise ClusterError(
            "a scheduler needs the package distributed; install kripke-werewolf[cluster]"
        ) from None
    try:
        # what is no address is refused here: a client made of it waits, and fails once more when it goes
        full = distributed.comm.normalize_address(address)
        if not full.startswith("inproc:"):
            distributed.comm.get_address_host_port(full, strict=True)
        client = distributed.Client(address, timeout=timeout, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:  # refused, timed out, or not an address
        raise ClusterError(f"cannot reach a Dask scheduler at {address!r}: {error}") from error
    with client, client.get_executor() as executor:
        yield executor
