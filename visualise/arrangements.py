"""Arrangements of worlds by the structure of a model: line, cube, ring, grid, force.

Each returns positions of shape (n, 2) in units of its own, or None where it does not fit. All are
deterministic; worlds never share a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import ceil, cos, pi, sin, sqrt

import numpy as np
import numpy.typing as npt

from visualise.geometry import Positions
from visualise.structure import Structure, Ties

__all__ = ["cube", "force", "grid", "hexagon", "line", "ring", "rows"]

_MOST_BITS = 4  # a hypercube of more dimensions is no help to the eye
_EXACT_RING = 8  # rings up to this size get the best order, larger ones a good one


def line(s: Structure) -> Positions | None:
    """Worlds in a chain: each related to at most two others, and no circle."""
    near = s.neighbours()
    degree = near.sum(axis=1)
    if s.size > 1 and (degree.max() > 2 or int(degree.sum()) != 2 * (s.size - 1) or len(s.components()) > 1):
        return None
    here = int(np.argmax(degree <= 1))
    order = [here]
    while len(order) < s.size:
        here = next(int(j) for j in np.flatnonzero(near[here]) if j not in order[-2:])
        order.append(here)
    across = s.size if s.size <= 9 else ceil(sqrt(2.5 * s.size))
    out = np.zeros((s.size, 2))
    for place, world in enumerate(order):
        row, column = divmod(place, across)  # to and fro, like a snake
        out[world] = (column if row % 2 == 0 else across - 1 - column), -row
    return out


def cube(s: Structure) -> Positions | None:
    """Worlds at the corners of a hypercube, where agents confuse worlds that differ in one atom."""
    columns = _distinct_columns(s.bits)
    count = columns.shape[1]
    if not 2 <= count <= _MOST_BITS or 2 * s.size < 2**count or len(np.unique(columns, axis=0)) < s.size:
        return None
    distance = (columns[:, None, :] != columns[None, :, :]).sum(axis=2)
    for ties in s.ties:
        for cell in ties.classes or ():
            if not _connected(distance[np.ix_(cell, cell)] == 1):
                return None
        if any(distance[i, j] > 1 for i, j in ties.pairs):
            return None
    axes = {
        2: [(1.0, 0.0), (0.0, 1.0)],
        3: [(1.0, 0.0), (0.0, 1.0), (0.46, 0.36)],
        # the projection in which the outline is a regular octagon
        4: [(cos(pi / 8 + k * pi / 4), sin(pi / 8 + k * pi / 4)) for k in range(4)],
    }[count]
    corners: Positions = columns @ np.array(axes)
    return corners


def _distinct_columns(bits: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return the atoms that vary, each way of varying once, up to negation."""
    seen: dict[bytes, npt.NDArray[np.bool_]] = {}
    for column in bits.T:
        if column.any() and not column.all():
            seen.setdefault((column ^ column[0]).tobytes(), column)
    return np.array(list(seen.values()), np.int64).T if seen else np.zeros((len(bits), 0), np.int64)


def _connected(near: npt.NDArray[np.bool_]) -> bool:
    reached = np.zeros(len(near), bool)
    reached[0] = True
    for _ in range(len(near)):
        reached |= near[reached].any(axis=0)
    return bool(reached.all())


def ring(s: Structure) -> Positions:
    """Worlds on a circle, related ones close to each other; six of them as a hexagon."""
    n = s.size
    if n == 1:
        return np.zeros((1, 2))
    weight = _closeness(s)
    order = _best_ring(weight) if n <= _EXACT_RING else _good_ring(weight)
    start = pi / 2 + (pi / n if n % 2 == 0 and n > 2 else pi / 2 if n == 2 else 0)
    out = np.zeros((n, 2))
    for place, world in enumerate(order):
        angle = start - 2 * pi * place / n
        out[world] = cos(angle), sin(angle)
    return out * max(1.0, n / 6)


def hexagon(s: Structure) -> Positions | None:
    """Six worlds of which each agent confuses three pairs, as in the deal of three cards to three players."""
    if s.size != 6 or len(s.components()) > 1:
        return None
    pairs = [ties for ties in s.ties if ties.classes is not None and {len(c) for c in ties.classes} == {2}]
    return ring(s) if len(pairs) == len(s.ties) else None


def _closeness(s: Structure) -> npt.NDArray[np.float64]:
    """How much each pair wants to be close: the number of agents that relate it, less in large classes."""
    out = np.zeros((s.size, s.size))
    for ties in s.ties:
        for cell in ties.classes or ():
            if len(cell) > 1:
                out[np.ix_(cell, cell)] += 1 / (len(cell) - 1)
        for i, j in ties.pairs:
            out[i, j] += 0.5
            out[j, i] += 0.5
    np.fill_diagonal(out, 0)
    return out


def _ring_length(order: Sequence[int], weight: npt.NDArray[np.float64]) -> float:
    n = len(order)
    place = np.empty(n)
    place[list(order)] = np.arange(n)
    apart = np.abs(place[:, None] - place[None, :])
    return float((weight * np.sin(pi * apart / n)).sum())


def _best_ring(weight: npt.NDArray[np.float64]) -> list[int]:
    n = len(weight)
    orders = np.array([(0, *rest) for rest in permutations(range(1, n)) if n < 3 or rest[0] < rest[-1]])
    chord = np.sin(pi * np.abs(np.subtract.outer(np.arange(n), np.arange(n))) / n)
    cost = (weight[orders[:, :, None], orders[:, None, :]] * chord).sum(axis=(1, 2))
    found: list[int] = orders[int(np.argmin(np.round(cost, 9)))].tolist()
    return found


def _good_ring(weight: npt.NDArray[np.float64]) -> list[int]:
    """Insert the worlds one by one where they fit best, then reverse stretches while that helps."""
    n = len(weight)
    order = [0]
    left = set(range(1, n))
    while left:
        world = min(left, key=lambda w: (-weight[w, order].sum(), w))
        left.remove(world)
        places = [[*order[:k], world, *order[k:]] for k in range(len(order))]
        order = min(places, key=lambda o: round(_partial_length(o, weight), 9))
    best = _ring_length(order, weight)
    for _ in range(4):
        before = best
        for i in range(n - 1):
            for j in range(i + 2, n + 1):
                new = order[:i] + order[i:j][::-1] + order[j:]
                length = _ring_length(new, weight)
                if length < best - 1e-9:
                    order, best = new, length
        if best == before:
            break
    return order


def _partial_length(order: Sequence[int], weight: npt.NDArray[np.float64]) -> float:
    part = weight[np.ix_(order, order)]
    return _ring_length(range(len(order)), part)


def grid(s: Structure, rows_by: Ties, columns_by: Ties) -> Positions | None:
    """Rows and columns by the classes of two agents; worlds in both the same stand side by side."""
    if rows_by.classes is None or columns_by.classes is None:
        return None
    row, column = _numbered(rows_by, s.size), _numbered(columns_by, s.size)
    row, column = _ordered(row, column)
    cells: dict[tuple[int, int], list[int]] = {}
    for world in range(s.size):
        cells.setdefault((int(row[world]), int(column[world])), []).append(world)
    widest = np.ones(int(column.max()) + 1)
    for (_, c), members in cells.items():
        widest[c] = max(widest[c], len(members))
    left = np.concatenate([[0.0], np.cumsum(widest)])
    out = np.zeros((s.size, 2))
    for (r, c), members in cells.items():
        for k, world in enumerate(members):
            out[world] = left[c] + (widest[c] - len(members)) / 2 + k, -r
    return out


def _numbered(ties: Ties, size: int) -> npt.NDArray[np.int64]:
    labels = ties.labels
    return np.array([labels[w] for w in range(size)])


def _ordered(
    row: npt.NDArray[np.int64], column: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Renumber rows and columns so that what is related lies close: a few rounds of barycentres."""
    for _ in range(6):
        before = row, column
        row = _by_mean(row, column)
        column = _by_mean(column, row)
        if np.array_equal(row, before[0]) and np.array_equal(column, before[1]):
            break
    return row, column


def _by_mean(label: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    count = np.bincount(label)
    mean = np.bincount(label, weights=other) / np.maximum(count, 1)
    order = np.argsort(np.round(mean, 9), kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[label]


def rows(s: Structure) -> Positions:
    """Worlds in reading order, in a block a little wider than high."""
    across = max(1, ceil(sqrt(1.6 * s.size)))
    place = np.arange(s.size)
    return np.stack([place % across, -(place // across)], axis=1).astype(float)


def force(s: Structure, seed: int) -> Positions:
    """Worlds at distances that follow the number of steps between them (stress majorisation).

    Gansner, Koren and North 2005. Starts from the eigenvectors of the distances, shaken a little by
    a generator with the given seed.
    """
    n = s.size
    if n == 1:
        return np.zeros((1, 2))
    steps = _distances(s)
    centred = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(-0.5 * centred @ (steps**2) @ centred)
    place = vectors[:, -2:][:, ::-1] * np.sqrt(np.maximum(values[-2:][::-1], 1e-3))
    place *= np.where(place[np.argmax(np.abs(place) > 1e-6, axis=0), [0, 1]] > 0, -1, 1)
    place += np.random.default_rng(seed).normal(scale=0.05, size=place.shape)
    weight = 1 / np.maximum(steps, 1) ** 2
    np.fill_diagonal(weight, 0)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    inverse = np.linalg.pinv(laplacian)
    for _ in range(200):
        apart = np.linalg.norm(place[:, None] - place[None, :], axis=2)
        pull = -weight * steps / np.maximum(apart, 1e-9)
        np.fill_diagonal(pull, 0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        place = inverse @ (pull @ place)
    return _turned(place)


def _distances(s: Structure) -> npt.NDArray[np.float64]:
    n = s.size
    steps = np.where(s.neighbours(), 1.0, np.inf)
    np.fill_diagonal(steps, 0)
    for k in range(n):
        steps = np.minimum(steps, steps[:, k, None] + steps[None, k, :])
    return np.where(np.isfinite(steps), steps, n)


def _turned(place: Positions) -> Positions:
    """Turn the longer axis level, and the first world to the upper left."""
    place = place - place.mean(axis=0)
    _, _, axes = np.linalg.svd(place, full_matrices=False)
    place = place @ axes.T
    signs = np.where(place[0] * [1, -1] > 1e-9, -1, 1)
    return place * signs
