"""How fast the enumerated superposition is: `python -m benchmarks.superposition`.

For every number of players: all worlds are listed, one whole night is played through the public game
API (everybody looks at somebody and attacks somebody, then the morning), with its table. Times are
the best of some repeats. `count ms` is one count of everything in the table at the start. The last two
columns are for comparing machines: the time of one action, and of counting, divided by the time numpy
takes in the same run to copy the bytes of all worlds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from kripke_werewolf.werewolf import Deck, Enumerated, QuantumWerewolf, preset

T = TypeVar("T")
RULES = preset("gekka", first_attack=True)
COLUMNS = ("players", "wolves", "worlds", "B/world", "list ms", "night ms", "count ms", "Mworlds/s")
RATIOS = ("action/copy", "count/copy")


def best(function: Callable[[], T], repeats: int) -> tuple[float, T]:
    """The least time of some calls, in seconds, and the last result."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = function()
        times.append(time.perf_counter() - start)
    return min(times), result


def measure(players: int, wolves: int, repeats: int) -> tuple[float, ...]:
    deck = Deck(players, wolves=wolves)
    listing, worlds = best(lambda: Enumerated.start(deck), repeats)
    names = [f"P{i}" for i in range(players)]
    game = QuantumWerewolf(names, wolves=wolves, rules=RULES, rng=1, engine=lambda _: worlds)
    actions = {
        name: {"vision": names[(i + 1) % players], "attack": names[(i + 3) % players]}
        for i, name in enumerate(names)
    }
    night, _ = best(lambda: game.act(actions).table(), repeats)
    counting, _ = best(lambda: count(worlds), repeats)
    content = np.zeros(worlds.nbytes, np.uint8)
    target = np.empty_like(content)
    copying, _ = best(lambda: np.copyto(target, content), 10 * repeats)
    moves = 2 * players
    return (
        players,
        wolves,
        worlds.size,
        worlds.nbytes / worlds.size,
        1e3 * listing,
        1e3 * night,
        1e3 * counting,
        moves * worlds.size / night / 1e6,
        night / moves / copying,
        counting / copying,
    )


def count(worlds: Enumerated) -> None:
    """Count what a table needs, on a copy without remembered counts."""
    copy = Enumerated(worlds.deck, worlds.seers, worlds.wolves, worlds.deaths)
    copy.role_counts()
    copy.death_counts()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.superposition", description="Time a night.")
    parser.add_argument("players", nargs="*", type=int, default=[8, 10, 12, 14, 16, 18, 20])
    parser.add_argument("--wolves", type=int, help="by default the usual number")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args(arguments)
    print("".join(f"{heading:>12}" for heading in (*COLUMNS, *RATIOS)))
    for players in options.players:
        row = measure(players, options.wolves or RULES.wolves_for(players), options.repeats)
        print("".join(f"{value:>12,.{0 if value >= 100 or value == int(value) else 2}f}" for value in row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
