"""How fast small models are: `python -m benchmarks.small`.

Every row gives the least CPU time of an operation on a small model, beside the figure of the release
before small models were integers, and the goal. If the library mlsolver can be imported, it is
compared with in the same run: `K_a K_b p` on models with 2 to 64 worlds, and other formulas, at one world and
at all worlds; and a model that is built and asked once.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import NamedTuple

import kripke_werewolf as kw
from kripke_werewolf.logic.models.formats.mlsolver import to_mlsolver, to_mlsolver_formula
from kripke_werewolf.logic.notation import parser

SIZES = (2, 4, 8, 16, 32, 64)
TEXTS = ("M_a p", "~K_a p & q", "K_a (p -> M_b q) | q")


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
    """Return a random S5 model of two agents, each with about `cells` classes."""
    rng = random.Random(seed)

    def classes() -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for world in range(size):
            found.setdefault(rng.randrange(cells), []).append(world)
        return list(found.values())

    true = {p: [w for w in range(size) if rng.random() < 0.5] for p in "pq"}
    return kw.KripkeModel.from_partitions(range(size), {"a": classes(), "b": classes()}, true, 0)


class Compared(NamedTuple):
    """The times of a formula: with mlsolver, with ours asked again, and asked for the first time."""

    mlsolver: float | None
    again: float
    first: float


def compared(size: int, text: str, *, everywhere: bool) -> Compared:
    """Compare on a model of a size, at its first world or at all worlds."""
    asked, here = kw.parse(text), model(size, max(2, size // 4))

    def ours(m: kw.KripkeModel) -> object:
        return m.where(asked) if everywhere else m.holds(asked, at=0)

    theirs = None
    if find_spec("mlsolver") is not None:
        structure, formula = to_mlsolver(here), to_mlsolver_formula(asked)
        worlds = [str(w) for w in (range(size) if everywhere else [0])]
        theirs = least(lambda: [formula.semantic(structure, w) for w in worlds])
    first = 1.0
    for seed in range(200):
        fresh = model(size, max(2, size // 4), seed)
        start = time.process_time_ns()
        ours(fresh)
        first = min(first, (time.process_time_ns() - start) / 1e9)
    return Compared(theirs, least(lambda: ours(here)), first)


def built_and_asked(size: int) -> tuple[float | None, float]:
    """Return the times of building a model from classes and asking one formula once: mlsolver's, and ours."""
    asked, here = kw.parse("K_a K_b p"), model(size, 2)
    worlds = [str(w) for w in range(size)]
    classes = {a: [list(map(str, cell)) for cell in here.classes(a) or []] for a in here.agents}
    true = {p: list(map(str, here.valuation[p])) for p in here.atoms}

    def ours() -> bool:
        return kw.KripkeModel.from_partitions(worlds, classes, true, "0").holds(asked, at="0")

    if find_spec("mlsolver") is None:
        return None, least(ours)
    from mlsolver.kripke import KripkeStructure, World  # type: ignore[import-not-found, unused-ignore]

    formula = to_mlsolver_formula(asked)
    facts = {w: {p: w in true[p] for p in true} for w in worlds}

    def theirs() -> object:
        pairs = {a: {(w, v) for c in cells for w in c for v in c} for a, cells in classes.items()}
        return formula.semantic(KripkeStructure([World(w, facts[w]) for w in worlds], pairs), "0")

    return least(theirs), least(ours)


def rows() -> Iterator[Row]:
    """Yield the rows of the table."""
    four, two = model(4, 2), model(2, 1)
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
    return parser.Parsing(text).read()[0]


def secrets() -> kw.KripkeModel:
    """Return a model after eight secrets told to one agent or the other, contracted after each."""
    now = kw.KripkeModel.from_partitions("wv", {"a": ["wv"], "b": ["wv"]}, {"p": ["w"]}, "w")
    for turn in range(8):
        now = now.update(kw.private("ab"[turn % 2], "p")).contract()
    return now


def shown(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1e6:,.2f}"


def main() -> None:
    print(f"{'µs':36}{'mlsolver':>12}{'asked again':>12}{'first time':>12}{'ratio':>8}")
    for everywhere in (False, True):
        for text, size in [("K_a K_b p", size) for size in SIZES] + [(text, 8) for text in TEXTS]:
            found = compared(size, text, everywhere=everywhere)
            what = f"{text}, {'all of' if everywhere else 'one of'} {size} worlds"
            ratio = f"{found.mlsolver / found.again:8.1f}" if found.mlsolver else ""
            print(
                f"{what:36}{shown(found.mlsolver):>12}{shown(found.again):>12}{shown(found.first):>12}{ratio}"
            )
    print(f"\n{'built, and asked once, µs':36}{'mlsolver':>12}{'ours':>12}")
    for size in SIZES:
        print(f"{f'{size} worlds':36}{''.join(f'{shown(s):>12}' for s in built_and_asked(size))}")
    print(f"\n{'µs':42}{'before':>12}{'now':>12}{'goal':>12}{'ratio':>8}")
    for row in rows():
        ratio = f"{row.before / row.seconds:8.1f}" if row.before else ""
        print(f"{row.what:42}{shown(row.before):>12}{shown(row.seconds):>12}{shown(row.goal):>12}{ratio}")


if __name__ == "__main__":
    main()
