"""Random models of several kinds, for which no arrangement was tuned."""

import random

import kripke_werewolf as kw


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


def classes(seed: int, size: int, agents: str) -> kw.KripkeModel:
    """Return a random S5 model."""
    rng = random.Random(seed)
    worlds = [f"w{k}" for k in range(size)]
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
