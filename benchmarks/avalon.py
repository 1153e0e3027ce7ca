"""How fast Avalon is: `python -m benchmarks.avalon`.

For every configuration of the published table: the time of the exact solution; games per second in one
process, at first (tabulating states as games reach them) and once the states are known; and how many
times that is what the published program did on mlsolver (2 to 9 games a second; the faster is taken). Then
the exact solution with random leaders and any parties, and with six players; many games over two
processes (here the time is that of the clock, elsewhere it is CPU time), with the largest memory of a
process; and how games of 5 to 10 players grow.
`--plot` draws the growth into docs/images.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.timing import timed
from kripke_werewolf.games.avalon import (
    Avalon,
    MarkovChain,
    configurations,
    intended,
    published,
    simulate,
    solve,
)
from kripke_werewolf.games.avalon.rules import PARTY_SIZES
from kripke_werewolf.games.programs.chain import open_executor

IMAGE = Path(__file__).parents[1] / "docs" / "images" / "avalon-growth.svg"
ORIGINAL = 9  # games per second
COLUMNS = ("", "exact s", "states", "games/s at first", "games/s then", "ratio")


def solved(names: Sequence[str]) -> dict[str, tuple[float, int]]:
    """The time and the number of states of every solution; all are kept until the last, as in the study."""
    rules = configurations("published")
    found = {name: timed(partial(solve, Avalon(rules[name]))) for name in names}
    return {name: (seconds, len(solution.states)) for name, (seconds, solution) in found.items()}


def walk(name: str, games: int) -> tuple[float, float, float]:
    """The rates of a first and of a second walk, and their ratios to the original's."""
    gc.collect()  # of what other games knew nothing is left
    chain = MarkovChain(Avalon(configurations("published")[name]))
    rates = []
    for seed in (1, 2):
        seconds, _ = timed(partial(chain.walk, games, np.random.default_rng(seed)))
        rates.append(games / seconds)
    return rates[0], rates[1], rates[1] / ORIGINAL


def free() -> None:
    """Print how long the exact solution takes with random leaders and any parties."""
    rules = published(leader="random", good_leader="any", evil_leader="any")
    seconds, solution = timed(lambda: solve(Avalon(rules)))
    print(f"random leaders and any parties: {seconds:.2f} s, {len(solution.states):,} states")


def larger() -> None:
    """Print how long the exact solution takes with six players, without and with Merlin."""
    for rules in (intended(players=6), intended(players=6, merlin="naive", assassinate=True)):
        seconds, solution = timed(partial(solve, Avalon(rules)))
        size = f"{len(solution.states):,} states"
        print(f"{rules.players} players: Good wins {solution.good}, {size}, {seconds:.1f} s", flush=True)


def growth() -> dict[int, tuple[int, float, float]]:
    """Print and return for each number of players the worlds, and the times of a told game and of a state."""
    found, seeds = {}, range(1, 6)
    Avalon(intended(merlin="naive", assassinate=True)).play(rng=1)  # imports and first formulas
    for players in PARTY_SIZES:
        rules = intended(players=players, merlin="naive", assassinate=True)
        worlds = next(iter(Avalon(rules).starts())).knowledge.space.all.bit_count()
        told = sum(timed(partial(Avalon(rules).play, rng=seed))[0] for seed in seeds)
        chain = MarkovChain(Avalon(rules))
        walked, _ = timed(partial(chain.walk, 2, np.random.default_rng(1)))
        found[players] = worlds, told / len(seeds), walked / len(chain.visited)
        print(
            f"{players:>2} players with Merlin: {worlds:>6,} worlds, a told game "
            f"{found[players][1]:>6.2f} s, all that can follow a state {found[players][2]:>6.2f} s",
            flush=True,
        )
    return found


def plot(found: dict[int, tuple[int, float, float]], path: Path) -> None:
    """Draw how worlds and times grow with the players."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    players = list(found)
    left.plot(players, [worlds for worlds, _, _ in found.values()], "-o")
    left.set(yscale="log", xlabel="players", ylabel="worlds at the start")
    right.plot(players, [told for _, told, _ in found.values()], "-o", label="a told game")
    right.plot(players, [state for *_, state in found.values()], "--s", label="all that can follow a state")
    right.set(yscale="log", xlabel="players", ylabel="CPU seconds")
    right.legend()
    for axes in (left, right):
        axes.grid(alpha=0.3)
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    print(f"written: {path}")


def spread(games: int) -> tuple[float, float]:
    """The time of games over two processes, and the memory of the largest process, in MB."""
    import resource  # not on Windows

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
    parser.add_argument("--plot", action="store_true", help="also draw how games grow with the players")
    options = parser.parse_args(arguments)
    print("".join(f"{heading:>18}" for heading in COLUMNS))
    chosen = options.configurations or list(configurations("published"))
    exact = solved(chosen)
    for name in chosen:
        values = exact[name][1], *walk(name, options.games)
        print(f"{name:>18}{exact[name][0]:>18.2f}" + "".join(f"{value:>18,.0f}" for value in values))
    print(f"exact solutions together: {sum(seconds for seconds, _ in exact.values()):.2f} s")
    free()
    larger()
    if options.many:
        took, memory = spread(options.many)
        print(f"{options.many:,} games over two processes: {took:.1f} s, at most {memory:.0f} MB a process")
    grown = growth()
    if options.plot:
        plot(grown, IMAGE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
