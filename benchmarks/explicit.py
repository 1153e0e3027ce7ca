"""How fast the explicit engine is: `python -m benchmarks.explicit`.

Every row compares an operation with something numpy must do at least, measured in the same run: copying
the arrays that the operation reads and writes, or sorting an array. Such ratios hardly depend on the
machine. Times are CPU time, the best of several calls; `first` is a first call, which also
prepares what later calls find ready. `--plot` draws the cost per world for growing models into
docs/images/explicit_cost.svg. If the library mlsolver can be imported, it is measured as well.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import kripke_werewolf as kw
from benchmarks.timing import best, timed
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.puzzles import muddy_children, sum_and_product
from kripke_werewolf.logic.semantics.arrays import ArraySpace, Valuation
from kripke_werewolf.logic.semantics.cells import Partition
from kripke_werewolf.logic.semantics.worlds import Computed
from visualise.palette import pen

IMAGE = Path(__file__).parents[1] / "docs" / "images" / "explicit_cost.svg"
AGENTS = 4


class Row(NamedTuple):
    """One line of the table: times in seconds, and the goal for the ratio (or for the time itself)."""

    what: str
    seconds: float
    against: str
    reference: float | None
    goal: float | None
    first: float | None = None


def copying(*arrays: npt.NDArray[Any]) -> float:
    """Return the time of copying arrays to others that exist."""
    targets = [np.empty_like(a) for a in arrays]

    def copy() -> None:
        for target, array in zip(targets, arrays, strict=True):
            np.copyto(target, array)

    return best(copy, budget=0.2)


def model_of(size: int, cells: int, *, agents: int = AGENTS, atoms: int = 2, seed: int = 0) -> kw.KripkeModel:
    """Return an S5 model with random classes and random atoms p0, p1, … true at half of the worlds."""
    rng = np.random.default_rng(seed)
    names = Computed(size, lambda i: i, lambda name: name if isinstance(name, int) else None)
    relations = {f"a{i}": Partition(rng.integers(0, cells, size, np.int32), cells) for i in range(agents)}
    true = {f"p{i}": rng.random(size) < 0.5 for i in range(atoms)}
    return kw.KripkeModel.from_space(ArraySpace(names, relations, Valuation(size, true), {}, {}))


def knowledge(size: int, cells: int, goal: float, *, dense: bool = False) -> Row:
    """K_a p, where p holds throughout every other class; in the others it fails at one world, or at all."""
    model = model_of(size, cells, agents=1)
    labels = model.arrays.relations["a0"].labels
    some = np.random.default_rng(1).permutation(size)
    witness = np.zeros(cells, np.int64)
    witness[labels[some]] = some
    true = np.ones(size, bool)
    true[witness[::2]] = False
    if dense:
        true = labels % 2 == 1
    relation = Partition(labels, cells)
    first, _ = timed(lambda: relation.box(true))
    coarse = cells <= 64
    return Row(
        f"K_a, {size:,} worlds, {cells:,} classes{', p at half of them' if dense else ''}",
        best(lambda: relation.box(true)),
        "copy of labels, truth set, result" if coarse else "copy of labels (read twice), truth set, result",
        copying(labels, true, true) if coarse else copying(labels, labels, true, true),
        goal,
        first,
    )


def announcement(size: int, cells: int) -> Iterator[Row]:
    model = model_of(size, cells, atoms=8)
    arrays = [r.labels for r in model.arrays.relations.values()] + list(model.arrays.valuation.values())
    reference = copying(*arrays)

    def everything() -> None:
        after = model.announce("p0")
        for atom in after.atoms:
            after.arrays.valuation[atom]

    name = f"!p, {size:,} worlds, {AGENTS} agents, {cells:,} classes, 8 atoms"
    yield Row(name, best(lambda: model.announce("p0")), "copy of the model's arrays", reference, 4)
    yield Row(
        "  the same, and all atoms looked up", best(everything), "copy of the model's arrays", reference, None
    )


def werewolf() -> Iterator[Row]:
    """20 players, 4 ranked wolves and a seer; each knows its own role."""
    players, special = 20, 5
    columns = _positions(players, special)
    size = len(columns[0])
    names = Computed(size, lambda i: i, lambda name: name if isinstance(name, int) else None)
    relations = {}
    for player in range(players):
        role = np.zeros(size, np.int32)
        for number, column in enumerate(columns, 1):
            role[column == player] = number
        relations[str(player + 1)] = Partition(role, special + 1)
    atoms = {f"wolf_{p + 1}": np.logical_or.reduce([c == p for c in columns[1:]]) for p in range(players)}
    model = kw.KripkeModel.from_space(ArraySpace(names, relations, Valuation(size, atoms), {}, {}))
    labels = relations["1"].labels
    reference = copying(labels)
    everyone = list(relations)
    fourth = kw.Atom("wolf_4")
    somebody = kw.disjunction(kw.Atom(atom) for atom in atoms)
    for what, f, goal in (
        ("K_2 wolf_4", kw.K("2", fourth), 2.0),
        ("K_2 (1 or … or 20 is a wolf)", kw.K("2", somebody), None),
        ("C wolf_4, all 20 players", kw.C(everyone, fourth), 60.0),
        ("C (1 or … or 20 is a wolf), all 20 players", kw.C(everyone, somebody), 60.0),
    ):
        first, _ = timed(partial(Numbered(model).mask, f))
        seconds = best(partial(Numbered(model).mask, f))
        yield Row(f"{what}, {size:,} worlds", seconds, "copy of one label array", reference, goal, first)


def _positions(players: int, special: int) -> list[npt.NDArray[np.uint8]]:
    """Return all ways to give the special roles to different players, one column for each role."""
    columns: list[npt.NDArray[np.uint8]] = []
    size = 1
    for taken in range(special):
        rest = players - taken
        # the k-th player that none of the columns so far has
        place = np.tile(np.arange(rest, dtype=np.uint8), size)
        columns = [np.repeat(column, rest) for column in columns]
        for column in np.sort(np.array(columns), axis=0) if columns else []:
            place = place + (place >= column)
        columns.append(place)
        size *= rest
    return columns


def contraction(size: int, copies: int = 16) -> Row:
    """Disjoint copies of a random model: classes of 8 worlds on average, 8 valuations."""
    base = model_of(size // copies, size // copies // 8, atoms=3)
    cells = base.arrays.relations["a0"].cells
    relations = {
        agent: Partition(np.concatenate([r.labels + i * cells for i in range(copies)]), copies * cells)
        for agent, r in base.arrays.relations.items()
    }
    atoms = {atom: np.tile(row, copies) for atom, row in base.arrays.valuation.items()}
    names = Computed(size, lambda i: i, lambda name: name if isinstance(name, int) else None)
    model = kw.KripkeModel.from_space(ArraySpace(names, relations, Valuation(size, atoms), {}, {}))
    labels = relations["a0"].labels
    return Row(
        f"contract, {size:,} worlds, {AGENTS} agents -> {len(model.contract()):,}",
        best(model.contract),
        "sort of one label array",
        best(lambda: np.sort(labels), budget=0.2),
        60,
    )


def puzzle(bound: int, goal: float) -> Row:
    def solve() -> None:
        puzzle = sum_and_product(n=bound)
        assert list(puzzle.history().model.worlds) == [(4, 13)]

    return Row(f"Sum and Product, x + y <= {bound:,}: build and solve", best(solve), "", None, goal)


def against_mlsolver(children: int = 9) -> Iterator[Row]:
    """Questions about the muddy children, asked at every world, in both libraries."""
    if importlib.util.find_spec("mlsolver") is None:
        return
    from kripke_werewolf.logic.models.formats.mlsolver import to_mlsolver, to_mlsolver_formula

    model = muddy_children(n=children).model
    first, second, third = model.agents[:3]
    mud = kw.Atom(model.atoms[0])
    structure = to_mlsolver(model)
    for f in (kw.K(first, mud), kw.K(first, kw.K(second, kw.K(third, mud)))):
        theirs = to_mlsolver_formula(f)
        answers: list[bool] = []

        def ask(theirs: Any = theirs, answers: list[bool] = answers) -> None:
            answers[:] = [theirs.semantic(structure, world.name) for world in structure.worlds]

        slow, _ = timed(ask)
        assert answers == Numbered(model).mask(f).tolist()
        what = f"{f}, {len(model):,} muddy children's worlds"
        if f.body is mud:
            relation, true = model.arrays.relations[first], model.arrays.valuation[mud.name]
            quick = best(lambda: relation.box(true))  # noqa: B023 - called at once
            yield Row(f"{what}: the operation alone", quick, "mlsolver", slow, 1 / 3000)
        seconds = best(lambda: Numbered(model).mask(f))  # noqa: B023 - called at once
        yield Row(f"{what}: truth_set", seconds, "mlsolver", slow, None)


def importing() -> Row:
    code = "import time; t = time.process_time(); import kripke_werewolf; print(time.process_time() - t)"
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    return Row("import kripke_werewolf", min(times), "", None, 0.25)


def rows(*, quick: bool) -> Iterator[Row]:
    million = 100_000 if quick else 1_000_000
    for cells, goal in ((2, 2), (8, 2), (64, 2), (1000, 10), (million // 8, 10), (million, 10)):
        yield knowledge(million, cells, goal)
    for cells, goal in ((64, 2), (million // 8, 10)):
        yield knowledge(million, cells, goal, dense=True)
    yield from announcement(million, 8)
    yield from announcement(million, million // 8)
    if not quick:
        yield from werewolf()
    yield contraction(100_000)
    yield puzzle(100, 0.020)
    yield puzzle(1000, 0.2)
    yield from against_mlsolver()
    yield importing()


def line(row: Row) -> str:
    first = "" if row.first is None else f"{1e3 * row.first:.2f}"
    if row.reference is None:
        ratio, goal = "", "" if row.goal is None else f"{1e3 * row.goal:g} ms"
    else:
        ratio, goal = number(row.seconds / row.reference), "" if row.goal is None else number(row.goal)
    verdict = ""
    if row.goal is not None:
        verdict = "met" if row.seconds / (row.reference or 1) <= row.goal else "missed"
    return f"{row.what:<64}{1e3 * row.seconds:>10.3f}{first:>9}{ratio:>10}{goal:>9} {verdict:<7}{row.against}"


def number(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio >= 0.1 else f"1/{1 / ratio:,.0f}"


SERIES: dict[str, Callable[[kw.KripkeModel], object]] = {
    "K_a": lambda m: Numbered(m).mask("K_a0 p0"),
    "C, 4 agents": lambda m: Numbered(m).mask("C_{a0,a1,a2,a3} p0"),
    "D, 2 agents": lambda m: Numbered(m).mask("D_{a0,a1} p0"),
    "announcement": lambda m: m.announce("p0"),
    "semi-private announcement": lambda m: m.update(kw.semi_private("a0", "p0")),
}


SIZES = (10**4, 10**5, 10**6, 10**7)


def costs() -> dict[str, list[float]]:
    """Return the seconds per world of some operations on models of growing sizes."""
    found: dict[str, list[float]] = {name: [] for name in SERIES}
    for size in SIZES:
        model = model_of(size, size // 8)
        for name, operation in SERIES.items():
            operation(model)
            found[name].append(best(partial(operation, model), budget=0.3) / size)
            print(f"{name:<28}{size:>12,} worlds {1e9 * found[name][-1]:>8.2f} ns per world", flush=True)
    return found


def plot(found: Mapping[str, Sequence[float]], path: Path) -> None:
    """Draw the costs against the number of worlds; the legend has the order in which the lines end."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.0), layout="constrained")
    axes = figure.subplots()
    styles = dict(zip(SERIES, ("-o", "--s", "-.^", ":D", "-v"), strict=True))
    for number, name in sorted(enumerate(SERIES), key=lambda each: -found[each[1]][-1]):
        values = [1e9 * value for value in found[name]]
        axes.plot(SIZES, values, styles[name], color=pen(number).colour, label=name)
    axes.set(xscale="log", yscale="log", xlabel="worlds", ylabel="ns per world", title="Cost per world")
    axes.grid(alpha=0.3)
    figure.legend(loc="outside right upper", frameon=False)
    path.parent.mkdir(exist_ok=True)
    with rc_context({"svg.hashsalt": path.stem}):
        figure.savefig(path, metadata={"Date": None})
    print(f"written: {path}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, and draw the plot if asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explicit", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller models, for a first look")
    parser.add_argument("--plot", action="store_true", help="also draw the cost per world up to 10^7 worlds")
    chosen = parser.parse_args(arguments)
    print(f"{'':<64}{'ms':>10}{'first':>9}{'ratio':>10}{'goal':>9} {'':<7}against")
    for row in rows(quick=chosen.quick):
        print(line(row), flush=True)
    if chosen.plot:
        plot(costs(), IMAGE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
