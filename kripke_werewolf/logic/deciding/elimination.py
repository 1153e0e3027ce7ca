"""Satisfiable types, found by elimination driven by the witnesses needed.

In principle: start with all types that respect the logic; remove those with a false box that no remaining
type witnesses, with a promise of common knowledge that no path keeps, or (in serial logics) without a
successor; the remaining types are the satisfiable ones (Pratt 1980; Fagin, Halpern, Moses, Vardi 1995,
chapter 3). Here types are visited only when needed, starting from one where the formula is true, and the
types not removed are the solutions of clauses. The SAT solver searches for witnesses; if there is none, the
boxes responsible make a clause, valid in the logic, that removes the type and all others with the same fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import count
from typing import NamedTuple, TypeAlias

from kripke_werewolf.base.grouping import all_after
from kripke_werewolf.logic.deciding.closure import Closure, Eventuality, Laws, Type, as_bits
from kripke_werewolf.logic.deciding.core import FALSE, TRUE, paths_kept
from kripke_werewolf.logic.deciding.sat import Solver, Steps
from kripke_werewolf.logic.semantics.bits import members


class NoWitness(NamedTuple):
    """A lesson of the search: where the clause is false, a box (or, if None, any successor) has no witness.

    The clause consists of boxes that the group's relation respects, and of the box itself.
    """

    group: tuple[str, ...]
    box: int | None
    clause: tuple[int, ...]


class NoPath(NamedTuple):
    """A lesson of the search: where a clause is false, no path keeps the promise of the state beside it.

    Each step from such a world leads to another such world, with a true body.
    """

    promise: Eventuality
    clauses: tuple[tuple[int, tuple[int, ...]], ...]


Lesson: TypeAlias = NoWitness | NoPath


def refutation(closure: Closure, steps: Steps, valid: Iterable[int] = ()) -> list[Lesson] | None:
    """Return lessons, each following from the earlier ones, that exclude every type of the formula.

    None if a type remains. `valid`: literals known to be true everywhere. Raises `Undecided` when the steps
    are used up.
    """
    search = Elimination(closure, steps)
    for literal in valid:
        search.clauses.solver.add((literal,))
    return search.lessons if search.run() is None else None


class Demand(NamedTuple):
    """A successor that a type needs: with the target of a false box false, or any (None)."""

    group: tuple[str, ...]
    box: int | None


class _Promised(NamedTuple):
    """A step of a path that keeps a promise, given by its number and the state of the automaton."""

    promise: int
    state: int


Reason: TypeAlias = Demand | _Promised


class Elimination:
    """The search: the types visited so far, and their open demands."""

    def __init__(self, closure: Closure, steps: Steps, clauses: TypeClauses | None = None) -> None:
        self.closure = closure
        self.steps = steps
        self.clauses = clauses or TypeClauses(closure, steps)
        self.promises = [_Promises(self.clauses, e) for e in closure.eventualities]
        self.boxes = sum(1 << box for box in closure.boxes)
        # the types visited and not removed: the witnesses each relies on, and the types relying on it
        self.witnesses: dict[Type, dict[Reason, Type]] = {}
        self.relying: dict[Type, set[Type]] = {}
        self.open: list[tuple[Type, Demand]] = []
        self.lessons: list[Lesson] = []

    def run(self) -> tuple[Type, ...] | None:
        """Return types that contain all their witnesses, with the formula true in the first.

        None if the formula is unsatisfiable. Raises `Undecided` when the steps are used up.
        """
        root: Type | None = None
        while True:
            if root is None or root not in self.witnesses:
                root = self.clauses.solution([self.closure.root])
                if root is None:
                    return None
                self._begin(root)
            if self.open:
                asking, demand = self.open.pop()
                # a type that no other relies on any more needs no witness
                if asking in self.witnesses and (asking == root or self.relying[asking]):
                    self._serve(asking, demand)
                elif asking in self.witnesses:
                    self._remove(asking)
                continue
            types = tuple(all_after([root], lambda known: self.witnesses[known].values()))
            broken = self._broken_promise(types)
            if broken is None:
                return types
            self._keep(*broken)

    # --- which types there are -------------------------------------------------------------------

    def _begin(self, root: Type) -> None:
        self._visit(root)

    def _visit(self, new: Type) -> None:
        if new in self.witnesses:
            return
        self.witnesses[new] = {}
        self.relying[new] = set()
        for box in members(self.boxes & ~new.truth):
            self.open.append((new, Demand(self.closure.boxes[box].group, box)))
        self.open.extend((new, Demand((agent,), None)) for agent in self.closure.lookers)

    def _rely(self, asking: Type, reason: Reason, witness: Type) -> None:
        self._visit(witness)
        self.witnesses[asking][reason] = witness
        self.relying[witness].add(asking)

    def _remove(self, old: Type) -> None:
        for witness in self.witnesses.pop(old).values():
            if witness in self.relying:
                self.relying[witness].discard(old)
        for asking in self.relying.pop(old):
            if asking in self.witnesses:
                for reason in [r for r, w in self.witnesses[asking].items() if w == old]:
                    del self.witnesses[asking][reason]
                    if isinstance(reason, Demand):
                        self.open.append((asking, reason))

    def _learn(self, clause: Sequence[int]) -> None:
        """Add a clause that is valid in the logic, and remove the types that violate it."""
        self.clauses.solver.add(clause)
        broken = as_bits([-literal for literal in clause])
        for old in [t for t in self.witnesses if t.satisfies(*broken)]:
            self._remove(old)

    # --- witnesses of boxes ----------------------------------------------------------------------

    def _serve(self, asking: Type, demand: Demand) -> None:
        """Find a witness, or remove the type."""
        group, box = demand
        if demand in self.witnesses[asking]:
            return
        self.steps.take(2 * len(self.witnesses))
        for known in self.witnesses:
            fits = box is None or not known.targets >> box & 1
            if fits and self.closure.related(group, asking, known):
                self._rely(asking, demand, known)
                return
        goal = [] if box is None else [-self.closure.boxes[box].target]
        found, blame = self.clauses.successor(group, asking, goal)
        if found is not None:
            self._rely(asking, demand, found)
        else:
            clause = blame if box is None else [*blame, box]
            self.lessons.append(NoWitness(group, box, tuple(clause)))
            self._learn(clause)

    # --- promises of common knowledge ------------------------------------------------------------

    def _broken_promise(self, types: tuple[Type, ...]) -> tuple[_Promised, Type] | None:
        """Return a promise not kept within the given types, and the type that made it."""

        def where(literal: int) -> int:
            return sum(t.holds(literal) << n for n, t in enumerate(types))

        @cache
        def sight(agent: str, n: int) -> int:
            return sum(self.closure.related((agent,), types[n], t) << m for m, t in enumerate(types))

        def sees(agent: str, there: int) -> int:
            return sum(1 << n for n in range(len(types)) if there and sight(agent, n) & there)

        for number, promise in enumerate(self.closure.eventualities):
            made = [(n, x) for x, known in enumerate(promise.knowns) for n in members(where(-known))]
            if made:
                self.steps.take(len(types) ** 2 * len(promise.knowns))
                kept = paths_kept(promise.edges, where, sees)
                for n, x in made:
                    if not kept[x] >> n & 1:
                        return _Promised(number, x), types[n]
        return None

    def _keep(self, promised: _Promised, made_by: Type) -> None:
        """Find a path that keeps the promise, or remove the type."""
        promises = self.promises[promised.promise]
        path, clauses = promises.path_from(made_by, promised.state)
        if path is None:
            self.lessons.append(
                NoPath(promises.promise, tuple((state, tuple(clause)) for state, clause in clauses))
            )
            for state, clause in clauses:
                self._learn([promises.promise.knowns[state], *clause])
            return
        here, state = made_by, promised.state
        for there, entered in path:
            self._visit(here)
            self._rely(here, _Promised(promised.promise, state), there)
            here, state = there, entered


_NO_LAWS = Laws(0, 0, 0, 0)


class TypeClauses:
    """A SAT solver whose solutions are the types that respect the logic and have not been removed.

    Its variables are the nodes of the closure.
    """

    def __init__(self, closure: Closure, steps: Steps) -> None:
        self.closure = closure
        self._steps = steps
        self.solver = solver = Solver(closure.size, steps=steps)
        for number, parts in closure.conjunctions.items():
            solver.define(number, parts)
        solver.add((TRUE,))
        # the literals that the bits of a type stand for, from the highest on
        self._nodes = [*range(closure.size, 0, -1), FALSE]
        self._targets = [FALSE] * (closure.size + 1)
        for number, box in closure.boxes.items():
            self._targets[closure.size - number] = box.target
        for number in members(closure.reflexive):
            solver.add((-number, closure.boxes[number].target))
        # assumed of worlds to which a group steps, and which some of it then see themselves
        self._entered: dict[tuple[str, ...], int] = {}
        for group, laws in closure.laws.items():
            if laws.entered or laws.inside:
                self._entered[group] = solver.new_variable()
                for number in members(laws.entered):
                    solver.add((-self._entered[group], -number, closure.boxes[number].target))
                for number, twin in map(members, laws.inside):
                    solver.add((-self._entered[group], -number, twin))
                    solver.add((-self._entered[group], number, -twin))

    def solution(self, literals: Sequence[int]) -> Type | None:
        """Return a type in which the literals are true; None if there is none (see `solver.core`)."""
        self._steps.take(self.closure.size)  # for reading the type
        if not self.solver.solve(literals):
            return None
        return Type(self.solver.bits(self._nodes), self.solver.bits(self._targets))

    def successor(
        self, group: tuple[str, ...], source: Type | Sequence[int], goal: Sequence[int]
    ) -> tuple[Type | None, list[int]]:
        """Return a successor of the source for the group with the goal true, or the reason for none.

        The reason is a clause that is false in the source: no type in which it is false has such a successor.
        Instead of a type, the source may be given by the false literals of such a clause.
        """
        closure = self.closure
        own = closure.below.get(group, 0)
        kept, equal, back, *_ = closure.laws[group] if group else _NO_LAWS
        equal |= closure.everywhere
        among = own | equal
        if isinstance(source, Type):
            causes: Sequence[int] = [n if source.truth >> n & 1 else -n for n in members(among)]
        else:
            causes = [literal for literal in source if among >> abs(literal) & 1]
        # the literals that the successor must satisfy, each with the literal of the source that is its cause
        because: dict[int, int] = {}
        for cause in causes:
            number = abs(cause)
            if equal >> number & 1 or (cause > 0 and kept >> number & 1):
                because.setdefault(cause, cause)
            if cause > 0 and own >> number & 1:
                because.setdefault(closure.boxes[number].target, cause)
        for number in members(back) if back else ():
            denied = -closure.boxes[number].target
            if source.holds(denied) if isinstance(source, Type) else denied in source:
                because.setdefault(-number, denied)
        entered = [self._entered[group]] if group in self._entered else []
        found = self.solution([*because, *entered, *goal])
        blame = dict.fromkeys(-because[x] for x in self.solver.core if x in because)
        return found, list(blame)


class _Promises:
    """Everything known about the paths that keep the promises of an automaton.

    A type where C_G φ is false promises a path of the group to a type where φ is false. For every number of
    steps and every state, clauses describe a superset of the types that keep the promise in that number: each
    clause says of types with certain boxes that all their successors are outside the goal and outside the
    superset for one step fewer. If the clauses for n and n + 1 steps agree, they hold for any number, and
    types outside them break their promise (property-directed reachability, Bradley 2011).
    """

    def __init__(self, clauses: TypeClauses, promise: Eventuality) -> None:
        self.promise = promise
        self._clauses = clauses
        # for n steps, at index n: for each state a variable that switches the clauses on, and the clauses
        # that are not known for n + 1 steps, with their states; those for more steps hold too
        self._switches: list[list[int]] = []
        self._frames: list[list[tuple[int, list[int]]]] = []
        self._reach(1)

    def _reach(self, steps: int) -> None:
        while len(self._frames) <= steps:
            switches = [self._clauses.solver.new_variable() for _ in self.promise.knowns]
            for fewer, more in zip(self._switches[-1] if self._switches else (), switches, strict=False):
                self._clauses.solver.add((-fewer, more))
            self._switches.append(switches)
            self._frames.append([])

    def path_from(
        self, start: Type, state: int
    ) -> tuple[list[tuple[Type, int]] | None, list[tuple[int, list[int]]]]:
        """Return the types and states of a shortest path; or None, and clauses with their states.

        No path begins where one of the clauses is false.
        """
        for steps in count(1):
            self._reach(steps + 1)
            path = self._path(start, state, steps)
            if path is not None:
                return path, []
            settled = self._settled(steps)
            if settled:
                return None, settled
        raise AssertionError  # there are finitely many types, so some two frames agree

    def _path(self, start: Type, state: int, steps: int) -> list[tuple[Type, int]] | None:
        path = [(start, state)]
        while path:
            left = steps - len(path) + 1
            found, last, blame = self._nearer(*path[-1], left)
            if found is None:
                self._say(left, path[-1][1], blame)
                path.pop()
            else:
                path.append(found)
                if last:
                    return path[1:]
        return None

    def _say(self, steps: int, state: int, clause: list[int]) -> None:
        self._clauses.solver.add((-self._switches[steps][state], *clause))
        self._frames[steps].append((state, clause))

    def _nearer(
        self, source: Type | Sequence[int], state: int, left: int
    ) -> tuple[tuple[Type, int] | None, bool, list[int]]:
        """Return a successor at the goal (and True) or possibly one step nearer; or the reason for none."""
        blame = dict[int, None]()
        for last in (True, False) if left > 1 else (True,):
            for agent, guard, within, body, entered in self.promise.edges[state]:
                if source.holds(-guard) if isinstance(source, Type) else -guard in source:
                    blame[guard] = None
                    continue
                goal = -body if last else self._switches[left - 1][entered]
                found, reasons = self._clauses.successor((agent,), source, [within, goal])
                if found is not None:
                    return (found, entered), last, []
                blame.update(dict.fromkeys(reasons))
        return None, False, list(blame)

    def _settled(self, most: int) -> list[tuple[int, list[int]]]:
        """Move clauses to higher numbers of steps where they hold; return those that hold for any number."""
        for steps in range(1, most + 1):
            for state, clause in list(self._frames[steps]):
                found, _, _ = self._nearer([-literal for literal in clause], state, steps + 1)
                if found is None:
                    self._frames[steps].remove((state, clause))
                    self._say(steps + 1, state, clause)
            if not self._frames[steps]:
                return [clause for frame in self._frames[steps + 1 :] for clause in frame]
        return []
