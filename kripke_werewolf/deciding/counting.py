"""Contradictions found by counting, as in the pigeonhole principle.

A solver that learns clauses needs exponentially many of them to see that n + 1 pigeons do not fit into n
holes (Haken 1985). Counting sees it: clauses without a common literal each need a true literal, and of
literals that exclude each other at most one is true. If the clauses cannot be matched with distinct sets of
such literals, they cannot all be true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kripke_werewolf.deciding.closure import Closure

_LEAST = 4  # clauses; fewer are left to the solver


def overfull(closure: Closure, literals: Iterable[int]) -> bool:
    """Return whether counting shows that literals cannot be true together."""
    clauses = _clauses(closure, literals)
    excluding: dict[int, set[int]] = {}
    for clause in clauses:
        if len(clause) == 2:
            for one, other in (clause, clause[::-1]):
                excluding.setdefault(-one, set()).add(-other)
    pigeons, taken = list[Sequence[int]](), set[int]()
    for clause in sorted(clauses, key=len, reverse=True):
        if taken.isdisjoint(clause) and all(literal in excluding for literal in clause):
            pigeons.append(clause)
            taken.update(clause)
    return len(pigeons) >= _LEAST and not _fit(pigeons, _holes(taken, excluding))


def _clauses(closure: Closure, literals: Iterable[int]) -> list[tuple[int, ...]]:
    """Return the clauses that follow from literals by expanding conjunctions and, if reflexive, boxes."""
    required, pending, clauses = set[int](), list(literals), []
    while pending:
        literal = pending.pop()
        if literal in required:
            continue
        required.add(literal)
        parts = closure.conjunctions.get(abs(literal))
        if parts is not None and literal < 0:
            clauses.append(tuple(-part for part in parts))
        elif parts is not None:
            pending += parts
        elif literal > 0 and literal in closure.boxes and closure.logic.reflexive:
            pending.append(closure.boxes[literal].target)
    return [clause for clause in clauses if required.isdisjoint(clause)]


def _holes(literals: Iterable[int], excluding: dict[int, set[int]]) -> dict[int, int]:
    """Return the number of a set for each literal, such that the literals of a set exclude each other."""
    found: dict[int, int] = {}
    for number, first in enumerate(sorted(literals)):
        if first in found:
            continue
        found[first] = number
        possible = {other for other in excluding[first] if other not in found}
        for other in sorted(possible):
            if other in possible:
                found[other] = number
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
