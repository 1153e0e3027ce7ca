"""Partial types: only the literals needed at a world to make the formula true.

A type decides every subformula, and elimination needs a witness for each of its false boxes. Most of them do
not matter: one false part makes a conjunction false. Here a type carries the literals *required* of it,
closed under such reasons; only required false boxes need a witness, and only required true boxes constrain
it. Types are shared by all worlds whose requirements are true at them. (Hintikka sets, built as needed;
compare the tableaux with clause learning of Goré, Olesen and Thomson, IJCAR 2014.)

This is sound if the requirements of successors impose nothing on a world: for K, T, KD, K4 and S4, and boxes
of single agents. Euclidean relations, common and distributed knowledge and `everywhere` need whole types
(`elimination`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from itertools import islice
from operator import or_

from kripke_werewolf.base.grouping import all_after, remembered
from kripke_werewolf.logic.deciding.closure import Closure, Type, as_bits
from kripke_werewolf.logic.deciding.core import TRUE
from kripke_werewolf.logic.deciding.elimination import Demand, Elimination, TypeClauses
from kripke_werewolf.logic.deciding.extraction import Witnessed
from kripke_werewolf.logic.deciding.sat import Steps
from kripke_werewolf.logic.semantics.bits import members


def partial_types_suffice(closure: Closure) -> bool:
    """Return whether partial types can decide the formula."""
    alone = all(len(box.group) == 1 for box in closure.boxes.values())
    backwards = any(laws.equal or laws.back or laws.inside for laws in closure.laws.values())
    return alone and not closure.eventualities and not backwards


def witnessed_types(closure: Closure, steps: Steps) -> Witnessed | None:
    """Return types with witnesses for all their requirements, or None if the formula is unsatisfiable.

    Raises `Undecided` when the steps are used up.
    """
    search = _Partial(closure, steps)
    types = search.run()
    if types is None:
        return None
    return {found: [(reason.group[0], w) for reason, w in search.served(found)] for found in types}


class _Needs:
    """The requirements on a type: the nodes that must be true and those that must be false, as bits.

    `passed`: for each group, the requirements of true boxes on every successor.
    """

    def __init__(self) -> None:
        self.true = self.false = 0
        self.passed: dict[tuple[str, ...], tuple[int, int]] = {}


class _Partial(Elimination):
    def __init__(self, closure: Closure, steps: Steps) -> None:
        super().__init__(closure, steps, _PartialClauses(closure, steps))
        self.needs: dict[Type, _Needs] = {}
        self.parts = {number: as_bits(parts) for number, parts in closure.conjunctions.items()}
        self.inner, _ = as_bits(self.parts)
        self.parts |= {number: as_bits([box.target]) for number, box in closure.boxes.items()}

    def served(self, found: Type) -> list[tuple[Demand, Type]]:
        """Return the demands of a type, each with its witness; there are no promises to keep."""
        served = self.witnesses[found].items()
        return [(reason, witness) for reason, witness in served if isinstance(reason, Demand)]

    def _begin(self, root: Type) -> None:
        self._visit(root)
        self._require(root, *as_bits([self.closure.root]))

    def _visit(self, new: Type) -> None:
        if new in self.witnesses:
            return
        self.witnesses[new], self.relying[new], self.needs[new] = {}, set(), _Needs()
        self.open.extend((new, Demand((agent,), None)) for agent in self.closure.lookers)

    def _remove(self, old: Type) -> None:
        del self.needs[old]
        super()._remove(old)

    # --- what is required ------------------------------------------------------------------------

    def _require(self, here: Type, true: int, false: int) -> None:
        """Require nodes to have their values at a type, together with the nodes that imply these values."""
        pending = [(here, true, false)]
        while pending:
            at, true, false = pending.pop()
            for group, (more, less) in self._settle(at, true, false).items():
                seen, unseen = self.needs[at].passed.get(group, (0, 0))
                self.needs[at].passed[group] = seen | more, unseen | less
                for reason, witness in self.served(at):
                    if reason.group != group:
                        continue
                    if witness.satisfies(more, less):
                        pending.append((witness, more, less))
                    else:
                        del self.witnesses[at][reason]
                        if witness not in self.witnesses[at].values():
                            self.relying[witness].discard(at)
                        self.open.append((at, reason))

    def _settle(self, at: Type, true: int, false: int) -> dict[tuple[str, ...], tuple[int, int]]:
        """Require nodes within a type; return the new requirements on successors, by group."""
        closure, needs = self.closure, self.needs[at]
        passed: dict[tuple[str, ...], tuple[int, int]] = {}
        while True:
            true, false = true & ~needs.true & ~_CONSTANT, false & ~needs.false & ~_CONSTANT
            if not (true or false):
                return passed
            needs.true |= true
            needs.false |= false
            # first consequences, then reasons, which may be required already
            more = less = 0
            for number in members(true & (self.inner | closure.reflexive)):
                parts = self.parts[number]
                more, less = more | parts[0], less | parts[1]
            for number in members(true & self.boxes):
                group, parts = closure.boxes[number].group, self.parts[number]
                there, absent = passed.get(group, (0, 0))
                both = 1 << number & closure.laws[group].kept
                passed[group] = there | parts[0] | both, absent | parts[1]
            self.open.extend((at, Demand(closure.boxes[n].group, n)) for n in members(false & self.boxes))
            for number in members(false & self.inner):
                reason = self._reason(at, number, needs.true | more, needs.false | less)
                more, less = more | reason[0], less | reason[1]
            true, false = more, less

    def _reason(self, at: Type, number: int, true: int, false: int) -> tuple[int, int]:
        """Return the negation of a false part of a conjunction, unless it is required already.

        An atom costs nothing, a true box constrains witnesses, and a false box needs one.
        """
        affirmed, negated = self.parts[number]
        if affirmed & false or negated & true:
            return 0, 0
        true, false = negated & at.truth, affirmed & ~at.truth & at.known
        for kind in (~(self.boxes | self.inner), self.boxes, self.inner):
            if part := kind & true:
                return part & -part, 0
            if part := kind & false & ~self.boxes:
                return 0, part & -part
        return 0, false & -false

    # --- witnesses -------------------------------------------------------------------------------

    def _serve(self, asking: Type, demand: Demand) -> None:
        """Find a witness, or remove the type."""
        if demand in self.witnesses[asking]:
            return
        group, box = demand
        goal = [] if box is None else [-self.closure.boxes[box].target]
        items = tuple(map(or_, self.needs[asking].passed.get(group, (0, 0)), as_bits(goal)))
        witness = self._at_hand(*items)
        if witness is None:
            boxes = members(self.needs[asking].true & self.boxes)
            witness, blame = self.clauses.successor(group, boxes, goal)
            if witness is None:
                self._learn(blame if box is None else [*blame, box])
                return
        self._rely(asking, demand, witness)
        self._require(witness, *items)

    def _at_hand(self, true: int, false: int) -> Type | None:
        """Return a visited type in which the given nodes are true and false."""
        latest = list(islice(reversed(self.witnesses), _REMEMBERED))
        self.steps.take(len(latest))
        for known in latest:  # `satisfies`, inlined for speed
            if known.truth & true == true and (known.known ^ known.truth) & false == false:
                return known
        return None


_CONSTANT = 1 << TRUE
_REMEMBERED = 200  # the types tried as witnesses, the latest


class _PartialClauses(TypeClauses):
    """Clauses whose solutions are partial types: they decide only the nodes on which a question depends."""

    def __init__(self, closure: Closure, steps: Steps) -> None:
        super().__init__(closure, steps)
        self.solver.prefer_true = closure.boxes  # true boxes need no witness
        self._whole = (2 << closure.size) - 2 if closure.reflexive else 0
        self._within: dict[int, int] = {}

    def solution(self, literals: Sequence[int]) -> Type | None:
        relevant = self._whole or reduce(or_, map(self._inside, map(abs, literals)), _CONSTANT)
        self._steps.take(4 * relevant.bit_count())
        if not self.solver.solve(literals, relevant):
            return None
        return Type(self.solver.bits(self._nodes) & relevant, 0, relevant)

    def _inside(self, node: int) -> int:
        """Return the nodes on which a node depends at the same world, as bits."""
        parts = self.closure.conjunctions
        inside = partial(all_after, [node], lambda number: map(abs, parts.get(number, ())))
        return remembered(self._within, node, lambda: sum(1 << number for number in inside()))
