"""Several relations together: everyone's knowledge, common knowledge, reachability."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
import numpy.typing as npt

from kripke_werewolf.models.numbering import distinct
from kripke_werewolf.models.relation import Mask, Partition, Relation, pack, unpack

__all__ = ["common_box", "everyone_box", "join", "reachable"]

# rounds of the fixpoint for common knowledge before the search that needs no rounds
_ROUNDS = 4


def everyone_box(relations: Sequence[Relation], inside: Mask) -> Mask:
    """Return the worlds from which one step along any of the relations leads only inside: E_G φ."""
    out = np.ones(len(inside), bool)
    for relation in relations:
        out &= relation.box(inside)
    return out


def common_box(relations: Sequence[Relation], inside: Mask) -> Mask:
    """Return the worlds from which one or more steps along the relations lead only inside.

    That is common knowledge, C_G φ, as the greatest fixpoint of X = E_G(φ & X) (Fagin, Halpern,
    Moses and Vardi 1995, section 2.2). A few rounds of the fixpoint decide most models. Others,
    such as long chains, are decided at once: equivalences by the connected components of their
    union, other relations by one search backwards from the worlds outside.
    """
    equivalences = [r for r in relations if isinstance(r, Partition)]
    if len(equivalences) < len(relations):
        current = inside
        for _ in range(_ROUNDS):
            last = current
            for relation in relations:
                current = current & relation.box(current)
            if np.array_equal(current, last) or not current.any():
                return everyone_box(relations, current)
        return ~reachable(relations, ~inside, backwards=True)
    # a world sees itself, so that the fixpoint X = φ & E_G X is the answer
    packed = all(r.packs for r in equivalences)
    words = pack(inside) if packed else inside
    for _ in range(_ROUNDS):
        before = words
        for r in equivalences:
            words = r.packed_box(words) if packed else r.box(words)  # type: ignore[arg-type]
        if np.array_equal(words, before):
            return unpack(words, len(inside)) if packed else words  # type: ignore[arg-type,return-value]
    return join(equivalences).box(inside)


def join(relations: Sequence[Partition]) -> Partition:
    """Return the transitive closure of the union of equivalences: its connected components."""
    return reduce(_join, relations)


def _join(first: Partition, second: Partition) -> Partition:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    # the cells of both are the nodes; a world connects its cell in the one to its cell in the other
    key = first.labels.astype(np.int64) * second.cells + second.labels
    left, right = np.divmod(distinct(key, first.cells * second.cells), max(second.cells, 1))
    size = first.cells + second.cells
    graph = coo_array((np.ones(len(left), bool), (left, first.cells + right)), shape=(size, size))
    count, component = connected_components(graph, directed=False)
    return Partition(component.astype(np.int32).take(first.labels), count)


def reachable(relations: Sequence[Relation], start: Mask, *, backwards: bool = False) -> Mask:
    """Return the worlds that one or more steps lead to from `start` (or, backwards, lead from)."""
    equivalences = [r for r in relations if isinstance(r, Partition)]
    if equivalences and len(equivalences) == len(relations):
        return ~join(equivalences).box(~start)
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    size = len(start)
    # nodes: the worlds; for each relation its cells as left and its cells as entered; one source
    tails: list[npt.NDArray[np.integer]] = []
    heads: list[npt.NDArray[np.integer]] = []
    node = size
    worlds = np.arange(size)
    seeds: list[npt.NDArray[np.integer]] = []
    for relation in relations:
        leave, enter = node, node + relation.cells
        sources, targets = relation.sources, relation.targets
        if backwards:
            sources, targets = targets, sources
        tails += [worlds, leave + sources, enter + relation.labels]
        heads += [leave + relation.labels, enter + targets, worlds]
        seeds.append(leave + distinct(relation.labels[start], relation.cells))
        node += 2 * relation.cells
    seed = np.concatenate([*seeds, np.zeros(0, np.int64)])
    tails.append(np.full(len(seed), node))
    heads.append(seed)
    tail, head = np.concatenate(tails), np.concatenate(heads)
    graph = csr_array((np.ones(len(tail), np.int8), (tail, head)), shape=(node + 1, node + 1))
    found = breadth_first_order(graph, node, directed=True, return_predecessors=False)
    out = np.zeros(size, bool)
    out[found[found < size]] = True
    return out
