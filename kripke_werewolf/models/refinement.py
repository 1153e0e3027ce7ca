"""Partition refinement: blocks of worlds that no formula tells apart, round by round.

After round k, two worlds share a block iff they are k-bisimilar, which is to say that they satisfy
the same formulas of modal depth at most k (Blackburn, de Rijke and Venema 2001, section 2.3). When
a round splits nothing, they are bisimilar (Kanellakis and Smolka 1990).

A round looks only at the worlds that see a world whose block has changed. It compares 64-bit
signatures, and in the end one exact pass makes sure that no two different signatures were taken for
equal; should that ever happen, exact rounds continue from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from kripke_werewolf.models.numbering import (
    Indices,
    Longs,
    dense,
    distinct,
    ranges,
    row_numbers,
    stable_order,
    starts,
)
from kripke_werewolf.models.relation import Mask, Partition, Relation
from kripke_werewolf.models.weights import Weights

__all__ = ["Refinement", "Rows", "View"]

_Signatures = npt.NDArray[np.uint64]


class Rows(NamedTuple):
    """What the worlds of some cells see: the pairs of a row and a block, ascending, each once.

    `mass`: with weights, the weight of the block in the row, reduced to the smallest integers in
    the same ratios.
    """

    row: Longs
    block: Longs
    mass: Weights | None


class View:
    """One agent's relation, made ready to look up who sees whom."""

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
        return np.bincount(self.labels, minlength=self.cells)

    @cached_property
    def begin(self) -> Longs:
        """Where the worlds of each cell begin in `order`."""
        return np.cumsum(self.count) - self.count

    def members(self, cells: npt.NDArray[np.integer]) -> Longs:
        """Return the worlds of the given cells."""
        if len(cells) == self.cells:
            return self.order
        return self.order[ranges(self.begin[cells], self.count[cells])]

    @cached_property
    def _backwards(self) -> tuple[Longs, npt.NDArray[np.integer]]:
        order = stable_order(self.relation.targets, self.cells)
        ends = np.cumsum(np.bincount(self.relation.targets, minlength=self.cells))
        return np.append(0, ends), self.relation.sources[order]

    def seeing(self, worlds: Longs) -> Longs:
        """Return the cells that see any of the given worlds."""
        cells = distinct(self.labels[worlds], self.cells)
        if isinstance(self.relation, Partition):
            return cells
        begin, sources = self._backwards
        return distinct(sources[ranges(begin[cells], begin[cells + 1] - begin[cells])], self.cells)

    def rows(self, cells: npt.NDArray[np.integer], block: Indices, blocks: int) -> Rows:
        """Return what the given cells (ascending) see; row i is that of cells[i]."""
        if isinstance(self.relation, Partition):
            return _reduced(*self._inside(cells, block, blocks))
        row, target = self.relation.expand(cells)
        seen = distinct(target, self.cells)
        inner, found, mass = self._inside(seen, block, blocks)
        count = np.bincount(inner, minlength=len(seen))
        place = np.searchsorted(seen, target)
        every = ranges((np.cumsum(count) - count)[place], count[place])
        key = np.repeat(row, count[place]) * blocks + found[every]
        return _reduced(*_collected(key, blocks, len(cells), None if mass is None else mass[every]))

    def _inside(
        self, cells: npt.NDArray[np.integer], block: Indices, blocks: int
    ) -> tuple[Longs, Longs, Weights | None]:
        """Return the blocks inside each of the given cells, with their weights."""
        worlds = self.members(cells)
        key = np.repeat(np.arange(len(cells)) * blocks, self.count[cells]) + block[worlds]
        return _collected(key, blocks, len(cells), None if self.weights is None else self.weights[worlds])


def _collected(
    key: Longs, blocks: int, rows: int, mass: Weights | None
) -> tuple[Longs, Longs, Weights | None]:
    if mass is None:
        found = distinct(key, rows * blocks)
    else:
        order = stable_order(key, rows * blocks)
        key = key[order]
        first = starts(key)
        found = key[first]
        mass = np.add.reduceat(mass[order], first) if len(first) else mass[:0]
    row = found // max(blocks, 1)
    return row, found - row * blocks, mass


def _reduced(row: Longs, block: Longs, mass: Weights | None) -> Rows:
    if mass is not None and len(mass):
        first = starts(row)
        divisor = np.gcd.reduceat(mass, first)
        divisor[divisor == 0] = 1
        mass = mass // np.repeat(divisor, np.diff(np.append(first, len(row))))
    return Rows(row, block, mass)


def _mixed(values: _Signatures) -> _Signatures:
    """Scatter 64-bit numbers over all 64-bit numbers, one to one (Steele, Lea and Flood 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _signatures(rows: Rows, size: int) -> _Signatures:
    """Return a signature of each row: equal rows have equal ones, different rows most probably not."""
    value = rows.block.astype(np.uint64) + np.uint64(1)
    if rows.mass is not None:
        if rows.mass.dtype == object:
            folded = np.array([hash(m) for m in rows.mass.tolist()], np.int64).view(np.uint64)
        else:
            folded = rows.mass.astype(np.uint64)
        value = value + _mixed(folded + np.uint64(1))
    out = np.zeros(size, np.uint64)
    if len(rows.row):
        first = starts(rows.row)
        out[rows.row[first]] = np.add.reduceat(_mixed(value * np.uint64(0x9E3779B97F4A7C15)), first)
    return out


def exact_numbers(rows: Rows, size: int) -> Indices:
    """Number the rows so that exactly the equal ones have the same number."""
    value = rows.block
    if rows.mass is not None:
        found, number = np.unique(rows.mass, return_inverse=True)
        value = value * len(found) + number
    return row_numbers(rows.row, value, size)


class Refinement:
    """Blocks of worlds, refined until they are stable or for a number of rounds.

    `block`: the block of each world. A block that is split keeps its number for one part; the
    others get new ones. So `born[b]`, the round in which block b arose, and `parent[b]`, the block
    it was split off then (-1 if none), say how the blocks were after any earlier round.
    """

    def __init__(self, views: Sequence[View], start: Indices) -> None:
        size = len(start)
        self.views = list(views)
        self.block, found = dense(start, int(start.max(initial=-1)) + 1)
        self.count, self.round = len(found), 0
        self.born, self.parent = np.zeros(size, np.int32), np.full(size, -1, np.int32)
        self._size = np.bincount(self.block, minlength=size)

    def run(self) -> Self:
        """Refine until no block can be split."""
        self._signature_rounds()
        while not self._stable() and self.exact_round():
            pass
        return self

    def _stable(self) -> bool:
        """Return whether the worlds of each block see the same blocks; False also if unable to tell."""
        some = np.empty(self.count, np.int64)
        some[self.block] = np.arange(len(self.block))  # any world of each block
        for view in self.views:
            rows = view.rows(np.arange(view.cells), self.block, self.count)
            signature = _signatures(rows, view.cells)
            kind, kinds = dense(signature, 2**64)
            alike = np.empty(len(kinds), np.int64)
            alike[kind] = np.arange(view.cells)  # any cell of each signature
            # equal signatures must come from equal rows, and equal blocks have equal signatures
            count = np.bincount(rows.row, minlength=view.cells)
            other = alike[kind]
            if not np.array_equal(count, count[other]):
                return False
            place = ranges((np.cumsum(count) - count)[other], count)
            if not np.array_equal(rows.block, rows.block[place]):
                return False
            if rows.mass is not None and not np.array_equal(rows.mass, rows.mass[place]):
                return False
            of_world = kind[view.labels]
            if not np.array_equal(of_world, of_world[some][self.block]):
                return False
        return True

    def exact_round(self) -> bool:
        """Do one round on all worlds, comparing what they see itself; return whether it split a block."""
        group, groups = self.block, self.count
        for view in self.views:
            rows = view.rows(np.arange(view.cells), self.block, self.count)
            number = exact_numbers(rows, view.cells)
            width = int(number.max(initial=0)) + 1
            group, found = dense(group.astype(np.int64) * width + number[view.labels], groups * width)
            groups = len(found)
        first = np.empty(groups, np.int64)
        first[group] = np.arange(len(group))
        of_block = self.block[first]
        size = np.bincount(group, minlength=groups)
        return len(self._split(np.arange(len(group)), group, of_block, size, _largest(of_block, size))) > 0

    def _signature_rounds(self) -> None:
        size = len(self.block)
        seen = [np.zeros(view.cells, np.uint64) for view in self.views]
        agreed = np.zeros(size, np.uint64)  # the signature that the worlds of each block share
        changed: Longs | None = np.arange(size)
        while changed is not None and len(changed):
            affected = []
            for view, signature in zip(self.views, seen, strict=True):
                cells = np.arange(view.cells) if len(changed) == size else view.seeing(changed)
                signature[cells] = _signatures(view.rows(cells, self.block, self.count), len(cells))
                affected.append(view.members(cells))
            worlds = distinct(np.concatenate([changed[:0], *affected]), size)
            new = np.zeros(len(worlds), np.uint64)
            for number, (view, signature) in enumerate(zip(self.views, seen, strict=True), 1):
                new += _mixed(signature[view.labels[worlds]] + np.uint64(number))
            changed = self._divide(worlds, new, agreed)

    def _divide(self, worlds: Longs, signature: _Signatures, agreed: _Signatures) -> Longs | None:
        """Split blocks by the signatures of some of their worlds; return the worlds that moved.

        The other worlds of a block, if there are any, still have the signature agreed on. None if
        two signatures in different blocks cannot be kept apart.
        """
        block = self.block[worlds]
        group, groups = dense(signature ^ _mixed(block.astype(np.uint64)), 2**64)
        first = np.empty(len(groups), np.int64)
        first[group] = np.arange(len(group))
        of_block, found = block[first], signature[first]
        if not np.array_equal(of_block[group], block):
            return None
        size = np.bincount(group, minlength=len(first))
        touched, place = np.unique(of_block, return_inverse=True)
        here = np.bincount(place, weights=size, minlength=len(touched))
        complete = (here == self._size[touched])[place]
        keep = np.where(complete, _largest(of_block, size), found == agreed[of_block])
        agreed[of_block[complete & keep]] = found[complete & keep]
        agreed[self.count : self.count + np.count_nonzero(~keep)] = found[~keep]
        return self._split(worlds, group, of_block, size, keep)

    def _split(
        self, worlds: Longs, group: npt.NDArray[np.integer], of_block: Indices, size: Longs, keep: Mask
    ) -> Longs:
        """Give every group that does not keep the number of its block a new one; return the worlds moved."""
        new = np.flatnonzero(~keep)
        if not len(new):
            return worlds[:0]
        self.round += 1
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
        """Return the block that contained the worlds of a block after a round (0: at the start)."""
        while self.born[block] > number:
            block = int(self.parent[block])
        return block

    def parted(self, a: int, b: int) -> int | None:
        """Return the first round after which two blocks were different, None if they are the same."""
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
    """Return which groups are the largest of their block, one for each block."""
    order = np.lexsort((size, of_block))
    last = np.flatnonzero(np.diff(of_block[order], append=-1))
    keep = np.zeros(len(of_block), bool)
    keep[order[last]] = True
    return keep
