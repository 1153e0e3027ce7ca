"""Accessibility relations over worlds 0..n-1, stored by cells.

A relation is given by a *cell* for every world and by a graph on the cells: w R v iff the cell of w sees the
cell of v. In a `Partition` every cell sees only itself, so one int32 label per world gives an equivalence
relation. A `General` relation adds a directed graph on its cells; with one world per cell this can be any
relation, and after a private announcement it is still small, since its edges join cells.

Masks are Boolean arrays over worlds. No Python loop runs over worlds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.logic.formulas.logics import FRAME_CLASSES, implied
from kripke_werewolf.logic.semantics.action import Sight
from kripke_werewolf.logic.semantics.bits import Cells, Rows, members
from kripke_werewolf.logic.semantics.numbering import (
    Indices,
    Ints,
    Longs,
    dense,
    distinct,
    firsts,
    key_counts,
    located,
    ranges,
    row_numbers,
    stable_order,
)

Mask: TypeAlias = npt.NDArray[np.bool_]
Integers: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.object_]

# with at most this many cells and at least this many worlds, one packed mask per cell is faster
# than gathering labels: it moves cells/8 bytes per world and has no scattered access
_PACKED_CELLS = 64
_PACKED_WORLDS = 4096
_PACKED_AT_ONCE = 8  # making up to this many masks takes no longer than one gathering
_SAMPLE = 64  # words in which most failing cells show themselves
# worlds per stretch of a pass with several steps, so that what one step writes is still in the
# cache when the next one reads it
_STRETCH = 1 << 17
_CLOSED_CELLS = 10_000  # cells of a closure, other than under the properties of S5


class Relation(ABC):
    """The common base: `labels` (the cell of each world, int32) and `cells` (their number).

    Labels run from 0 to `cells - 1`; some cells may be empty.
    """

    def __init__(self, labels: Ints, cells: int) -> None:
        self.labels: Indices = np.ascontiguousarray(labels, dtype=np.int32)
        self.labels.setflags(write=False)
        self.cells = int(cells)

    def __len__(self) -> int:
        return len(self.labels)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.labels, self.cells)

    # --- the graph on cells: a partition's is the identity -----------------------------------------

    @cached_property
    def sources(self) -> Indices:
        """The source cell of each edge, ascending."""
        return np.arange(self.cells, dtype=np.int32)

    @cached_property
    def targets(self) -> Indices:
        """The target cell of each edge."""
        return self.sources

    @abstractmethod
    def box(self, inside: Mask) -> Mask:
        """Return the worlds whose successors all lie inside: the truth set of K φ from that of φ."""

    @abstractmethod
    def total(self, values: Integers) -> Integers:
        """Return for each world the sum of `values` over its successors."""

    @abstractmethod
    def restrict(self, worlds: Ints) -> Relation:
        """Return the relation among the given worlds (ascending indices), renumbered from 0."""

    def image(self, inside: Mask) -> Mask:
        """Return the successors of the worlds in a set."""
        seeing = np.zeros(self.cells, bool)
        seeing[self.labels[inside]] = True
        entered = np.zeros(self.cells, bool)
        entered[self.targets[seeing[self.sources]]] = True
        return self.spread(entered)

    def leaving(self, inside: Mask) -> Relation:
        """Return the relation restricted to pairs that begin in a set."""
        labels = 2 * self.labels + inside  # one half of each cell keeps its edges, the other has none
        sources, targets = 2 * self.sources + 1, 2 * self.targets
        return General(labels, 2 * self.cells, np.tile(sources, 2), np.concatenate([targets, targets + 1]))

    def entering(self, inside: Mask) -> Relation:
        """Return the relation restricted to pairs that end in a set."""
        labels = 2 * self.labels + inside  # one half of each cell is still seen, the other is not
        sources, targets = 2 * self.sources, 2 * self.targets + 1
        return General(labels, 2 * self.cells, np.concatenate([sources, sources + 1]), np.tile(targets, 2))

    def failures(self, worlds: object = None) -> Mapping[str, tuple[int, ...]]:
        """Return the frame properties that it lacks, each with a counterexample; see `models.frames`."""
        return {}

    def pools(self, worlds: object = None) -> bool:
        """Return whether the relation is K45: every cell sees what the cells do that it sees."""
        sources, targets = self.occupied_edges()
        number = row_numbers(sources, targets, self.cells)
        return bool((number[sources] == number[targets]).all())

    def places(self, worlds: object = None) -> list[Indices]:
        """Return columns in which only worlds agree that see, and are seen from, the same."""
        return [dense(self.labels, self.cells)[0]]

    def observers(self, worlds: object = None) -> list[int]:
        """Return a number for each world, the same for worlds that see, and are seen from, the same."""
        return self.canonical().labels.tolist()  # type: ignore[no-any-return]

    def closed(self, worlds: object, properties: Collection[str]) -> Relation:
        """Return the least extension that has the given frame properties."""
        return closure(self, properties)

    def meet(self, other: Relation) -> Relation:
        """Return the intersection with another relation, for distributed knowledge."""
        key = self.labels.astype(np.int64) * other.cells + other.labels
        labels, found = dense(key, self.cells * other.cells)
        if isinstance(self, Partition) and isinstance(other, Partition):
            return Partition(labels, len(found))
        left, right = found // other.cells, found % other.cells
        # from each cell (a, b) to (a', b') for every edge a -> a' and b -> b', where that cell exists
        origin, a = self.expand(left)
        again, b = other.expand(right[origin])
        place, there = located(a[again] * other.cells + b, found)
        return General(labels, len(found), origin[again][there], place[there])

    def expand(self, cells: Ints) -> tuple[Longs, Longs]:
        """Return the edges of the given cells as two arrays: index of the given cell, target cell."""
        begin = np.searchsorted(self.sources, cells, side="left")
        count = np.searchsorted(self.sources, cells, side="right") - begin
        return np.repeat(np.arange(len(cells)), count), self.targets[ranges(begin, count)].astype(np.int64)

    def whole_cells(self, inside: Mask) -> Mask:
        """Return the cells that lie entirely inside; empty cells do."""
        whole = np.ones(self.cells, bool)
        if 3 * np.count_nonzero(inside) > 2 * len(inside):
            whole[self.labels.take(np.flatnonzero(~inside))] = False
            return whole
        for start in range(0, len(inside), _STRETCH):
            here = slice(start, start + _STRETCH)
            # the product of truth values is their conjunction
            np.multiply.at(whole.view(np.uint8), self.labels[here], inside[here].view(np.uint8))
        return whole

    def spread(self, values: npt.NDArray[np.generic]) -> npt.NDArray[Any]:
        """Return for each world the value of its cell."""
        out = np.empty(len(self), values.dtype)
        for start in range(0, len(self), _STRETCH):
            here = slice(start, start + _STRETCH)
            values.take(self.labels[here], out=out[here], mode="clip")
        return out

    def product(self, sight: Sight, world: Ints, event: Ints) -> Relation:
        """Return the relation of a product update, on pairs of a world index and an event index."""
        events = _over_events(sight)
        if events.cells == 1 and len(events.sources):  # in an announcement nobody distinguishes events
            return self.restrict(world)
        many = np.int64(events.cells)
        labels, found = dense(self.labels[world] * many + events.labels[event], self.cells * events.cells)
        if isinstance(self, Partition) and isinstance(events, Partition):
            return Partition(labels, len(found))
        sources, left = located((self.sources[:, None] * many + events.sources).ravel(), found)
        targets, entered = located((self.targets[:, None] * many + events.targets).ravel(), found)
        kept = left & entered
        return General(labels, len(found), sources[kept], targets[kept]).simplest()

    @cached_property
    def members(self) -> list[npt.NDArray[np.int64]]:
        """The worlds of each cell."""
        order = np.argsort(self.labels, kind="stable")
        ends = np.cumsum(key_counts(self.labels, self.cells))
        return np.split(order, ends[:-1]) if self.cells else []

    def listed_rows(self, worlds: object = None) -> list[tuple[list[int], list[int]]]:
        """Return the worlds of each cell, and those that they see, as lists."""
        inside = [cell.tolist() for cell in self.members]
        seen = [chain.from_iterable(map(inside.__getitem__, cells)) for cells in self.listed().seen]
        return list(zip(inside, map(list, seen), strict=True))

    def listed(self) -> Cells:
        """Return the relation as lists."""
        seen: list[list[int]] = [[] for _ in range(self.cells)]
        for source, target in zip(self.sources.tolist(), self.targets.tolist(), strict=True):
            seen[source].append(target)
        return Cells(self.labels.tolist(), seen)

    def edge_count(self) -> int:
        """Return the number of pairs (w, v) with w R v."""
        sizes = key_counts(self.labels, self.cells)
        return int(np.dot(sizes[self.sources], sizes[self.targets]))

    def same_as(self, other: Relation) -> bool:
        """Return whether both relations have the same pairs of worlds."""
        a, b = self.canonical(), other.canonical()
        parts = (a.labels, b.labels), (a.sources, b.sources), (a.targets, b.targets)
        return all(np.array_equal(ours, theirs) for ours, theirs in parts)

    def canonical(self) -> Relation:
        """Return the same relation with the fewest cells, numbered by first world."""
        relation = self.simplest()
        sources, targets = relation.occupied_edges()
        labels, _ = dense(relation.labels, relation.cells)
        cells = int(labels.max(initial=-1)) + 1
        if not isinstance(relation, Partition):
            # worlds belong together when they see the same and are seen from the same
            back = np.lexsort((sources, targets))
            sees = row_numbers(sources, targets, cells).astype(np.int64)
            seen = row_numbers(targets[back], sources[back], cells)
            merged, _ = dense(sees * cells + seen, cells * cells)
            labels, sources, targets = merged[labels], merged[sources], merged[targets]
            cells = int(merged.max(initial=-1)) + 1
        rank = np.empty(cells, np.int32)
        rank[np.argsort(firsts(labels, cells))] = np.arange(cells, dtype=np.int32)
        if isinstance(relation, Partition):
            return Partition(rank[labels], cells)
        return General(rank[labels], cells, rank[sources], rank[targets])

    def occupied_edges(self) -> tuple[Indices, Indices]:
        """Return sources and targets of the edges between nonempty cells, these renumbered."""
        used = key_counts(self.labels, self.cells) > 0
        number = (np.cumsum(used) - 1).astype(np.int32)
        kept = used[self.sources] & used[self.targets]
        return number[self.sources[kept]], number[self.targets[kept]]

    def simplest(self) -> Relation:
        """Return the same relation, as a `Partition` if it is an equivalence."""
        return self


class Partition(Relation):
    """An equivalence relation: a world sees exactly the worlds of its own cell."""

    @classmethod
    def whole(cls, size: int) -> Partition:
        """Return the total relation: every world sees every world."""
        return cls(np.zeros(size, np.int32), min(size, 1))

    def box(self, inside: Mask) -> Mask:  # noqa: D102 - inherited
        if len(self.labels) >= _PACKED_WORLDS and self._packed_now():
            return unpack(self.packed_box(_pack(inside)), len(self))
        return self.spread(self.whole_cells(inside))

    def _packed_now(self) -> bool:
        """Return whether to use packed masks; making many pays off only for repeated queries."""
        if self.cells > _PACKED_CELLS:
            return False
        again = self.cells <= _PACKED_AT_ONCE or self.__dict__.get("asked", False)
        self.__dict__["asked"] = True
        return again

    @cached_property
    def _packed(self) -> npt.NDArray[np.uint64]:
        """One packed mask per cell: shape (cells, worlds / 64), zero-padded."""
        out = np.zeros((self.cells, -(-len(self) // 64)), np.uint64)
        octets = out.view(np.uint8)
        for start in range(0, len(self), _STRETCH):
            labels = self.labels[start : start + _STRETCH].astype(np.uint8)
            for cell in range(self.cells):
                bits = np.packbits(labels == cell, bitorder="little")
                octets[cell, start // 8 : start // 8 + len(bits)] = bits
        return out

    @cached_property
    def _every(self) -> npt.NDArray[np.uint64]:
        return _pack(np.ones(len(self), bool))

    def packed_box(self, inside: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """Return `box` on packed masks, 64 worlds per word."""
        masks, outside = self._packed, ~inside
        failing = np.zeros(self.cells, bool)
        out = self._every.copy()  # the worlds of all cells but the failing ones
        while len(words := np.flatnonzero(out & outside)):
            some = words[:: -(-len(words) // _SAMPLE)]
            found = (masks[:, some] & outside[some]).any(axis=1) & ~failing
            failing |= found
            if 2 * np.count_nonzero(found) > self.cells:
                out[:] = 0
                for cell in np.flatnonzero(~failing).tolist():
                    out |= masks[cell]
            else:
                for cell in np.flatnonzero(found).tolist():
                    out ^= masks[cell]
        return out

    def total(self, values: Integers) -> Integers:  # noqa: D102 - inherited
        return self.spread(cell_sums(self.labels, self.cells, values))

    def pools(self, worlds: object = None) -> bool:  # noqa: D102 - inherited
        return True

    def restrict(self, worlds: Ints) -> Partition:  # noqa: D102 - inherited
        labels = self.labels.take(worlds)
        if self.cells > 4 * len(labels) + 64:  # keep the tables per cell in proportion
            labels, found = dense(labels, self.cells)
            return Partition(labels, len(found))
        return Partition(labels, self.cells)


class General(Relation):
    """Any relation: a directed graph on its cells."""

    def __init__(self, labels: Ints, cells: int, sources: Ints, targets: Ints) -> None:
        super().__init__(labels, cells)
        key = distinct(np.asarray(sources, np.int64) * max(self.cells, 1) + targets, self.cells**2)
        self.sources = (key // max(self.cells, 1)).astype(np.int32)
        self.targets = (key % max(self.cells, 1)).astype(np.int32)
        self.sources.setflags(write=False)
        self.targets.setflags(write=False)

    @classmethod
    def from_cells(cls, labels: Sequence[int], seen: Sequence[Sequence[int]]) -> Relation:
        """Return the relation with these cells of worlds, each of which sees some cells."""
        sources = np.repeat(np.arange(len(seen)), np.array(list(map(len, seen)), np.int64))
        targets = np.fromiter(chain.from_iterable(seen), np.int64)
        return cls(np.array(labels, np.int32), len(seen), sources, targets).simplest()

    @classmethod
    def from_pairs(cls, size: int, pairs: Iterable[tuple[int, int]]) -> Relation:
        """Return the relation of the given pairs of worlds; a `Partition` if it is an equivalence."""
        edges = np.array(list(pairs), np.int64).reshape(-1, 2)
        return cls(np.arange(size, dtype=np.int32), size, edges[:, 0], edges[:, 1]).simplest()

    def failures(self, worlds: object = None) -> Mapping[str, tuple[int, ...]]:  # noqa: D102 - inherited
        return self._failures

    @cached_property
    def _failures(self) -> Mapping[str, tuple[int, ...]]:
        return self.listed().failures(range(len(self)))

    def __reduce__(self) -> tuple[object, ...]:
        return General, (self.labels, self.cells, self.sources, self.targets)

    def box(self, inside: Mask) -> Mask:  # noqa: D102 - inherited
        whole = self.whole_cells(inside)
        sees_only = np.ones(self.cells, bool)
        sees_only[self.sources[~whole.take(self.targets)]] = False
        return self.spread(sees_only)

    def total(self, values: Integers) -> Integers:  # noqa: D102 - inherited
        sums = cell_sums(self.labels, self.cells, values)
        out: Integers = np.zeros_like(sums)
        np.add.at(out, self.sources, sums[self.targets])
        return self.spread(out)

    def restrict(self, worlds: Ints) -> Relation:  # noqa: D102 - inherited
        labels, found = dense(self.labels.take(worlds), self.cells)
        number = np.full(self.cells, -1, np.int64)
        number[found] = np.arange(len(found))
        sources, targets = number[self.sources], number[self.targets]
        kept = (sources >= 0) & (targets >= 0)
        return General(labels, len(found), sources[kept], targets[kept]).simplest()

    def simplest(self) -> Relation:  # noqa: D102 - inherited
        sizes = key_counts(self.labels, self.cells)
        real = (sizes[self.sources] > 0) & (sizes[self.targets] > 0)
        sources, targets = self.sources[real], self.targets[real]
        # name each cell by the first cell it sees: an equivalence makes that constant on its classes
        first = np.full(self.cells, -1, np.int64)
        first[sources[::-1]] = targets[::-1]
        occupied = sizes > 0
        if (first[occupied] < 0).any() or (first[sources] != first[targets]).any():
            return self
        labels, found = dense(first[self.labels], max(self.cells, 1))
        class_cells = key_counts(np.searchsorted(found, first[occupied]), len(found))
        # all edges stay inside the classes; there are as many as the classes have pairs
        return Partition(labels, len(found)) if len(sources) == int((class_cells**2).sum()) else self


@lru_cache(maxsize=4096)
def _over_events(sight: Sight) -> Relation:
    return General.from_pairs(len(sight), [(e, f) for e, seen in enumerate(sight) for f in members(seen)])


def cell_sums(labels: Ints, cells: int, values: Integers) -> Integers:
    """Return for each cell the sum of the values of its worlds."""
    if values.dtype != object:
        bound = float(np.abs(values).max(initial=0)) * max(len(values), 1)
        if bound < 2**53:  # bincount adds in double precision: exact up to here
            sums = key_counts(labels, cells, weights=values.astype(np.float64))
            return sums.astype(np.int64)
    exact = np.zeros(cells, object)
    np.add.at(exact, labels, values.astype(object))
    return exact


def _pack(mask: Mask) -> npt.NDArray[np.uint64]:
    """Return a mask as bits, 64 worlds per word; the last word is padded with zeros."""
    bits = np.packbits(mask, bitorder="little")
    out = np.zeros(-(-len(mask) // 64) * 8, np.uint8)
    out[: len(bits)] = bits
    return out.view(np.uint64)


def unpack(words: npt.NDArray[np.uint64], size: int) -> Mask:
    """Return the mask of `size` worlds that was packed."""
    return np.unpackbits(words.view(np.uint8), count=size, bitorder="little").view(np.bool_)


# --- several relations together --------------------------------------------------------------------

# rounds of the fixpoint for common knowledge before searching instead
_ROUNDS = 4


class _Joined:
    """One or more steps along any of several relations.

    `box` is common knowledge, C_G φ, the greatest fixpoint of X = E_G(φ & X) (Fagin, Halpern, Moses and Vardi
    1995, section 2.2). A few rounds of the fixpoint decide most models; others are decided by a search
    backwards from the worlds outside.
    """

    def __init__(self, relations: Sequence[Relation], size: int) -> None:
        self.relations, self.size = relations, size

    def box(self, inside: Mask) -> Mask:
        """Return the worlds from which all steps stay inside."""
        current = inside
        for _ in range(_ROUNDS):
            last = current
            for relation in self.relations:
                current = current & relation.box(current)
            if np.array_equal(current, last) or not current.any():
                everyone = [relation.box(current) for relation in self.relations]
                return reduce(np.logical_and, everyone, np.ones(self.size, bool))
        return ~self._reaching(~inside, backwards=True)

    def image(self, inside: Mask) -> Mask:
        """Return the worlds that are reached from a set."""
        return self._reaching(inside, backwards=False)

    def _reaching(self, start: Mask, *, backwards: bool) -> Mask:
        """Return the worlds reached from a set, or with `backwards` those that reach it."""
        # nodes: the worlds; for each relation its cells as left and its cells as entered
        node, worlds = self.size, np.arange(self.size)
        tails: list[Ints] = [worlds[:0]]
        heads: list[Ints] = [worlds[:0]]
        seeds = [worlds[:0]]
        for relation in self.relations:
            leave, enter = node, node + relation.cells
            sources, targets = relation.sources, relation.targets
            if backwards:
                sources, targets = targets, sources
            tails += [worlds, leave + sources, enter + relation.labels]
            heads += [leave + relation.labels, enter + targets, worlds]
            seeds.append(leave + distinct(relation.labels[start], relation.cells))
            node += 2 * relation.cells
        front, tail = np.concatenate(seeds), np.concatenate(tails)
        head, count = np.concatenate(heads)[stable_order(tail, node)], np.bincount(tail, minlength=node)
        begin, found = np.cumsum(count) - count, np.zeros(node, bool)
        found[front] = True
        while len(front):
            steps = head[ranges(begin[front], count[front])]
            front = distinct(steps[~found[steps]], node)
            found[front] = True
        return found[: self.size]


class _JoinedAmong:
    """One or more steps along any of several equivalences, each to a world of a set.

    `among`: the components of the equivalences on the set: what its worlds see. Other worlds see the
    components that their cells meet.
    """

    def __init__(self, relations: Sequence[Partition], within: Mask) -> None:
        self.relations, self.within, self.worlds = relations, within, np.flatnonzero(within)
        self.among = _components_of(relation.restrict(self.worlds) for relation in relations)

    def box(self, inside: Mask) -> Mask:
        """Return the worlds from which all steps stay inside."""
        found, good = np.zeros(len(inside), bool), self.among.box(inside[self.worlds])
        bad, left = self.worlds[~good], np.flatnonzero(~self.within)
        for relation in self.relations if len(bad) else ():
            failing = np.zeros(relation.cells, bool)
            failing[relation.labels[bad]] = True
            left = left[~failing[relation.labels[left]]]
        found[self.worlds] = good
        found[left] = True
        return found

    def image(self, inside: Mask) -> Mask:
        """Return the worlds that are reached from a set."""
        found = np.zeros(len(inside), bool)
        seen = reduce(np.logical_or, [relation.image(inside) for relation in self.relations])
        found[self.worlds] = self.among.image(seen[self.worlds])
        return found


Steps: TypeAlias = "Relation | _Joined | _JoinedAmong"


def join(relations: Sequence[Relation], within: Mask) -> Steps:
    """Return the relation of one or more steps along any of the relations, each to a world in a set."""
    equivalences = [relation for relation in relations if isinstance(relation, Partition)]
    if not relations or len(equivalences) < len(relations):
        steps = relations if within.all() else [relation.entering(within) for relation in relations]
        return _Joined(steps, len(within))
    return _components_of(equivalences) if within.all() else _JoinedAmong(equivalences, within)


def _components_of(relations: Iterable[Partition]) -> Partition:
    """Return the transitive closure of the union of some equivalences: the components of its graph."""
    others = iter(relations)
    found = next(others)
    for other in others:
        # the cells of both are the nodes; a world connects its cell in the one to its cell in the other
        left, right = found.labels, other.labels
        if found.cells * other.cells <= len(found):
            key = distinct(left * np.int32(other.cells) + right, found.cells * other.cells)
            left, right = np.divmod(key, other.cells)
        count, component = components(found.cells + other.cells, left, found.cells + right)
        labels, cells = dense(component.take(found.labels), count)  # without cells that have no world
        found = Partition(labels, len(cells))
        if found.cells == 1:
            break
    return found


def components(size: int, left: Ints, right: Ints) -> tuple[int, Indices]:
    """Return the number of connected components of a graph with these edges, and that of each node.

    Each node points to a smaller node of its component, and in the end to the smallest: in each round the
    roots are hooked to smaller neighbours, and all nodes to their roots. Edges within a tree are dropped; a
    few of the edges go first, since most of the others then are within a tree.
    """
    root = np.arange(size, dtype=np.int32)
    for part in (slice(0, len(left) // 8), slice(len(left) // 8, None)):
        low, high = root[left[part]], root[right[part]]
        while len(between := np.flatnonzero(low != high)):
            low, high = low[between], high[between]
            low, high = np.minimum(low, high), np.maximum(low, high)
            np.minimum.at(root, high, low)
            while not np.array_equal(above := root[root], root):
                root = above
            low, high = root[low], root[high]
    roots = root == np.arange(size)
    return int(np.count_nonzero(roots)), (np.cumsum(roots) - 1)[root].astype(np.int32)


# --- closures ---------------------------------------------------------------------------------------


def closure(relation: Relation, wanted: Collection[str]) -> Relation:
    """Return the least extension of a relation that has the given properties.

    There is no least serial extension: worlds without successors are made to see themselves.
    """
    relation = relation.restrict(np.arange(len(relation)))  # without empty cells
    if isinstance(relation, Partition) or not wanted:
        return relation
    if "reflexive" in wanted and implied(frozenset(wanted)) == FRAME_CLASSES["S5"]:
        number, component = components(relation.cells, relation.sources, relation.targets)
        # the worlds of a cell belong together only if an arrow connects them
        alone = np.ones(relation.cells, bool)
        alone[relation.sources] = alone[relation.targets] = False
        own = np.where(alone[relation.labels], number + np.arange(len(relation)), component[relation.labels])
        labels, found = dense(own, number + len(relation))
        return Partition(labels, len(found))
    cells = relation.canonical().listed()
    if {"reflexive", "serial"}.intersection(wanted):
        cells = _loops_apart(cells)
    size = len(cells.seen)
    if size > _CLOSED_CELLS:
        raise ModelError(
            f"a closure over {size:,} cells is above the limit of {_CLOSED_CELLS:,}, except under the "
            "properties of S5; contract the model first"
        )
    sights = [sum(1 << cell for cell in seen) for seen in cells.seen]
    closed: list[list[int]] = [[] for _ in sights]
    for who, sees in Rows.of_sights(sights).closed((1 << size) - 1, wanted).rows:
        seen = members(sees)
        for cell in members(who):
            closed[cell] = seen
    return General.from_cells(cells.labels, closed)


def _loops_apart(relation: Cells) -> Cells:
    """Return the same relation, with a cell of its own for each world of a cell that does not see itself."""
    copies: list[list[int]] = [[] for _ in relation.seen]  # the new cells of each
    old, labels = list[int](), list[int]()
    for cell in relation.labels:
        if not copies[cell] or cell not in relation.seen[cell]:
            copies[cell].append(len(old))
            old.append(cell)
        labels.append(copies[cell][-1])
    return Cells(labels, [[new for seen in relation.seen[cell] for new in copies[seen]] for cell in old])
