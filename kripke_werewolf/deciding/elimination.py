"""Which types are satisfiable: elimination, driven by the witnesses that are asked for.

In principle, start with all types that respect the logic; remove those with a false box that no
remaining type witnesses, with a promise of common knowledge that no path keeps, or (in serial
logics) without a successor; what remains are exactly the satisfiable types (Pratt 1980; Fagin,
Halpern, Moses, Vardi 1995, chapter 3). Here types are visited only as they are needed, from one of
the formula on, and the types not removed are the solutions of clauses. A witness is asked of the SAT
solver; where there is none, the boxes to blame make a clause, valid in the logic, that removes the
type and all others with the same fault.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from kripke_werewolf.deciding.closure import Closure, Eventuality, Type, steps_needed
from kripke_werewolf.deciding.promises import Promises
from kripke_werewolf.deciding.sat import Steps
from kripke_werewolf.deciding.typeclauses import TypeClauses

__all__ = ["satisfiable_types"]


class _Demand(NamedTuple):
    """A successor that a type needs: one where the target of a false box is false, or any (None)."""

    group: tuple[str, ...]
    box: int | None


_Reason: TypeAlias = _Demand | Eventuality


def satisfiable_types(closure: Closure, steps: Steps) -> tuple[Type, ...] | None:
    """Return types, the formula true in the first, that have all their witnesses among them.

    Returns None if the formula is unsatisfiable. Raises `Undecided` when the steps are used up.
    """
    return _Elimination(closure, steps).run()


class _Elimination:
    def __init__(self, closure: Closure, steps: Steps) -> None:
        self.closure = closure
        self.steps = steps
        self.clauses = TypeClauses(closure, steps)
        self.promises = [Promises(self.clauses, e) for e in closure.eventualities]
        # the types visited and not removed: the witnesses each relies on, and who relies on it
        self.witnesses: dict[Type, dict[_Reason, Type]] = {}
        self.relying: dict[Type, set[Type]] = {}
        self.open: list[tuple[Type, _Demand]] = []

    def run(self) -> tuple[Type, ...] | None:
        root: Type | None = None
        while True:
            if root is None or root not in self.witnesses:
                root = self.clauses.solution([self.closure.root])
                if root is None:
                    return None
                self._visit(root)
            if self.open:
                asking, demand = self.open.pop()
                # what nothing relies on any more need not be served
                if asking in self.witnesses and (asking == root or self.relying[asking]):
                    self._serve(asking, demand)
                elif asking in self.witnesses:
                    self._remove(asking)
                continue
            types = self._relied_on(root)
            broken = self._broken_promise(types)
            if broken is None:
                return types
            self._keep(*broken)

    # --- which types there are -------------------------------------------------------------------

    def _visit(self, new: Type) -> None:
        if new in self.witnesses:
            return
        self.witnesses[new] = {}
        self.relying[new] = set()
        for k, variable in enumerate(self.closure.variables):
            if variable.name is None and not new.values >> k & 1:
                self.open.append((new, _Demand(variable.group, k)))
        if self.closure.logic.serial and not self.closure.logic.reflexive:
            self.open.extend((new, _Demand((agent,), None)) for agent in self.closure.agents)

    def _rely(self, asking: Type, reason: _Reason, witness: Type) -> None:
        self._visit(witness)
        self.witnesses[asking][reason] = witness
        self.relying[witness].add(asking)

    def _remove(self, old: Type) -> None:
        for witness in self.witnesses.pop(old).values():
            if witness in self.relying:
                self.relying[witness].discard(old)
        for asking in self.relying.pop(old):
            if asking in self.witnesses:
                lost = [r for r, w in self.witnesses[asking].items() if w == old]
                for reason in lost:
                    del self.witnesses[asking][reason]
                    if isinstance(reason, _Demand):
                        self.open.append((asking, reason))

    def _learn(self, clauses: Iterable[list[int]]) -> None:
        """Add clauses that are valid in the logic, and remove the types that violate one."""
        for clause in clauses:
            for old in self.clauses.learn(clause, self.witnesses):
                self._remove(old)

    # --- witnesses of boxes ----------------------------------------------------------------------

    def _serve(self, asking: Type, demand: _Demand) -> None:
        """Find a witness, or remove the type."""
        group, box = demand
        if demand in self.witnesses[asking]:
            return
        self.steps.take(2 * len(self.witnesses))
        for known in self.witnesses:
            if not (box is not None and known.targets >> box & 1) and self.closure.related(
                group, asking, known
            ):
                self._rely(asking, demand, known)
                return
        goal = [] if box is None else [-self.closure.variables[box].target]
        found, blame = self.clauses.successor(group, asking, goal)
        if found is not None:
            self._rely(asking, demand, found)
        else:
            self._learn([[*blame, *([] if box is None else [self.clauses.node_of[box]])]])

    # --- promises of common knowledge ------------------------------------------------------------

    def _relied_on(self, root: Type) -> tuple[Type, ...]:
        """Return the types that the root relies on, directly or not, itself first."""
        found = {root: None}
        stack = [root]
        while stack:
            new = [w for w in self.witnesses[stack.pop()].values() if w not in found]
            found.update(dict.fromkeys(new))
            stack.extend(new)
        return tuple(found)

    def _broken_promise(self, types: tuple[Type, ...]) -> tuple[Promises, Type] | None:
        """Return a promise that the types among themselves do not keep, and who made it."""
        for promises in self.promises:
            made = [t for t in types if not t.holds(promises.promise.known)]
            if made:
                self.steps.take(len(types) ** 2)
                kept = steps_needed(self.closure, types, promises.promise)
                for t in made:
                    if t not in kept:
                        return promises, t
        return None

    def _keep(self, promises: Promises, made_by: Type) -> None:
        """Find a path that keeps the promise, or remove the type."""
        path, clauses = promises.path_from(made_by)
        if path is None:
            self._learn(clauses)
        else:
            for here, there in zip([made_by, *path], path, strict=False):
                self._visit(here)
                self._rely(here, promises.promise, there)
