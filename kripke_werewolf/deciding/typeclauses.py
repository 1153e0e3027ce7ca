"""The types that are not removed, as clauses, and questions to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kripke_werewolf.deciding.closure import Closure, Type
from kripke_werewolf.deciding.sat import Solver, Steps

__all__ = ["TypeClauses"]


class TypeClauses:
    """A SAT solver whose solutions are the types that respect the logic and are not removed.

    Its variables are the nodes of the closure; `node_of[k]` is that of variable k.
    """

    def __init__(self, closure: Closure, steps: Steps) -> None:
        self.closure = closure
        self._steps = steps
        variables = {node: n for n, node in enumerate(closure.nodes) if isinstance(node, int)}
        self.node_of = [variables[k] for k in range(len(closure.variables))]
        boxes = [k for k, variable in enumerate(closure.variables) if variable.name is None]
        # true boxes ask for no witness
        self.solver = Solver(
            len(closure.nodes) - 1, steps=steps, prefer_true=[self.node_of[k] for k in boxes]
        )
        self.solver.add((1,))
        for number, node in enumerate(closure.nodes[2:], 2):
            if not isinstance(node, int):
                for part in node:
                    self.solver.add((-number, part))
                self.solver.add((number, *(-part for part in node)))
        for k in boxes:
            variable = closure.variables[k]
            if closure.logic.reflexive or not variable.group:
                self.solver.add((-self.node_of[k], variable.target))

    def solution(self, literals: Sequence[int]) -> Type | None:
        """Return a type in which the literals are true; None if there is none (see `solver.core`)."""
        # reading a type costs as much as a few looks at every node
        self._steps.take(4 * len(self.closure.nodes))
        if not self.solver.solve(literals):
            return None
        true = self.solver.is_true
        truth = sum(1 << n for n in range(1, len(self.closure.nodes)) if true(n))
        values = targets = 0
        for k, variable in enumerate(self.closure.variables):
            values |= true(self.node_of[k]) << k
            if variable.name is None:
                targets |= true(variable.target) << k
        return Type(truth, values, targets)

    def successor(
        self, group: tuple[str, ...], source: Type | Sequence[int], goal: Sequence[int]
    ) -> tuple[Type | None, list[int]]:
        """Return a type with the goal true to which the group's relation leads, or why there is none.

        The reason is a clause that is false in the source: no type in which it is false has such a
        successor. Instead of a type, the source may be given by the false literals of such a clause.
        """
        closure, boxes = self.closure, self.closure.below.get(group, 0)
        logic = closure.logic
        # what the successor must satisfy, each with the literal of the source that is the cause
        because: dict[int, int] = {}
        for cause in self._box_literals(source):
            k = closure.nodes[abs(cause)]
            assert isinstance(k, int)
            shared = closure.everywhere >> k & 1
            if shared or (boxes >> k & 1 and (logic.euclidean or (logic.transitive and cause > 0))):
                because.setdefault(cause, cause)
            if boxes >> k & 1 and cause > 0:
                because.setdefault(closure.variables[k].target, cause)
        found = self.solution([*because, *goal])
        blame = dict.fromkeys(-because[x] for x in self.solver.core if x in because)
        return found, list(blame)

    def _box_literals(self, source: Type | Sequence[int]) -> Iterable[int]:
        if not isinstance(source, Type):
            return source
        return [
            self.node_of[k] if source.values >> k & 1 else -self.node_of[k]
            for k, variable in enumerate(self.closure.variables)
            if variable.name is None
        ]

    def learn(self, clause: Sequence[int], types: Iterable[Type]) -> list[Type]:
        """Add a clause that is valid in the logic; return the types that violate it."""
        self.solver.add(clause)
        return [t for t in types if not any(map(t.holds, clause))]
