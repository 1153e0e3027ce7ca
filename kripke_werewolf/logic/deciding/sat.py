"""A small incremental SAT solver: conflict-driven clause learning over integer literals.

Following Marques-Silva and Sakallah (1996), Moskewicz et al. (2001) and Eén and Sörensson (2003): two watched
literals, learning at the first unique implication point, activities that decay, restarts, and assumptions
with an inconsistent subset. Variables are 1, 2, …; -n negates n.

A search that is long and hard goes on with MiniSat, which is written in C, if the extra `sat` (python-sat) is
installed. Both give the same answers; the assignments that they find first may differ.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from heapq import heapify, heappop, heappush
from importlib.util import find_spec
from operator import not_
from typing import Any

from kripke_werewolf.base.errors import FormulaError, Undecided, missing_package
from kripke_werewolf.logic.semantics.bits import members

_DECAY = 0.95
_MOST_BUMP = 1e100
_RESTART = 100  # conflicts after which the search restarts
# steps of a search, and questions and conflicts, after which it goes on in C
_LONG, _HARD = 30_000, 150
_STEP_IN_C = 10  # propagations there that take as long as one step here
_NOT_QUEUED = float("-inf")
_DIGITS = bytes.maketrans(b"\0\1", b"01")


class Steps:
    """A counter of search steps (here, clauses examined) with a limit."""

    def __init__(self, limit: int) -> None:
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise FormulaError(f"limit= is a number of steps, a whole number of at least 1; got {limit!r}")
        self.limit, self.taken = limit, 0

    def take(self, number: int) -> None:
        """Count further steps; raises `Undecided` beyond the limit."""
        self.taken += number
        if self.taken > self.limit:
            advice = "a larger limit= may decide it"
            if not find_spec("pysat"):
                advice += f"; {missing_package('a faster search', 'python-sat', extra='sat')}"
            raise Undecided(f"undecided within {self.limit:,} steps of the search; {advice}")


class Solver:
    """Clauses, and whether they can be satisfied under assumptions.

    A variable is first tried false, unless it is in `prefer_true`. After a number of conflicts the search
    restarts.

    >>> solver = Solver(2, steps=Steps(100))
    >>> solver.add((1, 2))
    >>> solver.solve([-1]), solver.is_true(2)
    (True, True)
    >>> solver.add((-2,))
    >>> solver.solve([-1]), solver.core
    (False, [-1])
    """

    def __init__(self, variables: int, *, steps: Steps) -> None:
        self.core: list[int] = []
        self.prefer_true: Container[int] = ()
        """The variables that are first tried true."""
        self._steps = steps
        self._consistent = True
        self._size = variables
        # indexed by literal: a negative index counts from the end
        self._value: list[bool | None] = [None] * (2 * variables + 1)
        self._watches: list[list[list[int]]] = [[] for _ in range(2 * variables + 1)]
        self._reason: list[list[int] | None] = [None] * (variables + 1)
        self._level = [0] * (variables + 1)
        self._activity = [0.0] * (variables + 1)
        self._bump = 1.0
        # a heap of (-activity, variable), with an entry of the present activity for every variable that
        # has no value; `queued`: the activity in the latest entry of a variable
        self._order = [(0.0, v) for v in range(1, variables + 1)]
        self._queued = [0.0] * (variables + 1)
        self._relevant = 0
        self._trail: list[int] = []
        self._starts: list[int] = []
        self._done = 0
        self._effort = 0  # questions and conflicts
        self._propagated = 0  # literals, in C
        # the solver in C, once the search is long and hard; False if there is none
        self._compiled: Any = None

    def new_variable(self) -> int:
        """Return a variable that no clause mentions yet."""
        middle = self._size + 1
        if self._compiled:
            self._size = middle
            return middle
        for _ in range(2):
            self._value.insert(middle, None)
            self._watches.insert(middle, [])
        self._reason.append(None)
        self._level.append(0)
        self._activity.append(0.0)
        self._size = middle
        self._queued.append(0.0)
        heappush(self._order, (0.0, middle))
        return middle

    def define(self, variable: int, parts: Sequence[int]) -> None:
        """Define a variable as the conjunction of other literals; must precede all clauses."""
        for part in parts:
            self._watch([-variable, part])
        self._watch([variable, *[-part for part in parts]])

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause."""
        if self._compiled:
            self._compiled.add_clause([*clause])
            return
        if not self._consistent:
            return
        self._back_to(0)
        literals: list[int] = []
        for literal in dict.fromkeys(clause):
            known = self._value[literal]
            if known or -literal in literals:
                return
            if known is None:
                literals.append(literal)
        if len(literals) > 1:
            self._watch(literals)
        elif literals:
            self._assign(literals[0], None)
            self._consistent = self._propagate() is None
        else:
            self._consistent = False

    def is_true(self, literal: int) -> bool:
        """Return the value of a literal after `solve` returned True."""
        return bool(self._values()[literal])

    def bits(self, literals: Sequence[int]) -> int:
        """Return the values of literals after `solve` returned True, as bits; the last literal is lowest."""
        return int(bytes(map(bool, map(self._values().__getitem__, literals))).translate(_DIGITS), 2)

    def _values(self) -> Sequence[bool | None]:
        """Return the values of literals; those found in C are read when they are needed."""
        if self._compiled and not self._value:
            true = [literal > 0 for literal in self._compiled.get_model()]
            true += [False] * (self._size - len(true))
            self._value = [None, *true, *map(not_, reversed(true))]
        return self._value

    def solve(self, assumptions: Sequence[int] = (), relevant: int = 0) -> bool:
        """Return whether the clauses can be satisfied with these literals true.

        If `relevant` variables are given, as bits, they get values that contradict no clause; the others may
        get none.
        If the answer is no, `core` lists assumptions that are jointly inconsistent. Raises `Undecided`.
        """
        self._back_to(0)
        self.core = []
        self._effort += 1
        if self._consistent and (self._compiled or self._compile()):
            return self._solve_compiled(assumptions)
        if relevant or self._relevant:
            self._relevant, activity = relevant, self._activity
            asked = members(relevant) if relevant else range(1, self._size + 1)
            self._order = [(-activity[v], v) for v in asked if self._value[v] is None]
            heapify(self._order)
            for variable in asked:
                self._queued[variable] = activity[variable]
        conflicts = 0
        while self._consistent:
            wrong = self._propagate()
            if wrong is not None:
                if not self._starts:
                    self._consistent = False
                    break
                self._learn(wrong)
                conflicts += 1
                self._effort += 1
                if conflicts % _RESTART == 0:
                    self._back_to(0)
                    if self._compile():
                        return self._solve_compiled(assumptions)
                continue
            literal = 0
            while not literal and len(self._starts) < len(assumptions):
                # every assumption has a level of its own, empty if it is true already
                wanted = assumptions[len(self._starts)]
                if self._value[wanted] is False:
                    self.core = self._to_blame(wanted)
                    return False
                if self._value[wanted]:
                    self._starts.append(len(self._trail))
                else:
                    literal = wanted
            literal = literal or self._next_decision()
            if not literal:
                return True
            self._steps.take(2)
            self._starts.append(len(self._trail))
            self._assign(literal, None)
        return False

    def _compile(self) -> bool:
        """Hand all clauses over to the solver in C if the search is long and hard, and it is installed."""
        if self._steps.taken < _LONG or self._effort < _HARD or not self._consistent:
            return False
        if self._compiled is None and not find_spec("pysat"):
            self._compiled = False  # it is asked once
        if self._compiled is False:
            return False
        from pysat.solvers import Minisat22

        clauses = {id(clause): clause for watching in self._watches for clause in watching}
        self._compiled = Minisat22(bootstrap_with=[*([x] for x in self._trail), *clauses.values()])
        return True

    def _solve_compiled(self, assumptions: Sequence[int]) -> bool:
        solver = self._compiled
        solver.prop_budget(_STEP_IN_C * max(self._steps.limit - self._steps.taken, 1))
        found = solver.solve_limited(assumptions=assumptions)
        self._value, self.core = [], solver.get_core() or []
        self._consistent = bool(found or self.core)
        done = solver.accum_stats()["propagations"]
        self._steps.take(2 + (done - self._propagated) // _STEP_IN_C)
        self._propagated = done
        if found is None:
            self._steps.take(self._steps.limit)
        return bool(found)

    def _watch(self, clause: list[int]) -> None:
        self._watches[clause[0]].append(clause)
        self._watches[clause[1]].append(clause)

    def _assign(self, literal: int, reason: list[int] | None) -> None:
        self._value[literal], self._value[-literal] = True, False
        variable = abs(literal)
        self._reason[variable] = reason
        self._level[variable] = len(self._starts)
        self._trail.append(literal)

    def _propagate(self) -> list[int] | None:
        """Assign the values that follow by unit propagation; return a clause that became false, if any."""
        value, watches, trail = self._value, self._watches, self._trail
        reasons, levels, level = self._reason, self._level, len(self._starts)
        looks, wrong = 0, None
        while self._done < len(trail) and wrong is None:
            false = -trail[self._done]
            self._done += 1
            waiting = watches[false]
            looks += 1 + len(waiting)
            kept: list[list[int]] = []
            for number, clause in enumerate(waiting):
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                first = clause[0]
                known = value[first]
                if known:
                    kept.append(clause)
                    continue
                for k in range(2, len(clause)):
                    if value[clause[k]] is not False:
                        clause[1], clause[k] = clause[k], false
                        watches[clause[1]].append(clause)
                        break
                else:
                    kept.append(clause)
                    if known is False:
                        kept += waiting[number + 1 :]
                        wrong = clause
                        break
                    # _assign, inlined for speed
                    value[first], value[-first] = True, False
                    reasons[abs(first)], levels[abs(first)] = clause, level
                    trail.append(first)
            watches[false] = kept
        self._steps.take(looks)
        return wrong

    def _next_decision(self) -> int:
        """Return a literal of the most active unassigned variable; 0 if there is none."""
        relevant = self._relevant
        while self._order and len(self._trail) < self._size:
            _, variable = heappop(self._order)
            self._queued[variable] = _NOT_QUEUED
            if self._value[variable] is None and (not relevant or relevant >> variable & 1):
                return variable if variable in self.prefer_true else -variable
        return 0

    def _back_to(self, level: int) -> None:
        if len(self._starts) <= level:
            return
        value, activity, queued, order = self._value, self._activity, self._queued, self._order
        for literal in self._trail[self._starts[level] :]:
            value[literal] = value[-literal] = None
            variable = abs(literal)
            if queued[variable] != activity[variable]:
                queued[variable] = activity[variable]
                heappush(order, (-activity[variable], variable))
        del self._trail[self._starts[level] :]
        del self._starts[level:]
        self._done = len(self._trail)

    def _learn(self, wrong: list[int]) -> None:
        """Add the clause learnt from a conflict, and backtrack to the level where it forces a literal."""
        learnt = self._analysed(wrong)
        self._bump /= _DECAY
        if self._bump > _MOST_BUMP:
            self._activity = [a / self._bump for a in self._activity]
            self._queued = [a / self._bump for a in self._queued]
            self._order = [(a / self._bump, v) for a, v in self._order]
            heapify(self._order)
            self._bump = 1.0
        self._back_to(self._level[abs(learnt[1])] if len(learnt) > 1 else 0)
        if len(learnt) > 1:
            self._watch(learnt)
        self._assign(learnt[0], learnt)

    def _analysed(self, wrong: list[int]) -> list[int]:
        """Return the learnt clause: first the literal to be forced, then the others, latest first."""
        now = len(self._starts)
        learnt: list[int] = []
        seen: set[int] = set()
        open_here, position = 0, len(self._trail)
        clause: list[int] | None = wrong
        literal = 0
        while clause is not None:
            for other in clause:
                variable = abs(other)
                if other == literal or variable in seen or not self._level[variable]:
                    continue
                seen.add(variable)
                self._activity[variable] += self._bump
                if self._level[variable] == now:
                    open_here += 1
                else:
                    learnt.append(other)
            while True:
                position -= 1
                literal = self._trail[position]
                if abs(literal) in seen:
                    break
            open_here -= 1
            clause = self._reason[abs(literal)] if open_here else None
        learnt.sort(key=lambda x: -self._level[abs(x)])
        return [-literal, *learnt]

    def _to_blame(self, failed: int) -> list[int]:
        """Return assumptions that are jointly inconsistent; `failed` is the one that came out false."""
        blamed = [failed]
        seen = {abs(failed)} if self._level[abs(failed)] else set()
        for literal in reversed(self._trail):
            if abs(literal) in seen:
                reason = self._reason[abs(literal)]
                if reason is None:
                    blamed.append(literal)
                else:
                    seen.update(abs(x) for x in reason if self._level[abs(x)])
        return blamed
