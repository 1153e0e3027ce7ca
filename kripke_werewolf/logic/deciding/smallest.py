"""Smallest models of a formula, by search, and reduction of models.

"The formula has a model with n worlds in the class of the logic" is written as clauses, for n = 1, 2, …, and
given to the SAT solver; the first n with a model is the smallest size. The clauses state the meaning of the
operators world by world, only in the direction in which a subformula is needed (Plaisted and Greenbaum 1986).

Models are spaces of bits; the formula is evaluated at world 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product

from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.logic.deciding.core import TRUE, AndNode, Core, Necessity, Node, Paths, Proposition
from kripke_werewolf.logic.deciding.sat import Solver, Steps
from kripke_werewolf.logic.formulas.logics import Logic
from kripke_werewolf.logic.semantics.bits import BitSpace, Rows, members

_MOST_REDUCED = 120  # worlds of a model up to which each is left out on trial, which costs a check


def model_of_size(core: Core, logic: Logic, size: int, steps: Steps) -> BitSpace | None:
    """Return a model of the formula with exactly `size` worlds, or None if there is none.

    Raises `Undecided` when the steps are used up.
    """
    clauses = _Clauses(core, logic, size)
    steps.take(len(clauses.clauses))
    solver = Solver(clauses.count, steps=steps)
    for clause in clauses.clauses:
        solver.add(clause)
    return clauses.model(solver) if solver.solve() else None


class _Clauses:
    """The clauses; a variable is identified by its meaning."""

    def __init__(self, core: Core, logic: Logic, size: int) -> None:
        self.core, self.logic, self.worlds = core, logic, range(size)
        self.count = 1
        self.clauses: list[tuple[int, ...]] = [(TRUE,)]
        self._variables: dict[tuple[object, ...], int] = {}
        # the nodes of one automaton share the variables of its states
        first: dict[object, int] = {}
        self._names: dict[int, tuple[str, int, int]] = {
            number: ("state", first.setdefault(node.edges, number), node.start)
            for number, node in core.nodes.items()
            if isinstance(node, Paths)
        }
        self._stated: set[int] = set()
        for agent in core.agents:
            self._frame(agent)
        self._say(self._at(core.root, 0))
        needed = core.needed
        for number, node in reversed([*core.nodes.items()]):
            for literal in (number, -number):
                if literal in needed:
                    self._meaning(node, literal)

    def _variable(self, *name: object) -> int:
        if name not in self._variables:
            self.count += 1
            self._variables[name] = self.count
        return self._variables[name]

    def _say(self, *clause: int) -> None:
        self.clauses.append(clause)

    def _all(self, *literals: int) -> int:
        """Return a literal that is true iff all of the literals are."""
        parts = tuple(sorted({*literals} - {TRUE}))
        if len(parts) < 2:
            return parts[0] if parts else TRUE
        before = self.count
        found = self._variable("all", parts)
        if found > before:
            self._say(found, *(-part for part in parts))
            for part in parts:
                self._say(-found, part)
        return found

    def _any(self, *literals: int) -> int:
        """Return a literal that is true iff some of the literals are."""
        return -self._all(*(-literal for literal in literals))

    # --- relations -------------------------------------------------------------------------------

    def _arrow(self, agent: str, x: int, y: int) -> int:
        logic = self.logic.of((agent,))
        if logic.reflexive and x == y:
            return TRUE
        if (logic.symmetric or logic.equivalent) and x > y:
            x, y = y, x
        return self._variable("arrow", agent, x, y)

    def _frame(self, agent: str) -> None:
        arrow, worlds, logic = self._arrow, self.worlds, self.logic.of((agent,))
        if logic.serial and not logic.reflexive:
            for x in worlds:
                self._say(*(arrow(agent, x, y) for y in worlds))
        for x, y, z in product(worlds, repeat=3):
            if logic.transitive:
                self._say(-arrow(agent, x, y), -arrow(agent, y, z), arrow(agent, x, z))
            if logic.euclidean and not logic.reflexive:
                self._say(-arrow(agent, x, y), -arrow(agent, x, z), arrow(agent, y, z))

    def _arrows(self, group: tuple[str, ...], x: int, y: int) -> list[int]:
        return [self._arrow(agent, x, y) for agent in group]

    # --- subformulas -----------------------------------------------------------------------------

    def _at(self, literal: int, world: int) -> int:
        number = abs(literal)
        if number == TRUE:
            return literal
        found = self._variable(*self._names.get(number, ("node", number)), world)
        return found if literal > 0 else -found

    def _meaning(self, node: Node, literal: int) -> None:
        """Add the consequences of a literal at each world."""
        positive = literal > 0
        match node:
            case AndNode(parts):
                for w in self.worlds:
                    if positive:
                        for part in parts:
                            self._say(-self._at(literal, w), self._at(part, w))
                    else:
                        self._say(-self._at(literal, w), *(self._at(-part, w) for part in parts))
            case Necessity(group, body) if positive:
                for w, v in product(self.worlds, repeat=2):
                    self._say(
                        -self._at(literal, w), -self._all(*self._arrows(group, w, v)), self._at(body, v)
                    )
            case Necessity(group, body):
                for w in self.worlds:
                    self._say(
                        -self._at(literal, w),
                        *(self._all(*self._arrows(group, w, v), self._at(-body, v)) for v in self.worlds),
                    )
            case Paths():
                sign = 1 if positive else -1
                automaton = self._names[abs(literal)][1]
                if sign * automaton not in self._stated:
                    self._stated.add(sign * automaton)
                    (self._all_paths if positive else self._some_path)(automaton, node)

    def _all_paths(self, automaton: int, node: Paths) -> None:
        """Add that the bodies are true at the end of the paths from the states."""
        for x, out in enumerate(node.edges):
            for (agent, guard, within, body, y), w, v in product(out, self.worlds, self.worlds):
                follows = (
                    -self._variable("state", automaton, x, w),
                    self._at(-guard, w),
                    -self._arrow(agent, w, v),
                    self._at(-within, v),
                )
                self._say(*follows, self._at(body, v))
                self._say(*follows, self._variable("state", automaton, y, v))

    def _some_path(self, automaton: int, node: Paths) -> None:
        """Add that where a state is false, a path leads from it to a false body.

        No path need be longer than the number of worlds times that of states.
        """
        steps = [grouped((edge[1:], edge.agent) for edge in out) for out in node.edges]
        places = [*product(range(len(steps)), self.worlds)]
        further = {(x, w): -self._variable("state", automaton, x, w) for x, w in places}
        for left in range(len(places), 0, -1):
            nearer = {(x, w): self._variable("path", automaton, left - 1, x, w) for x, w in places}
            for x, w in places:
                ways = list[int]()
                for (guard, within, body, y), group in steps[x].items():
                    for v in self.worlds:
                        sees = self._any(*self._arrows(tuple(group), w, v))
                        way = self._all(self._at(guard, w), sees, self._at(within, v))
                        ways.append(self._all(way, self._at(-body, v)))
                        if left > 1:
                            ways.append(self._all(way, nearer[y, v]))
                self._say(-further[x, w], *ways)
            further = nearer

    # --- the result -----------------------------------------------------------------------------------

    def model(self, solver: Solver) -> BitSpace:
        """Read a model off a satisfying assignment."""
        spoken_of = self.count

        def where(variables: Iterable[int]) -> int:
            return sum((v <= spoken_of and solver.is_true(v)) << w for w, v in enumerate(variables))

        relations = {}
        for agent in self.core.agents:
            sights = [where(self._arrow(agent, x, y) for y in self.worlds) for x in self.worlds]
            relations[agent] = Rows.of_sights(sights)
        valuation = {
            node.name: where(self._at(number, w) for w in self.worlds)
            for number, node in self.core.nodes.items()
            if isinstance(node, Proposition)
        }
        return BitSpace.numbered((1 << len(self.worlds)) - 1, relations, valuation)


# --- smaller models ------------------------------------------------------------------------------


def in_class(model: BitSpace, logic: Logic) -> bool:
    """Return whether every agent's relation has the properties required by the logic."""
    return all(
        r.failures(model.all).keys().isdisjoint(logic.of((agent,)).properties)
        for agent, r in model.relations.items()
    )


def shrunk(model: BitSpace, holds: Callable[[BitSpace], bool], logic: Logic) -> BitSpace:
    """Remove worlds one by one as long as a condition and the frame class are preserved.

    No single world of the result is superfluous, though it need not be a smallest model.
    """
    if model.all.bit_count() > _MOST_REDUCED:
        return model
    for world in reversed(members(model.all)[1:]):
        left = model.all & ~(1 << world)
        # removing a world can destroy only seriality
        blind = any(left & ~r.preimage(left) for a, r in model.relations.items() if logic.of((a,)).serial)
        if not blind and holds(fewer := model.with_worlds(left)):
            model = fewer
    return model
