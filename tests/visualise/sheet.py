"""Pictures of 37 models, to be judged by eye: `python tests/visualise/sheet.py FOLDER`.

They are the seventeen models of `benchmarks.pictures` and twenty others. A line for each model counts what
hinders reading.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kripke_werewolf as kw
import visualise
from benchmarks.pictures import models, partitions
from visualise.measures import Measures, measured


def belief(seed: int, size: int, agents: str) -> kw.KripkeModel:
    """Return a random KD45 model: the worlds see one of a few cells each."""
    rng = random.Random(seed)
    worlds = [f"w{k}" for k in range(size)]
    relations = {}
    for agent in agents:
        order = rng.sample(worlds, size)
        cells, start = [], 0
        while start < 2 * size // 3:
            stop = start + rng.randint(1, 3)
            cells.append(order[start:stop])
            start = stop
        sees = {w: cell for cell in cells for w in cell}
        relations[agent] = [(w, v) for w in worlds for v in sees.get(w) or rng.choice(cells)]
    return kw.KripkeModel(worlds, relations, _facts(rng, worlds), [worlds[0]])


def general(seed: int, size: int, agents: str, degree: float) -> kw.KripkeModel:
    """Return a random K model."""
    rng = random.Random(seed)
    worlds = [f"w{k}" for k in range(size)]
    relations = {a: [(u, v) for u in worlds for v in worlds if rng.random() < degree / size] for a in agents}
    return kw.KripkeModel(worlds, relations, _facts(rng, worlds), [worlds[0]])


def classes(seed: int, size: int, agents: str, names: str = "w{}") -> kw.KripkeModel:
    """Return a random S5 model."""
    rng = random.Random(seed)
    worlds = [names.format(k) for k in range(size)]
    parts = {}
    for agent in agents:
        cells: dict[int, list[str]] = {}
        for world in worlds:
            cells.setdefault(rng.randrange(size // 2), []).append(world)
        parts[agent] = list(cells.values())
    return kw.KripkeModel.from_partitions(worlds, parts, _facts(rng, worlds), designated=worlds[0])


def _facts(rng: random.Random, worlds: list[str]) -> dict[str, list[str]]:
    return {atom: [w for w in worlds if rng.random() < 0.4] for atom in "pq"}


def product(seed: int, agents: str, count: int) -> kw.KripkeModel:
    """Return the belief of some agents after random updates about a coin that none of them has seen."""
    rng = random.Random(seed)
    model = kw.KripkeModel.from_partitions(
        ["heads", "tails"], {a: [["heads", "tails"]] for a in agents}, {"h": ["heads"]}, designated="heads"
    )
    for _ in range(count):
        model = model.update(rng.choice([kw.private, kw.suspected, kw.semi_private])(rng.choice(agents), "h"))
    return model


def unseen() -> Iterator[tuple[str, kw.KripkeModel, dict[str, Any]]]:
    """Yield twenty models of kinds for which no arrangement was tuned."""
    for seed, agents, count in ((1, "abc", 2), (2, "abc", 3), (3, "abcd", 2), (4, "ab", 4), (5, "abcde", 2)):
        yield f"product {seed}", product(seed, agents, count), {}
    for seed, size, agents in ((6, 6, "ab"), (7, 8, "abc"), (8, 12, "ab"), (9, 12, "abcd"), (10, 20, "abc")):
        yield f"belief {seed}", belief(seed, size, agents), {}
    for seed, size, agents, degree in ((11, 6, "abc", 1.5), (12, 10, "ab", 1.2), (13, 14, "a", 2.0)):
        yield f"K {seed}", general(seed, size, agents, degree), {}
    for seed, size, agents in ((14, 8, "abc"), (15, 12, "abcd"), (16, 10, "abcde"), (17, 18, "abc")):
        yield f"S5 {seed}", classes(seed, size, agents), {}
    long = "the world with number {}"
    yield "long names 18", classes(18, 6, "abc", long), {}
    renamed = belief(19, 7, "ab")
    names = {w: f"in {w} nobody has told anybody" for w in renamed.worlds}
    yield "long names 19", renamed, {"names": names}
    yield "long names 20", partitions(9, "ab"), {"names": lambda w: f"all that {w} is"}


def main(folder: Path) -> dict[str, Measures]:
    """Write the pictures; return what was counted in them."""
    counted = {}
    print(f"{'':20} line outl  x beh ove tex up  seconds")
    for title, model, options in (*models(), *unseen()):
        start = time.process_time()
        scene = visualise.picture(model, **options)
        seconds = time.process_time() - start
        m = counted[title] = measured(scene)
        counts = (len(scene.edges), len(scene.hulls), m.crossings, m.behind, m.overlaps, m.struck, m.upward)
        print(f"{title:20} {' '.join(f'{n:3}' for n in counts)} {seconds:6.2f}", flush=True)
        visualise.save(scene, folder / f"{len(counted):02} {title}.png")
    return counted


if __name__ == "__main__":
    main(Path(sys.argv[1]))
