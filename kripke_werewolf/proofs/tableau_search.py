"""Finding closed tableaux: rules are applied in a fair order, then lines without use are dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field, fields
from typing import NamedTuple

from kripke_werewolf.deciding import valid
from kripke_werewolf.deciding.decision import DEFAULT_STEPS
from kripke_werewolf.errors import FormulaError, Undecided
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.language.logics import Logic, logic_named
from kripke_werewolf.language.operators import Scope
from kripke_werewolf.language.simplification import negated
from kripke_werewolf.proofs.abbreviations import Abbreviator, positive, unabbreviated
from kripke_werewolf.proofs.script import is_box
from kripke_werewolf.proofs.systems import system
from kripke_werewolf.proofs.tableau import (
    START,
    Tableau,
    TableauLine,
    alternatives,
    check_tableau,
    contradictory,
    reduced,
    seen_by,
)

DEFAULT_LINES = 5_000
"""The default number of lines of a search."""


def tableau(
    f: FormulaLike, *, logic: str | Logic = "S5", limit: int = DEFAULT_STEPS, lines: int = DEFAULT_LINES
) -> Tableau | None:
    """Return a closed tableau for a formula, or None if it is not valid.

    It has been checked, and has only lines on which some contradiction depends.

    >>> print(tableau("K_a p -> M_a p", logic="T"))
    1. w0: ~(K_a p -> M_a p)
    2. w0: K_a p   1
    3. w0: K_a ~p   1
    4. w0: p   2
    5. w0: ~p   3
    x 4, 5

    Raises `FormulaError` for common knowledge, and for formulas that cannot be decided; `Undecided` after
    `limit` steps of the decision, or `lines` lines of the search; `UnknownNameError` for an unknown logic.
    """
    found, chosen = formula(f), logic_named(logic)
    system(chosen)
    if chosen.mixed:
        raise FormulaError(f"there are no tableaux in {chosen}; ask for a derivation")
    goal = unabbreviated(found)
    for node in goal.subformulas():
        if isinstance(node, s.Modal) and node.scope is Scope.REACH:
            raise FormulaError(f"tableaux have no rule for common knowledge ({node}); ask for a derivation")
    if not valid(found, logic=chosen, limit=limit):
        return None
    search = _Search(chosen, lines)
    closed = search.tableau(negated(goal), Abbreviator(found))
    checked = check_tableau(closed, found, logic=chosen)
    if not checked.right:
        raise RuntimeError(f"the tableau found for {str(found)!r} in {chosen} is wrong: {checked}")
    return closed


class _Fact(NamedTuple):
    world: str
    formula: Formula
    refs: tuple[int, ...]
    needs: frozenset[int]
    """The facts on which it depends: those it comes from, and those that created the worlds on the way."""


class _Part(NamedTuple):
    """A closed part of a tree, and the facts above and in it on which its contradictions depend."""

    facts: tuple[int, ...]
    parts: tuple[_Part, ...]
    closed: tuple[int, ...]
    used: frozenset[int]


@dataclass(slots=True)
class _Branch:
    """The facts on a branch by number, and those still waiting for their rule."""

    known: dict[tuple[str, Formula], int] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    simple: list[int] = field(default_factory=list)
    splits: list[int] = field(default_factory=list)
    boxes: list[int] = field(default_factory=list)
    denied: list[int] = field(default_factory=list)
    parents: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    makers: dict[str, int] = field(default_factory=dict)
    closed: tuple[int, ...] = ()

    def copy(self) -> _Branch:
        """Return an independent branch with the same facts."""
        return _Branch(*(copy(getattr(self, one.name)) for one in fields(self)))


class _Search:
    def __init__(self, logic: Logic, lines: int) -> None:
        self.logic, self.most = logic, lines
        self.facts: list[_Fact] = []

    def tableau(self, denial: Formula, shown: Abbreviator) -> Tableau:
        branch = _Branch()
        self._add(branch, START, denial, ())
        root = self._closed(branch, 0)
        numbers: dict[int, int] = {}

        def written(part: _Part) -> Tableau:
            steps = []
            for n in part.facts:
                numbers[n] = len(numbers) + 1
                fact = self.facts[n]
                refs = tuple(numbers[ref] for ref in fact.refs)
                steps.append(TableauLine(numbers[n], fact.world, shown.written(fact.formula), refs))
            parts = tuple(map(written, part.parts))
            return Tableau(tuple(steps), parts, tuple(sorted(numbers[n] for n in part.closed)))

        return written(root)

    def _add(
        self, branch: _Branch, world: str, f: Formula, refs: tuple[int, ...], needs: Iterable[int] = ()
    ) -> None:
        if (world, f) in branch.known or branch.closed:
            return
        if len(self.facts) >= self.most:
            raise Undecided(f"no closed tableau was found within {self.most:,} lines")
        number = len(self.facts)
        self.facts.append(_Fact(world, f, refs, frozenset((*needs, *refs))))
        branch.known[world, f] = number
        branch.order.append(number)
        other = branch.known.get((world, f.body if isinstance(f, s.Not) else s.Not(f)))
        if contradictory([f]):
            branch.closed = (number,)
        elif other is not None:
            branch.closed = (other, number)
        self._sort(branch, number, f)

    def _sort(self, branch: _Branch, number: int, f: Formula) -> None:
        cases = alternatives(f)
        box = positive(f)
        if len(cases) == 1 or reduced(f) is not None:
            branch.simple.append(number)
        elif cases:
            branch.splits.append(number)
        elif isinstance(box, s.Modal) and is_box(box):
            kind = branch.boxes if box is f else branch.denied
            kind.append(number)

    # --- one branch --------------------------------------------------------------------------------

    def _closed(self, branch: _Branch, start: int) -> _Part:
        """Close a branch; the part is about the facts on it from `start` on."""
        while not branch.closed:
            if not (self._simple(branch) or self._looked(branch)):
                split = self._split(branch)
                if split is not None:
                    return self._parted(branch, split, start)
                if not (self._witness(branch) or self._successor(branch)):
                    raise Undecided("no closed tableau was found: every rule has been applied to a branch")
        return self._kept(branch.order[start:], (), branch.closed, frozenset(branch.closed))

    def _kept(
        self, facts: list[int], parts: tuple[_Part, ...], closed: tuple[int, ...], used: frozenset[int]
    ) -> _Part:
        """Return a part with only the facts that are used, given those used below them."""
        needed, kept = set(used), []
        for number in reversed(facts):
            if number in needed:
                needed |= self.facts[number].needs
                kept.append(number)
        return _Part(tuple(reversed(kept)), parts, closed, frozenset(needed))

    def _simple(self, branch: _Branch) -> bool:
        if not branch.simple:
            return False
        number = branch.simple.pop(0)
        world, f = self.facts[number][:2]
        cases = alternatives(f)
        rest = reduced(f)
        if not cases and rest is not None:
            cases = [[rest]]
        for part in cases[0]:
            self._add(branch, world, part, (number,))
        return True

    def _looked(self, branch: _Branch) -> bool:
        """Write the consequences of boxes at the worlds in their scope; return whether any is new."""
        before = len(branch.order)
        for number in branch.boxes:
            world, f = self.facts[number][:2]
            for other in sorted(seen_by(f, world, branch.parents, self.logic), key=lambda w: int(w[1:])):
                self._add(branch, other, f.children[-1], (number,), self._way(branch, world, other))
        return len(branch.order) > before

    def _way(self, branch: _Branch, world: str, other: str) -> frozenset[int]:
        """Return the facts that created the worlds between two worlds, and the second."""
        above, below = list(_up(branch, world)), list(_up(branch, other))
        between = {w for w in (*above, *below) if (w in above) != (w in below)}
        return frozenset(branch.makers[w] for w in between | {other} if w in branch.makers)

    def _witness(self, branch: _Branch) -> bool:
        """Create a world for the oldest negated box without one; return whether there was any."""
        while branch.denied:
            number = branch.denied.pop(0)
            world, f = self.facts[number][:2]
            box = f.children[0]
            wanted = negated(box.children[-1])
            seen = seen_by(box, world, branch.parents, self.logic)
            if not any((other, wanted) in branch.known for other in seen):
                self._make(branch, number, world, box, wanted)
                return True
        return False

    def _successor(self, branch: _Branch) -> bool:
        """Create a world for a box with an empty scope in a serial logic; return whether there was any."""
        if not self.logic.serial:
            return False
        for number in branch.boxes:
            world, f = self.facts[number][:2]
            if len(f.label) == 1 and not seen_by(f, world, branch.parents, self.logic):
                self._make(branch, number, world, f, f.children[-1])
                return True
        return False

    def _make(self, branch: _Branch, number: int, world: str, box: Formula, f: Formula) -> None:
        new = f"w{len(branch.parents) + 1}"
        branch.parents[new] = world, box.label
        branch.makers[new] = len(self.facts)
        self._add(branch, new, f, (number,))

    # --- splits ------------------------------------------------------------------------------------

    def _split(self, branch: _Branch) -> int | None:
        """Return the fact with the fewest alternatives not contradicting the branch at once."""

        def left(number: int) -> int:
            world, f = self.facts[number][:2]
            return sum(not any((world, negated(g)) in branch.known for g in case) for case in alternatives(f))

        branch.splits = [n for n in branch.splits if not self._settled(branch, n)]
        if not branch.splits:
            return None
        number = min(branch.splits, key=lambda n: (left(n), n))
        branch.splits.remove(number)
        return number

    def _settled(self, branch: _Branch, number: int) -> bool:
        world, f = self.facts[number][:2]
        return any(all((world, g) in branch.known for g in case) for case in alternatives(f))

    def _parted(self, branch: _Branch, number: int, start: int) -> _Part:
        """Close all alternatives of a fact; one that closes without the fact suffices."""
        world, f = self.facts[number][:2]
        parts = []
        for case in alternatives(f):
            below, mark = branch.copy(), len(branch.order)
            for g in case:
                self._add(below, world, g, (number,))
            part = self._closed(below, mark)
            if not any(n in part.facts for n in below.order[mark : mark + len(case)]):
                facts = [*branch.order[start:], *part.facts]
                return self._kept(facts, part.parts, part.closed, part.used)
            parts.append(part)
        used = frozenset[int]().union(*(part.used for part in parts))
        return self._kept(branch.order[start:], tuple(parts), (), used)


def _up(branch: _Branch, world: str) -> Iterator[str]:
    while world in branch.parents:
        yield world
        world = branch.parents[world][0]
    yield world
