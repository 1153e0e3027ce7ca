"""How the benchmarks measure: the CPU time of one call, or of several."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

__all__ = ["best", "repeated", "timed"]

T = TypeVar("T")


def timed(function: Callable[[], T]) -> tuple[float, T]:
    """Return the CPU time of a call in seconds, and its result."""
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


def repeated(function: Callable[[], T], runs: int) -> tuple[list[float], T]:
    """Return the CPU time of each of some calls, and the last result."""
    times = []
    for _ in range(runs):
        seconds, result = timed(function)
        times.append(seconds)
    return times, result


def best(function: Callable[[], object], *, budget: float = 0.5) -> float:
    """Return the least CPU time of calls that take about `budget` seconds together, three at least."""
    found: list[float] = []
    while len(found) < 3 or (sum(found) < budget and len(found) < 200):
        found.append(timed(function)[0])
    return min(found)
