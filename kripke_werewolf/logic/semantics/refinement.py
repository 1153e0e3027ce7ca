"""Bisimilar worlds of large models, by partition refinement.

After round k, two worlds share a block iff they are k-bisimilar: they satisfy the same formulas of modal
depth at most k (Blackburn, de Rijke and Venema 2001, section 2.3). When a round splits no block, worlds of a
block are bisimilar (Kanellakis and Smolka 1990).

A round examines only the worlds that see a world whose block has changed. It compares 64-bit signatures; a
final exact pass checks that no two different rows had equal signatures. If they had, exact rounds continue
from there.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property, reduce
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from kripke_werewolf.logic.semantics.arrays import ArraySpace, Weights, in_lowest_terms, is_uniform
from kripke_werewolf.logic.semantics.bits import MOST_BITS
from kripke_werewolf.logic.semantics.cells import General, Mask, Partition, Relation
from kripke_werewolf.logic.semantics.numbering import (
    Indices,
    Ints,
    Longs,
    dense,
    distinct,
    firsts,
    key_counts,
    ranges,
    row_numbers,
    rows_numbered,
    stable_order,
    starts,
)
from kripke_werewolf.logic.semantics.space import Worlds

_Signatures = npt.NDArray[np.uint64]
_ODD = np.uint64(0x9E3779B97F4A7C15)

_MANY = 4  # if more than a quarter of the worlds have moved, a round looks at all worlds


class _BlockPairs(NamedTuple):
    """The blocks seen from some cells: distinct pairs of a row and a block, ascending.

    `mass`: with weights, the weight of the block in the row, reduced to the smallest integers in the same
    ratios.
    """

    row: Longs
    block: Longs
    mass: Weights | None


class Indexed:
    """An agent's relation with an index of its predecessors."""

    def __init__(self, relation: Relation, weights: Weights | None = None) -> None:
        self.relation, self.weights = relation, weights
        self.labels, self.cells = relation.labels, relation.cells

    @cached_property
    def order(self) -> Longs:
        """The worlds, ordered by cell."""
        return stable_order(self.labels, self.cells)

    @cached_property
    def count(self) -> Longs:
        """The number of worlds of each cell."""
        return key_counts(self.labels, self.cells)

    @cached_property
    def of_order(self) -> Indices:
        """The cell of each world in `order`."""
        return np.repeat(np.arange(self.cells, dtype=np.int32), self.count)

    @cached_property
    def begin(self) -> Longs:
        """Where the worlds of each cell begin in `order`."""
        return np.cumsum(self.count) - self.count

    def members(self, cells: Ints) -> Longs:
        """Return the worlds of the given cells."""
        if len(cells) == self.cells:
            return self.order
        return self.order[ranges(self.begin[cells], self.count[cells])]

    @cached_property
    def _backwards(self) -> tuple[Longs, Ints]:
        order = stable_order(self.relation.targets, self.cells)
        ends = np.cumsum(key_counts(self.relation.targets, self.cells))
        return np.append(0, ends), self.relation.sources[order]

    def seeing(self, worlds: Longs) -> Longs:
        """Return the cells that see any of the given worlds."""
        cells = distinct(self.labels[worlds], self.cells)
        if isinstance(self.relation, Partition):
            return cells
        begin, sources = self._backwards
        return distinct(sources[ranges(begin[cells], begin[cells + 1] - begin[cells])], self.cells)

    @property
    def sizes(self) -> Longs:
        """The number of worlds seen from each cell."""
        if isinstance(self.relation, Partition):
            return self.count
        row, target = self.relation.expand(np.arange(self.cells))
        return key_counts(row, self.cells, weights=self.count[target]).astype(np.int64)

    def rows(self, cells: Ints, block: Indices, blocks: int) -> _BlockPairs:
        """Return the blocks that the given cells (ascending) see; row i belongs to cells[i]."""
        if isinstance(self.relation, Partition):
            return _reduced(*self._inside(cells, block, blocks))
        row, target = self.relation.expand(cells)
        seen = distinct(target, self.cells)
        inner, found, mass = self._inside(seen, block, blocks)
        count = key_counts(inner, len(seen))
        place = np.searchsorted(seen, target)
        every = ranges((np.cumsum(count) - count)[place], count[place])
        again = None if mass is None else mass[every]
        return _reduced(*_collected(np.repeat(row, count[place]), found[every], blocks, len(cells), again))

    def _inside(self, cells: Ints, block: Indices, blocks: int) -> tuple[Longs, Longs, Weights | None]:
        """Return the blocks that occur inside each of the given cells, with their weights."""
        worlds = self.members(cells)
        every = len(cells) == self.cells
        row = self.of_order if every else np.repeat(np.arange(len(cells)), self.count[cells])
        mass = None if self.weights is None else self.weights[worlds]
        return _collected(row, block[worlds], blocks, len(cells), mass)


def _collected(
    row: npt.NDArray[np.signedinteger], block: Ints, blocks: int, rows: int, mass: Weights | None
) -> tuple[Longs, Longs, Weights | None]:
    """Return the distinct pairs of a row and a block, ascending, with their masses added up."""
    digits = blocks.bit_length()
    short = rows << digits <= 2**31
    key: Ints = row.astype(np.int32 if short else np.int64)
    key <<= digits
    key |= block
    if mass is None:
        key = distinct(key, rows << digits)
    else:
        order = stable_order(key, rows << digits)
        key = key[order]
        first = starts(key)
        key = key[first]
        mass = np.add.reduceat(mass[order], first) if len(first) else mass[:0]
    return key >> digits, key & ((1 << digits) - 1), mass


def _reduced(row: Longs, block: Longs, mass: Weights | None) -> _BlockPairs:
    if mass is not None and len(mass):
        first = starts(row)
        divisor = np.gcd.reduceat(mass, first)
        divisor[divisor == 0] = 1
        mass = mass // np.repeat(divisor, np.diff(np.append(first, len(row))))
    return _BlockPairs(row, block, mass)


def _mixed(values: _Signatures) -> _Signatures:
    """Map 64-bit numbers one to one onto scattered 64-bit numbers (Steele, Lea and Flood 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _signatures(rows: _BlockPairs, size: int, blocks: int) -> _Signatures:
    """Return a signature of each row: equal for equal rows, most probably different for different rows."""
    if rows.mass is None:
        of_block = np.arange(1, blocks + 1, dtype=np.uint64) * _ODD
        value = _mixed(of_block)[rows.block]
    else:
        if rows.mass.dtype == object:
            folded = np.array([hash(m) for m in rows.mass.tolist()], np.int64).view(np.uint64)
        else:
            folded = rows.mass.astype(np.uint64)
        both = rows.block.astype(np.uint64) + np.uint64(1) + _mixed(folded + np.uint64(1))
        value = _mixed(both * _ODD)
    out = np.zeros(size, np.uint64)
    if len(rows.row):
        first = starts(rows.row)
        out[rows.row[first]] = np.add.reduceat(value, first)
    return out


def _exact_numbers(rows: _BlockPairs, size: int) -> Indices:
    """Number the rows so that two have the same number iff they are equal."""
    value = rows.block
    if rows.mass is not None:
        found, number = np.unique(rows.mass, return_inverse=True)
        value = value * len(found) + number
    return row_numbers(rows.row, value, size)


class Refinement:
    """Blocks of worlds, refined until they are stable or for a number of rounds.

    `block`: the block of each world. When a block is split, one part keeps its number and the others get new
    ones. `born[b]`, the round in which block b arose, and `parent[b]`, the block it was split from (-1 if
    none), determine the blocks after any earlier round.
    """

    def __init__(self, views: Sequence[Indexed], start: Indices) -> None:
        size = len(start)
        self.views = list(views)
        self.block, found = dense(start, int(start.max(initial=-1)) + 1)
        self.count, self.round = len(found), 0
        self.born, self.parent = np.zeros(size, np.int32), np.full(size, -1, np.int32)
        self._size = key_counts(self.block, size)
        self._seen: dict[int, _BlockPairs] = {}

    def seen(self, number: int) -> _BlockPairs:
        """Return the current blocks that the cells of a view see."""
        if number not in self._seen:
            view = self.views[number]
            self._seen[number] = view.rows(np.arange(view.cells), self.block, self.count)
        return self._seen[number]

    def run(self) -> Self:
        """Refine until no block can be split."""
        self._signature_rounds()
        while self.exact_round():  # usually once: equal signatures are those of equal rows
            pass
        return self

    def exact_round(self) -> bool:
        """Refine all worlds once, comparing rows instead of signatures; return whether a block was split."""
        group, groups = self.block, self.count
        for place, view in enumerate(self.views):
            number = _exact_numbers(self.seen(place), view.cells)
            width = int(number.max(initial=0)) + 1
            group, found = dense(group.astype(np.int64) * width + number[view.labels], groups * width)
            groups = len(found)
        of_block = self.block[firsts(group, groups)]
        size = key_counts(group, groups)
        return len(self._split(np.arange(len(group)), group, of_block, size, _largest(of_block, size))) > 0

    def _signature_rounds(self) -> None:
        size = len(self.block)
        seen = [np.zeros(view.cells, np.uint64) for view in self.views]
        agreed = np.zeros(size, np.uint64)  # the common signature of the worlds of each block
        changed: Longs | None = np.arange(size)
        while changed is not None and len(changed):
            affected: list[Longs] = []
            many = _MANY * len(changed) >= size
            for view, signature in zip(self.views, seen, strict=True):
                if many:
                    signature[:] = _signatures(self.seen(len(affected)), view.cells, self.count)
                    affected.append(changed[:0])
                else:
                    cells = view.seeing(changed)
                    rows = view.rows(cells, self.block, self.count)
                    signature[cells] = _signatures(rows, len(cells), self.count)
                    affected.append(view.members(cells))
            worlds = np.arange(size) if many else distinct(np.concatenate([changed[:0], *affected]), size)
            new = np.zeros(len(worlds), np.uint64)
            for number, (view, signature) in enumerate(zip(self.views, seen, strict=True), 1):
                here = view.labels if many else view.labels[worlds]
                new += _mixed(signature + np.uint64(number))[here]
            changed = self._divide(worlds, new, agreed)

    def _divide(self, worlds: Longs, signature: _Signatures, agreed: _Signatures) -> Longs | None:
        """Split blocks by the signatures of some of their worlds; return the worlds that moved.

        Any other worlds of a block still have the agreed signature. None if two signatures in different
        blocks collide.
        """
        block = self.block if len(worlds) == len(self.block) else self.block[worlds]
        # the digits of the signatures that can be sorted fast
        shift = len(worlds).bit_length() + 2
        mixed = signature ^ _mixed(np.arange(self.count, dtype=np.uint64))[block]
        group, groups = dense(mixed >> np.uint64(shift), 2 ** (64 - shift))
        first = firsts(group, len(groups))
        of_block, found = block[first], signature[first]
        if not np.array_equal(of_block[group], block):
            return None
        size = key_counts(group, len(first))
        touched, place = np.unique(of_block, return_inverse=True)
        here = key_counts(place, len(touched), weights=size)
        complete = (here == self._size[touched])[place]
        keep = np.where(complete, _largest(of_block, size), found == agreed[of_block])
        agreed[of_block[complete & keep]] = found[complete & keep]
        agreed[self.count : self.count + np.count_nonzero(~keep)] = found[~keep]
        return self._split(worlds, group, of_block, size, keep)

    def _split(self, worlds: Longs, group: Ints, of_block: Indices, size: Longs, keep: Mask) -> Longs:
        """Renumber every group except those that keep the number of their block; return the worlds moved."""
        new = np.flatnonzero(~keep)
        if not len(new):
            return worlds[:0]
        self.round += 1
        self._seen.clear()
        numbers = np.arange(self.count, self.count + len(new))
        self.count += len(new)
        self.born[numbers], self.parent[numbers] = self.round, of_block[new]
        self._size[numbers] = size[new]
        np.subtract.at(self._size, of_block[new], size[new])
        target = of_block.copy()
        target[new] = numbers
        moving = ~keep[group]
        moved: Longs = worlds[moving]
        self.block[moved] = target[group[moving]]
        return moved

    def at_round(self, block: int, number: int) -> int:
        """Return the block that contained a block after a round (0: at the start)."""
        while self.born[block] > number:
            block = int(self.parent[block])
        return block

    def parted(self, a: int, b: int) -> int | None:
        """Return the first round that separated two blocks, None if they are the same."""
        lines = []
        for block in (a, b):
            line = [block]
            while self.parent[line[-1]] >= 0:
                line.append(int(self.parent[line[-1]]))
            lines.append(line[::-1])
        common = 0
        while common < min(map(len, lines)) and lines[0][common] == lines[1][common]:
            common += 1
        births = [int(self.born[line[common]]) for line in lines if common < len(line)]
        return min(births, default=None)


def _largest(of_block: Indices, size: Longs) -> Mask:
    """Return a mask of groups: for each block, its largest group."""
    order = np.lexsort((size, of_block))
    last = np.flatnonzero(np.diff(of_block[order], append=-1))
    keep = np.zeros(len(of_block), bool)
    keep[order[last]] = True
    return keep


# --- contraction -----------------------------------------------------------------------------------


def contracted(space: ArraySpace, *, distributed: bool, probable: bool) -> tuple[ArraySpace, Indices]:
    """Return the bisimulation contraction and the block of each world; see `KripkeModel.contract`.

    `distributed`: preserve distributed knowledge; `probable`: preserve the probabilities of all agents.
    """
    weights = weighted(space, tuple(space.relations) if probable else tuple(space.weights))
    start = by_atoms(space)
    for agent in weights:
        if not _pools(space.relations[agent]):
            # one number per world cannot weigh a world differently for each of its observers:
            # worlds with different observers stay apart
            relation = space.relations[agent].canonical()
            start = _refined(start, relation.labels, relation.cells)
    views = {a: Indexed(r, weights.get(a)) for a, r in space.relations.items()}
    refinement = Refinement(list(views.values()), start).run()
    while distributed:
        finer = _apart_for_distributed(list(views.values()), refinement)
        if finer is None:
            break
        refinement = Refinement(list(views.values()), finer).run()
    return _quotient(space, refinement, weights)


def canonical(space: ArraySpace, points: Mask) -> tuple[Worlds[Any], Any, Hashable]:
    """Return the canonical form of the worlds reachable from some points; see `Worlds.canonical`.

    Small ones are represented by bits, so that the key does not depend on the carrier.
    """
    inside = space.reachable(points)
    smaller, block = contracted(space.with_worlds(inside), distributed=False, probable=False)
    smaller, size = smaller.unweighted(), smaller.size
    there = smaller.set_of(block[points[inside]].tolist())
    if size <= MOST_BITS:
        return smaller.bits().canonical(smaller.as_bits(there))
    views = [Indexed(smaller.relations[agent]) for agent in sorted(smaller.relations)]
    facts = [smaller.valuation[atom] for atom in sorted(smaller.valuation)]
    rank, count = rows_numbered([(row, 2) for row in facts], size)
    while True:
        columns: list[tuple[npt.NDArray[np.integer], int]] = [(rank, count)]
        sights = []
        for view in views:
            row, seen, _ = view.rows(np.arange(view.cells), rank, count)
            ends = np.searchsorted(row, np.arange(view.cells + 1)).tolist()
            blocks = seen.astype(">u4")
            sight = [blocks[begin:end].tobytes() for begin, end in pairwise(ends)]
            place = {found: k for k, found in enumerate(sorted(set(sight)))}
            columns.append((np.array([place[found] for found in sight])[view.labels], len(place)))
            sights.append(tuple(place))
        finer, found = rows_numbered(columns, size)
        if found == count:
            break
        rank, count = finer, found
    order = np.argsort(rank)
    told = [np.packbits(row[order]).tobytes() for row in (*facts, there)]
    seen_by = [
        (column[order].tobytes(), sight) for (column, _), sight in zip(columns[1:], sights, strict=True)
    ]
    return smaller._taken(order), there[order], (size, *told, *seen_by)


def weighted(space: ArraySpace, agents: tuple[str, ...]) -> dict[str, Weights]:
    """Return the weights of the given agents that have probabilities."""
    return {a: weights for a in agents if (weights := space.weight(a)).any()}


def by_atoms(space: ArraySpace) -> Indices:
    """Number the worlds so that two have the same number iff they have the same true atoms."""
    return rows_numbered(((row, 2) for row in space.valuation.values()), space.size)[0]


def _refined(labels: Indices, others: Ints | Mask, bound: int) -> Indices:
    """Number the pairs of a label and a second label below `bound`."""
    size = int(labels.max(initial=0)) + 1
    return dense(labels.astype(np.int64) * bound + others, size * max(bound, 1))[0]


def _pools(relation: Relation) -> bool:
    """Return whether the relation is K45: the worlds seen from a world see exactly each other."""
    return not relation.failures().keys() & {"transitive", "euclidean"}


# --- the quotient ----------------------------------------------------------------------------------


def _quotient(
    space: ArraySpace, refinement: Refinement, weights: Mapping[str, Weights]
) -> tuple[ArraySpace, Indices]:
    """Return the space of the blocks, each represented by its first world, and the block of each world."""
    size, count = space.size, refinement.count
    first = firsts(refinement.block, count)
    order = np.argsort(first)
    rank = np.empty(count, np.int32)
    rank[order] = np.arange(count, dtype=np.int32)
    first, block = first[order], rank[refinement.block]
    found: dict[str, Weights] = {}
    relations: dict[str, Relation] = {}
    for number, (agent, relation) in enumerate(space.relations.items()):
        view, rows = refinement.views[number], refinement.seen(number)
        relations[agent] = _quotient_relation(view, rows, block, first)
        if agent in space.weights and agent not in weights:
            found[agent] = np.zeros(count, np.int64)
        elif count < size or agent in weights:
            new = None
            if agent in weights or not np.array_equal(view.sizes, key_counts(rows.row, view.cells)):
                new = _quotient_weights(relation, relations[agent], block, first, weights.get(agent))
            if new is not None and not is_uniform(new):
                found[agent] = new
    names = space.names.selected(first)
    return ArraySpace(names, relations, space.valuation.take(first), found, space.variables), block


def _quotient_relation(view: Indexed, rows: _BlockPairs, block: Indices, first: Longs) -> Relation:
    """Return the relation between blocks; `first` is a world of each block.

    `rows`: the blocks seen from each cell, numbered as during refinement.
    """
    relation, count = view.relation, len(first)
    if isinstance(relation, Partition):
        # cells with the same blocks are merged: name each by one of its blocks
        least = np.zeros(relation.cells, np.int64)
        least[rows.row[::-1]] = rows.block[::-1]
        labels, found = dense(least[relation.labels[first]], count)
        return Partition(labels, len(found))
    cells = distinct(relation.labels[first], relation.cells)
    row, seen, _ = view.rows(cells, block, count)
    place = np.searchsorted(cells, relation.labels[first])
    # blocks share a cell if they see the same blocks and are seen from the same rows
    number = row_numbers(row, seen, len(cells))
    pairs = distinct(number[row].astype(np.int64) * count + seen, len(cells) * count)
    row, seen = pairs // max(count, 1), pairs % max(count, 1)
    back = np.lexsort((row, seen))
    observers = row_numbers(seen[back], row[back], count)
    sees = number[place].astype(np.int64)
    labels, found = dense(sees * max(count, 1) + observers, len(cells) * count)
    some = firsts(labels, len(found))  # a block of each new cell
    edges = distinct(row * len(found) + labels[seen], len(cells) * len(found))
    row, seen = edges // max(len(found), 1), edges % max(len(found), 1)
    length = key_counts(row, len(cells))
    begin = np.cumsum(length) - length
    of_cell = sees[some]
    sources = np.repeat(np.arange(len(found)), length[of_cell])
    return General(labels, len(found), sources, seen[ranges(begin[of_cell], length[of_cell])]).simplest()


def _quotient_weights(
    relation: Relation, quotient: Relation, block: Indices, first: Longs, weights: Weights | None
) -> Weights | None:
    """Return the weights of the blocks: the sums over those of their worlds that are seen together.

    None if all blocks have the same weight. All 0, so that probabilities are undefined, for an agent without
    weights whose merged worlds differ in probability.
    """
    count = len(first)
    if weights is not None and not _pools(relation):
        total: Any = np.zeros_like(weights, shape=count)
        np.add.at(total, block, weights)
        return in_lowest_terms(total)
    cells = distinct(relation.labels, relation.cells)
    view = Indexed(relation, np.ones(len(block), np.int64) if weights is None else weights)
    rows = view.rows(cells, block, count)
    assert rows.mass is not None
    if not _pools(relation):
        return None if (rows.mass == 1).all() else np.zeros(count, np.int64)
    # cells that became one cell of the quotient must agree on the shares: compare each with one of them
    world = firsts(relation.labels, relation.cells)
    merged = quotient.labels[block[world[cells]]]
    some = firsts(merged, quotient.cells)
    length = key_counts(rows.row, len(cells))
    begin = np.cumsum(length) - length
    if not np.array_equal(rows.mass, rows.mass[ranges(begin[some[merged]], length)]):
        return np.zeros(count, np.int64)
    found: Any = np.ones_like(rows.mass, shape=count)
    found[rows.block] = rows.mass
    return in_lowest_terms(found)


# --- distributed knowledge -------------------------------------------------------------------------


def _apart_for_distributed(views: list[Indexed], refinement: Refinement) -> Indices | None:
    """Return finer blocks to start from if merging the present ones would change D; else None.

    D is preserved if several agents who see worlds of a block from one world also see some world of it in
    common: then the intersection of the quotients is the quotient of the intersection.
    """
    block, count = refinement.block, refinement.count
    joint = np.zeros(len(block), np.int32)
    for view in views:
        joint = _refined(joint, view.labels, view.cells)
    worlds = np.unique(joint, return_index=True)[1]  # one for each combination of cells
    keys, who = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for number, view in enumerate(views):
        row, seen, _ = Indexed(view.relation).rows(np.arange(view.cells), block, count)
        length = key_counts(row, view.cells)
        cells = view.labels[worlds]
        every = seen[ranges((np.cumsum(length) - length)[cells], length[cells])]
        keys.append(np.repeat(np.arange(len(worlds)), length[cells]) * count + every)
        who.append(np.full(len(every), number))
    key, agent = np.concatenate(keys), np.concatenate(who)
    order = np.lexsort((agent, key))
    pair, found = dense(key[order], len(worlds) * count)
    group = row_numbers(pair, agent[order], len(found))
    world, target = worlds[found // max(count, 1)], found % max(count, 1)
    split = np.full(count, -1)
    for number in range(int(group.max(initial=-1)) + 1):
        here = np.flatnonzero(group == number)
        members = agent[order][pair == here[0]]
        together = reduce(Relation.meet, (views[a].relation for a in members.tolist()))
        row, seen, _ = Indexed(together).rows(np.arange(together.cells), block, count)
        wanted = together.labels[world[here]].astype(np.int64) * count + target[here]
        lacking = distinct(target[here][~np.isin(wanted, row * count + seen)], count)
        for a in members.tolist()[::-1]:
            split[lacking[_varies(views[a].labels, block, count)[lacking]]] = a
    if (split < 0).all():
        return None
    out = block
    for number, view in enumerate(views):
        out = _refined(out, np.where(split[block] == number, view.labels + 1, 0), view.cells + 1)
    return out


def _varies(labels: Indices, block: Indices, count: int) -> Mask:
    """Return the blocks whose worlds lie in more than one cell."""
    some = np.zeros(count, np.int32)
    some[block] = labels
    out = np.zeros(count, bool)
    out[block[labels != some[block]]] = True
    return out
