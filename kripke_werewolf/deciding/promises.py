"""Keeping the promises of common knowledge: paths among the types.

A type where C_G φ is false promises a path of the group to a type where φ is false. For every number
of steps, clauses describe, too generously, the types that keep the promise in so many: each clause
says of types with certain boxes that all their successors are outside the goal and outside what the
clauses say about one step fewer. Where the clauses for n and for n + 1 steps agree they hold for any
number, and types outside them break their promise (property-directed reachability, Bradley 2011).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from kripke_werewolf.deciding.closure import Eventuality, Type
from kripke_werewolf.deciding.typeclauses import TypeClauses

__all__ = ["Promises"]


class Promises:
    """What is known about the paths that keep one promise."""

    def __init__(self, clauses: TypeClauses, promise: Eventuality) -> None:
        self.promise = promise
        self._clauses = clauses
        # for n steps, at index n: a variable that switches the clauses on, and the clauses that are
        # not known for n + 1 steps; those for more steps hold too
        self._switches: list[int] = []
        self._frames: list[list[list[int]]] = []
        self._frame(1)

    def _frame(self, steps: int) -> list[list[int]]:
        while len(self._frames) <= steps:
            switch = self._clauses.solver.new_variable()
            if self._switches:
                self._clauses.solver.add((-self._switches[-1], switch))
            self._switches.append(switch)
            self._frames.append([])
        return self._frames[steps]

    def path_from(self, start: Type) -> tuple[list[Type] | None, list[list[int]]]:
        """Return the steps of a shortest path; or None, and clauses that remove its start for good."""
        for steps in count(1):
            self._frame(steps + 1)
            path = self._path(start, steps)
            if path is not None:
                return path, []
            settled = self._settled(steps)
            if settled:
                return None, [[self.promise.known, *clause] for clause in settled]
        raise AssertionError  # there are finitely many types, so some two frames agree

    def _path(self, start: Type, steps: int) -> list[Type] | None:
        path = [start]
        while path:
            left = steps - len(path) + 1
            found, last, blame = self._nearer(path[-1], left)
            if found is None:
                self._say(left, blame)
                path.pop()
            else:
                path.append(found)
                if last:
                    return path[1:]
        return None

    def _say(self, steps: int, clause: list[int]) -> None:
        self._clauses.solver.add((-self._switches[steps], *clause))
        self._frames[steps].append(clause)

    def _nearer(self, source: Type | Sequence[int], left: int) -> tuple[Type | None, bool, list[int]]:
        """Return a successor at the goal (and True) or perhaps one step nearer; or why there is none."""
        promise, blame = self.promise, dict[int, None]()
        goals = [[promise.within, -promise.body]]
        if left > 1:
            goals.append([promise.within, self._switches[left - 1]])
        for number, goal in enumerate(goals):
            for agent in promise.group:
                found, reasons = self._clauses.successor((agent,), source, goal)
                if found is not None:
                    return found, number == 0, []
                blame.update(dict.fromkeys(reasons))
        return None, False, list(blame)

    def _settled(self, most: int) -> list[list[int]]:
        """Move clauses to more steps where they hold too; return those that hold for any number."""
        for steps in range(1, most + 1):
            for clause in list(self._frames[steps]):
                found, _, _ = self._nearer([-literal for literal in clause], steps + 1)
                if found is None:
                    self._frames[steps].remove(clause)
                    self._say(steps + 1, clause)
            if not self._frames[steps]:
                return [clause for frame in self._frames[steps + 1 :] for clause in frame]
        return []
