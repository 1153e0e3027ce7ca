"""Grouping things by a key, keeping what was found under one, and all that can be reached step by step."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
T = TypeVar("T")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values with each key, in order.

    >>> grouped((len(word), word) for word in ("to", "be", "not"))
    {2: ['to', 'be'], 3: ['not']}
    """
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def numbered(values: Iterable[Hashable]) -> list[int]:
    """Return a number for each value, in the order in which they first occur.

    >>> numbered("abca")
    [0, 1, 2, 0]
    """
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(value, len(numbers)) for value in values]


def remembered(kept: dict[Any, Any], key: Hashable, find: Callable[[], T]) -> T:
    """Return the value kept under a key, which is found only once."""
    if key not in kept:
        kept[key] = find()
    found: T = kept[key]
    return found


def all_after(start: Iterable[K], after: Callable[[K], Iterable[K]]) -> dict[K, None]:
    """Return some things and all that is reached from them by any number of steps.

    >>> list(all_after([2], lambda n: [n * n] if n < 100 else []))
    [2, 4, 16, 256]
    """
    found = dict.fromkeys(start)
    pending = list(found)
    while pending:
        new = dict.fromkeys([thing for thing in after(pending.pop()) if thing not in found])
        found |= new
        pending += new
    return found
