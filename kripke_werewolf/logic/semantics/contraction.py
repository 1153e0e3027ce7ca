"""Bisimilar worlds, by partition refinement, and the quotients of small models.

After round k two worlds are in one block iff they are k-bisimilar: they satisfy the same formulas of modal
depth at most k (Blackburn, de Rijke and Venema 2001, section 2.3). When a round splits no block, worlds of a
block are bisimilar. A round looks only at what sees a world that has moved to another block; the largest part
of a block that is split does not move, so that there are n log n steps (Paige and Tarjan 1987; Valmari and
Lehtinen 2008). `semantics.refinement` begins on arrays for large models.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import gcd
from typing import Any, Self, TypeAlias

from kripke_werewolf.base.grouping import grouped, numbered
from kripke_werewolf.logic.semantics.bits import BitSpace, Rows, Weights, digits, gathered, integral, members
from kripke_werewolf.logic.semantics.ranks import hidden
from kripke_werewolf.logic.semantics.space import Worlds

_REMEMBERED = 1024  # bits up to which canonical orders are remembered: it bounds the memory

Key: TypeAlias = tuple[Any, ...]
"""Identifies a model up to bisimilarity, among those with the same agents and atoms."""


# --- refinement ------------------------------------------------------------------------------------


class View:
    """An agent's relation by rows: the worlds in the first list see those in the second.

    `weight`: the agent's weights of the worlds, if blocks must have the same probabilities.
    """

    def __init__(
        self, rows: Sequence[tuple[list[int], list[int]]], size: int, weight: Sequence[int] | None = None
    ) -> None:
        self.rows, self.size, self.weight = rows, size, weight

    def listed(self) -> View:
        """Return itself."""
        return self

    @cached_property
    def seeing(self) -> list[list[int]]:
        """For each world the rows that see it."""
        found: list[list[int]] = [[] for _ in range(self.size)]
        for row, (_, sees) in enumerate(self.rows):
            for w in sees:
                found[w].append(row)
        return found

    def keys(self, moved: Iterable[int] | None, block: Sequence[int]) -> list[tuple[list[int], Any]]:
        """Return the worlds in rows that see worlds that moved (None: in all), with the blocks seen."""
        changed = self.rows
        if moved is not None:
            changed = [self.rows[k] for k in {k for w in moved for k in self.seeing[w]}]
        if self.weight is None:
            return [(who, tuple(sorted({block[w] for w in sees}))) for who, sees in changed]
        masses = [(who, _shares(_masses(block, self.weight, sees))) for who, sees in changed]
        return [(who, tuple(sorted(shares.items()))) for who, shares in masses]


class Blocks:
    """Blocks of worlds during a refinement: `block` is that of each world.

    `born`: the round in which each block arose (0: at the start); `parent`: the one that it was split from,
    whose number is smaller (-1: none).
    """

    views: Sequence[Any]
    block: Any
    born: Any
    parent: Any
    rounds: int = 0

    def of(self, world: int, after: int | None = None) -> int:
        """Return the block of a world, now or after an earlier round."""
        block = int(self.block[world])
        while after is not None and self.born[block] > after:
            block = int(self.parent[block])
        return block

    def parted(self, one: int, other: int) -> int | None:
        """Return the first round that separated two worlds, None if they are in one block."""
        found, blocks = None, {self.of(one), self.of(other)}
        while len(blocks) > 1:
            later = max(blocks)
            found = int(self.born[later])
            blocks = blocks - {later} | {int(self.parent[later])}
        return found


class Listed(Blocks):
    """A refinement on lists, from some blocks on.

    If `ordered`, neither the order of the worlds nor the number of copies matters for the numbers of blocks.
    """

    def __init__(self, views: Sequence[View], block: list[int], *, ordered: bool = False) -> None:
        self.views, self.block, self.ordered = views, block, ordered
        self.inside: list[set[int]] = [set() for _ in range(max(block, default=-1) + 1)]
        for w, part in enumerate(block):
            if part >= 0:
                self.inside[part].add(w)
        self.parent, self.born = [-1] * len(self.inside), [0] * len(self.inside)
        self._moved: Any = None

    def round(self) -> bool:
        """Refine all blocks once; return whether one was split."""
        seen = [view.keys(self._moved, self.block) for view in self.views]
        self._moved = []
        for keys in seen:
            self._split(keys)
        self.rounds += 1
        self.born += [self.rounds] * (len(self.parent) - len(self.born))
        return bool(self._moved)

    def _split(self, keys: Iterable[tuple[list[int], Any]]) -> None:
        """Split the blocks by the keys of some worlds; the others saw no world move."""
        number, inside = self.block, self.inside
        alike: dict[tuple[int, Any], list[int]] = {}
        for who, key in keys:
            for w in who:
                block = number[w]
                if len(inside[block]) > 1:
                    alike.setdefault((block, key), []).append(w)
        found = sorted(alike.items()) if self.ordered else alike.items()
        for block, several in grouped([(block, worlds) for (block, _), worlds in found]).items():
            rest = len(inside[block]) - sum(map(len, several))
            if not self.ordered:
                several.sort(key=len)
            if not rest or (len(several[-1]) > rest and not self.ordered):
                most = several.pop()  # they keep the number, and those that saw no world move get another
                if rest:
                    several.append(list(inside[block].difference(most, *several)))
            for worlds in several:
                for w in worlds:
                    number[w] = len(inside)
                self._moved += worlds
                inside[block].difference_update(worlds)
                inside.append(set(worlds))
                self.parent.append(block)

    def run(self, depth: int | None = None) -> Self:
        """Refine until no block is split, or for `depth` rounds altogether."""
        size = sum(map(len, self.inside))
        while self.rounds != depth and len(self.inside) < size and self.round():
            pass
        return self


def refined_bits(
    space: BitSpace,
    agents: Collection[str],
    columns: Iterable[Sequence[Any]] = (),
    depth: int | None = None,
    *,
    ordered: bool = False,
) -> Listed:
    """Return the blocks after `depth` rounds, by default after the last that splits one.

    At the start, worlds with the same true atoms and the same entries in each column share a block; some
    `agents` must also give the blocks the same probabilities. See `Listed` for `ordered`.
    """
    width = space.all.bit_length()
    facts = [digits(space.fact(atom)).ljust(width, b"\0") for atom in space.valuation]
    entries = list(zip(digits(space.all), *facts, *columns, strict=True))
    different = dict.fromkeys([entry for entry in entries if entry[0]])
    number = {entry: k for k, entry in enumerate(sorted(different) if ordered else different)}
    block = [number.get(entry, -1) for entry in entries]
    return Listed(_views(space, agents), block, ordered=ordered).run(depth)


def _views(space: BitSpace, agents: Collection[str]) -> list[View]:
    """Return the relations by rows, with the weights of some agents."""
    views = []
    for agent, relation in space.relations.items():
        rows = []
        for who, sees in relation.within(space.all).rows:
            inside = members(who)
            rows.append((inside, inside if who == sees else members(sees)))
        weight = space.listed_weights(agent) if agent in agents else None
        views.append(View(rows, space.all.bit_length(), weight))
    return views


def probable_agents(space: Worlds[Any], agents: Collection[str]) -> list[str]:
    """Return the given agents that have probabilities."""
    return [agent for agent in agents if space.weigh(agent, space.all)]


# --- contraction -----------------------------------------------------------------------------------


def contracted_bits(
    space: BitSpace, *, distributed: bool = False, probable: bool = False
) -> tuple[BitSpace, list[int]]:
    """Return the bisimulation contraction, in which the first world of each block remains, and the blocks.

    `distributed`: preserve distributed knowledge; `probable`: preserve the probabilities of all agents. See
    `KripkeModel.contract`.
    """
    agents, found = merged(space, refined_bits, distributed=distributed, probable=probable)
    blocks = list(gathered([(found.block[w], 1 << w) for w in members(space.all)]).values())
    return _quotient(space, found.views, blocks, agents), blocks


def merged(
    space: Worlds[Any], refined: Callable[..., Blocks], *, distributed: bool, probable: bool
) -> tuple[list[str], Blocks]:
    """Return the agents whose probabilities are preserved, and the blocks whose worlds are merged."""
    agents = probable_agents(space, space.relations if probable else space.weights)
    # one number per world cannot weigh a world differently for each of its observers: worlds with different
    # observers stay apart
    relations = [space.relations[agent] for agent in agents]
    columns = [relation.observers(space.all) for relation in relations if not relation.pools(space.all)]
    while True:
        found = refined(space, agents, columns)
        again: list[list[Any]] = []
        if distributed and len({*found.block}) < len(found.block):
            again = kept_apart([view.listed() for view in found.views], found.block)
        if not again:
            return agents, found
        columns += [found.block, *map(numbered, again)]


def kept_apart(views: Sequence[View], block: Sequence[int]) -> list[list[tuple[int, ...]]]:
    """Return columns that keep apart what must not be merged if D is to be preserved; none if all may be.

    It is preserved if several agents who see worlds of a block from one world also see some world of it in
    common: then the intersection of the quotients is the quotient of the intersection. Otherwise only worlds
    of the block that the same worlds see may be merged.
    """
    own = [[-1] * view.size for view in views]  # the row of each world
    for view, rows in zip(views, own, strict=True):
        for k, (who, _) in enumerate(view.rows):
            for w in who:
                rows[w] = k
    lacking = set[int]()
    for combination in set(zip(*own, strict=True)):
        sights = [{*view.rows[k][1]} for view, k in zip(views, combination, strict=True) if k >= 0]
        seen = [{block[v] for v in sight} for sight in sights]
        for number in set[int]().union(*seen):
            seeing = [sight for sight, blocks in zip(sights, seen, strict=True) if number in blocks]
            if len(seeing) > 1 and number not in {block[v] for v in set.intersection(*seeing)}:
                lacking.add(number)
    if not lacking:
        return []
    parted = [w for w, number in enumerate(block) if number in lacking]
    columns: list[list[tuple[int, ...]]] = []
    for view in views:
        columns.append([()] * view.size)
        for w in parted:
            columns[-1][w] = tuple(view.seeing[w])
    return columns


def _quotient(space: BitSpace, views: Sequence[View], blocks: list[int], agents: Collection[str]) -> BitSpace:
    """Return the space of the blocks, each as its first world, with the weights of some agents."""
    kept = sum([block & -block for block in blocks])
    if kept == space.all:
        return space
    leaders = [0] * space.all.bit_length()  # of each world the first in its block, as a set
    for block in blocks:
        for w in members(block):
            leaders[w] = block & -block
    equal = [1] * len(leaders)
    relations: dict[str, Rows] = {}
    found: dict[str, Weights] = {}
    for (agent, relation), view in zip(space.relations.items(), views, strict=True):
        weight = view.weight or equal
        masses = [_masses(leaders, weight, sees) for _, sees in view.rows]
        first = [sum([leaders[w] for w in who if leaders[w] == 1 << w]) for who, _ in view.rows]
        rows = gathered([(sum(mass), who) for mass, who in zip(masses, first, strict=True) if who])
        relations[agent] = Rows((who, sees) for sees, who in rows.items())
        new: Weights = ((kept, 0),)  # no probabilities, as when merged worlds differ in them
        if agent in agents or agent not in space.weights:
            if weight is equal and all(len({*mass.values()}) < 2 for mass in masses):
                continue
            if relation.pools(space.all):
                new = _pooled(masses, kept)
            elif agent in agents:
                new = _added(_masses(leaders, weight, members(space.all)))
        if len(new) > 1 or not new[0][1]:
            found[agent] = new
    valuation = {atom: true & kept for atom, true in space.valuation.items()}
    return BitSpace(kept, relations, valuation, space.name, found, space.variables)


def _masses(leaders: Sequence[int], weight: Sequence[int], worlds: Iterable[int]) -> dict[int, int]:
    """Return for each block, by its leader, what those of its worlds that are given weigh together."""
    found: dict[int, int] = {}
    for w in worlds:
        found[leaders[w]] = found.get(leaders[w], 0) + weight[w]
    return found


def _shares(masses: Mapping[int, int]) -> dict[int, int]:
    """Return the smallest integers in the same ratios."""
    divisor = gcd(*masses.values()) or 1
    return {leader: mass // divisor for leader, mass in masses.items()}


def _added(masses: Mapping[int, int]) -> Weights:
    """Return the weights of blocks that weigh what their worlds do."""
    return integral(gathered([(mass, leader) for leader, mass in masses.items()]))


def _pooled(seen: Iterable[Mapping[int, int]], kept: int) -> Weights:
    """Return weights with which the blocks seen together have the ratios of their masses.

    All 0, so that probabilities are undefined, if classes that became one class differ in the ratios.
    """
    agreed: dict[int, int] = {}
    for masses in seen:
        for leader, share in _shares(masses).items():
            if agreed.setdefault(leader, share) != share:
                return ((kept, 0),)
    if unseen := kept & ~sum(agreed):
        agreed[unseen] = 1
    return _added(agreed)


# --- canonical forms -------------------------------------------------------------------------------


def canonical_bits(space: BitSpace, points: int, *, probable: bool = False) -> tuple[BitSpace, int, Key]:
    """Return the canonical form of the worlds reachable from some points; see `Worlds.canonical`.

    Atoms with the same value at all worlds do not matter for the order of the worlds: states that differ in
    such atoms only, as after public moves, share the work.
    """
    part = space.with_worlds(space.reachable(points))
    atoms, agents = sorted(part.valuation), sorted(part.relations)
    facts = [part.fact(atom) for atom in atoms]
    weighted = set(probable_agents(part, agents)) if probable else ()
    remembered = part.all.bit_length() <= _REMEMBERED
    shape, images = (_ordered if remembered else _ordered.__wrapped__)(
        part.all,
        points,
        tuple([part.relations[agent].rows for agent in agents]),
        tuple([true for true in facts if true and true != part.all]),
        tuple([part.weights.get(a, ((part.all, 1),)) if a in weighted else None for a in agents]),
    )
    size, there, *rows = shape
    varying = iter(images)
    always = {0: 0, part.all: size}
    told = tuple([always[true] if true in always else next(varying) for true in facts])
    key = shape, told, tuple(hidden(part.valuation, agents))
    if weighted:
        smaller, merged = contracted_bits(part, probable=True)
        kept = sum([block & -block for block in merged if block & points])
        return smaller.compact(), smaller.renumbered(kept), key
    relations = dict(zip(agents, map(Rows, rows), strict=True))
    none: dict[str, Weights] = dict.fromkeys(agents, ((size, 0),))
    valuation = dict(zip(atoms, told, strict=True))
    return BitSpace(size, relations, valuation, "w{}".format, none, space.variables), there, key


@lru_cache(maxsize=2048)  # products that differ in commonly known atoms only are many in a search
def _ordered(
    worlds: int,
    points: int,
    relations: tuple[tuple[tuple[int, int], ...], ...],
    facts: tuple[int, ...],
    weights: tuple[Weights | None, ...],
) -> tuple[Key, tuple[int, ...]]:
    """Return bisimilar worlds as blocks, in an order independent of numbering, and facts in that order.

    The first part is the set of blocks, those with a point, and the rows of each agent.
    """
    given = {str(k): weight for k, weight in enumerate(weights) if weight is not None}
    rows = {str(k): Rows(rows) for k, rows in enumerate(relations)}
    space = BitSpace(worlds, rows, {str(k): fact for k, fact in enumerate(facts)}, str, given, {})
    bit = [1 << max(number, 0) for number in refined_bits(space, given, ordered=True).block]

    def place(inside: int) -> int:
        found = 0
        for w in members(inside & worlds):
            found |= bit[w]
        return found

    shape = []
    for agent, relation in rows.items():
        sights = relation.within(worlds).rows
        seen: list[Any] = [place(sees) for _, sees in sights]
        if agent in given:
            weight = space.listed_weights(agent)
            seen = [tuple(sorted(_shares(_masses(bit, weight, members(sees))).items())) for _, sees in sights]
        alike = gathered(zip(seen, [place(who) for who, _ in sights], strict=True))
        shape.append(tuple(sorted([(who, sees) for sees, who in alike.items()])))
    return (place(worlds), place(points), *shape), tuple(map(place, facts))


def united_bits(space: BitSpace, points: int) -> tuple[BitSpace, int]:
    """Return the space in which equal copies are merged; see `Worlds.united`."""
    rows = [inside for relation in space.relations.values() for row in relation.rows for inside in row]
    blocks = [space.all]
    for inside in {*space.valuation.values(), *rows}:
        blocks = [half for block in blocks for half in (block & inside, block & ~inside) if half]
    agents = probable_agents(space, space.relations)
    left = _quotient(space, _views(space, agents), blocks, agents)
    return left, sum([block & -block for block in blocks if block & points])
