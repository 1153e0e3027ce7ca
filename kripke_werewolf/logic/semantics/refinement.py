"""Bisimilar worlds of large models, by partition refinement as in `semantics.contraction`, and the quotient.

The first rounds number all worlds anew, on arrays. If there are many, as in a long chain, few worlds move in
each, and the rest of the rounds works on lists. Such a round looks only at what sees a world that has moved
to another block; the largest part of a block that is split does not move, so that there are n log n steps
(Paige and Tarjan 1987; Valmari and Lehtinen 2008).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kripke_werewolf.logic.semantics.arrays import ArraySpace, Weights, in_lowest_terms, is_uniform
from kripke_werewolf.logic.semantics.cells import General, Mask, Partition, Relation, cell_sums
from kripke_werewolf.logic.semantics.contraction import pools
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
    tallied,
)

Column: TypeAlias = tuple[Ints | Mask, int]
"""A number for each world, and a bound on the numbers."""

_ROUNDS = 24  # rounds on arrays


class Blocks:
    """Blocks of worlds during a refinement: `block` is that of each world.

    `born`: the round in which each block arose (0: at the start); `parent`: the one that it was split from,
    whose number is smaller (-1: none).
    """

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


class _Rows(NamedTuple):
    """The blocks in some cells: distinct pairs of a row and a block, ascending, with the weights.

    Without weights `mass` says how often the pairs occur.
    """

    row: Longs
    block: Longs
    mass: Weights


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
        again = None if self.weights is None else inner.mass[every]
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

    def listed(self) -> list[_View]:
        """Return the views for rounds on lists: of what is seen and, with weights, of shares."""
        seeing: list[list[int]] = [[] for _ in range(self.cells)]
        edges = self.relation.sources.tolist(), self.relation.targets.tolist()
        for source, target in zip(*edges, strict=True):
            seeing[target].append(source)
        weights: list[list[int] | None] = [None]
        if self.weights is not None:
            weights.append(self.weights.tolist())
        return [_View(self.labels.tolist(), seeing, weight) for weight in weights]


def _collected(row: Ints, block: Ints, blocks: int, rows: int, mass: Weights | None) -> _Rows:
    """Return the distinct pairs of a row and a block, ascending, with their masses added up."""
    digits = blocks.bit_length()
    key: Ints = row.astype(np.int32 if rows << digits <= 2**31 else np.int64)
    key <<= digits
    key |= block
    if mass is None:
        key, mass = tallied(key, rows << digits)
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
        old = block[worlds[firsts(part, parts)]]  # ascending, as the parts are ordered by block
        new = np.ones(parts, bool)
        new[starts(old)] = False  # the first part of a block keeps its number
        parents = old[new]
        self.count += len(parents)
        old[new] = np.arange(before, self.count)
        block[worlds] = old[part]
        self.rounds += 1
        self.born[before : self.count], self.parent[before : self.count] = self.rounds, parents
        return before < self.count < len(block)

    def listed(self) -> _Listed:
        """Return the same refinement on lists."""
        views = [listed for view in self.views for listed in view.listed()]
        found, count = _Listed(views, self.block.tolist()), self.count
        found.rounds, found.born = self.rounds, self.born[:count].tolist()
        found.parent[:] = self.parent[:count].tolist()
        return found


# --- rounds on lists -------------------------------------------------------------------------------


class _ListedParts:
    """A division of things into parts: `number` of each thing, things `inside` each part and its `parent`."""

    def __init__(self, number: list[int]) -> None:
        self.number = number
        self.inside: list[set[int]] = [set() for _ in range(max(number, default=-1) + 1)]
        for thing, part in enumerate(number):
            self.inside[part].add(thing)
        self.parent = [-1] * len(self.inside)

    def alone(self, thing: int) -> bool:
        """Return whether a part has no other thing."""
        return len(self.inside[self.number[thing]]) == 1

    def split(self, keyed: Iterable[tuple[int, Hashable]]) -> dict[int, int]:
        """Split the parts by the keys of some things; return those that moved, each with its old part."""
        alike: dict[int, dict[Hashable, list[int]]] = {}
        for thing, key in keyed:
            alike.setdefault(self.number[thing], {}).setdefault(key, []).append(thing)
        moved: dict[int, int] = {}
        for part, found in alike.items():
            inside = self.inside[part]
            several: list[Collection[int]] = sorted(found.values(), key=len)
            rest = len(inside) - sum(map(len, several))
            if len(several[-1]) > rest:  # it keeps the number, and the things without a key move
                largest = several.pop()
                if rest:
                    several.append(inside.difference(largest, *several))
            for things in several:
                for thing in things:
                    self.number[thing] = len(self.inside)
                    moved[thing] = part
                inside.difference_update(things)
                self.inside.append(set(things))
                self.parent.append(part)
        return moved


class _View:
    """An agent's relation: the cell of each world, and for each cell those that see it.

    `rows`: how many worlds of each block each cell sees or, with weights, what they weigh; for -1 minus all.
    """

    def __init__(self, label: list[int], seeing: list[list[int]], weight: list[int] | None) -> None:
        self.label, self.seeing, self.weighted = label, seeing, weight is not None
        self.weight = weight or [1] * len(label)
        self.worlds: list[list[int]] = [[] for _ in seeing]
        for w, cell in enumerate(label):
            self.worlds[cell].append(w)
        self.rows: list[dict[int, int]] = [{} for _ in seeing]
        self.classes = _ListedParts([0] * len(seeing))

    def split(self, moved: Mapping[int, int], block: list[int]) -> Iterable[int]:
        """Return the cells that get into another class when worlds have moved, each from an old block."""
        changed: dict[int, set[int]] = {}
        for w, old in moved.items():
            new, weight = block[w], self.weight[w]
            for cell in self.seeing[self.label[w]]:
                row = self.rows[cell]
                row[new] = row.get(new, 0) + weight
                row[old] = row.get(old, 0) - weight
                if not self.classes.alone(cell):
                    changed.setdefault(cell, set()).update((old, new))
        return self.classes.split([(cell, self._key(cell, blocks)) for cell, blocks in changed.items()])

    def _key(self, cell: int, blocks: Iterable[int]) -> Hashable:
        """Return which of some blocks a cell sees, or their shares."""
        row = self.rows[cell]
        if self.weighted:
            return frozenset([(block, Fraction(row[block], row[-1] or 1)) for block in blocks])
        return frozenset([block for block in blocks if row[block] > 0])


class _Listed(Blocks):
    """A refinement on lists, from some blocks on."""

    def __init__(self, views: Sequence[_View], block: list[int]) -> None:
        self.views, self.block, self.parts = views, block, _ListedParts(block)
        self.parent = self.parts.parent
        self._moved = dict.fromkeys(range(len(block)), -1)

    def round(self) -> bool:
        """Refine all blocks once; return whether one was split."""
        alone, changed = self.parts.alone, [view.split(self._moved, self.block) for view in self.views]
        self._moved = {}
        for view, cells in zip(self.views, changed, strict=True):
            number = view.classes.number
            keyed = [(w, number[cell]) for cell in cells for w in view.worlds[cell] if not alone(w)]
            # a world that moves twice has left the first block
            self._moved = self.parts.split(keyed) | self._moved
        self.rounds += 1
        self.born += [self.rounds] * (len(self.parent) - len(self.born))
        return bool(self._moved)


# --- the blocks of a space -------------------------------------------------------------------------


def refined(
    space: ArraySpace,
    weights: Mapping[str, Weights],
    columns: Sequence[Column] = (),
    depth: int | None = None,
) -> Blocks:
    """Return the blocks after `depth` rounds, by default after the last that splits one.

    At the start, worlds with the same true atoms and the same numbers in each column share a block.
    """
    facts = [(true, 2) for true in space.valuation.values()]
    views = [_Indexed(relation, weights.get(agent)) for agent, relation in space.relations.items()]
    found: _Refinement | _Listed = _Refinement(views, rows_numbered([*facts, *columns], space.size)[0])
    while found.rounds != depth and found.round():
        if isinstance(found, _Refinement) and found.rounds == _ROUNDS:
            found = found.listed()
    return found


def weighted(space: ArraySpace, agents: Iterable[str]) -> dict[str, Weights]:
    """Return the weights of the given agents that have probabilities."""
    return {a: weights for a in agents if (weights := space.weight(a)).any()}


# --- contraction -----------------------------------------------------------------------------------


def contracted(space: ArraySpace, *, distributed: bool, probable: bool) -> tuple[ArraySpace, Indices]:
    """Return the bisimulation contraction and the block of each world; see `KripkeModel.contract`.

    `distributed`: preserve distributed knowledge; `probable`: preserve the probabilities of all agents.
    """
    weights = weighted(space, space.relations if probable else space.weights)
    # one number per world cannot weigh a world differently for each of its observers: worlds with different
    # observers stay apart
    apart = [space.relations[a].canonical() for a in weights if not pools(space.relations[a], None)]
    start: list[Column] = [(relation.labels, relation.cells) for relation in apart]
    while True:
        block = np.asarray(refined(space, weights, start).block, np.int32)
        count = int(block.max(initial=-1)) + 1
        if count == space.size:
            return space, np.arange(count, dtype=np.int32)
        first = firsts(block, count)
        order = np.argsort(first)
        first, block = first[order], np.argsort(order).astype(np.int32)[block]
        lacking = np.isin(block, _lacking(space, block, count)) if distributed else first[:0]
        if not lacking.any():
            return _quotient(space, block, first, weights), block
        start.append((block, count))
        for labels, cells in map(_observed, space.relations.values()):
            start.append((np.where(lacking, labels + 1, 0), cells + 1))


def _quotient(space: ArraySpace, block: Indices, first: Longs, weights: Mapping[str, Weights]) -> ArraySpace:
    """Return the space of the blocks, each represented by its first world."""
    relations = {a: _quotient_relation(r, block, first) for a, r in space.relations.items()}
    found = {}
    for agent, relation in space.relations.items():
        new: Weights | None = np.zeros(len(first), np.int64)
        if agent in weights or agent not in space.weights:
            new = _quotient_weights(relation, block, first, weights.get(agent))
        if new is not None and not is_uniform(new):
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
    # blocks share a cell if they see the same blocks and are seen from the same rows
    number = row_numbers(row, seen, len(cells))
    sees = number[np.searchsorted(cells, relation.labels[first])]
    row, seen = np.divmod(distinct(number[row].astype(np.int64) * count + seen, len(cells) * count), count)
    back = np.lexsort((row, seen))
    labels, size = rows_numbered(
        [(sees, len(cells)), (row_numbers(seen[back], row[back], count), count)], count
    )
    edges = distinct(row * size + labels[seen], len(cells) * size)
    # from each cell to those that its row sees
    row, seen = np.divmod(edges, size)
    length = key_counts(row, len(cells))
    begin, of_cell = np.cumsum(length) - length, sees[firsts(labels, size)]
    sources = np.repeat(np.arange(size), length[of_cell])
    return General(labels, size, sources, seen[ranges(begin[of_cell], length[of_cell])]).simplest()


def _quotient_weights(
    relation: Relation, block: Indices, first: Longs, weights: Weights | None
) -> Weights | None:
    """Return the weights of the blocks: the sums over those of their worlds that are seen together.

    None if all blocks have the same weight. All 0, so that probabilities are undefined, for an agent without
    weights whose merged worlds differ in probability.
    """
    count, pooled = len(first), pools(relation, None)
    if weights is not None and not pooled:
        totals: Any = cell_sums(block, count, weights)
        return in_lowest_terms(totals)
    none: Weights = np.zeros(count, np.int64)
    if not isinstance(relation, Partition):
        relation = relation.canonical()
    view = _Indexed(relation, weights)
    if not pooled:
        seen = key_counts(relation.labels, relation.cells)[relation.targets].sum()
        return none + 1 if len(view.rows(np.arange(view.cells), block, count).row) == seen else none
    # in a K45 relation with the fewest cells, those that are seen see exactly themselves
    rows = view.inside(distinct(relation.targets, relation.cells), block, count)
    shares = _shares(rows)
    found: Any = np.ones_like(shares, shape=count)
    found[rows.block] = shares
    return in_lowest_terms(found) if np.array_equal(found[rows.block], shares) else none


def _lacking(space: ArraySpace, block: Indices, count: int) -> Longs:
    """Return the blocks that may not be merged if D is to be preserved.

    It is preserved if several agents who see worlds of a block from one world also see some world of it in
    common: then the intersection of the quotients is the quotient of the intersection.
    """
    relations = list(space.relations.values())
    joint, number = rows_numbered([(r.labels, r.cells) for r in relations], space.size)
    worlds = firsts(joint, number)  # one for each combination of cells
    keys, who = [worlds[:0]], [worlds[:0]]
    for place, relation in enumerate(relations):
        row, seen, _ = _Indexed(relation).rows(np.arange(relation.cells), block, count)
        length, cells = key_counts(row, relation.cells), relation.labels[worlds]
        every = seen[ranges((np.cumsum(length) - length)[cells], length[cells])]
        keys.append(np.repeat(np.arange(number), length[cells]) * count + every)
        who.append(np.full(len(every), place))
    key = np.concatenate(keys)
    order = stable_order(key, number * max(count, 1))
    agent, (pair, found) = np.concatenate(who)[order], dense(key[order], number * max(count, 1))
    group = row_numbers(pair, agent, len(found))
    lacking = [worlds[:0]]
    for several in range(int(group.max(initial=-1)) + 1):
        here = np.flatnonzero(group == several)
        together = reduce(Relation.meet, [relations[a] for a in agent[pair == here[0]].tolist()])
        row, seen, _ = _Indexed(together).rows(np.arange(together.cells), block, count)
        at, target = np.divmod(found[here], count)
        wanted = together.labels[worlds[at]].astype(np.int64) * count + target
        lacking.append(target[~np.isin(wanted, row * count + seen)])
    return distinct(np.concatenate(lacking), count)


def _observed(relation: Relation) -> Column:
    """Return numbers of the worlds, equal for those that the same worlds see, and a bound."""
    relation = relation.canonical()
    back = np.lexsort((relation.sources, relation.targets))
    number = row_numbers(relation.targets[back], relation.sources[back], relation.cells)
    return number[relation.labels], relation.cells
