"""How fast Avalon is: `python -m benchmarks.avalon`.

For every configuration of the published table: the time of the exact solution; games per second in one
process, at first (tabulating states as games reach them) and once the states are known; and how many
times that is what the published program did on mlsolver (2 to 9 games a second; the faster is taken). Last,
many games over two processes, with the largest memory that a process took.
"""

from __future__ import annotations

import argparse
import gc
import resource
import sys
import time
from collections.abc import Sequence

import numpy as np

from benchmarks.timing import timed
from kripke_werewolf.avalon import Avalon, Chain, configurations, intended, published, simulate, solve
from kripke_werewolf.games.simulation import open_executor

ORIGINAL = 9  # games per second
COLUMNS = ("", "exact s", "states", "games/s at first", "games/s then", "ratio")


def solved(names: Sequence[str]) -> dict[str, tuple[float, int]]:
    """The time and the number of states of every solution; all are kept until the last, as in the study."""
    rules = configurations("published")
    found = {name: timed(lambda name=name: solve(Avalon(rules[name]))) for name in names}
    return {name: (seconds, len(solution.states)) for name, (seconds, solution) in found.items()}


def walk(name: str, games: int) -> tuple[float, float, float]:
    """The rates of a first and of a second walk, and how many times the original's that is."""
    gc.collect()  # of what other games knew nothing is left
    chain = Chain(Avalon(configurations("published")[name]))
    rates = []
    for seed in (1, 2):
        seconds, _ = timed(lambda seed=seed: chain.walk(games, np.random.default_rng(seed)))
        rates.append(games / seconds)
    return rates[0], rates[1], rates[1] / ORIGINAL


def larger(games: int) -> None:
    """Print how long any leaders and parties take, and what tables of seven and ten players need."""
    free = published(leader="random", good_leader="any", evil_leader="any")
    seconds, solution = timed(lambda: solve(Avalon(free)))
    print(f"random leaders and any parties: {seconds:.2f} s, {len(solution.states):,} states")
    for players in (5, 7, 10):
        game = Avalon(intended(players=players, merlin="naive", assassinate=True))
        worlds = next(iter(game.starts())).knowledge.space.all.bit_count()
        seconds, _ = timed(lambda game=game: Chain(game).walk(games, np.random.default_rng(1)))
        print(f"{players} players with Merlin: {worlds:,} worlds, {games} games in {seconds:.2f} s")


def spread(games: int) -> tuple[float, float]:
    """The time of games over two processes, and the memory of the largest process, in MB."""
    start = time.perf_counter()
    with open_executor(workers=2) as executor:
        simulate(Avalon(configurations("published")["F/F/F"]), games, rng=1, executor=executor)
    took = time.perf_counter() - start
    largest = max(
        resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return took, largest / (1024 if sys.platform == "linux" else 1024**2)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.avalon", description="Time games of Avalon.")
    parser.add_argument(
        "configurations", nargs="*", help="for example F/F/F; by default all six of the table"
    )
    parser.add_argument("--games", type=int, default=20_000, help="games per measurement in one process")
    parser.add_argument("--many", type=int, default=1_000_000, help="games over two processes; 0 for none")
    options = parser.parse_args(arguments)
    print("".join(f"{heading:>18}" for heading in COLUMNS))
    chosen = options.configurations or list(configurations("published"))
    exact = solved(chosen)
    for name in chosen:
        values = exact[name][1], *walk(name, options.games)
        print(f"{name:>18}{exact[name][0]:>18.2f}" + "".join(f"{value:>18,.0f}" for value in values))
    print(f"exact solutions together: {sum(seconds for seconds, _ in exact.values()):.2f} s")
    larger(20)
    if options.many:
        took, memory = spread(options.many)
        print(f"{options.many:,} games over two processes: {took:.1f} s, at most {memory:.0f} MB a process")
    return 0


if __name__ == "__main__":
    sys.exit(main())
