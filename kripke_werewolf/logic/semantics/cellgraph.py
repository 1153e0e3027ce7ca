"""Frame properties and closures of large relations, computed on the graph of their cells."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.logic.formulas.logics import FRAME_CLASSES, implied
from kripke_werewolf.logic.semantics.cells import General, Mask, Partition, Relation, components
from kripke_werewolf.logic.semantics.numbering import (
    Indices,
    Ints,
    Longs,
    dense,
    firsts,
    key_counts,
    located,
    ranges,
)

_PATHS = 1 << 21  # paths processed at once
_CLOSED_CELLS = 10_000
_CLOSED_EDGES = 50_000_000


class _CellGraph:
    """The graph on the cells of a relation, every cell having worlds; edges ascending."""

    def __init__(self, cells: int, sources: Indices, targets: Indices) -> None:
        self.cells, self.sources, self.targets = cells, sources, targets
        self.keys = sources.astype(np.int64) * cells + targets
        self.count = key_counts(sources, cells)
        self.begin = np.cumsum(self.count) - self.count

    def has(self, sources: Ints, targets: Ints) -> Mask:
        """Return the mask of the given pairs that are edges."""
        return located(sources.astype(np.int64) * self.cells + targets, self.keys)[1]

    def loops(self) -> Mask:
        """Return the cells that see themselves."""
        every = np.arange(self.cells)
        return self.has(every, every)

    def leaves(self) -> Mask:
        """Return the cells with successors."""
        return self.count > 0

    def rows(self) -> npt.NDArray[np.uint64]:
        """Return the graph as a matrix of bits, one row per cell, 64 cells to a word."""
        rows = np.zeros((self.cells, -(-self.cells // 64)), np.uint64)
        bit = np.uint64(1) << (self.targets % 64).astype(np.uint64)
        np.bitwise_or.at(rows, (self.sources, self.targets // 64), bit)
        return rows

    def escape(self, x: Indices, y: Indices) -> tuple[int, int] | None:
        """Return the first i such that x[i] sees a cell that y[i] does not, and the cell; None if none."""
        count = self.count[x]
        cuts = np.searchsorted(np.cumsum(count), np.arange(_PATHS, int(count.sum()), _PATHS))
        for part in np.split(np.arange(len(x)), cuts):
            seen = self.targets[ranges(self.begin[x[part]], count[part])]
            origin = np.repeat(part, count[part])
            bad = np.flatnonzero(~self.has(y[origin], seen))
            if len(bad):
                return int(origin[bad[0]]), int(seen[bad[0]])
        return None


def failures(relation: Relation) -> dict[str, tuple[int, ...]]:
    """Return the properties that a relation lacks, each with the indices of a counterexample."""
    labels, _ = dense(relation.labels, relation.cells)
    cells = int(labels.max(initial=-1)) + 1
    first = firsts(labels, cells)
    graph = _CellGraph(cells, *relation.occupied_edges())
    sources, targets = graph.sources, graph.targets
    found: dict[str, tuple[int, ...]] = {}

    def fails(what: str, *cells_at: int) -> None:
        found[what] = tuple(int(first[c]) for c in cells_at)

    if (blind := _first(~graph.loops(), first)) is not None:
        fails("reflexive", blind)
    if (dead := _first(~graph.leaves(), first)) is not None:
        fails("serial", dead)
    if (broken := graph.escape(targets, sources)) is not None:
        edge, cell = broken
        fails("transitive", int(sources[edge]), int(targets[edge]), cell)
    one_way = np.flatnonzero(~graph.has(targets, sources))
    if len(one_way):
        fails("symmetric", int(sources[one_way[0]]), int(targets[one_way[0]]))
    if (broken := graph.escape(sources, targets)) is not None:
        edge, cell = broken
        fails("euclidean", int(sources[edge]), int(targets[edge]), cell)
    return found


def _first(cells: Mask, first: Longs) -> int | None:
    found = np.flatnonzero(cells)
    return int(found[np.argmin(first[found])]) if len(found) else None


# --- closures --------------------------------------------------------------------------------------


def closure(relation: Relation, wanted: frozenset[str]) -> Relation:
    """Return the least extension of a relation that has the given properties.

    There is no least serial extension: worlds without successors are made to see themselves.
    """
    if isinstance(relation, Partition) or not wanted:
        return relation
    if implied(wanted) == FRAME_CLASSES["S5"] and "reflexive" in wanted:
        relation = _loops_apart(relation)
        number, component = components(relation.cells, relation.sources, relation.targets)
        return Partition(component[relation.labels], number)
    if wanted & {"reflexive", "serial"}:
        relation = _loops_apart(relation)
    others = wanted - {"serial"}
    relation = _closed_under(relation, others)
    if "serial" in wanted:
        graph = _graph(relation)
        ends = np.flatnonzero(~graph.leaves())
        if len(ends):
            relation = _closed_under(_with_edges(relation, ends, ends), others)
    return relation.simplest()


def _graph(relation: Relation) -> _CellGraph:
    return _CellGraph(relation.cells, relation.sources, relation.targets)


def _with_edges(relation: Relation, sources: Ints, targets: Ints) -> General:
    tails = np.concatenate([relation.sources, sources])
    return General(relation.labels, relation.cells, tails, np.concatenate([relation.targets, targets]))


def _occupied(relation: Relation) -> Relation:
    """Return the same relation without empty cells."""
    labels, found = dense(relation.labels, relation.cells)
    return General(labels, len(found), *relation.occupied_edges())


def _loops_apart(relation: Relation) -> Relation:
    """Return the same relation, with a cell of its own for each world of a cell that does not see itself."""
    relation = _occupied(relation)
    size = key_counts(relation.labels, relation.cells)
    apart = (~_graph(relation).loops() & (size > 1))[relation.labels]
    own = np.where(apart, relation.cells + np.arange(len(relation)), relation.labels)
    labels, found = dense(own, relation.cells + len(relation))
    # an old cell has become several new ones; its edges are repeated for each
    old = np.where(found < relation.cells, found, relation.labels[found - relation.cells])
    order = np.argsort(old, kind="stable")
    count = key_counts(old, relation.cells)
    begin = np.cumsum(count) - count
    sources, targets = relation.sources, relation.targets
    tails = order[ranges(begin[sources], count[sources])]
    heads = np.repeat(targets, count[sources])
    again = np.repeat(tails, count[heads])
    return General(labels, len(found), again, order[ranges(begin[heads], count[heads])])


def _closed_under(relation: Relation, properties: frozenset[str]) -> Relation:
    """Return the closure under properties other than serial."""
    relation = _occupied(relation)
    while True:
        before = len(relation.sources)
        if "reflexive" in properties:
            every = np.arange(relation.cells)
            relation = _with_edges(relation, every, every)
        if "symmetric" in properties:
            relation = _with_edges(relation, relation.targets, relation.sources)
        if "transitive" in properties:
            relation = _transitive(relation)
        if "euclidean" in properties:
            relation = _euclidean(relation)
        if len(relation.sources) == before:
            return relation


def _transitive(relation: Relation) -> Relation:
    if relation.cells > _CLOSED_CELLS:
        raise ModelError(
            f"a transitive closure over {relation.cells:,} cells is above the limit of {_CLOSED_CELLS:,}; "
            "contract the model first"
        )
    rows = _graph(relation).rows()
    for cell in range(relation.cells):  # Warshall 1962, a row at a time
        through = np.flatnonzero(rows[:, cell // 64] >> np.uint64(cell % 64) & np.uint64(1))
        rows[through] |= rows[cell]
    edges = np.unpackbits(rows.view(np.uint8), axis=1, count=relation.cells, bitorder="little")
    return General(relation.labels, relation.cells, *np.nonzero(edges))


def _euclidean(relation: Relation) -> Relation:
    """Return the euclidean closure: the cells that are seen form clusters, each seeing all of itself.

    Two cells are in one cluster if some cell sees both, or if one of them is seen and sees the other.
    """
    graph = _graph(relation)
    sources, targets = graph.sources, graph.targets
    seen = np.zeros(relation.cells, bool)
    seen[targets] = True
    inner = seen[sources]
    left = np.concatenate([targets[graph.begin[sources]], sources[inner]])
    number, component = components(relation.cells, left, np.concatenate([targets, targets[inner]]))
    members = np.flatnonzero(seen)
    members = members[np.argsort(component[members], kind="stable")]
    count = key_counts(component[members], number)
    edges = int((count**2).sum())
    if edges > _CLOSED_EDGES:
        raise ModelError(
            f"the euclidean closure would have {edges:,} edges between cells, above the limit of "
            f"{_CLOSED_EDGES:,}; contract the model first"
        )
    begin = np.cumsum(count) - count
    cluster = component[members]
    tails, heads = np.repeat(members, count[cluster]), members[ranges(begin[cluster], count[cluster])]
    return _with_edges(relation, tails, heads)
