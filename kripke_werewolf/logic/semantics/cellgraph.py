"""Frame properties and closures of large relations, computed on the graph of their cells."""

from __future__ import annotations

import numpy as np

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.logic.formulas.logics import FRAME_CLASSES, FRAME_PROPERTIES, implied
from kripke_werewolf.logic.semantics.cells import General, Mask, Partition, Relation, components
from kripke_werewolf.logic.semantics.numbering import (
    Indices,
    Ints,
    dense,
    firsts,
    key_counts,
    located,
    ranges,
)

_PATHS = 1 << 21  # paths processed at once
_CLOSED_CELLS = 10_000


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

    apart = np.ones(cells, bool)
    apart[sources[sources == targets]] = False
    for name, cells_without in (("reflexive", apart), ("serial", graph.count == 0)):
        if cells_without.any():
            found[name] = (int(first[cells_without].min()),)
    one_way = np.flatnonzero(~graph.has(targets, sources))
    if len(one_way):
        fails("symmetric", int(sources[one_way[0]]), int(targets[one_way[0]]))
    for name, x, y in (("transitive", targets, sources), ("euclidean", sources, targets)):
        if (broken := graph.escape(x, y)) is not None:
            edge, cell = broken
            fails(name, int(sources[edge]), int(targets[edge]), cell)
    return {name: found[name] for name in FRAME_PROPERTIES if name in found}


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
    relation = _closed_under(relation, wanted)
    ends = np.flatnonzero(key_counts(relation.sources, relation.cells) == 0)
    if "serial" in wanted and len(ends):
        relation = _closed_under(_with_edges(relation, ends, ends), wanted)
    return relation.simplest()


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
    apart = key_counts(relation.labels, relation.cells) > 1
    apart[relation.sources[relation.sources == relation.targets]] = False
    own = np.where(apart[relation.labels], relation.cells + np.arange(len(relation)), relation.labels)
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
        if properties & {"transitive", "euclidean"}:
            relation = _saturated(relation, properties)
        if len(relation.sources) == before:
            return relation


def _saturated(relation: Relation, properties: frozenset[str]) -> Relation:
    """Return the relation with the pairs that one pass adds for transitivity, euclideanness or both."""
    cells = relation.cells
    if cells > _CLOSED_CELLS:
        raise ModelError(
            f"a transitive or euclidean closure over {cells:,} cells is above the limit of "
            f"{_CLOSED_CELLS:,}; contract the model first"
        )
    edges = np.zeros((cells, cells), bool)
    edges[relation.sources, relation.targets] = True
    rows = np.packbits(edges, axis=1)
    for cell in range(cells):
        if "transitive" in properties:  # Warshall 1962, a row at a time
            rows[np.flatnonzero(rows[:, cell // 8] & 128 >> cell % 8)] |= rows[cell]
        if "euclidean" in properties:
            rows[np.flatnonzero(np.unpackbits(rows[cell], count=cells))] |= rows[cell]
    return General(relation.labels, cells, *np.nonzero(np.unpackbits(rows, axis=1, count=cells)))
