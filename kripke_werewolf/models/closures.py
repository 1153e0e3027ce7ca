"""Closures of accessibility relations under frame properties."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import ModelError
from kripke_werewolf.models.frames import FRAME_CLASSES, FRAME_PROPERTIES, CellGraph
from kripke_werewolf.models.numbering import Indices, dense, ranges
from kripke_werewolf.models.relation import General, Partition, Relation

__all__ = ["closure"]

_CLOSED_CELLS = 10_000
_CLOSED_EDGES = 50_000_000


def closure(relation: Relation, under: str | Iterable[str]) -> Relation:
    """Return the least relation that contains a relation and has the given properties.

    `under`: names of properties, or the name of a class. There is no least serial relation: of two
    worlds that see nothing each is made to see itself.
    """
    wanted = _properties(under)
    if isinstance(relation, Partition) or not wanted:
        return relation
    if _closed(wanted) == FRAME_CLASSES["S5"] and "reflexive" in wanted:
        return _equivalence(relation)
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


def _properties(under: str | Iterable[str]) -> frozenset[str]:
    names = [under] if isinstance(under, str) else list(under)
    found: set[str] = set()
    for name in names:
        if name in FRAME_PROPERTIES:
            found.add(name)
        elif name in FRAME_CLASSES:
            found |= FRAME_CLASSES[name]
        else:
            raise ModelError(
                f"unknown frame property or class {name!r}; "
                f"known: {', '.join((*FRAME_PROPERTIES, *FRAME_CLASSES))}"
            )
    return frozenset(found)


def _closed(properties: frozenset[str]) -> frozenset[str]:
    """Return the properties with all that follow from them."""
    return min((c for c in FRAME_CLASSES.values() if properties <= c), key=len)


def _graph(relation: Relation) -> CellGraph:
    return CellGraph(relation.cells, relation.sources, relation.targets)


def _with_edges(
    relation: Relation, sources: npt.NDArray[np.integer], targets: npt.NDArray[np.integer]
) -> General:
    tails = np.concatenate([relation.sources, sources])
    return General(relation.labels, relation.cells, tails, np.concatenate([relation.targets, targets]))


def _occupied(relation: Relation) -> Relation:
    """Return the same relation without the cells that have no world."""
    labels, found = dense(relation.labels, relation.cells)
    return General(labels, len(found), *relation.occupied_edges())


def _loops_apart(relation: Relation) -> Relation:
    """Return the same relation, the worlds of a cell that does not see itself having cells of their own."""
    relation = _occupied(relation)
    size = np.bincount(relation.labels, minlength=relation.cells)
    apart = (~_graph(relation).loops() & (size > 1))[relation.labels]
    labels, found = dense(
        np.where(apart, relation.cells + np.arange(len(relation)), relation.labels),
        relation.cells + len(relation),
    )
    # every old cell is now some new ones; an edge is repeated for each of them
    old = np.where(found < relation.cells, found, relation.labels[found - relation.cells])
    order = np.argsort(old, kind="stable")
    count = np.bincount(old, minlength=relation.cells)
    begin = np.cumsum(count) - count
    sources, targets = relation.sources, relation.targets
    tails = order[ranges(begin[sources], count[sources])]
    heads = np.repeat(targets, count[sources])
    again = np.repeat(tails, count[heads])
    return General(labels, len(found), again, order[ranges(begin[heads], count[heads])])


def _equivalence(relation: Relation) -> Partition:
    relation = _loops_apart(relation)
    component = _components(relation.cells, relation.sources, relation.targets)
    return Partition(component[relation.labels], int(component.max(initial=-1)) + 1)


def _components(size: int, left: npt.NDArray[np.integer], right: npt.NDArray[np.integer]) -> Indices:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(left), bool), (left, right)), shape=(size, size))
    _, component = connected_components(graph, directed=False)
    return np.asarray(component, np.int32)


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
    sources, targets = np.nonzero(
        np.unpackbits(rows.view(np.uint8), axis=1, count=relation.cells, bitorder="little")
    )
    return General(relation.labels, relation.cells, sources, targets)


def _euclidean(relation: Relation) -> Relation:
    """Return the euclidean closure: the cells that are seen fall into clusters that see all of themselves.

    Cells are in one cluster if something sees both, or if one of them, seen itself, sees the other.
    """
    graph = _graph(relation)
    sources, targets = graph.sources, graph.targets
    seen = np.zeros(relation.cells, bool)
    seen[targets] = True
    inner = seen[sources]
    component = _components(
        relation.cells,
        np.concatenate([targets[graph.begin[sources]], sources[inner]]),
        np.concatenate([targets, targets[inner]]),
    )
    members = np.flatnonzero(seen)
    members = members[np.argsort(component[members], kind="stable")]
    count = np.bincount(component[members], minlength=int(component.max(initial=-1)) + 1)
    edges = int((count**2).sum())
    if edges > _CLOSED_EDGES:
        raise ModelError(
            f"the euclidean closure would have {edges:,} edges between cells, above the limit of "
            f"{_CLOSED_EDGES:,}; contract the model first"
        )
    begin = np.cumsum(count) - count
    cluster = component[members]
    return _with_edges(
        relation,
        np.repeat(members, count[cluster]),
        members[ranges(begin[cluster], count[cluster])],
    )
