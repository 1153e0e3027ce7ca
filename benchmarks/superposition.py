"""How fast the superpositions are: `python -m benchmarks.superposition`.

First the enumerated one. For every number of players: all worlds are listed, one whole night is played
through the public game API (everybody looks at somebody and attacks somebody, then the morning), with
its table. CPU times, the best of some repeats. `count ms` is one count of everything in the table at the
start. The last two columns are for comparing machines: the time of one action, and of counting, divided
by the time numpy takes in the same run to copy the bytes of all worlds.

Then the counting one, which lists nothing (medians): three nights in which everybody looks at
somebody and attacks somebody, and the table; and ten days on each of which a player is voted off and, if
they were a wolf, their rank is not announced. `--players 100 --wolves 15` measures that size.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

import numpy as np

from benchmarks.timing import repeated
from kripke_werewolf.games.werewolf import Deck, Enumerated, QuantumWerewolf, Table, preset
from kripke_werewolf.games.werewolf.counted import Counted
from kripke_werewolf.logic.formulas import Atom

RULES = preset("gekka", first_attack=True)
COLUMNS = ("players", "wolves", "worlds", "B/world", "list ms", "night ms", "count ms", "Mworlds/s")
RATIOS = ("action/copy", "count/copy")


def measure(players: int, wolves: int, repeats: int) -> tuple[float, ...]:
    deck = Deck(players, wolves=wolves)
    listings, worlds = repeated(lambda: Enumerated.start(deck), repeats)
    names = [f"P{i}" for i in range(players)]
    game = QuantumWerewolf(names, wolves=wolves, rules=RULES, rng=1, engine="enumerated")

    def night() -> Table:
        after = game
        for i, name in enumerate(names):
            after = after.vision(name, names[(i + 1) % players]).attack(name, names[(i + 3) % players])
        return after.table()

    playing = min(repeated(night, repeats)[0])
    counting = min(repeated(lambda: count(worlds), repeats)[0])
    content = np.zeros(sum(map(len, worlds.deals.columns)), np.uint8)
    target = np.empty_like(content)
    copying = min(repeated(lambda: np.copyto(target, content), 10 * repeats)[0])
    moves = 2 * players
    return (
        players,
        wolves,
        worlds.size,
        len(content) / worlds.size,
        1e3 * min(listings),
        1e3 * playing,
        1e3 * counting,
        moves * worlds.size / playing / 1e6,
        playing / moves / copying,
        counting / copying,
    )


def count(worlds: Enumerated) -> None:
    """Count everything that a table needs, on fresh worlds of the same number."""
    fresh = worlds.die(0)
    fresh.role_counts()
    fresh.death_counts()


def attacked(worlds: Counted, attacker: int, target: int) -> Counted:
    return worlds.die(target, Atom(f"dominant_{attacker}"), unless=Atom(f"wolf_{target}"))


def happenings(players: int, wolves: int, nights: int) -> Counted:
    """Return the counting superposition after nights with all visions and attacks."""
    rng = random.Random(1)
    deck = Deck(players, wolves=wolves)
    worlds = Counted.start(deck)

    def somebody(but: int) -> int:
        return (but + rng.randrange(1, players)) % players

    for _ in range(nights):
        for i in range(players):
            shown = "wolf" if rng.random() < wolves / players else "good"
            worlds = worlds.keep(Atom(f"seer_{i}") >> Atom(f"{shown}_{somebody(i)}"))
        for i in range(players):
            worlds = attacked(worlds, i, somebody(i))
    return worlds


def votes(players: int, wolves: int, days: int) -> Counted:
    """Return the counting superposition after votes that show no rank, with attacks in between."""
    rng = random.Random(2)
    worlds = Counted.start(Deck(players, wolves=wolves))
    for day in range(days):
        for i in range(day, players):
            worlds = attacked(worlds, i, rng.choice([t for t in range(day, players) if t != i]))
        role = "villager" if day % 5 == 4 else "wolf"
        worlds = worlds.keep(~Atom(f"dead_{day}") & Atom(f"{role}_{day}")).die(day)
    return worlds


def counted(play: Callable[[int, int, int], Counted], players: int, wolves: int, number: int) -> Counted:
    """Count the table of a superposition after some nights or votes, and return the superposition."""
    worlds = play(players, wolves, number)
    _ = worlds.counts("villager"), worlds.counts("seer"), worlds.counts("dead"), worlds.size
    return worlds


def print_counting(sizes: Sequence[tuple[int, int]], repeats: int) -> None:
    print("\ncounting        players      wolves      worlds     CPU ms")
    for players, wolves in sizes:
        times, worlds = repeated(partial(counted, happenings, players, wolves, 3), repeats)
        print(f"three nights{players:>11}{wolves:>12}{worlds.size:>12.1e}{1e3 * median(times):>11.1f}")
    for players, wolves in [(40, 10)]:
        times, worlds = repeated(partial(counted, votes, players, wolves, 10), repeats)
        print(f"ten votes{players:>14}{wolves:>12}{worlds.size:>12.1e}{1e3 * median(times):>11.1f}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.superposition", description="Time a night.")
    parser.add_argument("--players", nargs="*", type=int, default=[8, 10, 12, 14, 16, 18, 20])
    parser.add_argument("--wolves", type=int, help="by default the usual number")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args(arguments)
    sizes = [(n, options.wolves or RULES.wolves_for(n)) for n in options.players]
    listed = [(n, k) for n, k in sizes if Enumerated.fits(Deck(n, wolves=k))]
    if listed:
        print("".join(f"{heading:>12}" for heading in (*COLUMNS, *RATIOS)))
    for players, wolves in listed:
        row = measure(players, wolves, options.repeats)
        print("".join(f"{value:>12,.{0 if value >= 100 or value == int(value) else 2}f}" for value in row))
    beyond = [size for size in sizes if size not in listed] or [(30, 6), (60, 10), (100, 15)]
    print_counting(beyond, options.repeats)
    return 0


if __name__ == "__main__":
    sys.exit(main())
