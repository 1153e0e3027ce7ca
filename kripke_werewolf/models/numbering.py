"""Numbering keys, pairs and sets of integers: the array work behind cells and blocks."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Indices", "Longs", "dense", "distinct", "ranges", "row_numbers", "stable_order", "starts"]

Indices: TypeAlias = npt.NDArray[np.int32]
Longs: TypeAlias = npt.NDArray[np.int64]


def _tabled(keys: npt.NDArray[np.integer], bound: int) -> bool:
    # a table of all possible keys is faster than sorting unless it is much longer than the keys
    return bound <= max(16 * len(keys), 1024)


def dense(keys: npt.NDArray[np.integer], bound: int) -> tuple[Indices, Longs]:
    """Renumber keys in 0..bound-1 as 0..k-1, in order; return the new labels and the keys found.

    >>> [part.tolist() for part in dense(np.array([7, 3, 7]), 10)]
    [[1, 0, 1], [3, 7]]
    """
    if _tabled(keys, bound):
        found = distinct(keys, bound)
        number = np.zeros(bound, np.int32)
        number[found] = np.arange(len(found), dtype=np.int32)
        return number.take(keys), found
    order = stable_order(keys, bound)
    ascending = keys[order]
    first = starts(ascending)
    labels = np.empty(len(keys), np.int32)
    count = np.diff(np.append(first, len(keys)))
    labels[order] = np.repeat(np.arange(len(first), dtype=np.int32), count)
    return labels, ascending[first].astype(np.int64)


def distinct(keys: npt.NDArray[np.integer], bound: int) -> Longs:
    """Return the different keys among those in 0..bound-1, ascending."""
    if _tabled(keys, bound):
        used = np.zeros(bound, bool)
        used[keys] = True
        return np.flatnonzero(used)
    # a stable sort finds the ascending stretches that keys made cell by cell consist of
    ascending = np.sort(keys, kind="stable")
    found: Longs = ascending[starts(ascending)].astype(np.int64)
    return found


def stable_order(keys: npt.NDArray[np.integer], bound: int) -> Longs:
    """Return the indices that sort keys in 0..bound-1, equal keys in their order.

    numpy's stable sort of 16-bit integers is a radix sort; a few of them, low digits first, take a
    fraction of the time of its sort of longer integers.
    """
    order: Longs = np.argsort(keys.astype(np.uint16), kind="stable")
    for shift in range(16, max(bound - 1, 0).bit_length(), 16):
        digit = (keys >> keys.dtype.type(shift)).astype(np.uint16)[order]
        order = order[np.argsort(digit, kind="stable")]
    return order


def starts(ascending: npt.NDArray[np.generic]) -> Longs:
    """Return where each value begins in an ascending array.

    >>> starts(np.array([2, 2, 5, 7, 7])).tolist()
    [0, 2, 3]
    """
    first = np.ones(len(ascending), bool)
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    return np.flatnonzero(first)


def ranges(begin: npt.NDArray[np.integer], count: npt.NDArray[np.integer]) -> Longs:
    """Return the numbers begin[i], …, begin[i] + count[i] - 1 for every i, one after the other.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    offset: Longs = np.repeat(begin - ends + count, count)
    return np.arange(total) + offset


def row_numbers(row: npt.NDArray[np.integer], value: npt.NDArray[np.integer], rows: int) -> Indices:
    """Number the rows of a ragged table so that rows with the same entries get the same number.

    The table is given by its pairs (row, value), ascending and each once; rows without any pair
    are rows too. Neighbouring entries are merged two by two, so that a row of n entries is decided
    exactly in log2(n) rounds of sorting.

    >>> row_numbers(np.array([0, 0, 2, 2, 3]), np.array([4, 9, 4, 9, 4]), 5).tolist()
    [2, 0, 2, 1, 0]
    """
    out = np.zeros(rows, np.int64)
    used = 1
    entry = dense(value, int(value.max(initial=0)) + 1)[0].astype(np.int64)
    bound = int(entry.max(initial=0)) + 1
    while len(row):
        length = np.bincount(row, minlength=rows)
        position = np.arange(len(row)) - (np.cumsum(length) - length)[row]
        alone = length[row] == 1
        out[row[alone]] = used + entry[alone]
        used += bound
        row, entry, position = row[~alone], entry[~alone], position[~alone]
        even = np.flatnonzero(position % 2 == 0)
        following = np.append(entry, 0)[even + 1] + 1
        following[position[even] + 1 == length[row[even]]] = 0  # the last of an odd number
        labels, found = dense(entry[even] * (bound + 1) + following, bound * (bound + 1))
        row, entry, bound = row[even], labels.astype(np.int64), len(found)
    return dense(out, used)[0]
