"""Random relations stored by cells, and their pairs of worlds."""

import numpy as np
from hypothesis import strategies as st

from kripke_werewolf.logic.semantics.cells import General, Partition, Relation

Pairs = frozenset[tuple[int, int]]


@st.composite
def cell_relations(draw: st.DrawFn, size: int, *, s5: bool | None = None) -> Relation:
    """Return a relation over `size` worlds; cells may be unused, edges repeated, the graph empty."""
    cells = draw(st.integers(1 if size else 0, 6))
    labels = np.array(draw(st.lists(st.integers(0, max(cells - 1, 0)), min_size=size, max_size=size)), int)
    if s5 is None:
        s5 = draw(st.booleans())
    if s5:
        return Partition(labels, cells)
    cell = st.integers(0, max(cells - 1, 0))
    edges = draw(st.lists(st.tuples(cell, cell), max_size=14)) if cells else []
    ends = np.array(edges, int).reshape(-1, 2)
    return General(labels, cells, ends[:, 0], ends[:, 1])


def pairs_of(relation: Relation) -> Pairs:
    """Return the pairs of worlds by the definition: the cell of the one sees the cell of the other."""
    labels = relation.labels.tolist()
    edges = set(zip(relation.sources.tolist(), relation.targets.tolist(), strict=True))
    return frozenset((w, v) for w, a in enumerate(labels) for v, b in enumerate(labels) if (a, b) in edges)


def masks(size: int) -> st.SearchStrategy[np.ndarray]:
    """Return a strategy for truth sets."""
    return st.lists(st.booleans(), min_size=size, max_size=size).map(lambda bits: np.array(bits, bool))
