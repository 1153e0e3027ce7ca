"""Proofs of tautologies by case distinction.

A formula is proved by proving it once with one of its parts true and once with that part false. In each case
it simplifies to a shorter formula without the part, which is proved in the same way, and only once. So the
proof is about as long as a decision diagram of the formula.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from tests.reference.metamath.database import Assertion, Pattern, Reference, prelude
from tests.reference.metamath.steps import StepTable, reached

_CONSTANT = -1  # stands, among the parts of a formula, for those that are simplified in every case
_MOST_TRIED = 6  # parts of a formula tried before choosing one
_COUNTS = {"w.atleast": "df.atleast2", "w.atmost": "df.atmost", "w.exactly": "df.exactly"}


def tautology(steps: StepTable, formula: int) -> int | None:
    """Return a step that proves a tautology; None if the formula is not one."""
    if repeated := _repeated(steps, formula):  # their structure may not matter
        found = _Cases(steps, repeated).proof(formula)
        if found is not None:
            return found
    return _Cases(steps).proof(formula)


# --- one step ----------------------------------------------------------------------------------------


@cache
def _theorems() -> tuple[Assertion, ...]:
    """Return the statements of the prelude without premises."""
    return tuple(s for s in prelude().statements.values() if not s.premises)


def _one_step(steps: StepTable, goal: int) -> int | None:
    """Return a step that proves a formula by one theorem of the prelude, or None."""
    for statement in _theorems():
        meaning: dict[str, int] = {}
        if steps.matches(steps.claims(statement)[-1], goal, meaning):
            return steps.apply(statement.reference, meaning)
    return None


def _repeated(steps: StepTable, formula: int) -> list[int]:
    """Return the parts of a formula that occur more than once and have parts themselves."""
    inside = _inside(steps, formula)
    times = Counter(used for number in inside for used in steps.table[number].uses)
    return [n for n in inside if times[n] > 1 and steps.table[n].uses and _is_formula(steps, n)]


def _is_formula(steps: StepTable, number: int) -> bool:
    """Return whether an expression is a formula, not a list of formulas or a number."""
    syntax = prelude().syntax.get(steps.table[number].label)
    return syntax is None or syntax.typecode == "wff"


def _inside(steps: StepTable, formula: int) -> list[int]:
    """Return a formula and all formulas and lists of formulas in it joined by connectives."""
    syntax = prelude().syntax

    def joined(number: int) -> list[int]:
        label, uses = steps.table[number]
        return [used for used in uses if label in syntax and steps.table[used].label in syntax]

    return reached(formula, joined)


# --- cases -------------------------------------------------------------------------------------------


class _Known(NamedTuple):
    """The value of a formula in a case: `t` true, `f` false, `r` equivalent to `term`, `s` unchanged.

    `step` proves it under the condition of the case.
    """

    state: str
    term: int
    step: int = -1


class _Rule(NamedTuple):
    """The value of a connective whose parts have known values: a theorem of the prelude, parsed.

    `used`: the parts whose steps are its premises; `right`: an equivalent formula, if it is neither true nor
    false.
    """

    theorem: Reference
    used: tuple[int, ...]
    state: str
    right: Pattern | None


@cache
def _rule(label: str, states: str) -> _Rule:
    """Return the theorem about a connective with known values of its parts; x means any value."""
    name = label.removeprefix("w.")
    forms = [states, f"{states[0]}x", f"x{states[-1]}"]
    form = next(form for form in forms if f"{name}.{form}" in prelude().statements)
    statement = prelude().statements[f"{name}.{form}"]
    _, found = statement.conclusion.parts  # those of ph -> …
    node = Pattern(label, (Pattern("v.ps"), Pattern("v.th"))[: len(states)])
    used = tuple(number for number, state in enumerate(form) if state not in "sx")
    if found in (node, Pattern("w.not", (node,))):
        return _Rule(statement.reference, used, "t" if found == node else "f", None)
    return _Rule(statement.reference, used, "r", found.parts[1])


_Search: TypeAlias = "Generator[int, int | None, int | None]"


class _Cases:
    """Proofs by cases. The formulas in `closed` are treated as atoms."""

    def __init__(self, steps: StepTable, closed: Iterable[int] = ()) -> None:
        self.steps = steps
        self.closed = frozenset(closed)
        self.proofs: dict[int, int | None] = {}
        self._atoms: dict[int, frozenset[int]] = {}
        self._sizes: dict[int, int] = {}
        self._known: dict[tuple[int, bool], dict[int, _Known]] = {}

    def proof(self, goal: int) -> int | None:
        """Return a step that proves a formula; None if it is not a tautology."""
        stack, found = [(goal, self._search(goal))], None
        while stack:
            current, search = stack[-1]
            try:
                wanted = search.send(found)
            except StopIteration as done:
                found = self.proofs[current] = done.value
                stack.pop()
                continue
            found = self.proofs.get(wanted)
            if wanted not in self.proofs:
                stack.append((wanted, self._search(wanted)))
        return found

    def _search(self, goal: int) -> _Search:
        """Return the proof of a formula; yields the formulas whose proofs it needs."""
        found = _one_step(self.steps, goal)
        if found is not None:
            return found
        atoms = self.atoms(goal) - {_CONSTANT}
        if not atoms:
            return self._without_cases(goal)
        label, uses = self.steps.table[goal]
        if label == "w.im" and self._is_literal(uses[0]):
            return (yield from self._under(*uses))
        if label == "w.im" and self.steps.table[uses[0]].label == "w.an" and self._parts(uses[0]):
            return (yield from self._curried(*uses))
        times = Counter(atom for part in _inside(self.steps, goal) for atom in self.atoms(part))
        tried = sorted(atoms, key=lambda atom: (-times[atom], atom))[:_MOST_TRIED]
        cases = {atom: [self.known(atom, value, goal) for value in (True, False)] for atom in tried}
        if any(case.state == "f" for pair in cases.values() for case in pair):
            return None
        best = min(tried, key=lambda atom: sum(self._left(case) for case in cases[atom]))
        return (yield from self._joined(goal, best, cases[best]))

    def _joined(self, goal: int, atom: int, cases: Sequence[_Known]) -> _Search:
        """Return the proof of a formula from its values in the two cases of an atom."""
        used: list[int] = []
        for case in cases:
            used.append(case.step)
            if case.state == "r":
                rest = yield case.term
                if rest is None:
                    return None
                used.append(rest)
        meaning = {"v.ph": atom, "v.ps": goal, "v.ch": cases[0].term, "v.th": cases[1].term}
        return self._apply(f"case.{cases[0].state}{cases[1].state}", meaning, *used)

    def _under(self, condition: int, goal: int) -> _Search:
        """Return the proof of `condition -> goal`, where the condition affirms or denies an atom."""
        (atom,) = self.atoms(condition)
        case = self.known(atom, atom == condition, goal)
        if case.state in "tf":
            return case.step if case.state == "t" else None
        rest = yield case.term
        if rest is None:
            return None
        if case.state == "s":
            return self._apply("im.1i", {"v.ph": goal, "v.ps": condition}, rest)
        return self._apply("use.r", {"v.ph": condition, "v.ps": goal, "v.ch": case.term}, case.step, rest)

    def _curried(self, conditions: int, goal: int) -> _Search:
        """Return the proof of `first & second -> goal` from that of `first -> second -> goal`."""
        first, second = self._parts(conditions)
        rest = yield self.steps.step("w.im", first, self.steps.step("w.im", second, goal))
        meaning = {"v.ph": first, "v.ps": second, "v.ch": goal}
        return None if rest is None else self._apply("an.import", meaning, rest)

    def _without_cases(self, goal: int) -> int | None:
        """Return the proof of a formula built from truth and falsity alone."""
        true = self.steps.step("w.true")
        case = self.known(true, True, goal)
        if case.state != "t":
            return None
        return self._apply("ax.mp", {"v.ph": true, "v.ps": goal}, case.step, self.steps.step("df.true"))

    def _left(self, case: _Known) -> int:
        """Return the length of the formula left to prove in a case."""
        return self._size(case.term) if case.state == "r" else 0

    def _apply(self, label: str, meaning: Mapping[str, int], *premises: int) -> int:
        return self.steps.apply(prelude().statements[label].reference, meaning, *premises)

    # --- parts of formulas -------------------------------------------------------------------------

    def _parts(self, number: int) -> tuple[int, ...]:
        """Return the parts of a formula or a list of formulas; none for an atom."""
        label, uses = self.steps.table[number]
        return uses if label in prelude().syntax and number not in self.closed else ()

    def atoms(self, number: int) -> frozenset[int]:
        """Return the parts of a formula treated as atoms, and `_CONSTANT` if it has constants."""
        for part in self._unseen(number, self._atoms):
            if self._decided(part) is not None:
                self._atoms[part] = frozenset((_CONSTANT,))
            elif parts := self._parts(part):
                self._atoms[part] = frozenset().union(*(self._atoms[p] for p in parts))
            else:
                self._atoms[part] = frozenset((part,) if _is_formula(self.steps, part) else ())
        return self._atoms[number]

    def _size(self, number: int) -> int:
        """Return the length of a formula, including repetitions."""
        for part in self._unseen(number, self._sizes):
            self._sizes[part] = 1 + sum(self._sizes[p] for p in self._parts(part))
        return self._sizes[number]

    def _unseen(self, number: int, seen: Mapping[int, object]) -> list[int]:
        """Return the unseen parts of a formula, each after its own parts."""
        if number in seen:
            return []
        return reached(number, lambda n: [part for part in self._parts(n) if part not in seen])

    def _is_literal(self, number: int) -> bool:
        if self.steps.table[number].label == "w.not":
            number = self._parts(number)[0] if self._parts(number) else number
        return self.atoms(number) == {number}

    def _decided(self, number: int) -> tuple[str, int] | None:
        """Return the truth value of a constant or a trivial count, and the step that proves it."""
        match self.steps.table[number]:
            case "w.true", _:
                return "t", self.steps.step("df.true")
            case "w.false", _:
                return "f", self.steps.step("no.false")
            case "w.atleast", (least, among):
                if self.steps.table[least].label == "n.0":
                    return "t", self._apply("df.atleast0", {"v.L": among})
                if self.steps.table[among].label == "l.nil":
                    return "f", self._apply("df.atleast1", {"v.N": self.steps.table[least].uses[0]})
        return None

    def _unfolded(self, number: int) -> tuple[int, int]:
        """Return the formula that defines a count, and the step that proves their equivalence."""
        statement = prelude().statements[_COUNTS[self.steps.table[number].label]]
        meaning: dict[str, int] = {}
        left, right = statement.conclusion.parts
        self.steps.matches(self.steps.expression(left, {}), number, meaning)
        return self.steps.expression(right, meaning), self.steps.apply(statement.reference, meaning)

    # --- what a formula is in a case ---------------------------------------------------------------

    def known(self, atom: int, value: bool, goal: int) -> _Known:
        """Return the value of a formula when an atom has a truth value."""
        condition = atom if value else self.steps.step("w.not", atom)
        found = self._known.setdefault((atom, value), {})
        if atom not in found:
            found[atom] = _Known("t" if value else "f", atom, self._apply("im.id", {"v.ph": condition}))
        stack = [goal]
        while stack:
            number = stack.pop()
            parts = () if number in found else self._needed(atom, number)
            if any(part not in found for part in parts):
                stack += [number, *parts]
            elif number not in found:
                found[number] = self._in_case(condition, number, [found[part] for part in parts])
        return found[goal]

    def _needed(self, atom: int, number: int) -> tuple[int, ...]:
        """Return the formulas on which the value of a formula depends in the cases of an atom."""
        if self.atoms(number).isdisjoint((atom, _CONSTANT)) or self._decided(number) is not None:
            return ()
        is_count = self.steps.table[number].label in _COUNTS
        return (self._unfolded(number)[0],) if is_count else self._parts(number)

    def _in_case(self, condition: int, number: int, parts: Sequence[_Known]) -> _Known:
        """Return the value of a formula in a case, given the values of its parts."""
        if (decided := self._decided(number)) is not None:
            state, theorem = decided
            proved = number if state == "t" else self.steps.step("w.not", number)
            step = self._apply("im.1i", {"v.ph": proved, "v.ps": condition}, theorem)
            return _Known(state, number, step)
        if all(part.state == "s" for part in parts):
            return _Known("s", number)
        label, uses = self.steps.table[number]
        first, last = parts[0], parts[-1]
        if label in _COUNTS:
            equal, step = self._unfolded(number)
            meaning = {"v.ph": condition, "v.ps": number, "v.ch": equal, "v.th": first.term}
            return first._replace(step=self._apply(f"df.{first.state}", meaning, step, first.step))
        states = "".join(part.state for part in parts)
        meaning = {"v.ph": condition, "v.ps": uses[0], "v.ch": first.term}
        meaning |= {"v.th": uses[-1], "v.ta": last.term}
        if label == "w.not":
            if states == "f":
                return _Known("t", number, first.step)
            if states == "r" and self.steps.table[first.term].label == "w.not":
                states, meaning["v.ch"] = "n", self.steps.table[first.term].uses[0]
        rule = _rule(label, states)
        step = self.steps.apply(rule.theorem, meaning, *(parts[n].step for n in rule.used))
        term = number if rule.right is None else self.steps.expression(rule.right, meaning)
        return _Known(rule.state, term, step)
