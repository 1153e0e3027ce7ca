"""Bisimilar worlds of small models, by partition refinement.

After round k two worlds have the same label iff they are k-bisimilar: they satisfy the same formulas of modal
depth at most k (Blackburn, de Rijke and Venema 2001, section 2.3). When a round splits no block, worlds with
the same label are bisimilar. `semantics.refinement` does the same on arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache, partial, reduce
from itertools import chain
from math import gcd
from operator import and_, itemgetter, or_
from typing import Any, TypeAlias

from kripke_werewolf.logic.semantics.bits import BitSpace, Rows, Weights, digits, gathered, integral, members

_REMEMBERED = 1024  # bits up to which canonical orders are remembered: it bounds the memory

Key: TypeAlias = tuple[Any, ...]
"""Identifies a model up to bisimilarity, among those with the same agents and atoms."""

Labels: TypeAlias = list[int]
"""A number for each bit that stands for a world; worlds with the same number are in one block."""


def rounds(space: BitSpace, start: Labels, weights: Collection[str]) -> Iterator[Labels]:
    """Yield the labels after each round, until a round splits no block.

    Worlds with the same label must also give the blocks the same probabilities for agents in `weights`.
    """
    worlds = members(space.all)
    width = space.all.bit_length()
    seen: list[tuple[list[tuple[list[int], list[int]]], Sequence[int] | None]] = []
    for agent, relation in space.relations.items():
        rows = []
        for here, there in relation.within(space.all).rows:
            inside = members(here)
            rows.append((inside, members(there)))
        seen.append((rows, space.listed_weights(agent) if agent in weights else None))
    label, count = start, len({start[w] for w in worlds})
    while True:
        columns: list[Sequence[Any]] = [label]
        for rows, weight in seen:
            column: list[Any] = [-1] * width
            number: dict[Any, int] = {}
            for inside, visible in rows:
                if weight is None:
                    key: Any = frozenset([label[v] for v in visible])
                else:
                    key = _masses(visible, label, weight)
                here = number.setdefault(key, len(number))
                for w in inside:
                    column[w] = here
            columns.append(column)
        label = _numbered(worlds, columns, width)
        found = max(label, default=-1) + 1
        if found == count:
            return
        count = found
        yield label
        if count == len(worlds):
            return


def _numbered(worlds: list[int], columns: Sequence[Sequence[Any]], width: int) -> Labels:
    """Number the worlds so that two have the same number iff they agree in all columns."""
    number: dict[Any, int] = {}
    if len(worlds) == width and columns:
        return [number.setdefault(row, len(number)) for row in zip(*columns, strict=True)]
    label = [0] * width
    for w in worlds:
        label[w] = number.setdefault(tuple([column[w] for column in columns]), len(number))
    return label


def labels_by_atoms(space: BitSpace) -> Labels:
    """Return labels that put worlds with the same true atoms into one block."""
    width = space.all.bit_length()
    columns = [digits(true & space.all).ljust(width, b"\0") for true in space.valuation.values()]
    return _numbered(members(space.all), columns, width)


def _masses(worlds: Sequence[int], label: Labels, weight: Sequence[int]) -> frozenset[tuple[int, int]]:
    """Return the weights of the blocks among some worlds, as the smallest integers in the same ratios."""
    mass: dict[int, int] = {}
    for v in worlds:
        mass[label[v]] = mass.get(label[v], 0) + weight[v]
    divisor = gcd(*mass.values()) or 1
    return frozenset((block, m // divisor) for block, m in mass.items())


def probable_agents(space: BitSpace, agents: Collection[str]) -> list[str]:
    """Return the given agents that have probabilities."""
    return [agent for agent in agents if space.weigh(agent, space.all)]


def pools(relation: Rows, worlds: int) -> bool:
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
    label = labels_by_atoms(space)
    for agent in weights:
        if not pools(space.relations[agent], space.all):
            # one number per world cannot weigh a world differently for each of its observers:
            # worlds with different observers stay apart
            label = _by_observers(space, space.relations[agent], label)
    while True:
        label = [label, *rounds(space, label, weights)][-1]
        blocks = list(gathered((label[w], 1 << w) for w in members(space.all)).values())
        finer = _apart_for_distributed(space, label, blocks) if distributed else None
        if finer is None:
            return _quotient(space, blocks, weights), blocks
        label = finer


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

    The first part is the set of blocks, those with a point, and the rows of each agent. Blocks are ordered by
    the true atoms, then round by round by the blocks that each agent sees. They are split as sets, so that
    the cost depends on the blocks and on the rows of the relations.
    """
    views = [
        [(who & worlds, sees) for who, seen in rows if who & worlds and (sees := seen & worlds)]
        for rows in relations
    ]
    blocks = [worlds]
    for true in facts:
        blocks = _divided(blocks, true)
    while unsettled := sum([block for block in blocks if block & (block - 1)]):
        finer = blocks
        for rows, weight in zip(views, weights, strict=True):
            image = _imaging(blocks, weight)
            alike = gathered((image(sees), who) for who, sees in rows if who & unsettled)
            for sight in sorted(alike):
                finer = _divided(finer, alike[sight])
        if len(finer) == len(blocks):
            break
        blocks = finer
    place = _imaging(blocks)
    shape = []
    for rows, weight in zip(views, weights, strict=True):
        image = _imaging(blocks, weight)
        alike = gathered((image(sees), place(who)) for who, sees in rows)
        shape.append(tuple(sorted((who, sight) for sight, who in alike.items())))
    return ((1 << len(blocks)) - 1, place(points), *shape), tuple(map(place, facts))


def _divided(blocks: list[int], inside: int) -> list[int]:
    """Return the blocks, each divided into its part outside a set and its part inside."""
    found = []
    for block in blocks:
        part = block & inside
        if part and part != block:
            found.append(block ^ part)
            found.append(part)
        else:
            found.append(block)
    return found


def _imaging(blocks: list[int], weights: Weights | None = None) -> Callable[[int], Any]:
    """Return the function from a set to the blocks that meet it; with weights, to their shares."""
    if weights is not None:
        return partial(_share, weights, blocks)
    if any(block & (block - 1) for block in blocks):
        placed = [(1 << k, block) for k, block in enumerate(blocks)]
        return lambda inside: sum([bit for bit, block in placed if block & inside])
    width = max(blocks).bit_length()
    digits_of = itemgetter(*[width - block.bit_length() for block in reversed(blocks)])
    return lambda inside: int("".join(digits_of(f"{inside:0{width}b}")), 2)


def _share(weights: Weights, blocks: list[int], sees: int) -> tuple[tuple[int, int], ...]:
    """Return the blocks that an agent sees with their weights, in lowest terms."""
    found = [
        (k, sum(weight * (block & sees & worlds).bit_count() for worlds, weight in weights))
        for k, block in enumerate(blocks)
        if block & sees
    ]
    divisor = gcd(*(weight for _, weight in found)) or 1
    return tuple([(k, weight // divisor) for k, weight in found])


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


def _by_observers(space: BitSpace, relation: Rows, label: Labels) -> Labels:
    """Return labels that also separate worlds with different successors or predecessors."""
    width = space.all.bit_length()
    columns: list[Sequence[Any]] = [label]
    for who, sees in relation.within(space.all).rows:
        columns += [digits(who).ljust(width, b"\0"), digits(sees).ljust(width, b"\0")]
    return _numbered(members(space.all), columns, width)


def _apart_for_distributed(space: BitSpace, label: Labels, blocks: list[int]) -> Labels | None:
    """Return finer labels to start from if merging the present blocks would change D; else None.

    D is preserved if several agents who see worlds of a block from one world also see some world of it in
    common: then the intersection of the quotients is the quotient of the intersection.
    """
    for w in members(space.all):
        sights = [relation.sees(w) & space.all for relation in space.relations.values()]
        for block in blocks:
            seeing = [sees for sees in sights if sees & block]
            if len(seeing) > 1 and not reduce(and_, seeing, block):
                return _split(label, next(sees & block for sees in seeing if block & ~sees))
    return None


def _split(label: Labels, part: int) -> Labels:
    """Return labels that make a part of a block a block of its own."""
    new = max(label) + 1
    return [new if part >> w & 1 else old for w, old in enumerate(label)]


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
