"""Formulas in a logic: is one valid, in which model is it true, and a proof of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, ClassVar, Self

from kripke_werewolf import proofs
from kripke_werewolf.deciding import countermodel, satisfiable
from kripke_werewolf.errors import FormulaError, ModelError, Undecided
from kripke_werewolf.exercises import random_parts
from kripke_werewolf.exercises.drawings import AModel, drawing, frame_flaw, is_s5
from kripke_werewolf.exercises.exercise import Exercise, Mistake, Parameter, Result, Rng, modal_depth
from kripke_werewolf.exercises.forms import Form, Given, formal
from kripke_werewolf.exercises.generation import assume
from kripke_werewolf.exercises.serialisation import FreeFormula, Logic
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import LOGICS
from kripke_werewolf.models import KripkeModel

LOGIC = Parameter("S5", tuple(LOGICS), "the logic")
"""The parameter for the logic."""
PRINCIPLE_DEPTH = Parameter(2, range(1, 5), "modal depth of the formula")
"""The modal depth of generated formulas that may be valid."""

_STEPS = 300_000  # about a second; formulas of exercises take a hundredth of that
_STEPS_OF_MODEL = 30_000  # enough for the small formulas of exercises
_STEPS_OF_LINE = 20_000  # of a search for one line; students' lines need few steps
_MOST_LINES = 300
_HINTED = 40  # lines up to which a hint is sought


@lru_cache(512)
def small_countermodel(f: Formula, logic: str) -> KripkeModel | None:
    """Return a small counter-model, None if the formula is valid; raises `Undecided` if unknown."""
    return countermodel(f, logic=logic, limit=_STEPS)


@dataclass(frozen=True, slots=True)
class ValidOrModel(AModel):
    """The word `valid`, as None, or a counter-model with a designated world."""

    @property
    def words(self) -> str:
        """The form in words."""
        return f"valid, or a counter-model: {AModel(self.about, self.logic).words}"

    def parse(self, given: Given) -> KripkeModel | None:  # type: ignore[override]
        """Return None for `valid`, or the model."""
        if given.word.casefold() == "valid":
            return None
        if ":" not in given.text:
            given.refuse(f"expected valid or a counter-model, got {given.start!r}")
        return AModel.parse(self, given)


@dataclass(frozen=True, slots=True, repr=False)
class Valid(Exercise):
    """Is a formula valid in a logic? The answer is `valid`, or a model with a world where it is false."""

    kind: ClassVar[str] = "valid"
    about: ClassVar[str] = "is a formula valid? If not, give a counter-model"
    parameters: ClassVar = {"depth": PRINCIPLE_DEPTH, "logic": LOGIC}
    formula: FreeFormula
    logic: Logic

    def question(self) -> str:
        """Return the task in words."""
        return f"Is {formal(self.formula)} valid in {self.logic}? If it is not, give a counter-model."

    @property
    def form(self) -> ValidOrModel:
        """Valid, or a model."""
        return ValidOrModel(self.formula, self.logic)

    def judge(self, answer: KripkeModel | None) -> Result:
        """Return whether the formula is valid, or the model belongs to the logic and refutes it."""
        if answer is None:
            found = small_countermodel(self.formula, self.logic)
            if found is None:
                return Result(True, self._proof())
            shown = "\n".join(f"  {line}" for line in drawing(found, s5=is_s5(self.logic)).splitlines())
            said = f"it is not valid in {self.logic}; here is a counter-model"
            return Result(False, f"{said}\n{shown}\n{found.explain(self.formula)}")
        if flaw := frame_flaw(answer, self.logic):
            return Result(False, flaw)
        false = not answer.holds(self.formula)
        why = str(answer.explain(self.formula))
        return Result(false, why if false else f"not a counter-model: the formula is true there\n{why}")

    def _proof(self) -> str:
        """Return why the formula is valid: a closed tableau of its negation, if there are rules for it."""
        said = f"it is valid in {self.logic}"
        try:
            closed = proofs.tableau(self.formula, logic=self.logic)
        except (FormulaError, Undecided):
            return said
        return f"{said}: to suppose that it is false leads to contradictions\n{closed}"

    def solution(self) -> str:
        """Return `valid` or a counter-model."""
        found = small_countermodel(self.formula, self.logic)
        return "valid" if found is None else drawing(found, s5=is_s5(self.logic))

    def mistakes(self) -> Iterator[Mistake]:
        """Yield the answer for S5, in which more formulas are valid."""
        if small_countermodel(self.formula, "S5") is None and not is_s5(self.logic):
            yield Mistake("valid", "S5 instead", f"it is valid in S5, but the question is about {self.logic}")

    @classmethod
    def draw(cls, rng: Rng, *, depth: int, logic: str) -> Mapping[str, Formula]:
        """Draw the verdict, and then a principle that has it."""
        wanted = rng.random() < 0.5
        simple = [f for f in random_parts.PRINCIPLES if modal_depth(f) <= depth]
        fitting = [f for f in simple if (small_countermodel(f, logic) is None) == wanted]
        return {"principle": fitting[int(rng.integers(len(fitting)))]}

    @classmethod
    def generate(cls, rng: Rng, *, depth: int, logic: str, principle: Formula) -> Self:
        """Return a question about an instance of a principle, which is valid just if the principle is."""
        f = random_parts.random_instance(principle, depth, rng)
        found = small_countermodel(f, logic)
        assume((found is None) == (small_countermodel(principle, logic) is None))
        assume(found is None or len(found) > 1 or rng.random() >= 0.7)
        return cls("", f, logic)


# --- models ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class FindModel(Exercise):
    """Find a model of a logic in which a formula is true. The answer is a model."""

    kind: ClassVar[str] = "find-model"
    about: ClassVar[str] = "find a model where a formula is true"
    parameters: ClassVar = {
        "size": Parameter(3, range(2, 5), "worlds of the smallest model"),
        "depth": random_parts.DEPTH,
    }
    formula: FreeFormula
    logic: Logic
    most_worlds: int | None = None

    def question(self) -> str:
        """Return the task in words."""
        most = f" with at most {self.most_worlds} worlds" if self.most_worlds else ""
        return f"Find a model of {self.logic}{most} and a world in it where {formal(self.formula)} is true."

    @property
    def form(self) -> AModel:
        """A model with a designated world."""
        return AModel(self.formula, self.logic)

    def judge(self, answer: KripkeModel) -> Result:
        """Return whether the model belongs to the logic, is small enough, and makes the formula true."""
        if self.most_worlds is not None and len(answer) > self.most_worlds:
            return Result(False, f"it has {len(answer)} worlds, and at most {self.most_worlds} are allowed")
        if flaw := frame_flaw(answer, self.logic):
            return Result(False, flaw)
        return Result(answer.holds(self.formula), str(answer.explain(self.formula)))

    def solution(self) -> str:
        """Return a smallest model found by the decision procedure."""
        model = satisfiable(self.formula, logic=self.logic)
        if model is None or (self.most_worlds is not None and len(model) > self.most_worlds):
            raise ModelError(f"no model of {self.logic} is known that solves the exercise: {self.question()}")
        return drawing(model, s5=is_s5(self.logic))

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int) -> Self:
        """Return a few short conditions, such as p & ~K_a p & K_a Kw_b p, and the fewest worlds needed."""
        if depth == 1 and size == 4:
            parts = _four_worlds(rng)
        else:
            parts = [random_parts.plain_formula(0, rng), random_parts.nested_formula(depth, rng)]
            depths = (int(rng.integers(1, depth + 1)) for _ in range(size - 1))
            parts += [random_parts.nested_formula(d, rng) for d in depths]
        f = s.conjunction(dict.fromkeys(parts))
        assume(len(str(f)) <= 80 and modal_depth(f) == depth)
        smallest = satisfiable(f, logic="S5", limit=_STEPS_OF_MODEL)
        assume(smallest is not None and len(smallest) == size)
        return cls("", f, "S5", size)


def _four_worlds(rng: Rng) -> list[Formula]:
    """Return the facts at one of four worlds that differ in p and q, and that the others are possible."""
    p, q = s.Atom("p"), s.Atom("q")
    cases = [p & q, p & ~q, ~p & q, ~p & ~q]
    here, *others = (cases[k] for k in rng.permutation(4).tolist())
    return [here, *(s.Possible(str(rng.choice(["a", "b"])), case) for case in others)]


# --- proofs ----------------------------------------------------------------------------------------


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
        known = random_parts.PRINCIPLES
        f = random_parts.random_instance(known[int(rng.integers(len(known)))], depth, rng)
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
            found = proofs.check(answer, limit=_STEPS_OF_LINE)
            if found.line is not None:
                told = proofs.hint(answer, limit=_STEPS_OF_LINE) if found.line <= _HINTED else ""
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
