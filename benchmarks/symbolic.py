"""The symbolic engine on its classic problems: median CPU time of several runs, beside the goals.

Run with `python -m benchmarks.symbolic [runs]`. Every run builds the structure anew. Where an explicit
model of the same puzzle fits, the last columns give the time for the same announcements and questions
on it, its construction not counted, and how many times the symbolic run that is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from statistics import median
from typing import Any, NamedTuple

from benchmarks.timing import timed
from kripke_werewolf import KripkeModel
from kripke_werewolf.logic import puzzles
from kripke_werewolf.logic.formulas import Announce, Box, Formula
from kripke_werewolf.logic.puzzles import Puzzle


class Case(NamedTuple):
    name: str
    make: Callable[[], Any]
    run: Callable[[Any, Any], object]
    expected: object
    goal: float | None = None
    explicit: bool = False


def muddy(puzzle: Puzzle, model: Any) -> int:
    model = model.announce(puzzle.formulas["father"])
    rounds = 0
    while (model.size if hasattr(model, "size") else len(model)) > 1:
        model = model.announce(puzzle.formulas["nobody"])
        rounds += 1
    return rounds


def merged(puzzle: Puzzle, model: Any) -> bool:
    return bool(model.valid(Box(Announce(puzzle.formulas["odd"], None, True), puzzle.formulas["safe"])))


def in_sequence(puzzle: Puzzle, model: Any) -> bool:
    f: Formula = puzzle.formulas["safe"]
    for name in reversed([n for n in puzzle.formulas if n.startswith("says_")]):
        f = Box(Announce(puzzle.formulas[name], None, True), f)
    return bool(model.valid(f))


def story(puzzle: Puzzle, model: Any) -> list[int]:
    sizes = []
    for event in puzzle.events:
        model = model.announce(event.action)
        sizes.append(model.size if hasattr(model, "size") else len(model))
    return sizes


def calls(number: int) -> Callable[[Puzzle, Any], int]:
    def run(puzzle: Puzzle, model: Any) -> int:
        for _ in range(number):
            model = model.update(puzzle.actions["call"])
        if isinstance(model, KripkeModel):
            return len(model.where(puzzle.formulas["experts"]))
        return int(model.count(puzzle.formulas["experts"]))

    return run


def cases() -> Iterable[Case]:
    for n, goal in ((10, None), (16, None), (40, 0.040), (80, 0.2), (100, 0.4)):
        yield Case(
            f"muddy children, all muddy, n={n}",
            partial(puzzles.muddy_children, n, engine="symbolic"),
            muddy,
            n - 1,
            goal,
            n <= 16,
        )
    for n, goal in ((5, None), (80, 0.2), (160, 2.0)):
        yield Case(
            f"dining cryptographers, one announcement, n={n}",
            partial(puzzles.dining_cryptographers, n, ring=False, engine="symbolic"),
            merged,
            True,
            goal,
            n <= 5,
        )
    for n, goal in ((5, None), (10, 1.0), (20, 10.0)):
        yield Case(
            f"dining cryptographers, n announcements, n={n}",
            partial(puzzles.dining_cryptographers, n, ring=False, engine="symbolic"),
            in_sequence,
            True,
            goal,
            n <= 5,
        )
    yield Case(
        "Sum and Product, sums to 100", puzzles.sum_and_product, story, [145, 86, 1], 0.5, explicit=True
    )
    yield Case("Russian cards", puzzles.russian_cards, story, [20, 3], explicit=True)
    yield Case("Cheryl's birthday", puzzles.cheryl, story, [5, 3, 1], explicit=True)
    yield Case(
        "drinking logicians, n=100",
        lambda: puzzles.drinking_logicians(100, engine="symbolic"),
        story,
        [2 ** (99 - i) for i in range(99)],
    )
    yield Case(
        "gossip, n=4, four calls", lambda: puzzles.gossip(4, observing="calls"), calls(4), 24, explicit=True
    )


def measured(case: Case, runs: int) -> tuple[float, float | None]:
    def symbolic() -> object:
        made = case.make()
        return case.run(made, getattr(made, "structure", None))

    times = []
    for _ in range(runs):
        seconds, result = timed(symbolic)
        if result != case.expected:
            raise SystemExit(f"{case.name}: got {result!r}, expected {case.expected!r}")
        times.append(seconds)
    if not case.explicit:
        return median(times), None
    made = case.make()
    model = made.structure.to_explicit()
    others = []
    for _ in range(runs):
        seconds, result = timed(lambda: case.run(made, model))
        if result != case.expected:
            raise SystemExit(f"{case.name}, explicit: got {result!r}, expected {case.expected!r}")
        others.append(seconds)
    return median(times), median(others)


def main(runs: int = 7) -> None:
    print(f"{'':48} {'CPU ms':>9} {'goal ms':>9} {'explicit ms':>12} {'ratio':>8}")
    for case in cases():
        symbolic, explicit = measured(case, runs)
        goal = "" if case.goal is None else f"{case.goal * 1e3:.0f}"
        ratio = "" if explicit is None else f"{explicit / symbolic:.2f}"
        other = "" if explicit is None else f"{explicit * 1e3:.1f}"
        print(f"{case.name:48} {symbolic * 1e3:9.1f} {goal:>9} {other:>12} {ratio:>8}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
