"""All models with a few worlds at once: the truth of a formula everywhere, as one boolean array.

An array of truth has the shape (frames, valuations, worlds). A frame is one relation per agent, every
combination that the logic allows up to the names of the worlds; relations have the shape (frames,
worlds, worlds).
"""

from functools import cache
from itertools import permutations, product

import numpy as np

from kripke_werewolf.logic import formulas as f

PROPERTIES = {
    "K": "",
    "T": "reflexive",
    "KD": "serial",
    "K4": "transitive",
    "S4": "reflexive transitive",
    "K45": "transitive euclidean",
    "KD45": "serial transitive euclidean",
    "S5": "reflexive transitive euclidean",
    "KB": "symmetric",
    "KDB": "serial symmetric",
    "KTB": "reflexive symmetric",
    "KD4": "serial transitive",
    "K5": "euclidean",
    "KD5": "serial euclidean",
    "KB5": "symmetric transitive euclidean",
}


def has(prop, r):
    """Return whether a relation, a tuple of rows, has a property, as it is defined."""
    worlds = range(len(r))
    match prop:
        case "reflexive":
            return all(r[w][w] for w in worlds)
        case "serial":
            return all(any(r[w]) for w in worlds)
        case "symmetric":
            return all(r[v][w] for w, v in product(worlds, repeat=2) if r[w][v])
        case "transitive":
            return all(r[w][u] for w, v, u in product(worlds, repeat=3) if r[w][v] and r[v][u])
        case "euclidean":
            return all(r[v][u] for w, v, u in product(worlds, repeat=3) if r[w][v] and r[w][u])
    raise ValueError(prop)


@cache
def relations(logic, size):
    """Return all relations on `size` worlds that the logic allows."""
    found = []
    for bits in product((False, True), repeat=size * size):
        r = tuple(bits[w * size : (w + 1) * size] for w in range(size))
        if all(has(prop, r) for prop in PROPERTIES[logic].split()):
            found.append(r)
    return np.array(found, bool).reshape(-1, size, size)


@cache
def relations_up_to_names(logic, size):
    """Return of all relations that differ only in the names of the worlds one."""
    orders = list(permutations(range(size)))
    return np.array(
        [
            r
            for r in relations(logic, size)
            if all(r.tobytes() <= r[np.ix_(order, order)].tobytes() for order in map(list, orders))
        ]
    )


class SmallModels:
    """All models of a logic with `size` worlds over these agents and atoms, up to isomorphism.

    A list of logics gives each agent one.
    """

    def __init__(self, logic, size, agents, atoms):
        # worlds are named so that the first agent's relation is the one representative
        first, *others = [logic] * len(agents) if isinstance(logic, str) else logic
        each = [relations_up_to_names(first, size), *(relations(other, size) for other in others)]
        number = np.indices([len(r) for r in each]).reshape(len(agents), -1)
        self.related = {a: r[n] for a, r, n in zip(agents, each, number, strict=True)}
        valuations = np.array(list(product((False, True), repeat=size * len(atoms))), bool)
        values = valuations.reshape(len(valuations), size, len(atoms))
        self.shape = (number.shape[1], len(values), size)
        self.true = {p: np.broadcast_to(values[None, :, :, k], self.shape) for k, p in enumerate(atoms)}

    def satisfy(self, formula):
        """Return whether a formula is true at some world of one of the models."""
        return bool(self.truth(formula, np.ones(self.shape, bool)).any())

    def box(self, relation, inside):
        worlds = range(self.shape[2])
        # one array per pair of worlds: numpy is slow at reductions over three values
        at = [[~relation[:, None, w, v] | inside[:, :, v] for v in worlds] for w in worlds]
        return np.stack([np.logical_and.reduce(each) for each in at], axis=2)

    def truth(self, formula, alive):
        """Return where a formula is true in the submodels of the worlds `alive`."""
        true = lambda g: self.truth(g, alive)  # noqa: E731
        known = lambda a, x: self.box(self.related[a], ~alive | x)  # noqa: E731
        match formula:
            case f.Atom(name):
                return self.true[name]
            case f.Constant(value):
                return np.full(self.shape, value)
            case f.Not(g):
                return ~true(g)
            case f.And(parts):
                return np.logical_and.reduce([true(g) for g in parts])
            case f.Or(parts):
                return np.logical_or.reduce([true(g) for g in parts])
            case f.Xor(parts):
                return np.logical_xor.reduce([true(g) for g in parts])
            case f.Implies(g, h):
                return ~true(g) | true(h)
            case f.Iff(g, h):
                return true(g) == true(h)
            case f.Count(kind, number, parts):
                count = np.sum([true(g) for g in parts], axis=0)
                return {"exactly": count == number, "atleast": count >= number, "atmost": count <= number}[
                    kind
                ]
            case f.Knows(a, g):
                return known(a, true(g))
            case f.Possible(a, g):
                return ~known(a, ~true(g))
            case f.KnowsWhether(a, g):
                return known(a, true(g)) | known(a, ~true(g))
            case f.Everyone(group, g):
                return np.logical_and.reduce([known(a, true(g)) for a in group])
            case f.EveryoneDual(group, g):
                return np.logical_or.reduce([~known(a, ~true(g)) for a in group])
            case f.EveryoneWhether(group, g):
                return np.logical_and.reduce([known(a, true(g)) | known(a, ~true(g)) for a in group])
            case f.SomeoneKnows(group, g):
                return np.logical_or.reduce([known(a, true(g)) for a in group])
            case f.Common(group, g):
                return self.common(group, true(g), alive & true(formula.within))
            case f.CommonDual(group, g):
                return ~self.common(group, ~true(g), alive & true(formula.within))
            case f.CommonWhether(group, g):
                left = alive & true(formula.within)
                return self.common(group, true(g), left) | self.common(group, ~true(g), left)
            case f.Distributed(group, g):
                return self.distributed(group, true(g), alive)
            case f.DistributedDual(group, g):
                return ~self.distributed(group, ~true(g), alive)
            case f.DistributedWhether(group, g):
                return self.distributed(group, true(g), alive) | self.distributed(group, ~true(g), alive)
            case f.Everywhere(g):
                return np.broadcast_to((~alive | true(g)).all(axis=2)[:, :, None], self.shape)
            case f.Somewhere(g):
                return np.broadcast_to((alive & true(g)).any(axis=2)[:, :, None], self.shape)
            case f.Box(f.Announce(content, None, False), g):
                return ~true(content) | self.truth(g, alive & true(content))
            case f.Diamond(f.Announce(content, None, False), g):
                return true(content) & self.truth(g, alive & true(content))
        raise TypeError(type(formula).__name__)

    def common(self, group, inside, alive):
        """E φ & EE φ & …: the number of worlds is enough."""
        found = np.ones(self.shape, bool)
        each = inside
        for _ in range(self.shape[2]):
            each = np.logical_and.reduce([self.box(self.related[a], ~alive | each) for a in group])
            found &= each
        return found

    def distributed(self, group, inside, alive):
        together = np.logical_and.reduce([self.related[a] for a in group])
        return self.box(together, ~alive | inside)
