"""Checking derivations: each line is expanded into primitive steps, and each step is compared with its rule.

The trusted part is `_flaw_of_step` and the declarations in `systems`: tautologies are decided, instances of
axioms and rules matched, and steps under updates must rest on properties that updates preserve. Derived rules
only write steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FormulaError, Undecided, UnknownNameError
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.logics import Logic
from kripke_werewolf.logic.formulas.names import doubtful_names
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.proofs.abbreviations import Abbreviator, unabbreviated
from kripke_werewolf.logic.proofs.derived import rule_named, write_line
from kripke_werewolf.logic.proofs.proof import Line, Proof
from kripke_werewolf.logic.proofs.script import GIVEN, DoesNotApply, Frames, Script, discharged
from kripke_werewolf.logic.proofs.systems import RULES, TAUT, Premises, kept_by, system
from kripke_werewolf.logic.proofs.tautologies import DEFAULT_STEPS, is_tautology


@dataclass(frozen=True, slots=True, repr=False)
class Checked(Displayed):
    """Whether a derivation is correct; if not, its first wrong line by number, and the reason.

    There is no such line if all are right but do not reach the goal.
    """

    right: bool
    line: int | None = None
    reason: str = ""

    def __str__(self) -> str:
        return self.headline()

    def headline(self) -> str:
        """Return the answer in words."""
        if self.right:
            return "right"
        if self.line is None:
            return f"not finished: {self.reason}"
        return f"line {self.line} is wrong: {self.reason}"


def check(proof: Proof, *, limit: int = DEFAULT_STEPS) -> Checked:
    """Return whether every line of a derivation follows by its rule from lines above it, up to its goal.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> from kripke_werewolf.logic.formulas.logics import LOGICS
    >>> print(check(Proof(LOGICS["K"], (Line(parse("K_a p -> p"), "T"),))))
    line 1 is wrong: T is not sound in K, which has Taut, MP, K, Nec
    >>> print(check(Proof(LOGICS["T"], (Line(parse("K_a p -> p"), "T"),), rules=("Taut", "MP"))))
    line 1 is wrong: T may not be used here; allowed: Taut, MP

    Raises `Undecided`, naming the line, if a propositional step takes more than `limit` steps of a search.
    """
    checking = Checking(proof.logic, limit, proof.premises, proof.rules)
    for number, line in enumerate(proof.lines, 1):
        try:
            flaw = checking.add(line)
        except Undecided as reason:
            raise Undecided(f"line {number}: {reason}") from None
        if flaw is not None:
            return Checked(False, number, flaw)
    return Checked(not proof.missing, None, proof.missing)


@lru_cache(256)
def judgements(proof: Proof) -> tuple[Checked, ...]:
    """Return for each line whether it is right; a wrong one cannot be cited.

    >>> from kripke_werewolf.logic.proofs import read_proof
    >>> [found.right for found in judgements(read_proof("p -> K_a p   T\\nK_a p -> p   T"))]
    [False, True]
    """
    checking = Checking(proof.logic, DEFAULT_STEPS, proof.premises, proof.rules)
    found = list[Checked]()
    for number, line in enumerate(proof.lines, 1):
        try:
            flaw = checking.add(line)
        except Undecided as reason:
            flaw = str(reason)
        if flaw is not None:
            checking.skip(line)
            flaw = "; ".join([flaw, *doubtful_names(line.formula)])
        found.append(Checked(flaw is None, number, flaw or ""))
    return tuple(found)


class Checking:
    """The lines of a derivation so far: those that are right, and wrong ones that were skipped."""

    def __init__(
        self, logic: Logic, limit: int = DEFAULT_STEPS, premises: Premises = (), rules: Sequence[str] = ()
    ) -> None:
        self.logic, self.limit = logic, limit
        self.rules = tuple(name if name == GIVEN else rule_named(name) for name in rules)
        self.premises = tuple(map(unabbreviated, premises))
        self.rests: list[Premises] = []
        """For each line, the premises on which it rests."""
        self.lines: list[Line] = []
        self._script = Script(logic, write_line, limit)
        self._numbers: list[int] = []
        self._ends: list[int] = []
        self._depends: list[Frames] = []

    def add(self, line: Line) -> str | None:
        """Add a line, or return why it is wrong."""
        flaw = self._written(line)
        if flaw is None:
            self.lines.append(line)
            self._ends.append(len(self._script.lines))
        else:
            self.back_to(len(self.lines))
        return flaw

    def skip(self, line: Line) -> None:
        """Add a wrong line, which later ones cannot cite."""
        self.back_to(len(self.lines))
        self.lines.append(line)
        self.rests.append(())
        self._numbers.append(0)
        self._ends.append(len(self._script.lines))

    def back_to(self, length: int) -> None:
        """Remove all lines after the first `length`."""
        del self.lines[length:], self.rests[length:], self._numbers[length:], self._ends[length:]
        mark = self._ends[-1] if self._ends else 0
        self._script.forget(mark)
        del self._depends[mark:]

    def frames(self, number: int) -> Frames:
        """Return the properties of frames on which a line depends."""
        return self._depends[self._numbers[number - 1] - 1]

    def allowed(self, rule: str) -> bool:
        """Return whether lines may cite a rule; premises may always be cited."""
        return not self.rules or rule == GIVEN or rule_named(rule) in self.rules

    def allows(self, line: Line) -> bool:
        """Return whether a line would be correct as the next one."""
        length = len(self.lines)
        found = self.add(line) is None
        self.back_to(length)
        return found

    def _written(self, line: Line) -> str | None:
        for ref in line.refs:
            if not 0 < ref <= len(self.lines):
                return f"it cites line {ref}, which is not above it"
            if not self._numbers[ref - 1]:
                return f"it cites line {ref}, which is wrong"
        if not line.rule:
            return "it cites no rule"
        script, depends = self._script, self._depends
        told = [line.formula, *(self.lines[n - 1].formula for n in line.refs)]
        script.shown = lambda f: Abbreviator(s.conjunction(told)).written(f)
        try:
            if not self.allowed(line.rule):
                listed = f"; allowed: {', '.join(self.rules)}" if len(self.rules) < len(RULES) else ""
                return f"{line.rule} may not be used here{listed}"
            whole, used = discharged(line, self.premises, self.lines, self.rests)
            number = write_line(script, whole, [self._numbers[n - 1] for n in whole.refs], told)
            while len(depends) < len(script.lines):
                flaw = _flaw_of_step(self.logic, script.lines, len(depends) + 1, depends, script.limit)
                if flaw is not None:
                    return flaw
        except (DoesNotApply, FormulaError, UnknownNameError) as reason:
            return str(reason)
        if script.formula(number) is not whole.formula:
            return f"its rule gives {script.shown(script.formula(number))}"
        self._numbers.append(number)
        self.rests.append(used)
        return None


def _flaw_of_step(
    logic: Logic, lines: Sequence[Line], number: int, depends: list[Frames], limit: int = DEFAULT_STEPS
) -> str | None:
    """Return the flaw of a primitive line, if it has one.

    `depends` lists for each earlier line the frame properties on which it depends; those of this line are
    added.
    """
    line = lines[number - 1]
    if any(not 0 < ref < number for ref in line.refs):
        return f"{line.reason} cites a line that is not above it"
    flaw = _misfit(logic, line.rule, tuple(lines[ref - 1].formula for ref in line.refs), line.formula, limit)
    if flaw:
        return flaw
    rule = RULES[line.rule]
    used = frozenset(filter(None, [rule.frame])).union(*(depends[ref - 1] for ref in line.refs))
    if rule.under_update and (lost := used - kept_by(line.formula, logic.properties)):
        return (
            f"{lines[line.refs[0] - 1].formula} is derived for {' and '.join(sorted(lost))} relations, which "
            "they need not be after the update"
        )
    depends.append(used)
    return None


@lru_cache(16_384)
def _misfit(logic: Logic, name: str, premises: Premises, f: Formula, limit: int) -> str:
    """Return why a primitive rule of a logic does not yield a formula from premises; empty if it does."""
    rule = RULES.get(name)
    if rule is None or rule not in system(logic):
        return f"{name} is not an axiom or rule of {logic}"
    if rule is TAUT:
        return "" if not premises and is_tautology(f, limit=limit) else f"{f} is not a tautology"
    if rule.instance(premises, f) is None:
        return f"{f} is not an instance of {rule.name}: {rule.text}"
    if not rule.sound(rule, logic, f):
        return f"{rule.name} is not sound in {logic} for the agents of {f}"
    return ""
