"""Contradictions found by counting, as in the pigeonhole principle.

A solver that learns clauses needs exponentially many of them to see that n + 1 pigeons do not fit into n
holes (Haken 1985). Counting sees it: clauses without a common literal each need a true literal, and of
literals that exclude each other at most one is true. If the clauses cannot be matched with distinct sets of
such literals, they cannot all be true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from kripke_werewolf.deciding.closure import Closure

_LEAST = 4  # clauses; fewer are left to the solver


def overfull(closure: Closure, literals: Iterable[int]) -> bool:
    """Return whether counting shows that literals cannot be true together."""
    clauses = _clauses(closure, literals)
    excluding: dict[int, set[int]] = {}
    for clause in clauses:
        if len(clause) == 2:
            # if both are conjunctions, each part of one excludes each part of the other
            sides = [[-part for part in _opened(closure, [literal])] for literal in clause]
            for one, other in product(*sides):
                excluding.setdefault(one, set()).add(other)
                excluding.setdefault(other, set()).add(one)
    # the longest clauses are the pigeons where these are few; where every hole is filled, the shortest
    for longest_first in (True, False):
        pigeons, taken = list[Sequence[int]](), set[int]()
        for clause in sorted(clauses, key=len, reverse=longest_first):
            if taken.isdisjoint(clause) and all(literal in excluding for literal in clause):
                pigeons.append(clause)
                taken.update(clause)
        if len(pigeons) >= _LEAST and not _fit(pigeons, _holes(pigeons, excluding)):
            return True
    return False


def _clauses(closure: Closure, literals: Iterable[int]) -> list[tuple[int, ...]]:
    """Return the clauses that follow from literals by expanding conjunctions and, if reflexive, boxes."""
    required = _opened(closure, literals, boxes=closure.reflexive)
    denied = [closure.conjunctions[-n] for n in required if n < 0 and -n in closure.conjunctions]
    clauses = [tuple([-part for part in _opened(closure, parts)]) for parts in denied]
    return [clause for clause in clauses if required.keys().isdisjoint(clause)]


def _opened(closure: Closure, literals: Iterable[int], *, boxes: int = 0) -> dict[int, None]:
    """Return the literals whose conjunction says the same: conjunctions and the given boxes are opened."""
    found, pending = dict[int, None](), list(literals)
    while pending:
        literal = pending.pop()
        if literal in closure.conjunctions:
            pending += closure.conjunctions[literal]
        elif literal not in found:
            found[literal] = None
            if literal > 0 and boxes >> literal & 1:
                pending.append(closure.boxes[literal].target)
    return found


def _holes(clauses: Iterable[Sequence[int]], excluding: dict[int, set[int]]) -> dict[int, int]:
    """Return the number of a set for each literal, such that the literals of a set exclude each other.

    Literals of one clause are in different sets: one of them is enough to make the clause true.
    """
    home = {literal: number for number, clause in enumerate(clauses) for literal in clause}
    found: dict[int, int] = {}
    for number, first in enumerate(sorted(home)):
        if first in found:
            continue
        found[first] = number
        possible, homes = excluding[first] & home.keys() - found.keys(), {home[first]}
        for other in sorted(possible):
            if other in possible and home[other] not in homes:
                found[other] = number
                homes.add(home[other])
                possible &= excluding[other] | {other}
    return found


def _fit(pigeons: Sequence[Sequence[int]], holes: dict[int, int]) -> bool:
    """Return whether the clauses can be matched with distinct sets of literals."""
    resident: dict[int, int] = {}  # the clause in each set

    def settles(pigeon: int, seen: set[int]) -> bool:
        for hole in {holes[literal] for literal in pigeons[pigeon]} - seen:
            seen.add(hole)
            if hole not in resident or settles(resident[hole], seen):
                resident[hole] = pigeon
                return True
        return False

    return all(settles(pigeon, set()) for pigeon in range(len(pigeons)))
