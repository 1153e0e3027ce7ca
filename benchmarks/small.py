"""How fast small models are: `python -m benchmarks.small`.

Every row gives the least CPU time of an operation on a small model, beside the figure of the release
before small models were integers, and the goal. If the library mlsolver can be imported, `K_a K_b p` is
compared with it in the same run, at one world of models with 2 to 64 worlds.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import NamedTuple

import kripke_werewolf as kw
from kripke_werewolf.language import parser
from kripke_werewolf.models.formats.mlsolver import to_mlsolver, to_mlsolver_formula

SIZES = (2, 4, 8, 16, 32, 64)
TEXTS = ("M_a p", "~K_a p & q", "C_{a,b} (p -> q)", "D_{a,b} p", "exactly(1; p, q)", "[!p | q]K_b q")


class Row(NamedTuple):
    what: str
    before: float | None
    seconds: float
    goal: float | None


def least(step: Callable[[], object], seconds: float = 0.05) -> float:
    """Return the least CPU time of a call, several calls being timed together."""
    number, found = 1, 0.0
    while True:
        start = time.process_time_ns()
        for _ in range(number):
            step()
        found = (time.process_time_ns() - start) / number
        if found * number > seconds * 1e8:
            break
        number *= 4
    for _ in range(7):
        start = time.process_time_ns()
        for _ in range(number):
            step()
        found = min(found, (time.process_time_ns() - start) / number)
    return found / 1e9


def model(size: int, cells: int, seed: int = 1) -> kw.KripkeModel:
    """Return a random S5 model of two agents with about so many classes each."""
    rng = random.Random(seed)

    def classes() -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for world in range(size):
            found.setdefault(rng.randrange(cells), []).append(world)
        return list(found.values())

    true = {p: [w for w in range(size) if rng.random() < 0.5] for p in "pq"}
    return kw.KripkeModel.from_partitions(range(size), {"a": classes(), "b": classes()}, true, 0)


def against_mlsolver() -> Iterator[tuple[int, float | None, float, float]]:
    """Yield the size and three times: mlsolver, ours asked again, ours asked for the first time."""
    asked = kw.parse("K_a K_b p")
    has_mlsolver = find_spec("mlsolver") is not None
    for size in SIZES:
        here = model(size, max(2, size // 4))
        theirs = None
        if has_mlsolver:
            structure, formula = to_mlsolver(here), to_mlsolver_formula(asked)
            theirs = least(lambda structure=structure, formula=formula: formula.semantic(structure, "0"))
        again = least(lambda here=here: here.holds(asked, at=0))
        yield size, theirs, again, first_time(size, "K_a K_b p")


def first_time(size: int, text: str) -> float:
    """Return the time that a formula takes on a model which has not been asked anything."""
    asked, found = kw.parse(text), 1.0
    for seed in range(200):
        fresh = model(size, max(2, size // 4), seed)
        start = time.process_time_ns()
        fresh.holds(asked, at=0)
        found = min(found, (time.process_time_ns() - start) / 1e9)
    return found


def rows() -> Iterator[Row]:
    """Yield the rows of the table."""
    four, two = model(4, 2), model(2, 1)
    for text in TEXTS:
        yield Row(f"{text} for the first time, 8 worlds", None, first_time(8, text), None)
    yield Row("where(text) seen before, 4 worlds", 97e-6, least(lambda: four.where("K_a p & ~K_b p")), 1.5e-6)
    long = "K_a (p -> q) -> K_a p -> K_a q"
    yield Row("parse a formula of 30 characters", 85e-6, least(lambda: read(long)), None)
    yield Row("announce, 4 worlds", 43e-6, least(lambda: four.announce("p")), 3e-6)
    told = kw.private("b", "true")
    yield Row("private update, 2 worlds", 208e-6, least(lambda: two.update(told)), 30e-6)
    nine, forty = model(9, 3), model(40, 4)
    yield Row("contract(), 9 worlds", 400e-6, least(nine.contract), 40e-6)
    yield Row("contract(), 40 worlds", 1430e-6, least(forty.contract), 400e-6)
    yield Row("generated(), 9 worlds", 125e-6, least(nine.generated), 5e-6)
    yield Row("eight private updates with contraction", 9.5e-3, least(secrets), 0.8e-3)
    axiom = "K_a (p -> q) -> (K_a p -> K_a q)"
    yield Row("valid: the K axiom", 334e-6, least(lambda: kw.valid(axiom)), 100e-6)


def read(text: str) -> kw.Formula:
    """Read a formula, though it has been read before."""
    return parser._Reading(text).formula()


def secrets() -> kw.KripkeModel:
    """Return a model after eight secrets told to one agent or the other, contracted after each."""
    now = kw.KripkeModel.from_partitions("wv", {"a": ["wv"], "b": ["wv"]}, {"p": ["w"]}, "w")
    for turn in range(8):
        now = now.update(kw.private("ab"[turn % 2], "p")).contract()
    return now


def shown(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1e6:,.2f}"


def main() -> None:
    print(
        f"{'K_a K_b p at one world, µs':42}{'mlsolver':>12}{'asked again':>12}{'first time':>12}{'ratio':>8}"
    )
    for size, theirs, again, first in against_mlsolver():
        ratio = "" if theirs is None else f"{theirs / again:.1f}"
        print(f"{f'{size} worlds':42}{shown(theirs):>12}{shown(again):>12}{shown(first):>12}{ratio:>8}")
    print(f"\n{'µs':42}{'before':>12}{'now':>12}{'goal':>12}{'ratio':>8}")
    for what, before, seconds, goal in rows():
        ratio = "" if before is None else f"{before / seconds:.1f}"
        print(f"{what:42}{shown(before):>12}{shown(seconds):>12}{shown(goal):>12}{ratio:>8}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
