"""The next row of a natural deduction: a plan that finishes the proof.

The search works backwards from what is to be shown in each open subproof, and forwards from the rows that
can be cited. The decision procedure tells it which subgoals can be reached. Where that leads nowhere, the
lines of the prover become lemmas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain
from typing import TypeAlias

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FormulaError, Undecided
from kripke_werewolf.logic.deciding.decision import decide_validity, valid
from kripke_werewolf.logic.deciding.sat import Steps
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import Logic
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.proofs.abbreviations import Abbreviator, positive, same_box, unabbreviated
from kripke_werewolf.logic.proofs.derivation import derived_lines
from kripke_werewolf.logic.proofs.derived import reductions
from kripke_werewolf.logic.proofs.natural import Cited, NaturalChecking, NaturalProof, NaturalRow, Path
from kripke_werewolf.logic.proofs.natural_rules import BRACKETS
from kripke_werewolf.logic.proofs.paths import fixed_point, induction_step, states, under
from kripke_werewolf.logic.proofs.proof import Line
from kripke_werewolf.logic.proofs.script import implication, is_box, scope_contains
from kripke_werewolf.logic.proofs.systems import reduced_once
from kripke_werewolf.logic.proofs.tautologies import follows

HINT_STEPS = 400_000
"""The limit on the search for a hint."""
_MOST_ROWS = 600
_DEEPEST = 3  # lemmas for lemmas
_PLAIN = frozenset(
    {"PL", "Taut", "MP", "RK", "RK4", "RK5", "RK45", "Nec", "T", "4", "5", "D", "Mix", "D+", "U", "Red"}
)
"""Rules whose lines need no more than the connectives, in a box and outside it, once reductions are shown."""
_GIVEN = ("", "premise", "KE", "R4", "R5")
_Closure: TypeAlias = dict[Formula, tuple[str, tuple[Formula | int, ...]]]
"""Formulas with the rule that gives them, and what it cites: rows, or formulas of the closure."""
_φ = s.Atom("φ")
_Way: TypeAlias = Callable[[], int]


class _Stuck(Exception):
    """The search found nothing."""


@dataclass(frozen=True, slots=True, repr=False)
class Hint(Displayed):
    """The next row of a proof.

    `row`: the row as text, empty if there is none; `why`: what it is for, or why there is none; `plan`: the
    rows that finish the proof, this one first.
    """

    row: str
    why: str
    plan: tuple[NaturalRow, ...] = ()

    def headline(self) -> str:
        """Return the row and the reason."""
        return f"{self.row}: {self.why}" if self.row else self.why


def natural_hint(proof: NaturalProof) -> Hint:
    """Return the next row of a proof, and what it is for; a counter-model if the goal cannot be shown.

    Hints follow a plan as long as the proof does; a proof that leaves it gets another.

    >>> from kripke_werewolf.logic.proofs import read_natural
    >>> print(natural_hint(read_natural("show: K_a p ⊢ K_a (p | q)\\n1. K_a p   premise")).headline())
    2. | K_a:   box  show p | q: to show p | q in the subproof
    """
    if proof.goal is None:
        return Hint("", "the proof does not say what it shows; write 'show: Γ ⊢ φ' above it")
    if proof.flaw is not None:
        return Hint("", f"row {proof.flaw[0]} is wrong: {proof.flaw[1]}")
    if proof.done:
        return Hint("", f"the proof is finished: {proof.sequent()}")
    whole = implication(proof.premises, proof.goal)
    try:
        decided = decide_validity(whole, logic=proof.logic, limit=HINT_STEPS)
        if not decided.answer:
            return Hint("", f"{whole} is {decided}")
        plan = _plan(proof)
    except (FormulaError, Undecided) as reason:
        return Hint("", f"whether it can be shown is not known: {reason}")
    if not plan:
        return Hint("", "no proof was found with the rules allowed here")
    row = plan[0]
    after = next((x for x in plan if x.depth < row.depth), plan[-1])
    why = f"on the way to {after.formula}, by {after.rule}"
    if row.rule in BRACKETS:
        why = f"to show {row.purpose} in the subproof"
    return Hint(str(proof.and_row(row)).splitlines()[-1].strip(), why, plan)


@lru_cache(4096)
def _plan(proof: NaturalProof) -> tuple[NaturalRow, ...]:
    """Return rows that finish a proof: the rest of the plan made with the last subproof, if followed.

    Otherwise there is a new search. Rows that begin no subproof add something new, so hints come to an end.
    """
    begun = max((n for n, row in enumerate(proof.rows) if row.rule in BRACKETS), default=0)
    if proof.rows and (before := _plan(replace(proof, rows=proof.rows[:begun]))):
        after = [replace(row, purpose=None) for row in proof.rows[begun:]]
        if [replace(row, purpose=None) for row in before[: len(after)]] == after:
            return before[len(after) :]
    return _Search(proof).finished()


class _Search:
    """The rows of a proof, and those that are tried."""

    def __init__(self, proof: NaturalProof) -> None:
        assert proof.goal is not None
        self.logic, self.sheet = proof.logic, NaturalChecking(proof)
        for row in proof.rows:
            self.sheet.add(row)
        self.goal, self.premises = unabbreviated(proof.goal), [unabbreviated(f) for f in proof.premises]
        self.written = Abbreviator(implication(proof.premises, proof.goal)).written
        self.path = self.sheet.path
        """The subproofs around the row to be written next."""
        self.spent: frozenset[Formula] = frozenset()
        """The facts that have been used up."""
        self.depth, self.plain = 0, False
        """How many lemmas are being shown; whether the connectives alone decide what follows."""
        self.before = -1
        """The last row before a lemma, which must hold anywhere: it uses no row that rests on others."""
        self.tried: set[tuple[frozenset[Formula], Formula, bool, int]] = set()
        """What is being shown from which facts, and what could not be shown."""
        self.closures: dict[tuple[Path, int], _Closure] = {}
        """What follows on each path, and for each lemma, from the existing rows."""

    # --- the whole ---------------------------------------------------------------------------------

    def finished(self) -> tuple[NaturalRow, ...]:
        """Return rows that finish the proof, in the innermost subproof that leads to the goal."""
        start, path, goals = len(self.sheet.found), self.path, self._goals()
        for level in range(len(goals), 0, -1):
            self.tried.clear()
            try:
                for place in range(level, 0, -1):
                    self.path = path[:place]
                    row = self.own(self.show(goals[place - 1]))
                if row != len(self.sheet.found):
                    self.put(self.goal, "R", row)
                return tuple(found.row for found in self.sheet.found[start:])
            except _Stuck:
                self.back_to(start)
                self.spent, self.depth, self.plain, self.before = frozenset(), 0, False, -1
        return ()

    def _goals(self) -> list[Formula]:
        """Return the goals of the open subproofs, up to one whose goal is not known."""
        whole, goals = self.path, [self.goal]
        for level, start in enumerate(whole[1:], 1):
            self.path = whole[:level]
            outside = self._closure()
            self.path = whole[: level + 1]
            options = self._options(self.sheet.found[start - 1].row, goals[-1], outside)
            goal = next((g for g in options if self._valid(self._known(), g)), None)
            if goal is None:
                break
            goals.append(goal)
        self.path = whole
        return goals

    def _options(self, row: NaturalRow, goal: Formula, outside: Iterable[Formula]) -> Iterator[Formula]:
        """Yield the formulas that a subproof may be meant to show, in a proof of a goal."""
        if row.purpose is not None:
            yield unabbreviated(row.purpose)
        f, nodes = unabbreviated(row.formula), dict.fromkeys(reversed([*goal.subformulas()]))
        for box in [node for node in nodes if isinstance(node, s.Box) and reduced_once(node)]:
            nodes |= dict.fromkeys(_reduced(box).subformulas())
        for node in (*nodes, *(node for g in outside for node in g.subformulas())):
            if node in outside and row.rule != "assume":
                continue  # it is known already
            if row.rule == "box" and is_box(node) and same_box(node, f):
                yield node.children[-1]
            elif row.rule == "assume" and isinstance(node, s.Implies | s.Iff) and f in node.children:
                yield node.right if node.left is f else node.left
            elif row.rule == "invariant" and (found := states(node)) and len(found) == 1:
                yield induction_step(found, 0, [f]).right
            elif row.rule == "assume" and isinstance(node, s.Or) and f in node.children and node in outside:
                yield goal
        yield s.FALSE

    # --- rows --------------------------------------------------------------------------------------

    def put(self, f: Formula, rule: str, *cited: Cited, purpose: Formula | None = None) -> int:
        """Add a row to the subproof at hand; a row that begins a subproof goes into that one."""
        opens = rule in BRACKETS
        shown = None if purpose is None else self.written(purpose)
        row = NaturalRow(len(self.path) - (not opens), self.written(f), rule, cited, shown)
        self.closures.clear()
        if len(self.sheet.found) > _MOST_ROWS or self.sheet.add(row):
            raise _Stuck
        self.path = self.sheet.path
        return len(self.sheet.found)

    def back_to(self, length: int) -> None:
        """Remove all rows after the first `length`."""
        self.closures.clear()
        self.sheet.back_to(length)

    def own(self, row: int) -> int:
        """Return a row with the same formula in the subproof at hand."""
        found = self.sheet.found[row - 1]
        return row if found.path == self.path else self.put(found.formula, "R", row)

    def subproof(self, f: Formula, goal: Formula, rule: str = "assume") -> tuple[int, int]:
        """Return a subproof that begins with f and shows a goal: one above, or a new one."""
        outside, spent = self.path, self.spent
        for end, found in enumerate(self.sheet.found, 1):
            start = found.path[-1]
            first = self.sheet.found[start - 1]
            alike = first.formula is f and first.row.rule == rule and found.formula is goal
            if alike and start > max(self.before, 0):
                closed = found.path != outside[: len(found.path)] and found.row.rule != "box"
                if closed and not self.sheet.unreachable(end, outside, (start, end)):
                    return start, end
        start = self.put(f, rule, purpose=goal)
        if rule != "assume":
            self.spent = frozenset()
        end = self.own(self.show(goal))
        self.path, self.spent = outside, spent
        return start, end

    # --- forwards ----------------------------------------------------------------------------------

    def _have(self) -> dict[Formula, int]:
        """Return the rows that can be cited, by formula."""
        found: dict[Formula, int] = {}
        for number, one in enumerate(self.sheet.found, 1):
            anywhere = number > self.before or not one.rests
            if anywhere and one.row.rule != "box" and not self.sheet.unreachable(number, self.path):
                found.setdefault(one.formula, number)
        return found

    def _inside(self, box: Formula, known: Iterable[Formula]) -> Iterator[tuple[Formula, str, Formula]]:
        """Yield the formulas that can be brought into a box, with their rules and sources."""
        for f in known:
            own = positive(f)
            if scope_contains(own, box):
                rule, general = "R4", under(own, _φ)
                if own is not f:
                    rule, general = "R5", s.Not(general)
                elif "KE" in self.sheet.allowed:
                    yield f.children[-1], "KE", f
                twice = s.Implies(general, under(box, general))
                if isinstance(box, s.Modal) and rule in self.sheet.allowed and _follows(twice, self.logic):
                    yield f, rule, f

    def _closure(self) -> _Closure:
        """Return all that can be cited or brought in, or follows by eliminations."""
        if (at := (self.path, self.before)) not in self.closures:
            self.closures[at] = self._closed()
        return self.closures[at]

    def _closed(self) -> _Closure:
        how: _Closure = {f: ("", (n,)) for f, n in self._have().items()}
        strict = self.sheet.strict(self.path)
        if not strict:
            how |= {f: ("premise", ()) for f in self.premises if f not in how and self.before < 0}
        elif self.sheet.found[strict - 1].row.rule == "box":
            inside, self.path = self.path, self.path[: self.path.index(strict)]
            have, self.path = self._have(), inside
            for f, rule, source in self._inside(self.sheet.found[strict - 1].formula, have):
                how.setdefault(f, (rule, (have[source],)))
        size = 0
        while len(how) > size:
            size = len(how)
            denied = [h.body for h in how if isinstance(h, s.Not) and isinstance(h.body, s.Or)]
            for g in list(how):
                weaker = ((f, "|I") for f in denied if g in f.children)
                for f, rule, *others in chain(self._eliminated(g, how), weaker):
                    if rule in self.sheet.allowed:
                        how.setdefault(f, (rule, (g, *others)))
        return how

    def _eliminated(self, g: Formula, how: _Closure) -> Iterator[tuple[Formula, str, *tuple[Formula, ...]]]:
        """Yield the conclusions of a formula and others, with the rule and the others."""
        match g:
            case s.And(parts):
                yield from ((f, "&E") for f in parts)
            case s.Not(s.Not(body)):
                yield body, "DN"
            case s.Implies(left, right) if left in how:
                yield right, "->E", left
            case s.Iff(left, right):
                yield from ((y, "<->E", x) for x, y in ((left, right), (right, left)) if x in how)
            case s.Modal() if is_box(g) and (not g.label or self.logic.of(g.label).reflexive):
                yield g.children[-1], "T"
            case s.Box() if reduced_once(g):
                yield _reduced(g), "!"
        if isinstance(g, s.Common) and g.within is s.TRUE:
            yield from ((s.Knows(a, f), "CE") for a in g.label for f in (g.body, g))
        elif (common := states(g)) is not None:
            yield fixed_point(common).right, "Mix"
        if isinstance(g, s.Not) and g.body in how:
            yield s.FALSE, "~E", g.body

    def _known(self) -> list[Formula]:
        """Return the closure without what is used up."""
        return [g for g in self._closure() if g not in self.spent]

    def _valid(self, facts: Sequence[Formula], f: Formula) -> bool:
        if self.plain:
            return follows(facts, f) is not None
        return _follows(implication(facts, f), self.logic)

    def at(self, f: Formula) -> int:
        """Return the row of a formula of the closure; without one, write it and those before it."""
        rule, cited = self._closure()[f]
        rows = [n if isinstance(n, int) else self.at(n) for n in cited]
        return self.put(f, rule, *rows) if rule else rows[0]

    # --- backwards ---------------------------------------------------------------------------------

    def show(self, f: Formula) -> int:
        """Write rows that show a formula; return the number of the last."""
        how = self._closure()
        if f in how:
            return self.at(f)
        if isinstance(f, s.Or) and (part := next((g for g in f.children if g in how), None)) is not None:
            return self.put(f, "|I", self.at(part))
        if s.FALSE in how and "X" in self.sheet.allowed:
            return self.put(f, "X", self.at(s.FALSE))
        tried = frozenset(self._known()), f, self.plain, self.depth
        if tried in self.tried:
            raise _Stuck
        self.tried.add(tried)
        length, before = len(self.sheet.found), (self.path, self.spent, self.depth, self.plain, self.before)
        for way in self._ways(f):
            try:
                row = way()
            except _Stuck:
                row = 0
            self.path, self.spent, self.depth, self.plain, self.before = before
            if row:
                self.tried.discard(tried)
                return row
            self.back_to(length)
        raise _Stuck

    def _ways(self, f: Formula) -> Iterator[_Way]:
        """Yield the ways to show a formula, the shortest first."""
        match f:
            case s.Implies(left, right):
                yield lambda: self.put(f, "->I", self.subproof(left, right))
            case s.And(parts):
                yield lambda: self.put(f, "&I", *[self.show(g) for g in parts])
            case s.Iff(left, right):
                yield lambda: self.put(f, "<->I", self.subproof(left, right), self.subproof(right, left))
            case s.Not(body):
                yield lambda: self.put(f, "~I", self.subproof(body, s.FALSE))
            case _ if f is s.TRUE:
                yield lambda: self.put(f, "trueI")
            case _:
                yield from self._of_boxes(f)
                facts = self._known()
                for part in f.children:
                    if isinstance(f, s.Or) and self._valid(facts, part):
                        yield partial(self._weakened, f, part)
                for agent in sorted({a for g in facts for a in g.agents if f is s.FALSE}):
                    if (logic := self.logic.of((agent,))).serial and not logic.reflexive:
                        yield partial(self._boxed, f, s.Knows(agent, f), "D")
                if self._valid(facts, f):
                    yield from self._indirect(f, self._core(facts, f))
        yield lambda: self._by_lemmas(f)

    def _of_boxes(self, f: Formula) -> Iterator[_Way]:
        if is_box(f):
            yield lambda: self._boxed(f, f, "KI")
        if isinstance(f, s.Box) and reduced_once(f):
            yield lambda: self.put(f, "!", self.show(_reduced(f)))
        found = states(f) if isinstance(f, s.Common | s.Box) else None
        if found is None or len(found) > 1:
            return
        facts, fixed = self._known(), fixed_point(found).right
        vacuous = isinstance(fixed, s.Implies) and self._valid(facts, s.Not(fixed.left))
        if vacuous or follows(facts, fixed) is not None:
            yield lambda: self.put(f, "Mix", self.show(fixed))
        for invariant in self._invariants(facts, f):
            step = induction_step(found, 0, [invariant]).right
            if self._valid(facts, invariant) and self._valid([invariant], step):
                yield partial(self._induced, f, invariant, step)

    def _invariants(self, facts: Sequence[Formula], f: Formula) -> Iterator[Formula]:
        """Yield formulas that may be invariants of an induction: those above, then the prover's."""
        yield from (one.formula for one in self.sheet.found if one.row.rule == "invariant")
        if self.plain:
            return
        for line in self._lines(facts, f):
            g = unabbreviated(line.formula)
            if line.rule.startswith("Ind") and (g is f or (isinstance(g, s.Implies) and g.right is f)):
                yield s.TRUE if g is f else g.children[0]

    def _core(self, facts: list[Formula], f: Formula) -> list[Formula]:
        """Return facts from which a formula follows, none of them superfluous."""
        weaker = {g for rule, cited in self._closure().values() if rule in ("T", "Mix", "!") for g in cited}
        core = list(facts)
        for g in sorted(facts, key=lambda g: (g not in weaker, -len(list(g.subformulas())))):
            fewer = [x for x in core if x is not g]
            if self._valid(fewer, f):
                core = fewer
        return core

    def _boxed(self, f: Formula, box: Formula, rule: str) -> int:
        """Show a formula by a strict subproof for a box; return 0 if too little can be brought into it."""
        goal, items = box.children[-1], list(self._inside(box, self._known()))
        timeless = [g for g, n in self._have().items() if not self.sheet.found[n - 1].rests]
        if not self._valid([*(g for g, _, _ in items), *timeless], goal):
            return 0
        for item in sorted(items, key=lambda item: item[1] == "KE"):
            fewer = [x for x in items if x is not item]
            if self._valid([*(g for g, _, _ in fewer), *timeless], goal):
                items = fewer
        for _, _, source in items:
            self.at(source)
        return self.put(f, rule, self.subproof(under(box, s.TRUE), goal, "box"))

    def _indirect(self, f: Formula, core: list[Formula]) -> Iterator[_Way]:
        """Yield ways to use up one of the facts from which a formula follows, and indirect proof."""
        denials = [g for g in core if isinstance(g, s.Not) and f is s.FALSE]
        for g in core:
            if isinstance(g, s.Implies) and self._valid([x for x in core if x is not g], g.left):
                yield partial(self._detached, f, g)
        for g in denials:
            if not isinstance(g.body, s.Or | s.Atom):
                yield partial(self._contradicted, g)
        yield from (partial(self._split, f, g) for g in core if isinstance(g, s.Or))
        if f is not s.FALSE:
            yield lambda: self.put(f, "IP", self.subproof(s.Not(f), s.FALSE))
        for g in denials:
            if isinstance(g.body, s.Or):
                yield partial(self._denied, f, g, g.body.children)

    def _weakened(self, f: Formula, part: Formula) -> int:
        return self.put(f, "|I", self.show(part))

    def _induced(self, f: Formula, invariant: Formula, step: Formula) -> int:
        row = self.show(invariant)
        return self.put(f, "Ind", row, self.subproof(invariant, step, "invariant"))

    def _detached(self, f: Formula, g: s.Implies) -> int:
        self.spent |= {g}
        self.show(g.left)
        self.at(g.right)
        return self.show(f)

    def _contradicted(self, g: s.Not) -> int:
        self.spent |= {g}
        return self.put(s.FALSE, "~E", self.show(g.body), self.at(g))

    def _split(self, f: Formula, g: s.Or) -> int:
        self.spent |= {g}
        return self.put(f, "|E", self.at(g), *[self.subproof(part, f) for part in g.children])

    def _denied(self, f: Formula, g: Formula, parts: Sequence[Formula]) -> int:
        """Show the negations of parts of a formula that contradict it together with the other facts."""
        for part in parts:
            self.show(s.Not(part))
        self.spent |= {g}
        return self.show(f)

    # --- with the prover -----------------------------------------------------------------------------

    def _lines(self, facts: Sequence[Formula], f: Formula) -> list[Line]:
        if not self._valid(facts, f):
            return []
        return derived_lines(implication(facts, f), self.logic, Steps(HINT_STEPS)) or []

    def _by_lemmas(self, f: Formula) -> int:
        """Show a formula with theorems that the prover finds, line by line."""
        if self.plain or self.depth >= _DEEPEST:
            return 0
        self.spent, self.depth = frozenset(), self.depth + 1
        lines = self._lines([g for g, (rule, _) in self._closure().items() if rule in _GIVEN], f)
        if not lines:
            return 0
        around, self.before = self.before, len(self.sheet.found)
        for line in lines[:-1]:
            self._reductions(lines, line)
            self.plain = line.rule in _PLAIN
            self.show(unabbreviated(line.formula))
        self._reductions(lines, lines[-1])
        self.before, self.plain = around, lines[-1].rule in _PLAIN
        self.show(f)
        return self.at(f)

    def _reductions(self, lines: Sequence[Line], line: Line) -> None:
        """Show the reduction axioms that a line uses, so that the connectives alone do the rest."""
        self.plain = False
        if line.rule == "Red":
            used = [unabbreviated(one.formula) for one in (line, *(lines[n - 1] for n in line.refs))]
            for axiom, _ in reductions(used):
                self.show(axiom)


def _reduced(f: s.Box) -> Formula:
    equal = reduced_once(f)
    assert equal is not None
    return equal[1].right


@lru_cache(8192)
def _follows(f: Formula, logic: Logic) -> bool:
    try:
        return valid(f, logic=logic, limit=HINT_STEPS)
    except Undecided:
        return False
