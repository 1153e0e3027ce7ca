"""Checking derivations: each line is expanded into primitive steps, and each step is compared with its rule.

The trusted part is `flaw_of_step` and the declarations in `systems`: tautologies are decided, instances of
axioms and rules matched, and steps under updates must rest on properties that updates preserve. Derived rules
only write steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kripke_werewolf.display import Displayed
from kripke_werewolf.errors import FormulaError, Undecided, UnknownNameError
from kripke_werewolf.language.logics import Logic
from kripke_werewolf.proofs.abbreviations import unabbreviated
from kripke_werewolf.proofs.derived import write_line
from kripke_werewolf.proofs.proof import Line, Proof
from kripke_werewolf.proofs.script import DoesNotApply, Frames, Script
from kripke_werewolf.proofs.systems import RULES, TAUT, kept_by, system
from kripke_werewolf.proofs.tautologies import DEFAULT_STEPS, is_tautology
from kripke_werewolf.reports.tables import counted


@dataclass(frozen=True, slots=True, repr=False)
class Checked(Displayed):
    """Whether a derivation is correct; if not, the number of its first wrong line, and the reason."""

    right: bool
    line: int | None = None
    reason: str = ""

    def __str__(self) -> str:
        return self.headline()

    def headline(self) -> str:
        """Return the answer in words."""
        return "right" if self.right else f"line {self.line} is wrong: {self.reason}"


def check(proof: Proof, *, limit: int = DEFAULT_STEPS) -> Checked:
    """Return whether every line of a derivation follows by its rule from lines above it.

    >>> from kripke_werewolf.language import parse
    >>> from kripke_werewolf.language.logics import LOGICS
    >>> print(check(Proof(LOGICS["K"], (Line(parse("K_a p -> p"), "T"),))))
    line 1 is wrong: T is not sound in K, which has Taut, MP, K, Nec

    Raises `Undecided`, naming the line, if a propositional step takes more than `limit` steps of a search.
    """
    checking = Checking(proof.logic, limit)
    for number, line in enumerate(proof.lines, 1):
        try:
            flaw = checking.add(line)
        except Undecided as reason:
            verb = "is" if number == 2 else "are"
            before = f"; the {counted(number - 1, 'line')} above it {verb} right" if number > 1 else ""
            raise Undecided(f"line {number}: {reason}{before}") from None
        if flaw is not None:
            return Checked(False, number, flaw)
    return Checked(True)


class Checking:
    """The lines of a derivation found correct so far."""

    def __init__(self, logic: Logic, limit: int = DEFAULT_STEPS) -> None:
        self.logic = logic
        self.lines: list[Line] = []
        self._script = Script(logic, limit)
        self._numbers: list[int] = []
        self._depends: list[Frames] = []

    def add(self, line: Line) -> str | None:
        """Add a line, or return why it is wrong."""
        mark = len(self._script.lines)
        flaw = self._written(line)
        if flaw is None:
            self.lines.append(line)
        else:
            self._script.forget(mark)
            del self._depends[mark:]
        return flaw

    def allows(self, line: Line) -> bool:
        """Return whether a line would be correct as the next one."""
        mark = len(self._script.lines)
        found = self.add(line) is None
        if found:
            self.lines.pop()
            self._numbers.pop()
            self._script.forget(mark)
            del self._depends[mark:]
        return found

    def _written(self, line: Line) -> str | None:
        for ref in line.refs:
            if not 0 < ref <= len(self.lines):
                return f"it cites line {ref}, which is not above it"
        if not line.rule:
            return "it cites no rule"
        script, depends = self._script, self._depends
        try:
            formula = unabbreviated(line.formula)
            refs = [self._numbers[n - 1] for n in line.refs]
            number = write_line(script, Line(formula, line.rule), refs)
            while len(depends) < len(script.lines):
                flaw = flaw_of_step(self.logic, script.lines, len(depends) + 1, depends, script.limit)
                if flaw is not None:
                    return flaw
        except (DoesNotApply, FormulaError, UnknownNameError) as reason:
            return str(reason)
        if script.formula(number) is not formula:
            return f"its rule gives {script.formula(number)}"
        self._numbers.append(number)
        return None


def flaw_of_step(
    logic: Logic, lines: Sequence[Line], number: int, depends: list[Frames], limit: int = DEFAULT_STEPS
) -> str | None:
    """Return the flaw of a primitive line, if it has one.

    `depends` lists for each earlier line the frame properties on which it depends; those of this line are
    added.
    """
    line = lines[number - 1]
    rule = RULES.get(line.rule)
    if rule is None or rule not in system(logic):
        return f"{line.rule} is not an axiom or rule of {logic}"
    if any(not 0 < ref < number for ref in line.refs):
        return f"{line.reason} cites a line that is not above it"
    if rule is TAUT:
        if line.refs or not is_tautology(line.formula, limit=limit):
            return f"{line.formula} is not a tautology"
    elif rule.instance(tuple(lines[ref - 1].formula for ref in line.refs), line.formula) is None:
        return f"{line.formula} is not an instance of {rule.name}: {rule.text}"
    used = frozenset([rule.frame] if rule.frame else []).union(*(depends[ref - 1] for ref in line.refs))
    if rule.under_update and (lost := used - kept_by(line.formula, logic.properties)):
        return (
            f"{rule.name} is applied to {lines[line.refs[0] - 1].formula}, whose derivation needs relations "
            f"to be {' and '.join(sorted(lost))}, which they need not be after the update"
        )
    depends.append(used)
    return None
