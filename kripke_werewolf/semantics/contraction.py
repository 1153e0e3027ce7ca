"""Bisimilar worlds of small models, by partition refinement.

After round k two worlds have the same label iff they are k-bisimilar: they satisfy the same formulas of modal
depth at most k (Blackburn, de Rijke and Venema 2001, section 2.3). When a round splits no block, worlds with
the same label are bisimilar. `models.refinement` does the same on arrays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial, reduce
from math import gcd
from operator import and_, or_
from typing import Any, TypeAlias

from kripke_werewolf.semantics.bits import BitSpace, Rows, Weights, digits, integral, members

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
        for who, sees in relation.within(space.all).rows:
            inside = members(who)
            rows.append((inside, inside if who == sees else members(sees)))
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


def blocks_of(label: Labels, worlds: int) -> list[int]:
    """Return the blocks of labels as sets, in the order of their first worlds."""
    found: dict[int, int] = {}
    for w in members(worlds):
        found[label[w]] = found.get(label[w], 0) | 1 << w
    return list(found.values())


def weighted(space: BitSpace, agents: Collection[str]) -> list[str]:
    """Return the given agents that have probabilities."""
    return [agent for agent in agents if space.weigh(agent, space.all)]


def pools(relation: Rows, worlds: int) -> bool:
    """Return whether the relation is K45: the worlds seen from a world see exactly each other."""
    return relation.is_equivalence(worlds) or not relation.failures(worlds).keys() & {
        "transitive",
        "euclidean",
    }


def contracted(
    space: BitSpace, *, distributed: bool = False, probable: bool = False
) -> tuple[BitSpace, list[int]]:
    """Return the bisimulation contraction, in which the first world of each block remains, and the blocks.

    `distributed`: preserve distributed knowledge; `probable`: preserve the probabilities of all agents. See
    `KripkeModel.contract`.
    """
    weights = weighted(space, tuple(space.relations) if probable else tuple(space.weights))
    label = labels_by_atoms(space)
    for agent in weights:
        if not pools(space.relations[agent], space.all):
            # one number per world cannot weigh a world differently for each of its observers:
            # worlds with different observers stay apart
            label = _by_observers(space, space.relations[agent], label)
    while True:
        label = [label, *rounds(space, label, weights)][-1]
        blocks = blocks_of(label, space.all)
        finer = _apart_for_distributed(space, label, blocks) if distributed else None
        if finer is None:
            return _quotient(space, blocks, weights), blocks
        label = finer


def united(space: BitSpace, points: int) -> tuple[BitSpace, int]:
    """Return the space in which equal copies are merged; see `Worlds.united`."""
    places = {side for relation in space.relations.values() for row in relation.rows for side in row}
    blocks = [space.all]
    for inside in (*space.valuation.values(), *places):
        halves = [half for block in blocks for half in (block & inside, block & ~inside)]
        blocks = [half for half in halves if half & (half - 1)]  # blocks of one world need no splitting
    if not blocks:
        return space, points
    weights: dict[str, Weights] = {}
    for agent in space.relations:
        new = _united_weights(space, agent, blocks)
        if len(new) > 1 or not new[0][1]:
            weights[agent] = new
    kept = space.all & ~reduce(or_, [block & (block - 1) for block in blocks])
    left = BitSpace(kept, space.relations, space.valuation, space.name, weights, space.variables)
    return left, points & kept | reduce(or_, [block & -block for block in blocks if block & points], 0)


def _united_weights(space: BitSpace, agent: str, blocks: list[int]) -> Weights:
    pieces: dict[int, int] = {}
    alone = space.all & ~reduce(or_, blocks)
    for worlds, weight in space.weights.get(agent, ((space.all, 1),)):
        if here := worlds & alone:
            pieces[weight] = pieces.get(weight, 0) | here
    for block in blocks:
        weight = space.weigh(agent, block)
        pieces[weight] = pieces.get(weight, 0) | block & -block
    return integral(pieces)


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
    leaders = [block & -block for block in blocks]
    kept = sum(leaders)
    if kept == space.all:
        return space
    pairs = list(zip(blocks, leaders, strict=True))
    relations: dict[str, Rows] = {}
    found: dict[str, Weights] = {}
    nothing: Weights = ((kept, 0),)
    for agent, relation in space.relations.items():
        rows: dict[int, int] = {}
        for who, sees in relation.rows:
            if here := who & kept:
                seen = 0
                for block, leader in pairs:
                    if block & sees:
                        seen |= leader
                if seen:
                    rows[seen] = rows.get(seen, 0) | here
        relations[agent] = Rows((who, sees) for sees, who in rows.items())
        if agent in space.weights and agent not in weights:
            found[agent] = nothing
        else:
            new = _quotient_weights(space, relation, pairs, agent, agent in weights)
            if new is not None and (len(new) > 1 or not new[0][1]):
                found[agent] = new
    valuation = {atom: true & kept for atom, true in space.valuation.items()}
    return BitSpace(kept, relations, valuation, space.name, found, space.variables)


def _quotient_weights(
    space: BitSpace, relation: Rows, pairs: list[tuple[int, int]], agent: str, probable: bool
) -> Weights | None:
    """Return the weights of the blocks: the sums over those of their worlds that are seen together.

    None if all blocks have the same weight. All 0, so that probabilities are undefined, for an agent without
    weights whose merged worlds differ in probability.
    """
    measure = partial(space.weigh, agent) if probable else int.bit_count
    rows = [  # for each row the weight of every block, -1 where it is not seen
        [measure(part) if (part := block & sees) else -1 for block, _ in pairs]
        for _, sees in relation.within(space.all).rows
    ]
    if not probable and all(len({*row} - {-1}) == 1 for row in rows):
        return None
    if not pools(relation, space.all):
        total: dict[int, int] = {}
        for block, leader in pairs:
            mass = measure(block) if probable else 0
            total[mass] = total.get(mass, 0) | leader
        return integral(total)
    # classes that became one class of the quotient must agree on the shares
    agreed: dict[tuple[bool, ...], list[int]] = {}
    for row in rows:
        divisor = gcd(*(m for m in row if m > 0)) or 1
        shares = [m // divisor for m in row]
        if agreed.setdefault(tuple([m >= 0 for m in row]), shares) != shares:
            return ((sum(leader for _, leader in pairs), 0),)
    pieces: dict[int, int] = {}
    for (_, leader), *shared in zip(pairs, *agreed.values(), strict=True):
        weight = next((m for m in shared if m >= 0), 1)
        pieces[weight] = pieces.get(weight, 0) | leader
    return integral(pieces)
