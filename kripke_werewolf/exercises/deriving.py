"""Derive a formula, or show its validity by a closed tableau."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

from kripke_werewolf import proofs
from kripke_werewolf.errors import ModelError, Undecided
from kripke_werewolf.exercises.exercise import Exercise, Result, Rng, modal_depth
from kripke_werewolf.exercises.forms import Form, Given, formal
from kripke_werewolf.exercises.generation import assume
from kripke_werewolf.exercises.random_parts import PRINCIPLES, random_instance
from kripke_werewolf.exercises.serialisation import FreeFormula, Logic
from kripke_werewolf.exercises.validity import LOGIC, PRINCIPLE_DEPTH, small_countermodel

_STEPS = 20_000  # of a search for one line; students' lines need few steps
_MOST_LINES = 300
_HINTED = 40  # lines up to which a hint is sought


@dataclass(frozen=True, slots=True)
class ProofLines(Form):
    """A proof, line by line, called `noun`; `read_lines` reads it, or reports an error."""

    noun: str
    example: str
    read_lines: Callable[..., Any]
    lines: ClassVar[int] = 8

    @property
    def words(self) -> str:
        """The form in words."""
        return f"lines such as {self.example}"

    def parse(self, given: Given) -> Any:
        """Return the proof; refuse too many lines."""
        if given.text.count("\n") > _MOST_LINES:
            given.refuse(f"expected a {self.noun} of at most {_MOST_LINES} lines")
        return self.read_lines(given.text, source=given.source)


@dataclass(frozen=True, slots=True, repr=False)
class ProvingTask(Exercise):
    """Prove a formula in a logic, line by line."""

    parameters: ClassVar = {"depth": PRINCIPLE_DEPTH, "logic": LOGIC}
    lengths: ClassVar[range]
    """How many lines the solutions of generated tasks may have."""
    heading: ClassVar[int] = 0
    """The number of lines above the first line of a proof."""
    formula: FreeFormula
    logic: Logic

    @abstractmethod
    def found(self) -> proofs.Proof | proofs.Tableau | None:
        """Return a proof, or None if the formula is not valid."""

    def solution(self) -> str:
        """Return a proof found by search."""
        proof = self.found()
        if proof is None:
            raise ModelError(f"the exercise has no solution: {self.formula} is not valid in {self.logic}")
        return str(proof)

    def length(self) -> int:
        """Return the number of lines of the solution."""
        return len(self.solution().splitlines()) - self.heading

    def difficulty(self) -> int:
        """Return the number of lines of the solution plus the modal depth of the formula."""
        return self.length() + modal_depth(self.formula)

    @classmethod
    def generate(cls, rng: Rng, *, depth: int, logic: str) -> Self:
        """Return a task about a random principle if it is valid and its solution has an allowed length."""
        f = random_instance(PRINCIPLES[int(rng.integers(len(PRINCIPLES)))], depth, rng)
        exercise = cls("", f, logic)
        assume(small_countermodel(f, logic) is None and exercise.length() in cls.lengths)
        return exercise


@dataclass(frozen=True, slots=True, repr=False)
class Derivation(ProvingTask):
    """Derive a formula in a logic. The answer is a derivation, line by line; a wrong one gets a hint."""

    kind: ClassVar[str] = "derivation"
    about: ClassVar[str] = "derive a formula"
    lengths: ClassVar[range] = range(2, 9)
    heading: ClassVar[int] = 1

    def question(self) -> str:
        """Return the task in words."""
        return f"Derive {formal(self.formula)} in {self.logic}."

    @property
    def form(self) -> ProofLines:
        """A derivation."""
        example = "4. K_a p -> K_a q   MP 2, 3: a formula, a rule, and the lines it is applied to"
        return ProofLines("derivation", example, partial(proofs.read_proof, logic=self.logic))

    def judge(self, answer: proofs.Proof) -> Result:
        """Return whether every line is correct and the last one is the formula; if not, where, and a hint."""
        try:
            found = proofs.check(answer, limit=_STEPS)
            if found.line is not None:
                told = proofs.hint(answer, limit=_STEPS) if found.line <= _HINTED else ""
                return Result(False, f"{found}\nhint: {told}" if told else str(found))
        except Undecided as error:
            where = str(error).partition(";")[0]
            return Result(False, f"this cannot be checked; write it in smaller steps: {where}")
        if answer.conclusion is not self.formula:
            derived = answer.conclusion.unicode()
            return Result(False, f"it derives {derived}, not {self.formula.unicode()}")
        lines = "line" if len(answer) == 1 else "lines"
        return Result(True, f"each of the {len(answer)} {lines} follows by its rule")

    def found(self) -> proofs.Proof | None:
        """Return a derivation found by the prover."""
        return proofs.derivation(self.formula, logic=self.logic)


@dataclass(frozen=True, slots=True, repr=False)
class ClosedTableau(ProvingTask):
    """Show by a closed tableau that a formula is valid in a logic. The answer is the tableau."""

    kind: ClassVar[str] = "tableau"
    about: ClassVar[str] = "show by a tableau that a formula is valid"
    lengths: ClassVar[range] = range(1, 21)
    form: ClassVar[Form] = ProofLines(
        "tableau",
        "4. w1: ~K_a p   3, branches indented, and x 4, 5 where a branch closes",
        proofs.read_tableau,
    )

    def question(self) -> str:
        """Return the task in words."""
        return f"Show by a closed tableau that {formal(self.formula)} is valid in {self.logic}."

    def judge(self, answer: proofs.Tableau) -> Result:
        """Return whether the tableau is for the formula, correct and closed; if not, which line is wrong."""
        found = proofs.check_tableau(answer, self.formula, logic=self.logic)
        return Result(found.right, "every branch is closed" if found.right else str(found))

    def found(self) -> proofs.Tableau | None:
        """Return a closed tableau."""
        return proofs.tableau(self.formula, logic=self.logic)
