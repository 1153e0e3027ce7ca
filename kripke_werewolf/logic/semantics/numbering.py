"""Numbering keys, pairs and sets of integers: array routines for cells and blocks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Indices: TypeAlias = npt.NDArray[np.int32]
Longs: TypeAlias = npt.NDArray[np.int64]
Ints: TypeAlias = npt.NDArray[np.integer]
"""Integers of any size."""


def _tabled(keys: Ints, bound: int) -> bool:
    # a table of all possible keys is faster than sorting unless it is much longer than the keys
    return bound <= max(16 * len(keys), 1024)


def dense(keys: Ints, bound: int) -> tuple[Indices, Longs]:
    """Renumber keys in 0..bound-1 as 0..k-1, in order; return the new labels and the keys found.

    >>> [part.tolist() for part in dense(np.array([7, 3, 7]), 10)]
    [[1, 0, 1], [3, 7]]
    """
    if _tabled(keys, bound):
        found = distinct(keys, bound)
        number = np.zeros(bound, np.int32)
        number[found] = np.arange(len(found), dtype=np.int32)
        return number.take(keys), found
    ascending, order = _sorted(keys, bound)
    first = starts(ascending)
    labels = np.empty(len(keys), np.int32)
    count = np.diff(np.append(first, len(keys)))
    labels[order] = np.repeat(np.arange(len(first), dtype=np.int32), count)
    return labels, ascending[first].astype(np.int64)


def key_counts(keys: Ints, bound: int, *, weights: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
    """Return how often each of 0..bound-1 occurs among the keys, or the sums of their weights.

    On 32-bit Python the keys must be narrowed to the width of a pointer first.
    """
    return np.bincount(keys.astype(np.intp, copy=False), weights, minlength=bound)


def rows_numbered(
    columns: Iterable[tuple[Ints | npt.NDArray[np.bool_], int]], rows: int
) -> tuple[Indices, int]:
    """Number the rows of a table so that equal rows have the same number; return also how many there are.

    Each column comes with a bound on its entries, which are not negative.
    """
    keys, bound = np.zeros(rows, np.int64), 1
    for column, values in columns:
        if bound * values >= 2**62 >> rows.bit_length():  # short keys sort faster
            labels, found = dense(keys, bound)
            if len(found) == rows:
                return labels, rows  # all rows differ already
            keys, bound = labels.astype(np.int64), len(found)
        keys = keys * values + column
        bound *= max(values, 1)
    labels, found = dense(keys, bound)
    return labels, len(found)


def firsts(labels: Ints, count: int) -> Longs:
    """Return for each label 0..count-1 its first position."""
    found: Longs = np.empty(count, np.int64)
    found[labels[::-1]] = np.arange(len(labels))[::-1]  # the last one written is the first place
    return found


def distinct(keys: Ints, bound: int) -> Longs:
    """Return the distinct keys, all in 0..bound-1, ascending."""
    if _tabled(keys, bound):
        used = np.zeros(bound, bool)
        used[keys] = True
        return np.flatnonzero(used)
    # short keys sort faster
    ascending = np.sort(keys.astype(np.int32, copy=False) if bound <= 2**31 else keys)
    return ascending[starts(ascending)].astype(np.int64)


def located(keys: Ints, among: Longs) -> tuple[Longs, npt.NDArray[np.bool_]]:
    """Return the place of each key among ascending ones, and whether it is there."""
    if not len(among):
        return np.zeros(len(keys), np.int64), np.zeros(len(keys), bool)
    place = np.minimum(np.searchsorted(among, keys), len(among) - 1)
    return place, among[place] == keys


def stable_order(keys: Ints, bound: int) -> Longs:
    """Return the indices that sort keys in 0..bound-1 stably."""
    return _sorted(keys, bound)[1]


def _sorted(keys: Ints, bound: int) -> tuple[Ints, Longs]:
    """Return the sorted keys, and the indices that sort them stably.

    numpy sorts numbers in a fraction of the time of an argsort, so each key gets its index as its last digits
    where there is room.
    """
    digits = len(keys).bit_length()
    if bound.bit_length() + digits >= 64:
        order: Longs = np.argsort(keys, kind="stable" if bound < 2**64 else None)  # of hashes any order
        return keys[order], order
    kind = np.int32 if bound.bit_length() + digits < 32 else np.int64
    packed: Ints = keys.astype(kind)
    packed <<= digits
    packed |= np.arange(len(keys)).astype(kind)
    packed.sort()
    return packed >> digits, packed & ((1 << digits) - 1)


def starts(ascending: npt.NDArray[np.generic]) -> Longs:
    """Return where each value begins in an ascending array.

    >>> starts(np.array([2, 2, 5, 7, 7])).tolist()
    [0, 2, 3]
    """
    first = np.ones(len(ascending), bool)
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    return np.flatnonzero(first)


def ranges(begin: Ints, count: Ints) -> Longs:
    """Return the numbers begin[i], …, begin[i] + count[i] - 1 for every i, one after the other.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    offset: Longs = np.repeat(begin - ends + count, count)
    return np.arange(total) + offset


def row_numbers(row: Ints, value: Ints, rows: int) -> Indices:
    """Number the rows of a ragged table so that rows with the same entries get the same number.

    The table is given by its distinct pairs (row, value), ascending; rows without a pair are empty. Sums of
    random numbers tell rows apart; then each row is compared with one that has the same sum.

    >>> number = row_numbers(np.array([0, 0, 2, 2, 3]), np.array([4, 9, 4, 9, 4]), 5).tolist()
    >>> number[0] == number[2], number[1] == number[4], len(set(number))
    (True, True, 3)
    """
    length, first, bits = key_counts(row, rows), starts(row), 62 - rows.bit_length()
    begin = np.cumsum(length) - length
    for seed in count():
        random = np.random.default_rng(seed).integers(1 << bits, size=int(value.max(initial=0)) + 1)
        sums = np.zeros(rows, np.int64)
        if len(row):
            sums[row[first]] = np.add.reduceat(random[value], first)
        number, found = dense(sums & (1 << bits) - 1, 1 << bits)
        like = firsts(number, len(found))[number]
        if np.array_equal(length[like], length) and np.array_equal(value[ranges(begin[like], length)], value):
            break
    return number
