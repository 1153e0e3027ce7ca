"""Bisimilar worlds of large models, by partition refinement as in `semantics.contraction`, and the quotient.

The first rounds number all worlds anew, on arrays. If there are many, as in a long chain, few worlds move in
each, and the rest of the rounds works on lists.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kripke_werewolf.logic.semantics.arrays import ArraySpace, Weights, in_lowest_terms, is_uniform
from kripke_werewolf.logic.semantics.cells import General, Mask, Partition, Relation, cell_sums
from kripke_werewolf.logic.semantics.contraction import Blocks, Listed, View, merged, probable_agents
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
    starts,
)

Column: TypeAlias = tuple[Ints | Mask, int]
"""A number for each world, and a bound on the numbers."""

_ROUNDS = 24  # rounds on arrays


class _Rows(NamedTuple):
    """The blocks in some cells: distinct pairs of a row and a block, ascending, with the weights if given."""

    row: Longs
    block: Longs
    mass: Any


class _Indexed:
    """An agent's relation, with its weights of the worlds if they matter."""

    def __init__(self, relation: Relation, weights: Weights | None = None) -> None:
        self.relation, self.weights = relation, weights
        self.labels, self.cells = relation.labels, relation.cells

    def rows(self, cells: Ints, block: Indices, blocks: int) -> _Rows:
        """Return the blocks that the given cells (ascending) see; row i belongs to cells[i]."""
        if isinstance(self.relation, Partition):
            return self.inside(cells, block, blocks)
        row, target = self.relation.expand(cells)
        seen = distinct(target, self.cells)
        inner = self.inside(seen, block, blocks)
        count = key_counts(inner.row, len(seen))
        place = np.searchsorted(seen, target)
        every = ranges((np.cumsum(count) - count)[place], count[place])
        again = None if inner.mass is None else inner.mass[every]
        return _collected(np.repeat(row, count[place]), inner.block[every], blocks, len(cells), again)

    def inside(self, cells: Ints, block: Indices, blocks: int) -> _Rows:
        """Return the blocks that occur inside each of the given cells."""
        row, weights = self.labels, self.weights
        if len(cells) < self.cells:
            number = np.full(self.cells, -1, np.int32)
            number[cells] = np.arange(len(cells))
            row = number.take(self.labels)
            worlds = np.flatnonzero(row >= 0)
            row, block = row[worlds], block[worlds]
            weights = None if weights is None else weights[worlds]
        return _collected(row, block, blocks, len(cells), weights)

    def listed(self) -> View:
        """Return the view for rounds on lists."""
        worlds = [inside.tolist() for inside in self.relation.members]
        seen = self.relation.listed().seen
        rows = [
            (worlds[cell], list(chain.from_iterable(map(worlds.__getitem__, seen[cell]))))
            for cell in range(self.cells)
        ]
        return View(rows, len(self.labels), None if self.weights is None else self.weights.tolist())


def _collected(row: Ints, block: Ints, blocks: int, rows: int, mass: Weights | None) -> _Rows:
    """Return the distinct pairs of a row and a block, ascending, with their masses added up."""
    digits = blocks.bit_length()
    key: Ints = row.astype(np.int32 if rows << digits <= 2**31 else np.int64)
    key <<= digits
    key |= block
    if mass is None:
        key = distinct(key, rows << digits)
    else:
        label, key = dense(key, rows << digits)
        mass = cell_sums(label, len(key), mass)
    return _Rows(key >> digits, key & ((1 << digits) - 1), mass)


def _shares(rows: _Rows) -> Weights:
    """Return the masses, in each row as the smallest integers in the same ratios."""
    first = starts(rows.row)
    divisor = np.gcd.reduceat(rows.mass, first) if len(first) else rows.mass
    divisor[divisor == 0] = 1
    return rows.mass // np.repeat(divisor, np.diff(np.append(first, len(rows.row))))  # type: ignore[no-any-return]


class _Refinement(Blocks):
    """Blocks of worlds, refined round by round; `block` is that of each world.

    `start`: the block of each world at first, 0, 1, … without gaps.
    """

    def __init__(self, views: Sequence[_Indexed], start: Indices) -> None:
        self.views, self.block, self.count = views, start, int(start.max(initial=-1)) + 1
        self.born: Any = np.zeros(len(start), np.int32)
        self.parent: Any = np.full(len(start), -1, np.int32)

    def round(self) -> bool:
        """Refine all blocks once; return whether one was split and another may be."""
        before, block = self.count, self.block
        worlds = np.flatnonzero(key_counts(block, before)[block] > 1)  # the others are alone already
        columns: list[Column] = [(block[worlds], before)]
        for view in self.views:
            cells = distinct(view.labels[worlds], view.cells)
            rows = view.rows(cells, block, before)
            value: Ints = rows.block
            if view.weights is not None:
                found, share = np.unique(_shares(rows), return_inverse=True)
                value = dense(value * len(found) + share, before * len(found))[0]
            number = np.zeros(view.cells, np.int32)
            number[cells] = row_numbers(rows.row, value, len(cells))
            columns.append((number[view.labels[worlds]], len(cells)))
        part, parts = rows_numbered(columns, len(worlds))
        old = block[worlds[firsts(part, parts)]]
        kept = np.zeros(before, np.int32)
        kept[old] = np.arange(parts)
        new = kept[old] != np.arange(parts)  # one part of each block keeps its number
        parents = old[new]
        self.count += len(parents)
        old[new] = np.arange(before, self.count)
        block[worlds] = old[part]
        self.rounds += 1
        self.born[before : self.count], self.parent[before : self.count] = self.rounds, parents
        return before < self.count < len(block)

    def listed(self) -> Listed:
        """Return the same refinement on lists."""
        found, count = Listed([view.listed() for view in self.views], self.block.tolist()), self.count
        found.rounds, found.born = self.rounds, self.born[:count].tolist()
        found.parent[:] = self.parent[:count].tolist()
        return found


# --- the blocks of a space -------------------------------------------------------------------------


def refined(
    space: ArraySpace,
    agents: Collection[str],
    columns: Iterable[Sequence[int]] = (),
    depth: int | None = None,
) -> Blocks:
    """Return the blocks after `depth` rounds, by default after the last that splits one.

    At the start, worlds with the same true atoms and the same numbers in each column share a block; some
    `agents` must also give the blocks the same probabilities.
    """
    start: list[Column] = [(true, 2) for true in space.valuation.values()]
    start += [(np.asarray(column), space.size) for column in columns]
    views = [
        _Indexed(relation, space.weight(agent) if agent in agents else None)
        for agent, relation in space.relations.items()
    ]
    found = _Refinement(views, rows_numbered(start, space.size)[0])
    while found.rounds != depth and found.round():
        if found.rounds == _ROUNDS:
            return found.listed().run(depth)
    return found


# --- contraction -----------------------------------------------------------------------------------


def contracted(space: ArraySpace, *, distributed: bool, probable: bool) -> tuple[ArraySpace, Indices]:
    """Return the bisimulation contraction and the block of each world; see `KripkeModel.contract`.

    `distributed`: preserve distributed knowledge; `probable`: preserve the probabilities of all agents.
    """
    agents, found = merged(space, refined, distributed=distributed, probable=probable)
    labels = np.asarray(found.block, np.int32)
    count = int(labels.max(initial=-1)) + 1
    if count == space.size:
        return space, np.arange(count, dtype=np.int32)
    first, labels = _by_first_world(labels, count)
    return _quotient(space, labels, first, agents), labels


def united(space: ArraySpace, points: Mask) -> tuple[ArraySpace, Mask]:
    """Return the space in which equal copies are merged; see `Worlds.united`."""
    places = [(relation.labels, relation.cells) for relation in space.relations.values()]
    labels, count = rows_numbered([*space.valuation.columns(), *places], space.size)
    if count == space.size:
        return space, points
    first, block = _by_first_world(labels, count)
    smaller = _quotient(space, block, first, probable_agents(space, space.relations))
    return smaller, smaller.set_of(block[points])


def _by_first_world(labels: Indices, count: int) -> tuple[Longs, Indices]:
    """Return the first world of each block, ascending, and the block of each world in this order."""
    first = firsts(labels, count)
    order = np.argsort(first)
    return first[order], np.argsort(order).astype(np.int32)[labels]


def _quotient(space: ArraySpace, block: Indices, first: Longs, agents: Collection[str]) -> ArraySpace:
    """Return the space of the blocks, each as its first world, with the weights of some agents."""
    relations, found = {}, {}
    for agent, relation in space.relations.items():
        relations[agent] = _quotient_relation(relation, block, first)
        new: Weights = np.zeros(len(first), np.int64)
        if agent in agents or agent not in space.weights:
            new = _quotient_weights(relation, block, len(first), space.weight(agent), given=agent in agents)
        if not is_uniform(new):
            found[agent] = new
    names = space.names.selected(first)
    return ArraySpace(names, relations, space.valuation.take(first), found, space.variables)


def _quotient_relation(relation: Relation, block: Indices, first: Longs) -> Relation:
    """Return the relation between blocks; `first` is a world of each block."""
    count = len(first)
    if isinstance(relation, Partition):
        # cells that see the same blocks become one: name each by the least of them
        least = np.full(relation.cells, count, np.int32)
        np.minimum.at(least, relation.labels, block)
        labels, found = dense(least[relation.labels[first]], count)
        return Partition(labels, len(found))
    cells = distinct(relation.labels[first], relation.cells)
    row, seen, _ = _Indexed(relation).rows(cells, block, count)
    own = np.searchsorted(cells, relation.labels[first])
    # blocks share a cell if their first worlds did, and they are seen from the same rows
    back = np.lexsort((row, seen))
    from_rows = row_numbers(seen[back], row[back], count)
    labels, size = rows_numbered([(own, len(cells)), (from_rows, count)], count)
    row, seen = np.divmod(distinct(row * size + labels[seen], len(cells) * size), size)
    # from each cell to those that its row sees
    length, of_cell = key_counts(row, len(cells)), own[firsts(labels, size)]
    targets = seen[ranges((np.cumsum(length) - length)[of_cell], length[of_cell])]
    return General(labels, size, np.repeat(np.arange(size), length[of_cell]), targets).simplest()


def _quotient_weights(
    relation: Relation, block: Indices, count: int, weights: Weights, *, given: bool
) -> Weights:
    """Return the weights of the blocks: the sums over those of their worlds that are seen together.

    All 0, so that probabilities are undefined, if merged worlds differ in those of an agent whose weights
    were not `given`.
    """
    pooled = relation.pools()
    if given and not pooled:
        return in_lowest_terms(cell_sums(block, count, weights))
    rows = _Indexed(relation, weights).rows(np.arange(relation.cells), block, count)
    none: Weights = np.zeros(count, np.int64)
    if not pooled:
        return none if rows.mass.max(initial=1) > 1 else np.ones(count, np.int64)
    # worlds that are seen together see exactly each other
    shares = _shares(rows)
    found: Any = np.ones_like(shares, shape=count)
    found[rows.block] = shares
    return in_lowest_terms(found) if np.array_equal(found[rows.block], shares) else none
