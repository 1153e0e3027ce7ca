"""From tables to histories: `python -m benchmarks.inference`.

For every rule set and size: a random game with named tables is played up to a morning, and one player's
handout is searched for all histories that explain it. Columns: how many histories there are, whether the
answer is exact, CPU seconds (the median of some games, and the slowest), the goal for it, and the memory the
process has needed so far. `growth` is the median over that of the row before.

Then larger games: all histories, where the solver (`pip install "kripke-werewolf[infer]"`) rules out ways to
attack, and the entries that force one of the attacks, each in CPU seconds with its goal; `inf` where the time
was up. `--quick` leaves out the large sizes, `--games` sets how many games a row has.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from statistics import median
from typing import TypeAlias

from benchmarks.timing import timed
from kripke_werewolf.base.errors import Undecided
from kripke_werewolf.games.werewolf import QuantumWerewolf, preset
from kripke_werewolf.games.werewolf.inference import Histories, infer
from kripke_werewolf.games.werewolf.sheets import read_sheet
from kripke_werewolf.games.werewolf.told import Told

__all__ = ["main", "morning"]

OPEN = preset("cisra", table="open")
ROWS = [
    ("gekka", 4, 1, 1), ("gekka", 5, 1, 1), ("gekka", 7, 1, 1),
    ("straat", 4, 1, 1), ("cisra", 4, 1, 1), ("cisra", 5, 1, 1), ("cisra", 7, 1, 1),
    ("cisra", 7, 1, 2), ("cisra", 8, 1, 2), ("cisra", 9, 1, 2),
    ("cisra", 5, 2, 2), ("cisra", 6, 2, 2),
]  # fmt: skip
GOALS = {
    ("gekka", 4, 1, 1): 0.1, ("gekka", 5, 1, 1): 0.5, ("gekka", 7, 1, 1): 2,
    ("straat", 4, 1, 1): 0.1, ("cisra", 4, 1, 1): 0.1, ("cisra", 5, 1, 1): 0.5, ("cisra", 7, 1, 1): 2,
    ("cisra", 7, 1, 2): 0.5, ("cisra", 8, 1, 2): 2, ("cisra", 9, 1, 2): 10,
}  # fmt: skip
SOLVED = [("cisra", 7, 1, 2), ("cisra", 6, 2, 2), ("cisra", 9, 1, 2), ("cisra", 7, 2, 3)]
Goals: TypeAlias = tuple[int | None, ...]
SOLVER_GOALS: dict[tuple[str, int, int, int], Goals] = {
    ("cisra", 9, 1, 2): (2, 1),
    ("cisra", 7, 2, 3): (20, 10),
}
"""CPU seconds for all histories, and a reason; for others a reason takes 1 s with one wolf, 10 with two."""
PATIENCE = 60
"""Seconds after which the search stops looking for histories, or for a reason."""


def morning(rules: str, players: int, wolves: int, seed: int, mornings: int) -> QuantumWerewolf:
    """Play a random game, in which nobody is voted off, up to a morning."""
    chance = random.Random(seed)
    names = [f"P{i}" for i in range(1, players + 1)]
    game = QuantumWerewolf(names, wolves=wolves, rules=OPEN if rules == "cisra" else rules, rng=seed)
    while mornings and game.verdict is None:
        if game.phase.kind == "vote":
            game = game.end_phase()
        for name in list(game.may_act):
            for action in game.may_act.get(name, ()):
                target = chance.choice(game.legal_targets(name, action))
                game = game.vision(name, target) if action == "vision" else game.attack(name, target)
        mornings -= game.phase.kind == "vote"
    return game


def memory() -> float:
    import resource  # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def exact(games: int, most: int) -> None:
    print(f"{'rules':<8}{'players':>8}{'wolves':>7}{'mornings':>9}{'histories':>15}", end="")
    print(f"{'status':>14}{'CPU s':>8}{'slowest':>9}{'goal':>6}{'growth':>8}{'MB':>7}")
    before = None
    for rules, players, wolves, mornings in ROWS:
        if players > most:
            continue
        times: list[float] = []
        found: list[Histories] = []
        for seed in range(games):
            handout = morning(rules, players, wolves, seed, mornings).handout("P1")
            seconds, histories = timed(partial(infer, handout, timeout=120))
            times.append(seconds)
            found.append(histories)
        many = max(h.number for h in found)
        status = "exact" if all(h.status == "exact" for h in found) else "not all exact"
        growth = "" if before is None else f"{median(times) / before:.1f}x"
        before = median(times)
        print(f"{rules:<8}{players:>8}{wolves:>7}{mornings:>9}{many:>15,}{status:>14}", end="")
        goal = GOALS.get((rules, players, wolves, mornings), "")
        print(f"{median(times):>8.2f}{max(times):>9.2f}{goal:>6}{growth:>8}{memory():>7.0f}", flush=True)


def solved(games: int, most: int) -> None:
    print(f"\n{'with the solver: median, slowest':<41}{'histories s':>14}{'goal':>5}", end="")
    print(f"{'reason s':>14}{'goal':>5}  entries")
    with open("examples/sheets/schroedingers-wolves.txt", encoding="utf-8") as file:
        published = read_sheet(file.read())
    rows: list[tuple[str, list[Told], Goals]] = [("Schrödinger's wolves (D.5)", [published], (1, 1))]
    for row in SOLVED:
        rules, players, wolves, mornings = row
        if players <= most:
            played = (morning(rules, players, wolves, seed, mornings) for seed in range(games))
            name = f"{rules}, {players} players, {wolves} wolves, {mornings} mornings"
            goals = SOLVER_GOALS.get(row, (None, 1 if wolves == 1 else 10))
            rows.append((name, [game.handout("P1") for game in played], goals))
    for name, sheets, goals in rows:
        histories: list[float] = []
        reasons: list[float] = []
        forced: list[str] = []
        for sheet in sheets:
            found = _clocked(histories, partial(infer, sheet, timeout=PATIENCE))
            sure = [m for m in found.moves if m.player != sheet.player and m.action == "attack"]
            counts = [m for m in sure if sum((n.step, n.player) == (m.step, m.player) for n in sure) == 1]
            if counts:
                text = f"{counts[0].player} {counts[0].move} in {counts[0].phase}"
                took, entries = timed(partial(forcing, found, text))
                reasons.append(took)
                forced.append(entries)
        print(f"{name:<41}", end="")
        for times, goal in zip((histories, reasons), goals, strict=True):
            print(f"{_spread(times):>14}{'' if goal is None else goal:>5}", end="")
        print(f"  {'; '.join(forced)}", flush=True)


def _clocked(times: list[float], search: Callable[[], Histories]) -> Histories:
    """Return the histories that a search finds, and note its time: infinite if it was not finished."""
    took, found = timed(search)
    times.append(inf if found.status == "not finished" else took)
    return found


def _spread(times: Sequence[float]) -> str:
    if len(times) < 2:
        return "".join(f"{took:.2f}" for took in times)
    return f"{median(times):.2f}, {max(times):.2f}"


def forcing(histories: Histories, conclusion: str) -> str:
    """Return the number of entries that imply a conclusion, and whether fewer would do."""
    try:
        because = histories.because(conclusion, seconds=PATIENCE)
    except Undecided:
        return f"not in {PATIENCE} s"
    if because is None:
        return ""
    return f"{len(because.cells)}, {because.least}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args(arguments)
    most = 7 if given.quick else 9
    exact(given.games, most)
    solved(given.games, most)
    return 0


if __name__ == "__main__":
    sys.exit(main())
