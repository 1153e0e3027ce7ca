"""The smallest model of a formula, by search.

"The formula has a model with n worlds in the class of the logic" is written as clauses, for n = 1,
2, …, and given to the SAT solver. The first n with a model is the smallest size there is. The
clauses say what the operators mean, world by world; only the direction that a subformula is needed
in is written (Plaisted and Greenbaum 1986).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product

from kripke_werewolf.deciding.core import CommonNode, Conjunction, Core, Necessity, Proposition
from kripke_werewolf.deciding.sat import Solver, Steps
from kripke_werewolf.deciding.structure import Structure
from kripke_werewolf.language.logics import Logic

__all__ = ["model_of_size"]


def model_of_size(core: Core, logic: Logic, size: int, steps: Steps) -> Structure | None:
    """Return a model of the formula with exactly `size` worlds, or None if there is none.

    Raises `Undecided` when the steps are used up.
    """
    clauses = _Clauses(core, logic, size)
    steps.take(len(clauses.clauses))
    solver = Solver(clauses.count, steps=steps)
    for clause in clauses.clauses:
        solver.add(clause)
    return clauses.structure(solver) if solver.solve() else None


class _Clauses:
    """The clauses; a variable is named by what it says."""

    def __init__(self, core: Core, logic: Logic, size: int) -> None:
        self.core, self.logic, self.worlds = core, logic, range(size)
        self.count = 1
        self.clauses: list[tuple[int, ...]] = [(1,)]
        self._variables: dict[tuple[object, ...], int] = {}
        for agent in core.agents:
            self._frame(agent)
        self._define()
        self._order_worlds()

    def _variable(self, *name: object) -> int:
        found = self._variables.get(name)
        if found is None:
            self.count += 1
            found = self._variables[name] = self.count
        return found

    def _say(self, *clause: int) -> None:
        self.clauses.append(clause)

    # --- relations -------------------------------------------------------------------------------

    def _arrow(self, agent: str, x: int, y: int) -> int:
        if self.logic.reflexive:
            if x == y:
                return 1
            if self.logic.euclidean and x > y:
                x, y = y, x
        return self._variable("arrow", agent, x, y)

    def _frame(self, agent: str) -> None:
        arrow, worlds = self._arrow, self.worlds
        if self.logic.serial and not self.logic.reflexive:
            for x in worlds:
                self._say(*(arrow(agent, x, y) for y in worlds))
        for x, y, z in product(worlds, repeat=3):
            if self.logic.transitive:
                self._say(-arrow(agent, x, y), -arrow(agent, y, z), arrow(agent, x, z))
            if self.logic.euclidean and not self.logic.reflexive:
                self._say(-arrow(agent, x, y), -arrow(agent, x, z), arrow(agent, y, z))

    def _all_arrows(self, group: tuple[str, ...], x: int, y: int) -> int:
        """Return the variable that every agent of the group has the arrow."""
        if not group:
            return 1
        if len(group) == 1:
            return self._arrow(group[0], x, y)
        name = ("all", group, x, y)
        if name in self._variables:
            return self._variables[name]
        both = self._variable(*name)
        single = [self._arrow(agent, x, y) for agent in group]
        self._say(both, *(-s for s in single))
        for s in single:
            self._say(-both, s)
        return both

    def _any_arrow(self, group: tuple[str, ...], x: int, y: int) -> int:
        """Return a variable that can only be true if some agent of the group has the arrow."""
        if len(group) == 1:
            return self._arrow(group[0], x, y)
        name = ("any", group, x, y)
        if name in self._variables:
            return self._variables[name]
        some = self._variable(*name)
        self._say(-some, *(self._arrow(agent, x, y) for agent in group))
        return some

    # --- subformulas -----------------------------------------------------------------------------

    def _at(self, literal: int, world: int) -> int:
        number = abs(literal)
        found = 1 if number == 1 else self._variable("node", number, world)
        return found if literal > 0 else -found

    def _define(self) -> None:
        needed = {self.core.root}
        self._say(self._at(self.core.root, 0))
        # parents come after their children, so going down meets every use first
        for number in range(len(self.core.nodes) - 1, 1, -1):
            node = self.core.nodes[number]
            for literal in (number, -number):
                if literal in needed:
                    needed.update(self._meaning(node, literal))

    def _meaning(self, node: object, literal: int) -> Iterable[int]:
        """Write what follows from the literal at each world; return the literals that needs."""
        positive = literal > 0
        match node:
            case Conjunction(parts):
                for w in self.worlds:
                    if positive:
                        for part in parts:
                            self._say(-self._at(literal, w), self._at(part, w))
                    else:
                        self._say(-self._at(literal, w), *(self._at(-part, w) for part in parts))
                return parts if positive else [-part for part in parts]
            case Necessity(group, body) if positive:
                for w, v in product(self.worlds, repeat=2):
                    self._say(-self._at(literal, w), -self._all_arrows(group, w, v), self._at(body, v))
                return [body]
            case Necessity(group, body):
                for w in self.worlds:
                    self._say(
                        -self._at(literal, w),
                        *(self._both(self._all_arrows(group, w, v), self._at(-body, v)) for v in self.worlds),
                    )
                return [-body]
            case CommonNode(group, within, body) if positive:
                for w, v, agent in product(self.worlds, self.worlds, group):
                    follows = (-self._at(literal, w), -self._arrow(agent, w, v), self._at(-within, v))
                    self._say(*follows, self._at(body, v))
                    self._say(*follows, self._at(literal, v))
                return [body, -within]
            case CommonNode(group, within, body):
                self._path(literal, group, within, body)
                return [-body, within]
        return []

    def _both(self, left: int, right: int) -> int:
        """Return a variable that can only be true if both literals are."""
        if left == 1 or left == right:
            return right
        found = self._variable("both", left, right)
        self._say(-found, left)
        self._say(-found, right)
        return found

    def _path(self, literal: int, group: tuple[str, ...], within: int, body: int) -> None:
        """Write that a path of at most as many steps as there are worlds leads to a false body."""
        number = -literal
        ends = [self._both(self._at(within, v), self._at(-body, v)) for v in self.worlds]
        further = [self._at(literal, w) for w in self.worlds]
        for steps in range(len(self.worlds), 0, -1):
            nearer = [self._variable("path", number, steps - 1, v) for v in self.worlds] if steps > 1 else []
            on = [self._both(self._at(within, v), n) for v, n in zip(self.worlds, nearer, strict=False)]
            for w in self.worlds:
                ways = [self._both(self._any_arrow(group, w, v), ends[v]) for v in self.worlds]
                ways += [self._both(self._any_arrow(group, w, v), n) for v, n in enumerate(on)]
                self._say(-further[w], *ways)
            further = nearer

    # --- symmetry, and the result ----------------------------------------------------------------

    def _order_worlds(self) -> None:
        """Sort the worlds other than 0 by valuation: any model can be numbered so."""
        names = [n for n, node in self.core.numbered() if isinstance(node, Proposition)]
        for x, y in combinations(self.worlds[1:], 2):
            if y != x + 1:
                continue
            equal_so_far = 1
            for name in names:
                here, there = self._at(name, x), self._at(name, y)
                # at the first atom that differs, true comes first
                self._say(-equal_so_far, here, -there)
                equal = self._variable("equal", name, x)
                self._say(-equal_so_far, equal, here, there)
                self._say(-equal_so_far, equal, -here, -there)
                equal_so_far = equal

    def structure(self, solver: Solver) -> Structure:
        """Read a model off a satisfying assignment."""
        spoken_of = self.count

        def true(variable: int) -> bool:
            return variable <= spoken_of and solver.is_true(variable)

        return Structure(
            len(self.worlds),
            {
                agent: tuple(
                    sum(true(self._arrow(agent, x, y)) << y for y in self.worlds) for x in self.worlds
                )
                for agent in self.core.agents
            },
            {
                node.name: sum(true(self._at(number, w)) << w for w in self.worlds)
                for number, node in self.core.numbered()
                if isinstance(node, Proposition)
            },
        )
