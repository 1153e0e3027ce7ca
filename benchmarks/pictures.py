"""Quality of pictures: `python -m benchmarks.pictures`.

Seventeen models are arranged by this library, by Graphviz (neato and dot) and by networkx (Kamada and
Kawai), and drawn by the same renderer. A row counts crossings (x), arrows in one direction that lead up
(up), lines behind worlds (beh), bends (ben), overlaps of worlds and texts (ove) and texts that lines run
through (tex), for `ours` and for each of the others, with `Measures.cost`, which weighs them, and the CPU
time. A picture is as good as another if it has no more lines behind worlds and overlaps, and then no more
crossings and arrows that lead up; the last line counts these. After it stand the times of SVG files of
random models of 12, 64 and 500 worlds.

Needs `pip install pygraphviz`, and Graphviz.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import networkx as nx

import kripke_werewolf as kw
import visualise
from benchmarks.timing import best, timed
from kripke_werewolf.logic.puzzles import puzzle
from visualise.measures import Measures, measured

Places = Mapping[Any, tuple[float, float]]
Options = dict[str, Any]


def partitions(size: int, agents: str) -> kw.KripkeModel:
    """Return a random S5 model with about a third as many classes as worlds for each agent."""
    rng = random.Random(0)
    worlds = [f"w{k}" for k in range(size)]
    classes: dict[str, list[list[str]]] = {}
    for agent in agents:
        cells: dict[int, list[str]] = {}
        for world in worlds:
            cells.setdefault(rng.randrange(size // 3), []).append(world)
        classes[agent] = list(cells.values())
    return kw.KripkeModel.from_partitions(worlds, classes, _truth(worlds, rng), designated=worlds[0])


def arrows(size: int, agents: str, degree: float = 1.8) -> kw.KripkeModel:
    """Return a random model with about `degree` arrows from each world for each agent."""
    rng = random.Random(0)
    worlds = [f"w{k}" for k in range(size)]
    pairs = {a: [(u, v) for u in worlds for v in worlds if rng.random() < degree / size] for a in agents}
    return kw.KripkeModel(worlds, pairs, _truth(worlds, rng), [worlds[0]])


def _truth(worlds: Sequence[str], rng: random.Random) -> dict[str, list[str]]:
    return {f"p{k}": [w for w in worlds if rng.random() < 0.4] for k in range(3)}


def after(*actions: kw.ActionModel) -> kw.KripkeModel:
    """Return the model of a coin that only a has seen, after some actions."""
    model = kw.KripkeModel.from_partitions(
        ["heads", "tails"],
        {"a": [["heads"], ["tails"]], "b": [["heads", "tails"]]},
        {"h": ["heads"]},
        designated="heads",
    )
    for action in actions:
        model = model.update(action)
    return model


def models() -> Iterator[tuple[str, kw.KripkeModel, Options]]:
    """Yield the models, each with a name and the options it is drawn with."""
    bare: Options = {"atoms": []}
    aces = puzzle("aces-and-eights")
    yield "muddy children, 3", puzzle("muddy-children", n=3).model, {}
    yield "muddy children, 4", puzzle("muddy-children", n=4).model, bare
    yield "hexa", puzzle("hexa").model, {}
    yield "cheryl", puzzle("cheryl").model, bare
    yield "aces and eights", aces.model, bare
    yield "consecutive numbers", puzzle("consecutive-numbers").model, {}
    yield "resistance", puzzle("resistance").model, {}
    yield "cryptographers", puzzle("dining-cryptographers").model, bare
    yield "gossip", puzzle("gossip").history().model, bare
    yield "S5, 16 worlds", partitions(16, "ab"), {}
    yield "S5, 24 worlds", partitions(24, "ab"), {}
    yield "S5, 4 agents", partitions(24, "abcd"), {}
    yield "K, 8 worlds", arrows(8, "ab"), {}
    yield "K, 16 worlds", arrows(16, "ab"), {}
    yield "three secrets", after(*(kw.private(agent, "h") for agent in "bab")), {}
    yield "three suspicions", after(*(kw.suspected(agent, "h") for agent in "bab")), {}
    yield "aces, one answer", aces.history().at(1), {}


# --- the other programs ----------------------------------------------------------------------------


def by_graphviz(program: str) -> Callable[[kw.KripkeModel], Places]:
    """Return the arrangement by a program of Graphviz."""

    def arranged(model: kw.KripkeModel) -> Places:
        import pygraphviz

        drawing = pygraphviz.AGraph(directed=any(model.classes(agent) is None for agent in model.agents))
        drawing.add_nodes_from(range(len(model)))
        drawing.add_edges_from(_related(model))
        drawing.layout(program)
        spots = ([float(x) for x in drawing.get_node(k).attr["pos"].split(",")] for k in range(len(model)))
        return {world: (x, y) for world, (x, y) in zip(model.worlds, spots, strict=True)}

    return arranged


def by_networkx(model: kw.KripkeModel) -> Places:
    """Return the arrangement of Kamada and Kawai as networkx computes it."""
    graph = nx.Graph(_related(model))
    graph.add_nodes_from(range(len(model)))
    places = nx.kamada_kawai_layout(graph)
    return {world: (float(places[k][0]), float(places[k][1])) for k, world in enumerate(model.worlds)}


def _related(model: kw.KripkeModel) -> list[tuple[int, int]]:
    """Return the pairs of worlds that some agent relates, each once."""
    pairs = {pair for agent in model.agents for pair in model.space.pairs(agent) if pair[0] != pair[1]}
    return sorted(pair for pair in pairs if pair[::-1] not in pairs or pair[0] < pair[1])


OTHERS: dict[str, Callable[[kw.KripkeModel], Places]] = {
    "neato": by_graphviz("neato"),
    "dot": by_graphviz("dot"),
    "networkx": by_networkx,
}


# --- the comparison --------------------------------------------------------------------------------


def ours(model: kw.KripkeModel, options: Options) -> Measures:
    """Return the measures of a picture by this library alone."""
    return measured(visualise.picture(model, **options))


def theirs(model: kw.KripkeModel, options: Options, arranged: Callable[..., Places]) -> Measures:
    """Return the measures of the same picture with positions of another program."""
    return measured(visualise.picture(model, pos=arranged(model), **options))


def _row(found: Measures, seconds: float) -> str:
    counts = found.crossings, found.upward, found.behind, found.bends, found.overlaps, found.struck
    return f"{' '.join(f'{n:3d}' for n in counts)} {found.cost:7.1f} {1000 * seconds:6.0f}"


def _rank(found: Measures) -> tuple[int, int]:
    return found.behind + found.overlaps, found.crossings + found.upward


def main() -> None:
    """Print the comparison."""
    heads = "  x  up beh ben ove tex    cost     ms"
    names = ["ours", *OTHERS]
    print(f"{'':20} " + " | ".join(f"{name:37}" for name in names))
    print(f"{'':20} " + " | ".join([heads] * len(names)))
    good = total = faults = 0
    for name, model, options in models():
        found = [timed(partial(ours, model, options))]
        found += [timed(partial(theirs, model, options, way)) for way in OTHERS.values()]
        (_, own), *others = found
        print(f"{name:20} " + " | ".join(_row(each, seconds) for seconds, each in found))
        good += _rank(own) <= min(_rank(other) for _, other in others)
        total += 1
        faults += own.behind + own.overlaps
    print(f"as good as the best of the others: {good} of {total}; lines behind worlds and overlaps: {faults}")
    drawn_in_full()


def drawn_in_full() -> None:
    """Print the CPU time of an SVG of all worlds of random S5 models with three agents."""
    for size in (12, 64, 500):
        seconds = best(partial(visualise.svg, partitions(size, "abc"), limit=size))
        print(f"SVG of {size} worlds: {seconds:.2f} s")


if __name__ == "__main__":
    main()
