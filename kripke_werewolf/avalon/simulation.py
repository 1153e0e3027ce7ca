"""Simulated games: in chunks with seeds of their own, in this process or on any executor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np

from kripke_werewolf.avalon.chain import Chain
from kripke_werewolf.avalon.chance import generator
from kripke_werewolf.avalon.executors import reason
from kripke_werewolf.avalon.game import Avalon, check_game
from kripke_werewolf.avalon.outcomes import Outcomes, deviations, wilson
from kripke_werewolf.avalon.setting import Outcome, Side
from kripke_werewolf.errors import GameError, KripkeError

__all__ = ["Simulation", "SimulationStopped", "simulate"]

CHUNK = 20_000
"""Games per chunk; part of what a seed means."""
_PENDING = 64
"""Chunks handed to an executor at a time."""


@dataclass(frozen=True)
class Simulation(Outcomes):
    """Counted outcomes of simulated games, with confidence intervals."""

    @property
    def games(self) -> int:
        """The number of games played."""
        return int(self.total)

    def interval(self, winner: Side = "good", *, confidence: float = 0.95) -> tuple[float, float]:
        """Return the Wilson interval of the share of games that a side won."""
        wins = sum(int(w) for o, w in self.weights.items() if o.winner == winner)
        return wilson(wins, self.games, confidence=confidence)

    def quests_interval(
        self, winner: Side | None = None, *, confidence: float = 0.95
    ) -> tuple[float, float] | None:
        """Return the interval of the mean number of quests (normal approximation); None without games."""
        lengths = {n: float(share) for n, share in self.lengths(winner).items()}
        if not lengths:
            return None
        games = sum(int(w) for o, w in self.weights.items() if winner in (None, o.winner))
        mean = sum(n * share for n, share in lengths.items())
        variance = sum(share * (n - mean) ** 2 for n, share in lengths.items())
        spread = deviations(confidence) * sqrt(variance / games)
        return mean - spread, mean + spread

    def to_dict(self) -> dict[str, Any]:
        """Return the results for JSON: shares with 95 % intervals, and the counts themselves."""
        means = self.means()
        sides: dict[str, Side | None] = {"all": None, "good": "good", "evil": "evil"}
        return {
            "games": self.games,
            "good": float(self.good),
            "good_interval": self.interval("good") if self.games else None,
            "evil": float(self.evil),
            "quests": {who: None if mean is None else float(mean) for who, mean in means.items()},
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
    counts: Counter[Outcome] = Counter()
    try:
        for done in _here(game, chunks) if executor is None else _on(executor, game, chunks):
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


def _here(game: Avalon, chunks: Iterator[Chunk]) -> Iterator[Counter[Outcome]]:
    for chunk in chunks:
        yield _play(game, *chunk)


def _on(executor: Executor, game: Avalon, chunks: Iterator[Chunk]) -> Iterator[Counter[Outcome]]:
    """Yield the results of chunks as they are finished; never more than some are handed out."""
    pending: set[Future[Counter[Outcome]]] = set()
    try:
        for chunk in chunks:
            pending.add(executor.submit(_play, game, *chunk))
            if len(pending) >= _PENDING:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        while pending:
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
