"""Bisimilar worlds of small models, by partition refinement.

After round k two worlds are in one block iff they are k-bisimilar: they satisfy the same formulas of modal
depth at most k (Blackburn, de Rijke and Venema 2001, section 2.3). When a round splits no block, worlds of a
block are bisimilar. `semantics.refinement` does the same for large models.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache, partial, reduce
from itertools import chain
from math import gcd
from operator import and_, or_
from typing import Any, TypeAlias

from kripke_werewolf.logic.semantics.bits import BitSpace, Rows, Weights, digits, gathered, integral, members

_REMEMBERED = 1024  # bits up to which canonical orders are remembered: it bounds the memory

Key: TypeAlias = tuple[Any, ...]
"""Identifies a model up to bisimilarity, among those with the same agents and atoms."""


class BlockRounds:
    """The blocks of worlds before and after each round of refinement: `history[k][w]` is that of world w.

    Agents with `weights` must also give the blocks the same probabilities. Worlds with different entries in
    `columns` stay apart. Numbers that stand for no world have block -1. If `ordered`, neither the order
    of the worlds nor the number of copies matters for the numbers of the blocks.
    """

    def __init__(
        self,
        space: BitSpace,
        weights: Collection[str],
        columns: Iterable[Sequence[Any]] = (),
        *,
        ordered: bool = False,
    ) -> None:
        self.order: Callable[[Any], Iterable[Any]] = sorted if ordered else iter
        self.width, self.size = space.all.bit_length(), space.all.bit_count()
        self.inside = digits(space.all)
        self.weights = {agent: space.listed_weights(agent) for agent in weights}
        self.rows: dict[str, list[tuple[list[int], list[int]]]] = {}
        for agent, relation in space.relations.items():
            sets = relation.within(space.all).rows
            listed = {inside: members(inside) for row in sets for inside in row}
            self.rows[agent] = [(listed[who], listed[sees]) for who, sees in sets]
        facts = [digits(space.fact(atom)).ljust(self.width, b"\0") for atom in space.valuation]
        self.history: list[list[int]] = []
        self._numbered([*facts, *columns])

    def _numbered(self, columns: Sequence[Sequence[Any]]) -> int:
        """Number the worlds by their entries, and return how many numbers there are."""
        rows = list(zip(self.inside, *columns, strict=True))
        number = {row: k for k, row in enumerate(self.order(row for row in dict.fromkeys(rows) if row[0]))}
        self.history.append([number.get(row, -1) for row in rows])
        return len(number)

    def run(self, depth: int | None = None) -> BlockRounds:
        """Refine until no block is split, for at most `depth` rounds."""
        count = max(self.history[0], default=-1) + 1
        while count < self.size and (depth is None or len(self.history) <= depth):
            columns = [self.history[-1]]
            for agent, rows in self.rows.items():
                column = [-1] * self.width
                look = partial(self.shares, agent) if agent in self.weights else self.seen
                sights: list[Any] = [look(sees) for _, sees in rows]
                number = {sight: k for k, sight in enumerate(self.order(dict.fromkeys(sights)))}
                for (who, _), sight in zip(rows, sights, strict=True):
                    here = number[sight]
                    for w in who:
                        column[w] = here
                columns.append(column)
            before, count = count, self._numbered(columns)
            if count == before:
                self.history.pop()
                break
        return self

    def seen(self, worlds: Iterable[int]) -> tuple[int, ...]:
        """Return the blocks of some worlds."""
        block = self.history[-1]
        return tuple(sorted({block[w] for w in worlds}))

    def shares(self, agent: str, worlds: Iterable[int]) -> tuple[tuple[int, int], ...]:
        """Return the blocks of some worlds, with the smallest integers in the ratios of their weights."""
        block, weight = self.history[-1], self.weights[agent]
        mass: dict[int, int] = {}
        for w in worlds:
            mass[block[w]] = mass.get(block[w], 0) + weight[w]
        divisor = gcd(*mass.values()) or 1
        return tuple(sorted([(number, part // divisor) for number, part in mass.items()]))

    def of(self, world: int, after: int = -1) -> int:
        """Return the block of a world at last, or after a round (0: at the start)."""
        return self.history[after][world]

    def parted(self, one: int, other: int) -> int | None:
        """Return the first round that separated two worlds, None if they are in one block."""
        return next((k for k, block in enumerate(self.history) if block[one] != block[other]), None)


def probable_agents(space: BitSpace, agents: Collection[str]) -> list[str]:
    """Return the given agents that have probabilities."""
    return [agent for agent in agents if space.weigh(agent, space.all)]


def pools(relation: Any, worlds: Any) -> bool:
    """Return whether the relation is K45: the worlds seen from a world see exactly each other."""
    return not relation.failures(worlds).keys() & {"transitive", "euclidean"}


def contracted_bits(
    space: BitSpace, *, distributed: bool = False, probable: bool = False
) -> tuple[BitSpace, list[int]]:
    """Return the bisimulation contraction, in which the first world of each block remains, and the blocks.

    `distributed`: preserve distributed knowledge; `probable`: preserve the probabilities of all agents. See
    `KripkeModel.contract`.
    """
    weights = probable_agents(space, space.relations if probable else space.weights)
    # one number per world cannot weigh a world differently for each of its observers: worlds with different
    # observers stay apart
    apart = [space.relations[a] for a in weights if not pools(space.relations[a], space.all)]
    width = space.all.bit_length()
    observers = [part for r in apart for row in r.within(space.all).rows for part in row]
    columns: list[Sequence[Any]] = [digits(part).ljust(width, b"\0") for part in observers]
    while True:
        block = BlockRounds(space, weights, columns).run().history[-1]
        blocks = list(gathered((block[w], 1 << w) for w in members(space.all)).values())
        lacking = _lacking(space, blocks) if distributed else 0
        if not lacking:
            return _quotient(space, blocks, weights), blocks
        columns.append(block)
        for relation in space.relations.values():
            columns += [digits(sees & lacking).ljust(width, b"\0") for _, sees in relation.rows]


def _lacking(space: BitSpace, blocks: Collection[int]) -> int:
    """Return the worlds of the blocks that may not be merged if D is to be preserved.

    It is preserved if several agents who see worlds of a block from one world also see some world of it in
    common: then the intersection of the quotients is the quotient of the intersection.
    """
    found = 0
    for w in members(space.all):
        sights = [relation.sees(w) & space.all for relation in space.relations.values()]
        for block in blocks:
            seeing = [sees for sees in sights if sees & block]
            if len(seeing) > 1 and not reduce(and_, seeing, block):
                found |= block
    return found


def _quotient(space: BitSpace, blocks: list[int], weights: Collection[str]) -> BitSpace:
    kept = sum([block & -block for block in blocks])
    if kept == space.all:
        return space
    relations: dict[str, Rows] = {}
    found: dict[str, Weights] = {}
    for agent, relation in space.relations.items():
        masses = _masses_of(space, agent, blocks)
        sights = [(who, masses(sees)) for who, sees in relation.within(space.all).rows]
        rows = gathered([(reduce(or_, seen.values()), who & kept) for who, seen in sights if who & kept])
        relations[agent] = Rows((who, sees) for sees, who in rows.items())
        if agent not in weights and agent in space.weights:
            found[agent] = ((kept, 0),)
        elif agent in weights or any(len(seen) > 1 for _, seen in sights):
            if pools(relation, space.all):
                new = _shares([seen for _, seen in sights], kept)
            elif agent in weights:
                new = integral(masses(space.all))
            else:
                new = ((kept, 0),)  # its merged worlds differ in probability
            if len(new) > 1 or not new[0][1]:
                found[agent] = new
    valuation = {atom: true & kept for atom, true in space.valuation.items()}
    return BitSpace(kept, relations, valuation, space.name, found, space.variables)


def _masses_of(space: BitSpace, agent: str, blocks: list[int]) -> Callable[[int], dict[int, int]]:
    """Return a function of a set of worlds: the weights of the blocks' parts in it, each with the leaders.

    A leader is the first world of a block. Blocks without a part in the set are left out.
    """
    merged = [(block, block & -block) for block in blocks if block & (block - 1)]
    alone = space.all & ~sum([block for block, _ in merged])
    weights = space.weights.get(agent, ((alone, 1),))

    def masses(inside: int) -> dict[int, int]:
        found: dict[int, int] = {}
        for worlds, weight in weights:
            if here := worlds & inside & alone:
                found[weight] = found.get(weight, 0) | here
        for block, leader in merged:
            if part := block & inside:
                mass = space.weigh(agent, part)
                found[mass] = found.get(mass, 0) | leader
        return found

    return masses


def _shares(seen: Iterable[dict[int, int]], kept: int) -> Weights:
    """Return weights with which the blocks seen together have the ratios of their masses.

    All 0, so that probabilities are undefined, if classes that became one class differ in the ratios.
    """
    agreed: dict[int, dict[int, int]] = {}
    for masses in seen:
        divisor = gcd(*masses) or 1
        shares = {mass // divisor: leaders for mass, leaders in masses.items()}
        if agreed.setdefault(reduce(or_, masses.values()), shares) != shares:
            return ((kept, 0),)
    shared = [piece for shares in agreed.values() for piece in shares.items()]
    unseen = kept & ~reduce(or_, agreed, 0)
    if unseen:
        shared.append((1, unseen))
    pieces = gathered(shared)
    # in lowest terms already, as the shares of every class are
    return tuple((worlds, share) for share, worlds in sorted(pieces.items()))


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
    key = shape, told
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
    true = {str(k): fact for k, fact in enumerate(facts)}
    rounds = BlockRounds(BitSpace(worlds, rows, true, str, given, {}), given, ordered=True).run()

    bit = [1 << max(number, 0) for number in rounds.history[-1]]

    def place(inside: Iterable[int]) -> int:
        found = 0
        for w in inside:
            found |= bit[w]
        return found

    shape = []
    for agent, several in rounds.rows.items():
        sights = [rounds.shares(agent, sees) if agent in given else place(sees) for _, sees in several]
        who = [place(inside) for inside, _ in several]
        shape.append(tuple(sorted((w, v) for v, w in gathered(zip(sights, who, strict=True)).items())))
    images = tuple([place(members(fact & worlds)) for fact in facts])
    return (place(members(worlds)), place(members(points)), *shape), images


def united(space: BitSpace, points: int) -> tuple[BitSpace, int]:
    """Return the space in which equal copies are merged; see `Worlds.united`."""
    rows = chain.from_iterable(relation.rows for relation in space.relations.values())
    places = {*chain.from_iterable(rows)}
    blocks = [space.all]
    for inside in (*space.valuation.values(), *places):
        halves = [half for block in blocks for half in (block & inside, block & ~inside)]
        blocks = [half for half in halves if half & (half - 1)]  # blocks of one world need no splitting
    if not blocks:
        return space, points
    weights: dict[str, Weights] = {}
    for agent in space.relations:
        new = integral(_masses_of(space, agent, blocks)(space.all))
        if len(new) > 1 or not new[0][1]:
            weights[agent] = new
    kept = space.all & ~reduce(or_, [block & (block - 1) for block in blocks])
    left = BitSpace(kept, space.relations, space.valuation, space.name, weights, space.variables)
    return left, points & kept | reduce(or_, [block & -block for block in blocks if block & points], 0)
